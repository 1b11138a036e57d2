//! Random numbers: one seed per problem, split into named streams.
//!
//! Each consumer draws from its own stream, so a change in how often one draws leaves the numbers of the others unchanged. The
//! conversions from raw output are written here, because a library's distributions may change their values between releases.

use rand_core::Rng;
use rand_pcg::Pcg32;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(Pcg32);

impl Stream {
    /// Returns the stream called `name` of a seed.
    pub fn new(seed: u64, name: &str) -> Self {
        Self(Pcg32::new(seed, fnv1a(name.as_bytes())))
    }

    /// Draws a number in [0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 * (1.0 / (1u32 << 24) as f32)
    }

    /// Draws a number in [low, high).
    #[inline]
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.uniform()
    }

    /// Draws an integer below `count`, which must not be 0.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        // Multiply and shift: the bias is below count / 2^32.
        ((u64::from(self.0.next_u32()) * count as u64) >> 32) as usize
    }
}

/// Returns the 64-bit FNV-1a hash, the same on every machine: for stream names and file digests.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_one_seed_differ_and_are_reproducible() {
        let draw = |seed, name| {
            let mut stream = Stream::new(seed, name);
            [stream.uniform(), stream.between(-1.0, 1.0), stream.below(1000) as f32]
        };
        assert_eq!(draw(1, "walk"), draw(1, "walk"));
        assert_ne!(draw(1, "walk"), draw(1, "descent"));
        assert_ne!(draw(1, "walk"), draw(2, "walk"));
    }

    #[test]
    fn draws_keep_their_values_between_releases() {
        let mut stream = Stream::new(7, "golden");
        let drawn: Vec<usize> = (0..4).map(|_| stream.below(1_000_000)).collect();
        assert_eq!(drawn, GOLDEN);
    }

    const GOLDEN: [usize; 4] = [622_488, 652_779, 674_714, 464_088];
}
