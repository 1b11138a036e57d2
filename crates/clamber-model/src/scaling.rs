//! Scaling by a factor: the same problem for a larger or smaller body.
//!
//! Scaling is dynamically similar (equal Froude numbers under the same gravity): lengths are multiplied by the factor, times by its
//! square root and masses by its cube. A motion that is valid at one size is valid at any other.

/// The factor of a scaling is not finite or not positive.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the scale factor is {factor}, but it must be finite and greater than 0")]
pub struct ScaleError {
    /// The factor.
    pub factor: f32,
}

/// A valid factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    /// Factor of lengths.
    pub length: f32,
    /// Factor of times.
    pub time: f32,
}

impl Scale {
    pub fn new(factor: f32) -> Result<Self, ScaleError> {
        let is_valid = factor.is_finite() && factor > 0.0;
        if is_valid { Ok(Self { length: factor, time: factor.sqrt() }) } else { Err(ScaleError { factor }) }
    }

    /// Factor of masses.
    pub fn mass(self) -> f32 {
        self.length * self.length * self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_must_be_finite_and_positive() {
        for factor in [0.0, -1.0, f32::INFINITY, f32::NAN] {
            assert!(Scale::new(factor).is_err(), "{factor}");
        }
        let scale = Scale::new(4.0).unwrap();
        assert_eq!((scale.length, scale.time, scale.mass()), (4.0, 2.0, 64.0));
    }
}
