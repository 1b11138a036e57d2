//! The posture that a body in space resembles on a stance: the reference posture of its mode above the contacts.

use std::sync::Arc;

use clamber_model::character::Capsule;
use clamber_model::id::ModeId;
use clamber_model::kinematics::{capsule_in_world, center_of_mass, forward};
use clamber_model::math::{Vec3, rotation_about};
use clamber_model::support_polygon::horizontal_displacement_to_hull;
use clamber_model::world::{MeshInterior, UP};
use clamber_model::{Configuration, Contact, Problem};

use super::search_state::StanceSearch;
use super::tuning::{BOWS, MAX_STRETCH, NOMINAL_ROUNDS, RISE_CHECKS, RISE_STRETCH, ROOM_AROUND};
use clamber_posture::solver::CenterRegion;

/// No bow, and no lower than the limbs need.
const UPRIGHT: [f32; 2] = [0.0; 2];

impl StanceSearch {
    /// The posture that a body aims for on a stance: the nominal one, or bowed where it needs room above it soon.
    pub(super) fn nominal_posture_with_room(
        &mut self,
        stance: &[Contact],
        heading: Vec3,
        mode: ModeId,
        regions: &[CenterRegion],
    ) -> Option<Configuration> {
        let upright = self.bowed_posture(stance, heading, mode, regions, UPRIGHT)?;
        let only_stands = self.trunk_guide.as_ref().is_none_or(|guide| guide.only_stands(mode));
        if !only_stands || self.has_room_around(&upright, heading) {
            return Some(upright);
        }
        for bow in BOWS {
            let bowed = self.bowed_posture(stance, heading, mode, regions, bow)?;
            if self.has_room_around(&bowed, heading) {
                return Some(bowed);
            }
        }
        Some(upright)
    }

    /// Whether a body that changes to a mode on a stance which all carries there has room for it, as low as its limbs need.
    pub(super) fn has_room_for_mode(&mut self, stance: &[Contact], heading: Vec3, mode: ModeId) -> bool {
        if !self.is_of_mode(stance, mode) {
            return true;
        }
        let nominal = self.nominal_posture(stance, heading, mode);
        nominal.is_none_or(|nominal| self.has_room_here(&nominal))
    }

    /// Whether the body without its limbs is free on a stance and a little before and after it.
    pub(super) fn has_room_around(&mut self, posture: &Configuration, heading: Vec3) -> bool {
        self.has_room_at_offsets(posture, &ROOM_AROUND.map(|ahead| heading * (ahead * self.reach.body_size)))
    }

    /// Whether the body without its limbs is free.
    pub(super) fn has_room_here(&mut self, posture: &Configuration) -> bool {
        self.has_room_at_offsets(posture, &[Vec3::ZERO])
    }

    fn has_room_at_offsets(&mut self, posture: &Configuration, offsets: &[Vec3]) -> bool {
        let problem = Arc::clone(&self.local.problem);
        let Problem { world, character, .. } = &*problem;
        let frames = &mut self.local.projection.link_frames;
        forward(character, posture, frames);
        let margin = self.local.settings.stance_clearance.margin;
        let body = character.links.keys().filter(|&link| character.limb_of_link(link).is_none());
        let mut capsules = body.flat_map(|link| character.links[link].capsules.clone());
        capsules.all(|index| {
            let Capsule { a, b, radius } = capsule_in_world(character, frames, index);
            offsets.iter().all(|&offset| {
                let capsule = Capsule { a: a + offset, b: b + offset, radius };
                world.capsule_distance(&capsule, margin, MeshInterior::Solid).distance >= margin
            })
        })
    }

    /// The reference posture of a mode above a stance, facing a horizontal direction, as low as its limbs need to reach; `None` in the plane,
    /// where heuristics of comfort decide.
    pub(super) fn nominal_posture(&mut self, stance: &[Contact], heading: Vec3, mode: ModeId) -> Option<Configuration> {
        self.bowed_posture(stance, heading, mode, &[], UPRIGHT)
    }

    /// The same with its center of mass in some regions, bowed forward by an angle and lower by a distance in body sizes.
    fn bowed_posture(
        &mut self,
        stance: &[Contact],
        heading: Vec3,
        mode: ModeId,
        regions: &[CenterRegion],
        [bow, lower]: [f32; 2],
    ) -> Option<Configuration> {
        let mut posture = self.posture_above(stance, heading, mode)?;
        if bow > 0.0 {
            let character = &*Arc::clone(&self.local.problem.character);
            let frames = &mut self.local.projection.link_frames;
            forward(character, &posture, frames);
            let trunk = self.local.anatomy.trunk_position(frames);
            posture.root.rotation = rotation_about(UP.cross(heading), bow) * posture.root.rotation;
            forward(character, &posture, frames);
            posture.root.translation += trunk - self.local.anatomy.trunk_position(frames);
        }
        let up = self.trunk_guide.as_ref().map_or(UP, |guide| guide.up_on(stance, heading, mode));
        self.settle_nominal(&mut posture, (stance, up), regions, lower);
        Some(posture)
    }

    /// Puts the limbs of a nominal posture on its contacts, its center of mass into some regions and its trunk as low as its limbs need. Limbs
    /// that stand ahead or behind move the center of mass too, so a trunk that is placed without them has to lean to make up for it.
    fn settle_nominal(
        &mut self,
        posture: &mut Configuration,
        (stance, up): (&[Contact], Vec3),
        regions: &[CenterRegion],
        lower: f32,
    ) {
        let character = &*Arc::clone(&self.local.problem.character);
        let upright = posture.clone();
        let mut root = upright.root;
        let rounds = if regions.is_empty() { 1 } else { NOMINAL_ROUNDS };
        for _ in 0..rounds {
            let frames = &mut self.local.projection.link_frames;
            forward(character, posture, frames);
            root.translation += displacement_into_regions(center_of_mass(character, frames), regions);
            root.translation += up * up.dot(upright.root.translation - root.translation);
            posture.root = root;
            forward(character, posture, &mut self.local.projection.link_frames);
            let drop = stance.iter().map(|contact| self.missing_drop(contact, up, MAX_STRETCH)).fold(0.0, f32::max);
            root.translation -= up * drop.max(lower * self.reach.body_size);
            posture.root = root;
            if !regions.is_empty() {
                posture.angles.clone_from(&upright.angles);
                self.local.projection.bend_limbs_toward_contacts(character, posture, stance);
            }
        }
        if !regions.is_empty() {
            self.lay_beyond_contacts(posture, &upright, stance);
        }
    }

    /// Turns what is beyond contacts in the middle of limbs to where it points in another posture: the shin of a knee that stands stays
    /// level, wherever the thigh points.
    fn lay_beyond_contacts(&mut self, posture: &mut Configuration, like: &Configuration, stance: &[Contact]) {
        for contact in stance {
            if self.local.is_mid_limb(contact.effector) {
                let toward = self.local.beyond(like, contact.effector);
                self.local.point_beyond(posture, contact.effector, toward);
            }
        }
    }

    /// How much a body may rise half-way between two postures up to a height, in meters, so that its limbs reach the contacts that it keeps
    /// with their soles flat.
    pub(super) fn reachable_rise(&mut self, [from, to]: [&Configuration; 2], held: &[Contact], height: f32) -> f32 {
        let character = &*Arc::clone(&self.local.problem.character);
        let mut rise = (height - 0.5 * UP.dot(from.root.translation + to.root.translation)).max(0.0);
        let mut between = from.clone();
        for t in RISE_CHECKS {
            let share = 4.0 * t * (1.0 - t);
            between.interpolate(from, to, t);
            // Soles lie flat before the body rises, which does not turn them.
            self.local.projection.bend_limbs_toward_contacts(character, &mut between, held);
            between.root.translation += UP * (share * rise);
            forward(character, &between, &mut self.local.projection.link_frames);
            let drop = held.iter().map(|contact| self.missing_drop(contact, UP, RISE_STRETCH)).fold(0.0, f32::max);
            rise = (rise - drop / share).max(0.0);
        }
        rise
    }

    /// How far the body has to be lower on a surface for a limb to reach its contact with a share of its length, by the frames that were computed last.
    fn missing_drop(&self, contact: &Contact, up: Vec3, max_stretch: f32) -> f32 {
        let character = &self.local.problem.character;
        let Some(root) = self.local.limb_root(contact.effector) else { return 0.0 };
        let effector = &character.effectors[contact.effector];
        let (mut end, mut length) = (contact.effector_center(character), self.reach.limb_length(contact.effector));
        if contact.level_facing(character).is_some() {
            // A flat sole leaves the ankle where it is: the leg ends there.
            end -= self.local.projection.link_frames.world_from_link[effector.link].rotation * effector.center;
            length -= effector.center.length();
        }
        let offset = root - end;
        let rise = up.dot(offset);
        let across = (offset - up * rise).length();
        let length = max_stretch * length;
        // A sprawling limb that is too short for the way across does not reach farther down.
        if across >= length {
            return 0.0;
        }
        (rise - (length * length - across * across).sqrt()).max(0.0)
    }
}

/// The horizontal displacement of a center of mass into regions.
fn displacement_into_regions(begins: Vec3, regions: &[CenterRegion]) -> Vec3 {
    let mut center = begins;
    // The first region counts most: that of the contacts held during the step.
    for CenterRegion { corners, within } in regions.iter().rev().filter(|region| !region.corners.is_empty()) {
        let displacement = horizontal_displacement_to_hull(center, corners);
        let length = displacement.length();
        if length > *within {
            center += displacement * (1.0 - within / length);
        }
    }
    center - begins
}
