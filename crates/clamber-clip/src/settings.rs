//! Settings of a clip.

use clamber_model::collision::Clearance;

/// What a clip may be told.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClipSettings {
    /// How many frames of the clip make a second, from 1 to 1000. Default 120.
    pub frames_per_second: f32,
    /// How fast it is to go, as a multiple of the natural pace: pairs of a share of the way, from 0 to 1, and the speed
    /// there, from 0.05 to 20, with straight lines between them. The character's limits go before. Default 1 everywhere.
    pub speed: Vec<(f32, f32)>,
    /// The distance kept from obstacles in flight. Default [`Clearance::default`].
    pub clearance: Clearance,
    /// The distance kept from obstacles while in contact. Default [`Clearance::IN_CONTACT`].
    pub contact_clearance: Clearance,
    /// Whether walking gets a gait: hips that rise and fall, arms that swing, a head that looks ahead. Default true.
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
