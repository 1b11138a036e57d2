//! The interface of guides: cost-to-go and direction toward the goal.

use clamber_model::Contact;
use clamber_model::math::Vec3;

/// A potential over space that decreases toward the goal.
pub(crate) trait Guide {
    /// The cost-to-go from a contact, in meters; infinite where there is no path.
    fn cost_to_go(&self, contact: &Contact) -> f32;

    /// Follows the guide from a point for at most `length` meters or until the goal. Calls `visit` with each position, and
    /// stops when it returns false.
    fn follow(&self, from: Vec3, length: f32, visit: &mut dyn FnMut(Vec3) -> bool);

    /// The mean cost-to-go of a stance's contacts.
    fn mean_cost_to_go(&self, stance: &[Contact]) -> f32 {
        stance.iter().map(|contact| self.cost_to_go(contact)).sum::<f32>() / stance.len().max(1) as f32
    }
}
