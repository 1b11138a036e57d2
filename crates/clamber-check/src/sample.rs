//! Looks at a motion more often than it has frames.

use clamber_model::configuration::bound_motion;
use clamber_model::kinematics::{Workspace, capsule_in_world, forward};
use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration, Motion};

/// No more looks than this between two frames; frames so far apart that more are needed are not looked between.
const MAX_LOOKS: f32 = 5000.0;

/// A spacing that is smaller, negative or not a number is taken as this.
const MIN_SPACING: f32 = 1e-4;

/// Calls `look` with configurations along the motion, frames included, such that no point moves farther than `spacing`
/// from one to the next. Returns the time of the first pair of frames that are too far apart for that, if any are.
pub(crate) fn for_each_sample(
    character: &Character,
    motion: &Motion,
    spacing: f32,
    mut look: impl FnMut(f32, &Configuration),
) -> Option<f32> {
    let mut too_far_apart = None;
    let mut ways = Vec::new();
    for pair in motion.frames.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        look(from.time, &from.configuration);
        bound_motion(character, &from.configuration, &to.configuration, &mut ways);
        let way = ways.iter().copied().fold(0.0, f32::max);
        let count = (way / spacing.max(MIN_SPACING)).ceil();
        // Written so that what is not a number is too far.
        if !(count <= MAX_LOOKS) {
            too_far_apart = too_far_apart.or(Some(from.time));
            continue;
        }
        let count = count as usize;
        let mut between = from.configuration.clone();
        for i in 1..count {
            let t = i as f32 / count as f32;
            between.interpolate(&from.configuration, &to.configuration, t);
            look(from.time + (to.time - from.time) * t, &between);
        }
    }
    if let Some(last) = motion.frames.last() {
        look(last.time, &last.configuration);
    }
    too_far_apart
}

/// The ends of the axes of all capsules of a configuration: where the body is.
pub(crate) fn body_points(
    character: &Character,
    configuration: &Configuration,
    frames: &mut Workspace,
    points: &mut Vec<Vec3>,
) {
    forward(character, configuration, frames);
    points.clear();
    for index in 0..character.capsules.len() {
        let capsule = capsule_in_world(character, frames, index);
        points.extend([capsule.a, capsule.b]);
    }
}

/// The link that a body point belongs to.
pub(crate) fn link_of_point(character: &Character, point: usize) -> String {
    character.links[character.capsule_links[point / 2]].name.clone()
}
