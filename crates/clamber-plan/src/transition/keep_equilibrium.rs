//! Keeps the body where the contacts that last carry it, along the path of a transition.

use std::sync::Arc;

use clamber_model::Configuration;
use clamber_model::id::EffectorId;
use clamber_model::math::Vec3;
use clamber_posture::contact_projection::SoleRoll;

use super::transition_problem::PostureChange;
use super::tuning;
use crate::local_planner::LocalPlanner;

impl LocalPlanner {
    /// Moves the body sideways to where the contacts that last carry it; false when it cannot. Swinging effectors stay where
    /// they are, if their limbs are long enough.
    pub(super) fn move_over_contacts(&mut self, configuration: &mut Configuration, change: PostureChange) -> bool {
        let Some(allowance) = change.center_allowance else { return true };
        let character = &*Arc::clone(&self.problem.character);
        let overshoot = tuning::CENTER_OVERSHOOT * self.settings.size;
        for _ in 0..tuning::CENTER_ROUNDS {
            let missing = self.displacement_to_allowed(configuration, change.held, allowance);
            let distance = missing.length();
            if distance <= self.center_rounding() {
                return true;
            }
            if !distance.is_finite() {
                return false;
            }
            let swinging = change.adds.iter().map(|contact| contact.effector);
            let swinging: Vec<(EffectorId, Vec3)> =
                swinging.map(|effector| (effector, self.effector_of(configuration, effector))).collect();
            configuration.root.translation += missing * (tuning::CENTER_GAIN + overshoot / distance);
            if !self.projection.project_bending_limbs(character, configuration, change.held, SoleRoll::AsGiven) {
                return false;
            }
            for (effector, place) in swinging {
                self.projection.bend_limb_to(character, configuration, effector, place);
            }
        }
        self.is_carried(configuration, change.held, change.center_allowance)
    }
}
