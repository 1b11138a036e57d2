//! Samples a motion more densely than its frames.

use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration, Motion};

use crate::kinematics::{LinkFrames, interpolate};
use crate::motion_bound::MotionBound;
use crate::progress::ProgressReporter;

/// Most samples between two frames. Frames so far apart that they need more are not sampled between.
const MAX_SAMPLES: f64 = 5000.0;

/// A time at which a motion is sampled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// In seconds.
    pub time: f32,
    /// The frame at this time, or the last one before it.
    pub first_frame: usize,
    /// The frame at this time, or the first one after it.
    pub last_frame: usize,
    /// The farthest that any point can have moved since the previous sample, in meters; infinite or NaN if unknown.
    pub moved: f64,
}

impl Sample {
    /// Whether the sample lies between two frames.
    pub fn is_between_frames(&self) -> bool {
        self.first_frame < self.last_frame
    }
}

/// Calls `visit` with configurations along the motion, frames included, such that no point moves farther than `spacing`
/// from one to the next. Returns the time of the first pair of frames that is too far apart to be sampled, if any. Stops early
/// when the check is cancelled.
pub(crate) fn for_each_sample(
    character: &Character,
    motion: &Motion,
    spacing: f32,
    progress: &mut ProgressReporter,
    mut visit: impl FnMut(Sample, &Configuration),
) -> Option<f32> {
    let mut too_far_apart = None;
    let mut bound = MotionBound::new(character);
    let mut moved = f64::INFINITY;
    for (index, pair) in motion.frames.windows(2).enumerate() {
        let (from, to) = (&pair[0], &pair[1]);
        let finished = index as f32 / motion.frames.len() as f32;
        if !progress.step(finished) {
            break;
        }
        visit(Sample { time: from.time, first_frame: index, last_frame: index, moved }, &from.configuration);
        let displacement = bound.path_length(character, &from.configuration, &to.configuration);
        let count = (displacement / f64::from(spacing)).ceil();
        // Negated so that NaN counts as too far.
        if !(count <= MAX_SAMPLES) {
            too_far_apart = too_far_apart.or(Some(from.time));
            moved = f64::INFINITY;
            continue;
        }
        let count = count as usize;
        moved = displacement / count.max(1) as f64;
        let mut between = from.configuration.clone();
        for i in 1..count {
            if !progress.step(finished) {
                break;
            }
            let fraction = i as f64 / count as f64;
            interpolate(&from.configuration, &to.configuration, fraction, &mut between);
            let time = from.time + (to.time - from.time) * fraction as f32;
            visit(Sample { time, first_frame: index, last_frame: index + 1, moved }, &between);
        }
    }
    if let Some(last) = motion.frames.last() {
        let index = motion.frames.len() - 1;
        visit(Sample { time: last.time, first_frame: index, last_frame: index, moved }, &last.configuration);
    }
    too_far_apart
}

/// Fills `points` with the ends of the axes of all capsules, in the world.
pub(crate) fn body_points(
    character: &Character,
    configuration: &Configuration,
    frames: &mut LinkFrames,
    points: &mut Vec<Vec3>,
) {
    frames.set(character, configuration);
    points.clear();
    for index in 0..character.capsules.len() {
        points.extend(frames.capsule_axis(character, index).map(|end| end.as_vec3()));
    }
}

/// The name of the link that a point of [`body_points`] belongs to.
pub(crate) fn link_of_point(character: &Character, point: usize) -> String {
    character.links[character.link_of_capsule[point / 2]].name.clone()
}
