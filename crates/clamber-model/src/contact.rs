//! What it means that an effector touches a surface, and holds on to it.
//!
//! An effector is a small sphere, and a touch is the sphere resting on the surface along its normal. The limb's
//! capsule ends in that sphere (same centre, no greater radius), so it touches where the sphere does and lies on the
//! outer side everywhere else, whatever the limb's angle: no contact needs an overlap.

use crate::character::{Character, Effector};
use crate::id::{EffectorId, HoldId};
use crate::math::Vec3;

/// Where the effector's centre is when it touches a surface at `point`, whose outer unit normal is `normal`.
pub fn center_when_touching(effector: &Effector, point: Vec3, normal: Vec3) -> Vec3 {
    point + normal * effector.radius
}

/// An effector on a hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The effector that touches.
    pub effector: EffectorId,
    /// The hold that is touched.
    pub hold: HoldId,
    /// The point of the hold that is touched.
    pub point: Vec3,
    /// The outer unit normal there.
    pub normal: Vec3,
}

impl Contact {
    pub(crate) fn scaled(self, factor: f32) -> Self {
        Self { point: self.point * factor, ..self }
    }

    /// Where the effector's centre is as long as the contact lasts.
    pub fn center(&self, character: &Character) -> Vec3 {
        center_when_touching(&character.effectors[self.effector], self.point, self.normal)
    }
}

/// The contacts of one moment, no two of one effector.
pub type Stance = Vec<Contact>;
