//! Contacts of effectors with holds.
//!
//! An effector is a small sphere; in contact it rests on the surface, its center one radius away along the normal. The limb's
//! capsule ends in that sphere (same center, no greater radius), so it touches the surface where the sphere does and is outside
//! everywhere else, at any angle of the limb. No contact needs an overlap.

use crate::character::{Character, Effector};
use crate::id::{EffectorId, HoldId};
use crate::math::Vec3;

/// Returns the effector's center when it touches a surface at `point`, whose outer unit normal is `normal`.
pub fn center_when_touching(effector: &Effector, point: Vec3, normal: Vec3) -> Vec3 {
    point + normal * effector.radius
}

/// An effector on a hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The effector in contact.
    pub effector: EffectorId,
    /// The hold that it touches.
    pub hold: HoldId,
    /// The contact point on the hold.
    pub point: Vec3,
    /// The outer unit normal at the point.
    pub normal: Vec3,
}

impl Contact {
    pub(crate) fn scaled(self, factor: f32) -> Self {
        Self { point: self.point * factor, ..self }
    }

    /// Returns the effector's center during the contact.
    pub fn effector_center(&self, character: &Character) -> Vec3 {
        center_when_touching(&character.effectors[self.effector], self.point, self.normal)
    }
}

/// The contacts at one time, at most one per effector.
pub type Stance = Vec<Contact>;
