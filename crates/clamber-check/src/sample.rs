//! Looks at a motion more often than it has frames.

use clamber_model::configuration::bound_motion;
use clamber_model::kinematics::{Workspace, capsule_in_world, forward};
use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration, Motion};

/// No more looks than this between two frames; frames so far apart that more are needed are not looked between.
const MAX_LOOKS: f32 = 5000.0;

/// A spacing that is smaller, negative or not a number is taken as this.
const MIN_SPACING: f32 = 1e-4;

/// A moment at which a motion is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// In seconds.
    pub time: f32,
    /// The frame that it is at, or after.
    pub first: usize,
    /// The frame that it is at, or before.
    pub last: usize,
}

impl Moment {
    /// Whether it is between two frames.
    pub fn is_between(&self) -> bool {
        self.first < self.last
    }
}

/// Calls `look` with configurations along the motion, frames included, such that no point moves farther than `spacing`
/// from one to the next. Returns the time of the first pair of frames that are too far apart for that, if any are.
pub(crate) fn for_each_sample(
    character: &Character,
    motion: &Motion,
    spacing: f32,
    mut look: impl FnMut(Moment, &Configuration),
) -> Option<f32> {
    let mut too_far_apart = None;
    let mut ways = Vec::new();
    for (index, pair) in motion.frames.windows(2).enumerate() {
        let (from, to) = (&pair[0], &pair[1]);
        look(Moment { time: from.time, first: index, last: index }, &from.configuration);
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
            let time = from.time + (to.time - from.time) * t;
            look(Moment { time, first: index, last: index + 1 }, &between);
        }
    }
    if let Some(last) = motion.frames.last() {
        let index = motion.frames.len() - 1;
        look(Moment { time: last.time, first: index, last: index }, &last.configuration);
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
