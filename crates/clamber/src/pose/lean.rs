//! How far can this body lean without a step?

use clamber_model::Problem;
use clamber_model::math::Vec3;
use clamber_posture::{Lean, LeanError};

use super::error::PoseError;
use super::named_parts::example_of_effector;
use super::posed_body::{Pose, PoseOutcome, PosedBody};
use super::posing_table::posing_table;

/// Keeps the contacts of the start and moves the center of mass as far along a direction as they carry the body.
pub(super) fn lean(problem: &Problem, direction: Vec3) -> Result<Pose, PoseError> {
    let Problem { character, world, start, .. } = problem;
    let found = clamber_posture::lean(world, character, &posing_table(problem), start, direction);
    let Lean { configuration, distance, .. } = found.map_err(|error| match error {
        LeanError::NoContacts => PoseError::NoStance { example: example_of_effector(character) },
        other => PoseError::CannotLean(other),
    })?;
    let body = PosedBody { configuration, stance: start.stance.clone(), imbalance: Some(0.0) };
    Ok(body.into_pose(problem, PoseOutcome::Leans(distance)))
}
