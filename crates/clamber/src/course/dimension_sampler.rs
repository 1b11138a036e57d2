//! Samples the dimensions of a segment.

use clamber_model::rng::Stream;

use super::layout::round_to_centimeters;

/// Samples dimensions from the segment's own random stream, so that they do not depend on the segments before it.
#[derive(Clone, Debug)]
pub(super) struct DimensionSampler {
    stream: Stream,
    difficulty: f64,
}

impl DimensionSampler {
    pub fn new(seed: u64, segment: usize, difficulty: f64) -> Self {
        Self { stream: Stream::new(seed, &format!("course segment {segment}")), difficulty }
    }

    /// Samples a length that matters for difficulty: between `easy` and `hard`, at a random fraction of 0.5 to 1 times the
    /// difficulty.
    pub fn by_difficulty(&mut self, easy: f64, hard: f64) -> f64 {
        let share = self.difficulty * (0.5 + 0.5 * f64::from(self.stream.uniform()));
        round_to_centimeters(easy + (hard - easy) * share)
    }

    /// Samples a length that does not matter for difficulty.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        round_to_centimeters(low + (high - low) * f64::from(self.stream.uniform()))
    }

    /// Samples a whole number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.stream.below(count)
    }
}
