//! Speed and smoothness of the root, which is at the hips.
//!
//! The position is sampled every 1/60 s, as on a screen, regardless of the frame times, with linear interpolation between
//! frames. Speed is the first difference divided by the step, jerk the third difference divided by the step cubed. A
//! difference counts for the mode at the middle of its samples. So motions with uneven frames or different frame rates are
//! comparable, and frames that pause or leap show.

use clamber_model::Motion;
use clamber_model::math::Vec3;

/// The time between two samples, in seconds.
const STEP: f32 = 1.0 / 60.0;

/// Root metrics of one mode, in meters and seconds.
pub(super) struct RootMetrics {
    pub seconds: f32,
    pub top_speed: f32,
    pub mean_speed: f32,
    /// Root mean square; `None` if the mode is too short for a third difference.
    pub jerk: Option<f32>,
}

pub(super) fn measure(motion: &Motion, mode: &str) -> RootMetrics {
    let spans = motion.mode_spans.iter().filter(|span| span.mode == mode);
    let times: Vec<[f32; 2]> =
        spans.map(|span| [span.first_frame, span.last_frame].map(|frame| motion.frames[frame].time)).collect();
    let is_in_mode = |time: f32| times.iter().any(|[from, to]| (*from..=*to).contains(&time));
    let positions = sampled_positions(motion);
    let time = |sample: f32| motion.frames[0].time + sample * STEP;
    let steps = positions.windows(2).enumerate().filter(|(index, _)| is_in_mode(time(*index as f32 + 0.5)));
    let distances: Vec<f32> = steps.map(|(_, pair)| (pair[1] - pair[0]).length()).collect();
    let thirds = positions.windows(4).enumerate().filter(|(index, _)| is_in_mode(time(*index as f32 + 1.5)));
    let squares: Vec<f32> =
        thirds.map(|(_, p)| ((p[3] - p[0] - 3.0 * (p[2] - p[1])) / (STEP * STEP * STEP)).length_squared()).collect();
    let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len().max(1) as f32;
    RootMetrics {
        seconds: times.iter().map(|[from, to]| to - from).sum(),
        top_speed: distances.iter().copied().fold(0.0, f32::max) / STEP,
        mean_speed: mean(&distances) / STEP,
        jerk: (!squares.is_empty()).then(|| mean(&squares).sqrt()),
    }
}

/// The root's position at each sample, from the first frame to the last.
fn sampled_positions(motion: &Motion) -> Vec<Vec3> {
    let frames = &motion.frames;
    let (start, end) = (frames[0].time, motion.duration());
    let count = ((end - start) / STEP + 1e-3) as usize;
    let mut next = 1;
    let position = |index: usize| {
        let time = start + index as f32 * STEP;
        while next + 1 < frames.len() && frames[next].time < time {
            next += 1;
        }
        let (before, after) = (&frames[next - 1], &frames[next.min(frames.len() - 1)]);
        let share = ((time - before.time) / (after.time - before.time).max(1e-9)).clamp(0.0, 1.0);
        before.configuration.root.translation.lerp(after.configuration.root.translation, share)
    };
    (0..=count).map(position).collect()
}
