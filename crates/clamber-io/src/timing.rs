//! Evenly timed frames, for formats that have no others.

use clamber_model::Configuration;
use clamber_model::motion::Frame;

/// The rate of a motion that has none of its own, in frames a second.
const USUAL_RATE: f64 = 30.0;

/// Frames that are this share of a step early or late count as evenly timed: single precision does as much to times.
const UNEVENNESS: f64 = 0.01;

/// Motions are not resampled into more frames than this: a single pair of frames can be as near in time as it likes.
const MOST_RESAMPLED: usize = 100_000;

/// When the frames of a file are whose frames are evenly timed.
pub(crate) struct Timing {
    /// In seconds.
    pub step: f64,
    pub count: usize,
    /// Whether the motion's own frames are at these times.
    pub keeps_frames: bool,
}

impl Timing {
    pub fn of(frames: &[Frame]) -> Self {
        let time = |index: usize| f64::from(frames[index].time) - f64::from(frames[0].time);
        let steps = frames.len().saturating_sub(1);
        let duration = if steps == 0 { 0.0 } else { time(steps) };
        let kept = |step: f64| Self { step, count: frames.len(), keeps_frames: true };
        if !(duration > 0.0 && duration.is_finite()) {
            return kept(1.0 / USUAL_RATE);
        }
        let is_even = |step: &f64| {
            // A time far from 0 has fewer digits after the point.
            let tolerance = UNEVENNESS * step + duration * f64::from(f32::EPSILON);
            (0..frames.len()).all(|index| (time(index) - index as f64 * step).abs() <= tolerance)
        };
        let step = duration / steps as f64;
        // The rate that was meant, when it is a whole one: its step is known to more digits than times have.
        let whole = 1.0 / (1.0 / step).round();
        if let Some(step) = [whole, step].into_iter().find(is_even) {
            return kept(step);
        }
        let between = (0..steps).map(|index| time(index + 1) - time(index));
        let mut between: Vec<f64> = between.filter(|step| *step > 0.0).collect();
        between.sort_by(f64::total_cmp);
        let median = between.get(between.len() / 2).copied().unwrap_or(duration);
        // A whole number of steps, so that the last frame is kept.
        let steps = (duration / median).round().clamp(1.0, MOST_RESAMPLED as f64) as usize;
        Self { step: duration / steps as f64, count: steps + 1, keeps_frames: false }
    }

    /// The motion's configurations at these times.
    pub fn sample(&self, frames: &[Frame]) -> impl Iterator<Item = Configuration> {
        let mut before = 0;
        (0..self.count).map(move |index| {
            if self.keeps_frames {
                return frames[index].configuration.clone();
            }
            let time = frames[0].time + (index as f64 * self.step) as f32;
            while before + 2 < frames.len() && frames[before + 1].time <= time {
                before += 1;
            }
            let [from, to] = [&frames[before], &frames[before + 1]];
            let share = (time - from.time) / (to.time - from.time);
            let mut configuration = from.configuration.clone();
            // Written so that of two frames at one time, between which there is no share, the earlier is taken.
            if share > 0.0 {
                configuration.interpolate(&from.configuration, &to.configuration, share.min(1.0));
            }
            configuration
        })
    }
}
