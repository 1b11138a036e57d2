//! Where effectors should go in space: to their places in the reference posture, some way ahead along the guide.

use std::sync::Arc;

use clamber_model::character::{Capsule, Side};
use clamber_model::id::{EffectorId, LinkId, ModeId};
use clamber_model::kinematics::{LinkFrames, capsule_in_world, effector_position, forward};
use clamber_model::math::{Rotation, Vec3, rotation_about};
use clamber_model::mode_table::HoldToTake;
use clamber_model::world::{MeshInterior, UP};
use clamber_model::{Configuration, Contact, Problem};

use super::search_state::StanceSearch;
use super::tuning::{
    BACKING_STRIDES, CHANGE_STRIDES, LEAST_SIDE_DISTANCE, MAX_NOMINAL_MISS, MAX_NOMINAL_TILT, SIDE_OFFSETS, STRIDES,
};
use crate::trunk_guide::GuidePoint;
use clamber_posture::anatomy::turn_between;

impl StanceSearch {
    /// Places for the effectors of a take, given the contacts that are held meanwhile and the mode that follows; the farthest first. None
    /// in the plane.
    pub(super) fn placements(
        &self,
        take: &HoldToTake,
        configuration: &Configuration,
        stance: &[Contact],
        mode: ModeId,
    ) -> Vec<(EffectorId, Vec3)> {
        let Some(guide) = &self.trunk_guide else { return Vec::new() };
        let heading = self.heading_of(configuration);
        let (Some(shape), Some(trunk)) = (guide.shape(mode), guide.trunk_place(stance, heading, mode)) else {
            return Vec::new();
        };
        let effectors = || take.groups.iter().flat_map(|&group| &self.local.table.effector_groups[group].effectors);
        let from = GuidePoint { position: trunk, mode };
        let mut involved = stance.iter().map(|contact| contact.effector).chain(effectors().copied());
        let is_between_modes = involved.any(|effector| !shape.is_carried_by(effector));
        // A body that has its back to the path, as above an edge, may need more room behind it.
        let along = guide.displacement_ahead(from, STRIDES[0] * self.reach.body_size);
        let is_backing = guide.only_stands(mode) && along.dot(heading) < 0.0;
        let strides: &[f32] = match is_between_modes {
            true => &CHANGE_STRIDES,
            false if is_backing => &BACKING_STRIDES,
            false => &STRIDES,
        };
        let back = if is_backing { -heading } else { heading };
        // A body that is lower takes shorter steps.
        let share = if is_between_modes { 1.0 } else { guide.stride_share(shape) };
        let mut placements = Vec::new();
        for &stride in strides {
            let stride = stride * share * self.reach.body_size;
            let ahead = match stride >= 0.0 {
                true => trunk + guide.displacement_ahead(from, stride),
                false => trunk + back * stride,
            };
            let next_heading = self.heading_toward(heading, GuidePoint { position: ahead, mode });
            let middle = (heading + next_heading).try_normalize().unwrap_or(heading);
            for side in SIDE_OFFSETS {
                let trunk = ahead + next_heading.cross(UP) * (side * self.reach.body_size);
                let at = GuidePoint { position: trunk, mode };
                placements.extend(effectors().filter_map(|&effector| {
                    let place = guide.effector_place(at, next_heading, effector, stance)?;
                    Some((effector, self.uncrossed(effector, place, stance, middle)))
                }));
            }
        }
        placements
    }

    /// Whether all contacts of a stance carry in a mode. Others are those of another mode, from which the body comes.
    pub(super) fn is_of_mode(&self, stance: &[Contact], mode: ModeId) -> bool {
        let shape = self.trunk_guide.as_ref().and_then(|guide| guide.shape(mode));
        shape.is_none_or(|shape| shape.count_carrying(stance) == stance.len())
    }

    /// Whether limbs reach the contacts of a stance in the posture that a body aims for there, as level as they have to be. Between two modes
    /// most stances fail, which this tells sooner than the solver.
    pub(super) fn is_nominal_reached(&mut self, stance: &[Contact], heading: Vec3, mode: ModeId) -> bool {
        let Some(guide) = &self.trunk_guide else { return true };
        let mode = guide.resembled_mode(stance, mode);
        let Some(mut posture) = self.nominal_posture(stance, heading, mode) else { return true };
        let character = &*Arc::clone(&self.local.problem.character);
        forward(character, &posture, &mut self.local.projection.link_frames);
        let max_miss = MAX_NOMINAL_MISS * self.reach.body_size;
        let is_too_far = |contact: &Contact| {
            let root = self.local.limb_root(contact.effector).unwrap_or(contact.point);
            let distance = (contact.effector_center(character) - root).length();
            distance > self.reach.limb_length(contact.effector) + max_miss
        };
        if stance.iter().any(is_too_far) {
            return false;
        }
        self.local.projection.patch_headings.clear();
        self.local.projection.bend_limbs_toward_contacts(character, &mut posture, stance);
        let frames = &mut self.local.projection.link_frames;
        forward(character, &posture, frames);
        stance.iter().all(|contact| {
            let effector = &character.effectors[contact.effector];
            let miss = effector_position(character, frames, contact.effector) - contact.effector_center(character);
            let rotation = frames.world_from_link[effector.link].rotation;
            let facings = effector.facing.zip(contact.level_facing(character));
            miss.length() <= max_miss
                && facings.is_none_or(|(facing, wanted)| (rotation * facing).angle_between(wanted) <= MAX_NOMINAL_TILT)
        })
    }

    /// Whether the end of a limb, such as a foot, has room on a contact in the reference posture of a mode.
    pub(super) fn has_room_at(&mut self, contact: &Contact, heading: Vec3, mode: ModeId) -> bool {
        let problem = Arc::clone(&self.local.problem);
        let Some(guide) = &self.trunk_guide else { return true };
        // On a wall, limbs end at any angle.
        if !guide.only_stands(mode) && contact.level_facing(&problem.character).is_none() {
            return true;
        }
        let mode = guide.resembled_mode(&[*contact], mode);
        let Some(posture) = self.nominal_posture(&[*contact], heading, mode) else { return true };
        let Problem { world, character, .. } = &*problem;
        let frames = &mut self.local.projection.link_frames;
        forward(character, &posture, frames);
        let effector = &character.effectors[contact.effector];
        let (begins, ends) =
            (effector_position(character, frames, contact.effector), contact.effector_center(character));
        // A sole lies on a slope as on level ground.
        let facing = effector.facing.map(|facing| frames.world_from_link[effector.link].rotation * facing);
        let turn = match (facing, contact.level_facing(character)) {
            (Some(facing), Some(level)) => Rotation::from_rotation_arc(facing, level),
            _ => Rotation::IDENTITY,
        };
        let placed = |point: Vec3| ends + turn * (point - begins);
        let is_tip = |link: LinkId| link == effector.link || character.links[link].parent == Some(effector.link);
        let margin = self.local.settings.stance_clearance.margin;
        character.links.keys().filter(|&link| is_tip(link)).all(|link| {
            character.links[link].capsules.clone().all(|index| {
                let Capsule { a, b, radius } = capsule_in_world(character, frames, index);
                let capsule = Capsule { a: placed(a), b: placed(b), radius };
                world.capsule_distance(&capsule, margin, MeshInterior::Solid).distance >= margin
            })
        })
    }

    /// Whether a contact is one of a tip where more of the limb's end could stand in a mode, such as toes where the whole foot has room and is
    /// not over an edge.
    pub(super) fn is_on_needless_tip(&mut self, contact: &Contact, heading: Vec3, mode: ModeId) -> bool {
        let problem = Arc::clone(&self.local.problem);
        let character = &problem.character;
        let effector = &character.effectors[contact.effector];
        let Some(shape) = self.trunk_guide.as_ref().and_then(|guide| guide.shape(mode)) else { return false };
        let has_tip = |id: &EffectorId| {
            let other = &character.effectors[*id];
            let is_parent = character.links[effector.link].parent == Some(other.link);
            is_parent && other.limb == effector.limb && other.facing.is_some()
        };
        let Some(whole) = shape.carriers().iter().copied().find(has_tip) else { return false };
        self.has_room_at(&Contact { effector: whole, ..*contact }, heading, mode)
            && self.goes_on_below(whole, contact, heading)
    }

    /// Whether the surface of the contact of a tip goes on to below another effector of a limb's end that lies flat on it, facing a direction.
    fn goes_on_below(&self, whole: EffectorId, tip: &Contact, heading: Vec3) -> bool {
        let character = &self.local.problem.character;
        let mut frames = LinkFrames::default();
        forward(character, &Configuration::rest(character), &mut frames);
        let [from, to] = [tip.effector, whole].map(|effector| effector_position(character, &frames, effector));
        let offset = rotation_about(UP, turn_between(Vec3::X, heading)) * (to - from);
        self.local.is_surface_at(tip.point + offset - tip.normal * tip.normal.dot(offset), tip.normal)
    }

    /// Moves a place of an effector to its side of the contact of the mirrored limb, as seen by a body that faces a direction: legs do not
    /// cross where the body turns.
    fn uncrossed(&self, effector: EffectorId, place: Vec3, stance: &[Contact], heading: Vec3) -> Vec3 {
        let character = &self.local.problem.character;
        let limb_of = |effector: EffectorId| character.effectors[effector].limb;
        let (Some(limb), Some(symmetry)) = (limb_of(effector), character.symmetry()) else { return place };
        let outward = match character.limbs[limb].side {
            Side::Left => -heading.cross(UP),
            Side::Middle => return place,
            Side::Right => heading.cross(UP),
        };
        let mut opposite = stance.iter().filter(|held| limb_of(held.effector) == Some(symmetry.limbs[limb]));
        let Some(held) = opposite.next() else { return place };
        let apart = outward.dot(place - held.point);
        place + outward * (LEAST_SIDE_DISTANCE * self.reach.body_size - apart).max(0.0)
    }
}
