//! The guide of the plain search: it knows where the goal is, and nothing of the world.

use clamber_model::Contact;
use clamber_model::math::Vec3;

use crate::cost_to_go_guide::Guide;

/// Distances from which [`StraightGuide::follow`] reports positions, as a share of the length that it follows.
const FOLLOWED_SHARE: f32 = 0.05;

/// Straight distances to a point.
#[derive(Clone, Copy, Default)]
pub(super) struct StraightGuide {
    goal: Vec3,
}

impl StraightGuide {
    /// A guide to the middle of some contacts.
    pub fn to(contacts: &[Contact]) -> Self {
        let sum: Vec3 = contacts.iter().map(|contact| contact.point).sum();
        Self { goal: sum / contacts.len().max(1) as f32 }
    }
}

impl Guide for StraightGuide {
    fn cost_to_go(&self, contact: &Contact) -> f32 {
        (self.goal - contact.point).length()
    }

    fn follow(&self, from: Vec3, length: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
        let way = (self.goal - from).clamp_length_max(length);
        let steps = (1.0 / FOLLOWED_SHARE) as usize;
        for step in 1..=steps {
            if !visit(from + way * (step as f32 * FOLLOWED_SHARE)) {
                return;
            }
        }
    }
}
