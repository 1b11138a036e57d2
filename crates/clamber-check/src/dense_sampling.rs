//! Samples a motion more densely than its frames.

use clamber_model::configuration::link_motion_bounds;
use clamber_model::id::TiVec;
use clamber_model::kinematics::{Workspace, capsule_in_world, forward};
use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration, Motion};

/// Most samples between two frames. Frames so far apart that they need more are not sampled between.
const MAX_SAMPLES: f32 = 5000.0;

/// A time at which a motion is sampled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// In seconds.
    pub time: f32,
    /// The frame at this time, or the last one before it.
    pub first_frame: usize,
    /// The frame at this time, or the first one after it.
    pub last_frame: usize,
}

impl Sample {
    /// Whether the sample lies between two frames.
    pub fn is_between_frames(&self) -> bool {
        self.first_frame < self.last_frame
    }
}

/// Calls `visit` with configurations along the motion, frames included, such that no point moves farther than `spacing`
/// from one to the next. Returns the time of the first pair of frames that is too far apart to be sampled, if any.
pub(crate) fn for_each_sample(
    character: &Character,
    motion: &Motion,
    spacing: f32,
    mut visit: impl FnMut(Sample, &Configuration),
) -> Option<f32> {
    let mut too_far_apart = None;
    let mut displacements = TiVec::new();
    for (index, pair) in motion.frames.windows(2).enumerate() {
        let (from, to) = (&pair[0], &pair[1]);
        visit(Sample { time: from.time, first_frame: index, last_frame: index }, &from.configuration);
        link_motion_bounds(character, &from.configuration, &to.configuration, &mut displacements);
        let displacement = displacements.iter().copied().fold(0.0, f32::max);
        let count = (displacement / spacing).ceil();
        // Negated so that NaN counts as too far.
        if !(count <= MAX_SAMPLES) {
            too_far_apart = too_far_apart.or(Some(from.time));
            continue;
        }
        let count = count as usize;
        let mut between = from.configuration.clone();
        for i in 1..count {
            let t = i as f32 / count as f32;
            between.interpolate(&from.configuration, &to.configuration, t);
            let time = from.time + (to.time - from.time) * t;
            visit(Sample { time, first_frame: index, last_frame: index + 1 }, &between);
        }
    }
    if let Some(last) = motion.frames.last() {
        let index = motion.frames.len() - 1;
        visit(Sample { time: last.time, first_frame: index, last_frame: index }, &last.configuration);
    }
    too_far_apart
}

/// Fills `points` with the ends of the axes of all capsules, in the world.
pub(crate) fn body_points(
    character: &Character,
    configuration: &Configuration,
    workspace: &mut Workspace,
    points: &mut Vec<Vec3>,
) {
    forward(character, configuration, workspace);
    points.clear();
    for index in 0..character.capsules.len() {
        let capsule = capsule_in_world(character, workspace, index);
        points.extend([capsule.a, capsule.b]);
    }
}

/// The name of the link that a point of [`body_points`] belongs to.
pub(crate) fn link_of_point(character: &Character, point: usize) -> String {
    character.links[character.link_of_capsule[point / 2]].name.clone()
}
