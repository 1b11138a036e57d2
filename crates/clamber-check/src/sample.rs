//! Looks at a motion more often than it has frames.

use clamber_model::configuration::bound_motion;
use clamber_model::kinematics::{Workspace, capsule_in_world, forward};
use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration, Motion};

/// No more looks than this between two frames. Frames so far apart fail the continuity property anyway.
const MAX_LOOKS: f32 = 500.0;

/// A spacing that is smaller, negative or not a number is taken as this.
const MIN_SPACING: f32 = 1e-4;

/// Calls `look` with configurations along the motion, frames included, such that no point moves farther than `spacing`
/// from one to the next.
pub(crate) fn for_each_sample(
    character: &Character,
    motion: &Motion,
    spacing: f32,
    mut look: impl FnMut(f32, &Configuration),
) {
    let mut ways = Vec::new();
    for pair in motion.frames.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        look(from.time, &from.configuration);
        bound_motion(character, &from.configuration, &to.configuration, &mut ways);
        let way = ways.iter().copied().fold(0.0, f32::max);
        let count = (way / spacing.max(MIN_SPACING)).ceil().min(MAX_LOOKS) as usize;
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
