//! What every guide tells: how far the goal is, and which way.

use clamber_model::Contact;
use clamber_model::math::Vec3;

/// A potential over space that falls toward the goal.
pub(crate) trait Guide {
    /// The distance to the goal from a contact, in metres; infinite where there is no way.
    fn at(&self, contact: &Contact) -> f32;

    /// Follows the guide from a point for at most `way` metres or until the goal, as long as `visit`, told each place on the
    /// way, answers true.
    fn follow(&self, from: Vec3, way: f32, visit: &mut dyn FnMut(Vec3) -> bool);
}
