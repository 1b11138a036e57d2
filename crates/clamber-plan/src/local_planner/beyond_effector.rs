//! The rest of a limb beyond an effector in its middle, as the shin beyond a knee: where it points does not follow from where the effector is.

use std::sync::Arc;

use clamber_model::Configuration;
use clamber_model::character::Effector;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::forward;
use clamber_model::math::{Vec3, atan2};

use super::LocalPlanner;
use crate::trunk_guide::is_mid_limb;

impl LocalPlanner {
    /// Whether an effector is in the middle of its limb.
    pub fn is_mid_limb(&self, effector: EffectorId) -> bool {
        is_mid_limb(&self.problem.character, effector)
    }

    /// From the joint of an effector's link to that of the last link of its limb.
    pub fn beyond(&mut self, posture: &Configuration, effector: EffectorId) -> Vec3 {
        let character = &self.problem.character;
        let Effector { link, limb, .. } = character.effectors[effector];
        let tip = limb.and_then(|limb| character.limbs[limb].links.last().copied()).unwrap_or(link);
        let frames = &mut self.projection.link_frames;
        forward(character, posture, frames);
        frames.world_from_link[tip].translation - frames.world_from_link[link].translation
    }

    /// Turns the last hinge of an effector's link, within its limits, so that what is beyond the effector points in a direction.
    pub fn point_beyond(&mut self, posture: &mut Configuration, effector: EffectorId, toward: Vec3) {
        let present = self.beyond(posture, effector);
        let character = &*Arc::clone(&self.problem.character);
        let Some(hinge) = character.links[character.effectors[effector].link].hinges.iter().last() else { return };
        let axis = self.projection.link_frames.hinge_axis(character, hinge);
        let [toward, present] = [toward, present].map(|vector| vector - axis * axis.dot(vector));
        let angle = posture.angles[hinge] + atan2(axis.dot(present.cross(toward)), present.dot(toward));
        let limits = &character.hinges[hinge];
        posture.angles[hinge] = angle.clamp(limits.min, limits.max);
    }
}
