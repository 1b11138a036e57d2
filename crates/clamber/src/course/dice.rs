//! The dimensions of a segment, drawn between an easy and a hard value.

use clamber_model::rng::Stream;

use super::draft::centimetres;

/// A segment's own randomness: another kind of segment before it changes nothing of it.
#[derive(Clone, Debug)]
pub(super) struct Dice {
    stream: Stream,
    difficulty: f64,
}

impl Dice {
    pub fn new(seed: u64, segment: usize, difficulty: f64) -> Self {
        Self { stream: Stream::new(seed, &format!("course segment {segment}")), difficulty }
    }

    /// A length that makes it hard: from half the difficulty up to all of it.
    pub fn hard(&mut self, easy: f64, hard: f64) -> f64 {
        let share = self.difficulty * (0.5 + 0.5 * f64::from(self.stream.unit()));
        centimetres(easy + (hard - easy) * share)
    }

    /// A length that has nothing to do with difficulty.
    pub fn free(&mut self, low: f64, high: f64) -> f64 {
        centimetres(low + (high - low) * f64::from(self.stream.unit()))
    }

    /// A whole number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.stream.below(count)
    }
}
