//! Which contacts let this body get up, push this, pull that?

use clamber_model::Problem;
use clamber_model::id::EffectorId;
use clamber_model::math::Vec3;
use clamber_posture::limb_contacts::{
    ChosenStance, ContactFinder, ContactScene, ContactTask, LimbDatabase, MAX_SAMPLES, StanceChooser, StanceRequest,
    SurfaceTree,
};

use super::error::PoseError;
use super::named_parts::{effectors, holds_of};
use super::posed_body::{Pose, PoseOutcome, PosedBody};
use super::request::PoseRequest;

/// A force that the body is to exert.
pub(super) struct Exertion<'a> {
    pub direction: Vec3,
    /// The name of what is pushed or pulled; `None` if the body itself moves.
    pub object: Option<&'a str>,
    pub pushes: bool,
}

/// Finds the contacts with which the body exerts the most force, with limbs at ease. Its root stays where it is.
pub(super) fn exert_force(
    problem: &Problem,
    Exertion { direction, object, pushes }: Exertion,
    request: &PoseRequest,
) -> Result<Pose, PoseError> {
    let (character, world) = (&*problem.character, &*problem.world);
    let finite = Some(direction).filter(|direction| direction.is_finite());
    let direction = finite.and_then(Vec3::try_normalize).ok_or(PoseError::NoDirection)?;
    let start = &problem.start;
    let effectors = effectors(character, &start.stance, &request.limbs)?;
    let mut stances = StanceRequest::new(start.configuration.clone(), effectors, ContactTask { direction, pushes });
    let limb_of = |effector: EffectorId| character.effectors[effector].limb;
    let is_free = |limb| stances.effectors.iter().any(|&effector| limb_of(effector) == limb);
    stances.kept = start.stance.iter().filter(|held| !is_free(limb_of(held.effector))).copied().collect();
    stances.comfort = request.comfort;
    stances.object = object.map_or(Ok(Vec::new()), |name| holds_of(problem, name))?;
    let database = LimbDatabase::new(character, request.samples.clamp(1, MAX_SAMPLES));
    let surfaces = SurfaceTree::new(world);
    let scene = ContactScene { character, world, database: &database, surfaces: &surfaces };
    let mut finder = ContactFinder::new(character);
    let ChosenStance { configuration, stance, force } = StanceChooser::new(scene, &mut finder, &stances).choose();
    if stance.len() == stances.kept.len() {
        return Err(PoseError::NoContact);
    }
    let body = PosedBody { configuration, stance, imbalance: force.map(|force| force.imbalance) };
    Ok(body.into_pose(problem, PoseOutcome::Exerts(force.map(|force| force.force))))
}
