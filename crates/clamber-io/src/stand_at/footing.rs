//! The contacts of a body above a place.

use clamber_model::contact::Stance;
use clamber_model::id::HoldId;
use clamber_model::{Character, Contact, World};

use super::error::StandAtError;
use super::ground::hold_below;
use super::nearest_hold::NearestHold;
use super::placed_body::{PlacedBody, ReferenceBody};

/// Returns the contacts of the supports of a body, sorted by effector.
pub(super) fn contacts_below(
    world: &World,
    character: &Character,
    body: &ReferenceBody,
    placed: &PlacedBody,
) -> Result<Stance, StandAtError> {
    let mut stance = Stance::new();
    for (support, &bottom) in body.supports.iter().zip(&placed.bottoms) {
        // Two effectors do not fit on one point.
        let is_taken = |contact: &&Contact| !world.holds[contact.hold].has_extent();
        let taken: Vec<HoldId> = stance.iter().filter(is_taken).map(|contact| contact.hold).collect();
        let Some((hold, point)) = hold_below(world, character, (bottom, placed.up), &support.types, &taken) else {
            let effector = character.effectors[support.effector].name.clone();
            return Err(StandAtError::NoFooting { effector, nearest: NearestHold::to(world, bottom, &support.types) });
        };
        stance.push(Contact { effector: support.effector, hold, point, normal: world.holds[hold].normal });
    }
    stance.sort_by_key(|contact| contact.effector);
    Ok(stance)
}
