//! Single postures: exert force for a task, put a limb on a hold, or lean; and contacts along a path.

mod tuning;
mod request;
mod error;
mod posed_body;
mod named_parts;
mod posing_table;
mod exert_force;
mod reach;
mod lean;
mod follow;

pub use error::PoseError;
pub use posed_body::{Pose, PoseOutcome};
pub use request::{PoseRequest, PoseTask};

use clamber_model::Problem;

use exert_force::{Exertion, exert_force};

/// Finds the posture that a request asks for, from the body at the start of a problem.
///
/// - To move the body, to push or to pull, limbs make contact where they exert the most force, and are at ease. The root stays where it is.
/// - To reach, the whole body moves and keeps the contacts of the start. It need not be in balance; see [`Pose::imbalance`].
/// - To lean, the whole body moves, keeps the contacts of the start and its balance.
/// - To follow a path, limbs make and break contacts as their reach asks for. The motion has a frame for each step and each change of
///   contact; how limbs swing between contacts is not planned.
///
/// # Errors
///
/// Returns what is wrong with the request, or why there is no such posture.
pub fn pose(problem: &Problem, request: &PoseRequest) -> Result<Pose, PoseError> {
    problem.validate_references()?;
    let exert = |direction, object, pushes| exert_force(problem, Exertion { direction, object, pushes }, request);
    match &request.task {
        PoseTask::Move { direction } => exert(*direction, None, false),
        PoseTask::Push { direction, object } => exert(*direction, Some(object.as_str()), true),
        PoseTask::Pull { direction, object } => exert(*direction, Some(object.as_str()), false),
        PoseTask::Reach { hold } => reach::reach(problem, hold, &request.limbs),
        PoseTask::Lean { direction } => lean::lean(problem, *direction),
        PoseTask::Follow { path } => follow::follow(problem, path, request),
    }
}
