//! How the hips travel: how fast, and how smoothly.
//!
//! Positions are looked at every 1/60 of a second, as a screen shows them, whatever the times of the frames are, with straight
//! lines between frames as motions have them. Speed is the first difference, jerk the third, each by its power of the step;
//! what is measured counts for the mode in the middle of the looks that it is made of. So uneven frames and different frame
//! rates are measured alike, and frames that stand still or leap show.

use clamber_model::Motion;
use clamber_model::math::Vec3;

/// The time between two looks, in seconds.
const STEP: f32 = 1.0 / 60.0;

pub(super) struct Hips {
    pub seconds: f32,
    pub top_speed: f32,
    pub mean_speed: f32,
    pub jerk: Option<f32>,
}

pub(super) fn measure(motion: &Motion, mode: &str) -> Hips {
    let spans = motion.spans.iter().filter(|span| span.mode == mode);
    let times: Vec<[f32; 2]> =
        spans.map(|span| [span.first, span.last].map(|frame| motion.frames[frame].time)).collect();
    let is_in = |time: f32| times.iter().any(|[from, to]| (*from..=*to).contains(&time));
    let positions = looks(motion);
    let time = |look: f32| motion.frames[0].time + look * STEP;
    let steps = positions.windows(2).enumerate().filter(|(index, _)| is_in(time(*index as f32 + 0.5)));
    let ways: Vec<f32> = steps.map(|(_, pair)| (pair[1] - pair[0]).length()).collect();
    let thirds = positions.windows(4).enumerate().filter(|(index, _)| is_in(time(*index as f32 + 1.5)));
    let squares: Vec<f32> =
        thirds.map(|(_, p)| ((p[3] - p[0] - 3.0 * (p[2] - p[1])) / (STEP * STEP * STEP)).length_squared()).collect();
    let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len().max(1) as f32;
    Hips {
        seconds: times.iter().map(|[from, to]| to - from).sum(),
        top_speed: ways.iter().copied().fold(0.0, f32::max) / STEP,
        mean_speed: mean(&ways) / STEP,
        jerk: (!squares.is_empty()).then(|| mean(&squares).sqrt()),
    }
}

/// Where the hips are at each look, from the first frame to the last.
fn looks(motion: &Motion) -> Vec<Vec3> {
    let frames = &motion.frames;
    let (start, end) = (frames[0].time, motion.duration());
    let count = ((end - start) / STEP + 1e-3) as usize;
    let mut next = 1;
    let look = |index: usize| {
        let time = start + index as f32 * STEP;
        while next + 1 < frames.len() && frames[next].time < time {
            next += 1;
        }
        let (before, after) = (&frames[next - 1], &frames[next.min(frames.len() - 1)]);
        let share = ((time - before.time) / (after.time - before.time).max(1e-9)).clamp(0.0, 1.0);
        before.configuration.root.translation.lerp(after.configuration.root.translation, share)
    };
    (0..=count).map(look).collect()
}
