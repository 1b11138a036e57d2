//! A sequence of evenly spread points that can be continued without end.
//!
//! Point `i` has the coordinates `0.5 + i a, 0.5 + i a², ...` modulo 1, where `1 / a` is the root of `x^(d+1) = x + 1` (Roberts, "The
//! unreasonable effectiveness of quasirandom sequences", 2018). Any prefix fills the cube evenly, and a point follows from its
//! number alone, so samples need not store it.

/// The sequence in some dimension.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    /// The step of each coordinate, in units of 2^-64: integers wrap around without rounding.
    steps: Vec<u64>,
}

impl Sequence {
    pub fn new(dimensions: usize) -> Self {
        let step = 1.0 / root(dimensions);
        let mut power = 1.0;
        let steps = (0..dimensions).map(|_| {
            power *= step;
            (power * UNIT) as u64
        });
        Self { steps: steps.collect() }
    }

    /// Returns a coordinate of a point, at least 0 and less than 1.
    #[inline]
    pub fn coordinate(&self, point: u32, dimension: usize) -> f32 {
        const HALF: u64 = 1 << 63;
        let bits = self.steps[dimension].wrapping_mul(u64::from(point)).wrapping_add(HALF);
        // The bits that a single-precision number holds.
        (bits >> 40) as f32 * (1.0 / (1u32 << 24) as f32)
    }
}

/// 2^64.
const UNIT: f64 = 18_446_744_073_709_551_616.0;

/// Returns the root above 1 of `x^(dimensions + 1) = x + 1`, by bisection.
fn root(dimensions: usize) -> f64 {
    let excess = |x: f64| (0..=dimensions).fold(1.0, |power, _| power * x) - x - 1.0;
    let (mut low, mut high) = (1.0, 2.0);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if excess(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_dimension_steps_by_the_golden_ratio() {
        assert!((root(1) - 0.5 * (1.0 + 5f64.sqrt())).abs() < 1e-12);
        let sequence = Sequence::new(1);
        assert_eq!(sequence.coordinate(0, 0), 0.5);
        assert!((sequence.coordinate(1, 0) - 0.118_034).abs() < 1e-6);
    }

    #[test]
    fn prefixes_fill_the_cube_evenly() {
        let sequence = Sequence::new(5);
        for dimension in 0..5 {
            let mut counts = [0; 10];
            for point in 0..1000 {
                counts[(sequence.coordinate(point, dimension) * 10.0) as usize] += 1;
            }
            assert!(counts.iter().all(|count| (90..=110).contains(count)), "{counts:?}");
        }
    }
}
