//! Uniformly spaced frames, for formats that have one frame time.

use clamber_model::Configuration;
use clamber_model::motion::Frame;

/// Frame rate of a motion without duration, in frames per second.
const DEFAULT_RATE: f64 = 30.0;

/// Frames may deviate from uniform times by this fraction of a step: rounding to single precision does as much.
const TIME_TOLERANCE: f64 = 0.01;

/// Most frames after resampling. Two frames may be arbitrarily close in time, which would make the step tiny.
const MAX_FRAMES: usize = 50_000;

/// The frame times of a uniformly timed file.
pub(crate) struct UniformTiming {
    /// Seconds between two frames.
    pub step: f64,
    pub count: usize,
    /// Whether the motion's own frames have these times, so that nothing is resampled.
    pub keeps_frames: bool,
}

impl UniformTiming {
    pub fn of(frames: &[Frame]) -> Self {
        let time = |index: usize| f64::from(frames[index].time) - f64::from(frames[0].time);
        let steps = frames.len().saturating_sub(1);
        let duration = if steps == 0 { 0.0 } else { time(steps) };
        let kept = |step: f64| Self { step, count: frames.len(), keeps_frames: true };
        if !(duration > 0.0 && duration.is_finite()) {
            return kept(1.0 / DEFAULT_RATE);
        }
        let is_even = |step: &f64| {
            // Times far from 0 have fewer fractional digits.
            let tolerance = TIME_TOLERANCE * step + duration * f64::from(f32::EPSILON);
            (0..frames.len()).all(|index| (time(index) - index as f64 * step).abs() <= tolerance)
        };
        let step = duration / steps as f64;
        // Prefer a whole frame rate: its step has more digits than the times.
        let whole = 1.0 / (1.0 / step).round();
        if let Some(step) = [whole, step].into_iter().find(is_even) {
            return kept(step);
        }
        let between = (0..steps).map(|index| time(index + 1) - time(index));
        let mut between: Vec<f64> = between.filter(|step| *step > 0.0).collect();
        between.sort_by(f64::total_cmp);
        let median = between.get(between.len() / 2).copied().unwrap_or(duration);
        // The frames of a clip with passages lie on the grid of a whole frame rate, except those that were added.
        let rate = (1.0 / median).round();
        let steps = (duration * rate).round();
        let is_on_grid = (steps / rate - duration).abs() <= TIME_TOLERANCE / rate + duration * f64::from(f32::EPSILON);
        if rate >= 1.0 && is_on_grid && (1.0..=MAX_FRAMES as f64).contains(&steps) {
            return Self { step: 1.0 / rate, count: steps as usize + 1, keeps_frames: false };
        }
        // A whole number of steps keeps the last frame.
        let steps = (duration / median).round().clamp(1.0, MAX_FRAMES as f64) as usize;
        Self { step: duration / steps as f64, count: steps + 1, keeps_frames: false }
    }

    /// Samples the motion at these times.
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
            // For two frames at the same time the fraction is NaN, which keeps the earlier one.
            if share > 0.0 {
                configuration.interpolate(&from.configuration, &to.configuration, share.min(1.0));
            }
            configuration
        })
    }
}
