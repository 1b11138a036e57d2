//! Settings of a clip.

use clamber_model::character::REFERENCE_BODY_SIZE;

/// How a motion is turned into a clip.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClipSettings {
    /// Frames per second, from 1 to 1000. Default: 120.
    pub frames_per_second: f32,
    /// Speed as a multiple of the natural pace: pairs of a position along the motion, from 0 to 1 and ascending, and the
    /// speed there, from 0.05 to 20; linear in between, constant beyond the ends. The character's limits take precedence.
    /// An empty list means 1 everywhere. Default: 1 everywhere.
    pub speed_curve: Vec<(f32, f32)>,
    /// Distance kept from obstacles without contacts, in body sizes ([`Character::body_size`](clamber_model::Character::body_size)),
    /// finite. Default: 0.00297, which is 3 mm for the shipped figure.
    pub flight_clearance: f32,
    /// Distance kept from obstacles while in contact, in body sizes, finite. Negative allows overlap: a touching capsule is
    /// at distance 0, give or take rounding. Default: -0.000495, which is half a millimeter for the shipped figure.
    pub stance_clearance: f32,
    /// Whether walking gets a gait: a root that rises and falls, limbs that swing against the walking ones, a gaze that stays ahead. Default: true.
    pub add_gait: bool,
}

impl Default for ClipSettings {
    fn default() -> Self {
        Self {
            frames_per_second: 120.0,
            speed_curve: vec![(0.0, 1.0)],
            flight_clearance: 3e-3 / REFERENCE_BODY_SIZE,
            stance_clearance: -5e-4 / REFERENCE_BODY_SIZE,
            add_gait: true,
        }
    }
}
