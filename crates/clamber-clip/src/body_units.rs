//! The units of length and time of a body.
//!
//! Bodies of different sizes move alike when lengths scale with the body and times with the square root of its size, since
//! gravity is the same for all (dynamic similarity; Hof 1996, "Scaling gait data to body size"). Tuning constants are
//! multiples of these units, so that an insect and a giant need no retuning.

use clamber_model::Character;
use clamber_model::character::GRAVITY;

/// The units of one character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyScale {
    /// The body's size, in meters ([`Character::body_size`]).
    pub length: f32,
    /// `sqrt(size / gravity)`, in seconds.
    pub time: f32,
}

impl BodyScale {
    pub fn of(character: &Character) -> Self {
        let length = character.body_size();
        Self { length, time: (length / GRAVITY).sqrt() }
    }

    /// The unit of speed, in meters per second: that of a Froude number of 1.
    pub fn speed(self) -> f32 {
        self.length / self.time
    }
}
