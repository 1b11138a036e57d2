//! Samples the dimensions of a segment.

use std::ops::RangeInclusive;

use clamber_model::rng::Stream;

use super::dimensions::Span;

/// Samples dimensions from a random stream of the segment's own, so that they do not depend on the segments before it.
#[derive(Clone, Debug)]
pub(super) struct Sampler(pub Stream);

impl Sampler {
    /// A length in whole centimeters, because people read the scene file.
    pub fn length(&mut self, span: &Span) -> f64 {
        (100.0 * self.between(span)).round() / 100.0
    }

    /// An angle in whole degrees.
    pub fn degrees(&mut self, span: &Span) -> f64 {
        self.between(span).round()
    }

    /// A whole number, both ends included.
    pub fn count(&mut self, range: &RangeInclusive<usize>) -> usize {
        range.start() + self.0.below(range.end() - range.start() + 1)
    }

    /// 1 or -1.
    pub fn sign(&mut self) -> f64 {
        if self.0.below(2) == 0 { 1.0 } else { -1.0 }
    }

    fn between(&mut self, span: &Span) -> f64 {
        span.start() + (span.end() - span.start()) * f64::from(self.0.uniform())
    }
}
