//! Settings of a clip.

use clamber_model::collision::Clearance;

/// How a motion is turned into a clip.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClipSettings {
    /// Frames per second, from 1 to 1000. Default: 120.
    pub frames_per_second: f32,
    /// Speed as a multiple of the natural pace: pairs of a position along the motion, from 0 to 1 and ascending, and the
    /// speed there, from 0.05 to 20; linear in between, constant beyond the ends. The character's limits take precedence.
    /// An empty list means 1 everywhere. Default: 1 everywhere.
    pub speed: Vec<(f32, f32)>,
    /// Distance to obstacles without contacts, in meters, finite. Default: [`Clearance::default`].
    pub clearance: Clearance,
    /// Distance to obstacles while in contact, in meters, finite. Default: [`Clearance::IN_CONTACT`].
    pub contact_clearance: Clearance,
    /// Whether walking gets a gait: hips that rise and fall, swinging arms, a head that faces ahead. Default: true.
    pub gait: bool,
}

impl Default for ClipSettings {
    fn default() -> Self {
        Self {
            frames_per_second: 120.0,
            speed: vec![(0.0, 1.0)],
            clearance: Clearance::default(),
            contact_clearance: Clearance::IN_CONTACT,
            gait: true,
        }
    }
}
