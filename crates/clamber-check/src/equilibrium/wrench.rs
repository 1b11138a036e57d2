//! Forces with their moments.

use clamber_model::math::double::Vec3;

/// A force and a moment, both without unit: forces in multiples of the weight, moments in multiples of the weight times the body
/// size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Wrench {
    pub force: Vec3,
    pub moment: Vec3,
}

impl Wrench {
    /// The wrench of a force at the end of a lever arm.
    pub fn of_force(force: Vec3, arm: Vec3) -> Self {
        Self { force, moment: arm.cross(force) }
    }

    pub fn dot(&self, other: &Self) -> f64 {
        self.force.dot(other.force) + self.moment.dot(other.moment)
    }

    pub fn length(&self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Adds a multiple of another wrench.
    pub fn add_scaled(&mut self, by: f64, other: &Self) {
        self.force += by * other.force;
        self.moment += by * other.moment;
    }

    /// The components along axes whose mask is 1, without those whose mask is 0.
    pub fn masked(&self, mask: &Self) -> Self {
        Self { force: self.force * mask.force, moment: self.moment * mask.moment }
    }
}
