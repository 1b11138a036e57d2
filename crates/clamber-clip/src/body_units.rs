//! The units of length and time of a body.
//!
//! Bodies of different sizes move alike when lengths scale with the body and times with the square root of its size, since
//! gravity is the same for all (dynamic similarity; Hof 1996, "Scaling gait data to body size"). Tuning constants are
//! multiples of these units, so that an insect and a giant need no retuning.

use clamber_model::Character;
use clamber_model::character::{GRAVITY, REFERENCE_BODY_SIZE};

/// The unit of length of a body of the reference size, in meters: the height of its hips when it stands.
const LEG: f32 = 0.93;

/// The units of one character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyScale {
    /// A fixed share of the body's size ([`Character::body_size`]), in meters.
    pub length: f32,
    /// `sqrt(length / gravity)`, in seconds.
    pub time: f32,
}

impl BodyScale {
    pub fn of(character: &Character) -> Self {
        let length = LEG * character.body_size() / REFERENCE_BODY_SIZE;
        Self { length, time: (length / GRAVITY).sqrt() }
    }

    /// The unit of speed, in meters per second: that of a Froude number of 1.
    pub fn speed(self) -> f32 {
        self.length / self.time
    }
}
