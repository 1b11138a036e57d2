//! A smooth rise.

/// Rises from 0 to 1 with zero velocity and acceleration at both ends.
pub(crate) fn ease(fraction: f32) -> f32 {
    fraction * fraction * fraction * (10.0 + fraction * (6.0 * fraction - 15.0))
}
