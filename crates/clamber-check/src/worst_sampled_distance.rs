//! Distances measured at samples of a motion: at its frames, and between them.
//!
//! Between two frames, linear interpolation of the angles cuts the corners of curved motion, the more the longer the frames are
//! apart. In clips, which have any frame rate, that is a property of its own, and its limit grows with the time between the frames.

use clamber_model::Motion;

use crate::dense_sampling::Sample;
use crate::report::{PropertyResult, WorstFraction, WorstValue};
use crate::settings::CheckSettings;

/// Accumulates the worst of many distances, in meters.
pub(crate) struct SampledProperty<'a> {
    motion: &'a Motion,
    limit: f32,
    /// In meters per second squared.
    max_interpolated_acceleration: f32,
    /// In motions that are no clips, also between the frames.
    at_frames: WorstValue,
    between_frames: WorstFraction,
}

impl<'a> SampledProperty<'a> {
    /// `limit` is the greatest distance at frames; it and the settings are in meters.
    pub fn new(motion: &'a Motion, limit: f32, settings: &CheckSettings) -> Self {
        Self {
            motion,
            limit,
            max_interpolated_acceleration: settings.interpolation_error_acceleration,
            at_frames: WorstValue::new(),
            between_frames: WorstFraction::new(limit),
        }
    }

    pub fn record(&mut self, sample: &Sample, distance: f32, describe: impl FnOnce() -> String) {
        if !self.motion.is_clip || !sample.is_between_frames() {
            self.at_frames.record(distance, sample.time, describe);
            return;
        }
        let frames = &self.motion.frames;
        let seconds = frames[sample.last_frame].time - frames[sample.first_frame].time;
        let limit = self.limit + self.max_interpolated_acceleration * seconds * seconds / 8.0;
        self.between_frames.record(distance, limit, sample.time, describe);
    }

    /// Records that something cannot be measured.
    pub fn fail(&mut self, time: f32, reason: &str) {
        self.at_frames.record(f32::INFINITY, time, || reason.to_owned());
    }

    /// The results under two names: at the frames and, for clips, between them.
    pub fn into_results(self, at_frames: &'static str, between_frames: &'static str) -> Vec<PropertyResult> {
        let mut results = vec![self.at_frames.into_result(at_frames, self.limit, "m")];
        if self.motion.is_clip {
            results.push(self.between_frames.into_result(between_frames, "m"));
        }
        results
    }
}
