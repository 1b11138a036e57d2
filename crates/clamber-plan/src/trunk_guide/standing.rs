//! Which contacts bodies stand on, and whether they may.

use clamber_model::Contact;
use clamber_model::id::ModeId;

use super::guide::TrunkGuide;
use super::mode_shape::ModeShape;
use super::tile_surfaces::is_roomy_in;
use super::tuning;

impl TrunkGuide {
    /// Whether nothing but what a body stands on carries it in a mode.
    pub fn only_stands(&self, mode: ModeId) -> bool {
        self.shape(mode).is_none_or(ModeShape::only_stands)
    }

    /// Whether the contacts of a stance are at heights at which a body that only stands may have all of them.
    pub fn may_stand_on(&self, stance: &[Contact], mode: ModeId) -> bool {
        let Some(shape) = self.shape(mode).filter(|shape| shape.only_stands()) else { return true };
        shape.disagreement(stance) <= tuning::MAX_DISAGREEMENT * self.body_size
    }

    /// Whether there is room for a leg above a contact, if it needs that in a mode.
    pub fn has_room_to_stand(&self, contact: &Contact, mode: ModeId) -> bool {
        let needs_room = self.shape(mode).is_some_and(|shape| shape.needs_room(contact.effector));
        let cell = self.places.cell_at(contact.point);
        !needs_room || is_roomy_in(&self.problem.world, cell, self.places.side)
    }

    /// Whether a body in a mode only stands on the contacts of a stance. Those of another mode may be on a wall.
    pub fn stands_on(&self, stance: &[Contact], mode: ModeId) -> bool {
        let Some(shape) = self.shape(mode) else { return true };
        shape.only_stands()
            && stance.iter().all(|contact| self.own_shape(shape, contact.effector, stance).only_stands())
    }
}
