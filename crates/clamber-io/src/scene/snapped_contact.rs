//! A contact on a hold at some distance from the point that the scene gives.

use std::fmt;

/// A contact that the scene gives as a point, and that was moved to a hold farther away than rounding explains.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SnappedContact {
    /// The posture: `start`, `goal`, or one of a passage.
    pub posture: String,
    /// The effector's name.
    pub effector: String,
    /// The name of the hold that was chosen.
    pub hold: String,
    /// The distance from the given point to the contact, in meters.
    pub distance: f32,
}

impl fmt::Display for SnappedContact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { posture, effector, hold, distance } = self;
        write!(f, "{posture}: `{effector}` snapped {distance:.2} m to `{hold}`")
    }
}
