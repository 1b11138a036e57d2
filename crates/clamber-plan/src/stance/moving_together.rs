//! The contacts that effectors make in one step: a single one, or one for each free effector of a group that moves together.

use std::sync::Arc;

use clamber_model::id::{EffectorId, ModeId, TiVec};
use clamber_model::kinematics::{effector_position, forward};
use clamber_model::math::{Vec3, atan2, rotation_about};
use clamber_model::mode_table::HoldToTake;
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact};

use super::search_state::StanceSearch;
use super::tuning::{LEAST_ORDER, MAX_DISTORTION, PASSING_TURNS};

impl StanceSearch {
    /// Combines the contacts that a take may make to sets that are made at once while others are held, on the way to a mode. Effectors that
    /// move together keep the places that they have to each other in the reference posture, as far as there are surfaces; where one
    /// of them finds none, there is no set.
    pub(super) fn contact_sets(
        &mut self,
        take: &HoldToTake,
        mut contacts: Vec<Contact>,
        configuration: &Configuration,
        stance: &[Contact],
        mode: ModeId,
    ) -> Vec<Vec<Contact>> {
        if !take.together {
            return contacts.into_iter().map(|contact| vec![contact]).collect();
        }
        let heading = self.heading_of(configuration);
        contacts.retain(|contact| {
            let next_heading = self.next_heading(heading, &[*contact], mode);
            // While the body passes, a limb that stands turns to both sides.
            PASSING_TURNS.iter().all(|&turn| self.has_room_at(contact, rotation_about(UP, turn) * next_heading, mode))
        });
        let places = self.reference_places(heading, mode);
        contacts.retain(|contact| stance.iter().all(|held| self.keeps_order(contact, held, &places)));
        let mut sets: Vec<Vec<Contact>> = Vec::new();
        for &group in &take.groups {
            let free = self.free_effectors(&self.local.table.effector_groups[group].effectors, stance);
            let Some((&leader, others)) = free.split_first() else { continue };
            for first in contacts.iter().filter(|contact| contact.effector == leader) {
                let set = self.set_around(take, first, others, &contacts, &places);
                sets.extend(set.filter(|set| !sets.contains(set)));
            }
        }
        sets
    }

    /// The effectors of these whose limbs have no contact.
    pub(super) fn free_effectors(&self, effectors: &[EffectorId], stance: &[Contact]) -> Vec<EffectorId> {
        let limb_of = |effector: EffectorId| self.local.problem.character.effectors[effector].limb;
        let is_free = |effector: &&EffectorId| stance.iter().all(|held| limb_of(held.effector) != limb_of(**effector));
        effectors.iter().filter(is_free).copied().collect()
    }

    /// A contact, and for each of some other effectors the one that is nearest to its place beside it.
    fn set_around(
        &self,
        take: &HoldToTake,
        first: &Contact,
        others: &[EffectorId],
        contacts: &[Contact],
        places: &TiVec<EffectorId, Vec3>,
    ) -> Option<Vec<Contact>> {
        let mut set = vec![*first];
        for &effector in others {
            let place = first.point + places[effector] - places[first.effector];
            let distance = |contact: &Contact| contact.point.distance(place);
            let near =
                contacts.iter().filter(|contact| contact.effector == effector && self.goes_with(take, contact, &set));
            let near = near.filter(|contact| set.iter().all(|other| self.keeps_order(contact, other, places)));
            let nearest = near.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
            if distance(nearest) > MAX_DISTORTION * self.reach.body_size {
                return None;
            }
            set.push(*nearest);
        }
        Some(set)
    }

    /// Whether a contact is as far from others as a take demands, and in reach of them.
    fn goes_with(&self, take: &HoldToTake, contact: &Contact, others: &[Contact]) -> bool {
        let is_apart = take.min_separations.iter().all(|apart| {
            let mut held = self.local.of_group(apart.from_group, others);
            held.all(|held| held.point.distance(contact.point) > apart.by)
        });
        is_apart && self.reach.allows(&self.local.problem.character, others, contact)
    }

    /// Whether the contacts of two limbs on one side of the body are in the order of their places in the reference posture: limbs that change
    /// it cross, and cannot swing past each other.
    pub(super) fn keeps_order(&self, contact: &Contact, other: &Contact, places: &TiVec<EffectorId, Vec3>) -> bool {
        let character = &self.local.problem.character;
        let limb_of = |contact: &Contact| character.effectors[contact.effector].limb;
        let (Some(limb), Some(other_limb)) = (limb_of(contact), limb_of(other)) else { return true };
        let in_order = places[contact.effector] - places[other.effector];
        let is_one_side = limb != other_limb && character.limbs[limb].side == character.limbs[other_limb].side;
        !is_one_side || in_order.dot(contact.point - other.point) >= LEAST_ORDER * in_order.length_squared()
    }

    /// The places of the effectors in the reference posture of a mode, facing a horizontal direction.
    pub(super) fn reference_places(&mut self, heading: Vec3, mode: ModeId) -> TiVec<EffectorId, Vec3> {
        let character = &*Arc::clone(&self.local.problem.character);
        let mut posture = self.local.table.modes[mode].reference_posture.configuration(character);
        posture.root.rotation = rotation_about(UP, atan2(-heading.z, heading.x)) * posture.root.rotation;
        let frames = &mut self.local.projection.link_frames;
        forward(character, &posture, frames);
        character.effectors.keys().map(|effector| effector_position(character, frames, effector)).collect()
    }
}
