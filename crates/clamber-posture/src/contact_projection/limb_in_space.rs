//! Limbs in space: their effectors have a place and two directions, and no closed form.

use clamber_model::character::RootJoint;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::link_pose;
use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration, Contact};

use super::{ContactProjection, tuning};
use crate::solver::{ContactTarget, front_of};

impl ContactProjection {
    /// Where the effector of a contact is, and which way it faces and points there.
    pub(super) fn standing_target(&self, character: &Character, contact: &Contact) -> ContactTarget {
        let (effector, center) = (contact.effector, contact.effector_center(character));
        if let Some(turning) = self.turning.iter().find(|target| target.effector == effector) {
            return ContactTarget { center, ..*turning };
        }
        let facing = match character.root_joint {
            RootJoint::Planar => None,
            RootJoint::Free => contact.level_facing(character),
        };
        ContactTarget { effector, center, facing, forward: facing.and_then(|_| self.patch_heading(effector)) }
    }

    /// Lets the effectors of contacts turn evenly between two configurations, until [`Self::turning`] is cleared: those of a given posture
    /// need not lie level.
    pub(super) fn turn_between(
        &mut self,
        character: &Character,
        [from, to]: [&Configuration; 2],
        t: f32,
        stance: &[Contact],
    ) {
        self.turning.clear();
        if character.root_joint == RootJoint::Planar {
            return;
        }
        for contact in stance {
            let effector = &character.effectors[contact.effector];
            let (Some(facing), Some(front)) = (effector.facing, front_of(effector)) else { continue };
            let [first, last] = [from, to].map(|end| link_pose(character, end, effector.link).rotation);
            let rotation = first.slerp(last, t);
            self.turning.push(ContactTarget {
                effector: contact.effector,
                center: contact.effector_center(character),
                facing: Some(rotation * facing),
                forward: Some(rotation * front),
            });
        }
    }

    pub(super) fn patch_heading(&self, effector: EffectorId) -> Option<Vec3> {
        self.patch_headings.iter().find(|heading| heading.effector == effector).map(|heading| heading.forward)
    }

    /// Bends a limb that is not in contact so that its effector is near where a target says, in place and direction; false when it cannot
    /// reach it. A limb at its limits misses both a little.
    pub fn swing_limb_to_target(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        target: ContactTarget,
    ) -> bool {
        let ContactTarget { effector, center, facing, .. } = target;
        if facing.is_none() || self.two_links[effector].is_some() {
            return self.bend_limb_facing(character, configuration, effector, center, facing);
        }
        let movable = Some(&self.limb_dofs[effector][..]);
        self.inverse.project(character, configuration, &[target], movable, tuning::SWING_ITERATIONS);
        true
    }

    /// Bends a limb so that its effector is where a target says. Where it cannot face as the target does, only its place counts.
    pub fn bend_limb_to_target(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        target: ContactTarget,
    ) -> bool {
        let ContactTarget { effector, center, facing, .. } = target;
        let (true, false) = (facing.is_some(), self.two_links[effector].is_some()) else {
            return self.bend_limb_facing(character, configuration, effector, center, facing);
        };
        let given = configuration.clone();
        let movable = Some(&self.limb_dofs[effector][..]);
        if self.inverse.project(character, configuration, &[target], movable, tuning::LIMB_ITERATIONS) {
            return true;
        }
        // A limb at its limits cannot face that way: the sole rolls, but does not leave its place.
        configuration.clone_from(&given);
        self.bend_limb_to(character, configuration, effector, center)
    }
}
