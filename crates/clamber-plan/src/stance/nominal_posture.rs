//! The posture that a body in space resembles on a stance: the reference posture of its mode above the contacts.

use std::sync::Arc;

use clamber_model::id::ModeId;
use clamber_model::kinematics::{center_of_mass, forward};
use clamber_model::math::{Vec3, atan2, rotation_about};
use clamber_model::support_polygon::horizontal_displacement_to_hull;
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact};

use super::search_state::StanceSearch;
use super::tuning::MAX_STRETCH;
use clamber_posture::solver::CenterRegion;

impl StanceSearch {
    /// The reference posture of a mode above a stance, facing a horizontal direction, with its center of mass in some regions and as low as
    /// its limbs need to reach; `None` in the plane, where heuristics of comfort decide.
    pub(super) fn nominal_posture(
        &mut self,
        stance: &[Contact],
        heading: Vec3,
        mode: ModeId,
        regions: &[CenterRegion],
    ) -> Option<Configuration> {
        let trunk = self.trunk_guide.as_ref()?.trunk_place(stance, heading, mode)?;
        let character = &*Arc::clone(&self.local.problem.character);
        let mut posture = self.local.table.modes[mode].reference_posture.configuration(character);
        posture.root.rotation = rotation_about(UP, atan2(-heading.z, heading.x)) * posture.root.rotation;
        let frames = &mut self.local.projection.link_frames;
        forward(character, &posture, frames);
        posture.root.translation += trunk - self.local.anatomy.trunk_position(frames);
        forward(character, &posture, frames);
        let mut center = center_of_mass(character, frames);
        let begins = center;
        // The first region counts most: that of the contacts held during the step.
        for CenterRegion { corners, within } in regions.iter().rev().filter(|region| !region.corners.is_empty()) {
            let displacement = horizontal_displacement_to_hull(center, corners);
            let length = displacement.length();
            if length > *within {
                center += displacement * (1.0 - within / length);
            }
        }
        posture.root.translation += center - begins;
        forward(character, &posture, frames);
        let drop = stance.iter().map(|contact| self.missing_drop(contact)).fold(0.0, f32::max);
        posture.root.translation -= UP * drop;
        Some(posture)
    }

    /// How far the body has to be lower for a limb to reach its contact, by the frames that were computed last.
    fn missing_drop(&self, contact: &Contact) -> f32 {
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
        let rise = UP.dot(offset);
        let across = (offset - UP * rise).length();
        let length = MAX_STRETCH * length;
        (rise - (length * length - across * across).max(0.0).sqrt()).max(0.0)
    }
}
