//! Contacts along a path of the root.

use clamber_model::Problem;
use clamber_model::math::{Pose as RootPose, Vec3};
use clamber_posture::limb_contacts::{
    ContactFinder, ContactScene, ContactTask, LimbDatabase, MAX_SAMPLES, PathEnd, PathRequest, StanceChooser,
    StanceRequest, SurfaceTree, contacts_along,
};

use super::error::PoseError;
use super::named_parts::{all_end_effectors, effectors};
use super::posed_body::{Pose, PoseOutcome, motion_of};
use super::request::PoseRequest;
use super::tuning;

/// Moves the root along a path. A body without contacts takes those that carry it best first.
pub(super) fn follow(problem: &Problem, path: &[Vec3], request: &PoseRequest) -> Result<Pose, PoseError> {
    let (character, world, start) = (&*problem.character, &*problem.world, &problem.start);
    let root = start.configuration.root;
    let path = steps_through(root, path, tuning::STEP_LENGTH * character.body_size())?;
    let database = LimbDatabase::new(character, request.samples.clamp(1, MAX_SAMPLES));
    let surfaces = SurfaceTree::new(world);
    let scene = ContactScene { character, world, database: &database, surfaces: &surfaces };
    let mut finder = ContactFinder::new(character);
    let free = effectors(character, &start.stance, &request.limbs)?;
    let mut stances = StanceRequest::new(start.configuration.clone(), free.clone(), ContactTask::moving(Vec3::Y));
    stances.kept.clone_from(&start.stance);
    stances.comfort = request.comfort;
    let begin = StanceChooser::new(scene, &mut finder, &stances).choose();
    let effectors = if request.limbs.is_empty() { all_end_effectors(character) } else { free };
    let request = PathRequest { configuration: begin.configuration, stance: begin.stance, effectors, path };
    let found = contacts_along(scene, &mut finder, &request);
    let mut motion = motion_of(problem, &found.steps);
    motion.in_equilibrium = true;
    let (stance, reached) =
        found.steps.last().map_or((Vec::new(), root), |step| (step.stance.clone(), step.configuration.root));
    let distance = distance_along(root, &request.path, reached);
    if distance == 0.0 && found.end == PathEnd::NotCarried {
        return Err(PoseError::NoContact);
    }
    Ok(Pose { motion, stance, imbalance: Some(0.0), outcome: PoseOutcome::Follows(distance, found.end) })
}

/// Poses of the root along straight lines, at most so far apart.
fn steps_through(root: RootPose, points: &[Vec3], length: f32) -> Result<Vec<RootPose>, PoseError> {
    let (mut steps, mut from) = (Vec::new(), root.translation);
    for &to in points {
        let distance = (to - from).length();
        let count = (distance / length).ceil();
        if !(count + steps.len() as f32 <= tuning::MAX_STEPS as f32) {
            return Err(PoseError::PathTooLong);
        }
        let step = |index: usize| RootPose::from_parts(from.lerp(to, index as f32 / count), root.rotation);
        steps.extend((1..=count as usize).map(step));
        from = to;
    }
    if steps.is_empty() { Err(PoseError::NoDirection) } else { Ok(steps) }
}

/// The length of the path up to a pose of it.
fn distance_along(root: RootPose, path: &[RootPose], reached: RootPose) -> f32 {
    if reached == root {
        return 0.0;
    }
    let mut distance = 0.0;
    let mut from = root;
    for &pose in path {
        distance += (pose.translation - from.translation).length();
        from = pose;
        if pose == reached {
            break;
        }
    }
    distance
}
