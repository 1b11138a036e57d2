//! Stand here, facing there: finds contacts and a posture for a place.
//!
//! The body is put upright above the place in its reference configuration. The effectors that are near the ground there go straight
//! onto the holds below them, and [`stand`](clamber_posture::stand) solves for a posture on these contacts. If there is none, places nearby are tried in a fixed
//! order.

mod tuning;
mod nearest_hold;
mod error;
mod ground;
mod placements;
mod placed_body;
mod footing;
mod attempt;

pub use error::StandAtError;
pub use nearest_hold::NearestHold;

use clamber_model::character::RootJoint;
use clamber_model::id::ModeId;
use clamber_model::math::Vec3;
use clamber_model::problem::Posture;
use clamber_model::{Character, ModeTable, World};
use clamber_posture::StandError;

use self::attempt::Attempt;
use self::ground::ground_at;
use self::placed_body::ReferenceBody;
use self::placements::placements;

/// A place to stand at.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// A point on a surface or a little above it. The center of mass of the body at rest is above it.
    pub at: Vec3,
    /// The direction that the body faces; only its horizontal part counts.
    pub facing: Vec3,
    /// The name of the mode. Default: the first mode of the table that has contacts.
    pub mode_name: Option<String>,
}

/// Finds a posture at a place: in static equilibrium, on holds that the mode may use, free of collisions.
///
/// If the body cannot be exactly there in about its reference configuration, it is up to 0.3 body sizes away or turned by up to 20
/// degrees. If that does not help either, it bends and turns as far as it must.
///
/// # Errors
///
/// Returns what is wrong with the place, or why there is no posture exactly there.
pub fn stand_at(
    world: &World,
    character: &Character,
    modes: &ModeTable,
    place: &Place,
) -> Result<Posture, StandAtError> {
    let mode = mode_of(modes, place.mode_name.as_deref())?;
    let facing = horizontal(character, place.facing)?;
    if !place.at.is_finite() {
        return Err(StandAtError::InvalidPlace);
    }
    let body = ReferenceBody::new(character, modes, mode);
    let types = body.hold_types();
    let ground = ground_at(world, character, place.at, &types)
        .ok_or_else(|| StandAtError::nothing_to_stand_on(world, character, place.at, &types))?;
    let mut contorted = None;
    let mut first_error = None;
    for (index, placement) in placements(character, &ground, facing).iter().enumerate() {
        let found = Attempt::new(world, character, &body, placement).and_then(|attempt| {
            // Exactly at the place, everything is tried.
            if index > 0 {
                attempt.check_room(world, character)?;
            }
            let posture = attempt.posture(world, character, modes, mode)?;
            Ok((attempt.is_like_reference(character, &posture), posture))
        });
        match found {
            Ok((true, posture)) => return Ok(posture),
            Ok((false, posture)) => drop(contorted.get_or_insert(posture)),
            // How the exact place fails is what helps to change it.
            Err(error) => drop(first_error.get_or_insert(error)),
        }
    }
    contorted.ok_or(first_error.unwrap_or(StandAtError::InvalidPlace))
}

/// Returns the mode with this name, or the first one that has contacts.
fn mode_of(modes: &ModeTable, name: Option<&str>) -> Result<ModeId, StandAtError> {
    let has_contacts = |mode: ModeId| !modes.modes[mode].supporting_groups.is_empty();
    match name {
        None => modes.modes.keys().find(|&mode| has_contacts(mode)).ok_or(StandAtError::NoModeWithContacts),
        Some(name) => match modes.find_mode(name) {
            None => Err(StandAtError::Posture(StandError::UnknownMode { mode: name.to_owned() })),
            Some(mode) if !has_contacts(mode) => Err(StandAtError::ModeWithoutContacts { mode: name.to_owned() }),
            Some(mode) => Ok(mode),
        },
    }
}

/// Returns the unit vector along the horizontal part of a direction; in the plane, along or against x.
fn horizontal(character: &Character, facing: Vec3) -> Result<Vec3, StandAtError> {
    let part = match character.root_joint {
        RootJoint::Planar => Vec3::new(facing.x, 0.0, 0.0),
        RootJoint::Free => facing.with_y(0.0),
    };
    part.try_normalize().ok_or(StandAtError::VerticalFacing)
}
