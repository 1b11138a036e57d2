//! Why nobody can stand at a place.

use clamber_model::math::Vec3;
use clamber_model::world::HoldType;
use clamber_model::{Character, World};
use clamber_posture::StandError;

use super::nearest_hold::NearestHold;
use super::tuning;

/// Why [`stand_at`](super::stand_at()) found no posture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StandAtError {
    /// The place is not finite.
    #[error("the place is not a usable vector")]
    InvalidPlace,
    /// The direction has no horizontal part; in the plane, no part along x.
    #[error("the direction to face is vertical")]
    VerticalFacing,
    /// The mode has no contacts.
    #[error("mode `{mode}` has no contacts, so nobody stands in it")]
    ModeWithoutContacts {
        /// Its name.
        mode: String,
    },
    /// No mode of the table has contacts.
    #[error("no mode of the mode table has contacts")]
    NoModeWithContacts,
    /// No hold that the mode may use is near the place.
    #[error("there is nothing to stand on within {reach:.2} m of the place{}", nearest_text(.nearest.as_ref()))]
    NothingToStandOn {
        /// How far holds may be, in meters.
        reach: f32,
        /// The nearest hold of a type that the mode may use, if there is any.
        nearest: Option<NearestHold>,
    },
    /// No hold that the mode may use is near an effector.
    #[error("there is nothing for `{effector}` to stand on{}", nearest_text(.nearest.as_ref()))]
    NoFooting {
        /// The effector.
        effector: String,
        /// The nearest hold that it may use, if there is any.
        nearest: Option<NearestHold>,
    },
    /// The body does not fit between obstacles.
    #[error("there is no room to stand: `{link}` would be {:.0} mm inside `{obstacle}`", 1000.0 * depth.max(0.0))]
    NoRoom {
        /// A link of the body at rest.
        link: String,
        /// The obstacle.
        obstacle: String,
        /// How deep the link would be in it, in meters.
        depth: f32,
    },
    /// There is no posture on the contacts at the place.
    #[error(transparent)]
    Posture(#[from] StandError),
}

impl StandAtError {
    pub(super) fn nothing_to_stand_on(world: &World, character: &Character, at: Vec3, types: &[HoldType]) -> Self {
        let reach = tuning::REACH * character.body_size();
        Self::NothingToStandOn { reach, nearest: NearestHold::to(world, at, types) }
    }
}

fn nearest_text(nearest: Option<&NearestHold>) -> String {
    match nearest {
        Some(NearestHold { hold, distance, .. }) => format!(": the nearest hold, `{hold}`, is {distance:.2} m away"),
        None => ": no hold has a type that the mode may use".to_owned(),
    }
}
