//! Contacts of effectors with holds.
//!
//! An effector is a small sphere; in contact it rests on the surface, its center one radius away along the normal. The limb's
//! capsule ends in that sphere (same center, no greater radius), so it touches the surface where the sphere does and is outside
//! everywhere else, at any angle of the limb. No contact needs an overlap.
//!
//! # Contact forces
//!
//! Planner and checker compute equilibrium with one declared model of what a contact can bear, each with code of its own:
//!
//! - On a hold that allows pressing, an effector presses with its patch, or with the contact point if it has none. A patch lies
//!   with its corners on the plane of the contact: `point + forward * front ± side * width / 2` and `point - forward * back ±
//!   side * width / 2`, where `forward` is the patch's forward direction projected onto the plane and `side` is `normal ×
//!   forward`. A patch whose facing deviates from the inner normal by more than [`MAX_PATCH_TILT`] presses with the contact
//!   point alone.
//! - Where [a grip can close](crate::world::World::can_grip), an effector with a grip also pulls, at the points `point ± axis * width / 2`.
//! - The force at a pressing point is a sum of non-negative multiples of the [`FRICTION_PYRAMID_SIDES`] edges of a pyramid
//!   inscribed in the friction cone: `normal + friction * (cos a * tangent + sin a * normal × tangent)` for angles `a` that
//!   divide the full turn evenly, beginning at 0. The multiples at all points of an effector add up to at most
//!   [`max_push`](crate::character::ContactAbility::max_push).
//! - The force at a grip point is a sum of non-negative multiples of 26 unit vectors: the directions from the center of a cube to its
//!   corners, edges and faces, for a cube along the normal, the tangent and their cross product. The multiples at all points of
//!   an effector add up to at most [`max_force`](crate::character::Grip::max_force).
//! - The tangent is [`contact_tangent`]. In the plane it lies in the plane, so that the pyramid contains the whole planar cone.
//! - In equilibrium these forces and the weight at the center of mass add up to no force and no moment along the degrees of
//!   freedom of the root: all six, or three in the plane.

use crate::character::{Character, Effector};
use crate::id::{EffectorId, HoldId};
use crate::kinematics::LinkFrames;
use crate::math::Vec3;
use crate::world::HoldType;

/// Returns the effector's center when it touches a surface at `point`, whose outer unit normal is `normal`.
pub fn center_when_touching(effector: &Effector, point: Vec3, normal: Vec3) -> Vec3 {
    point + normal * effector.radius
}

/// The number of sides of the pyramid that stands for the friction cone.
pub const FRICTION_PYRAMID_SIDES: usize = 8;

/// The greatest angle between a patch's facing and the inner normal of the surface at which the patch lies flat, in radians.
pub const MAX_PATCH_TILT: f32 = 0.1;

/// Returns the unit vector along a surface that the friction pyramid begins with: the x axis projected onto the surface, or the y
/// axis where the normal is close to the x axis.
pub fn contact_tangent(normal: Vec3) -> Vec3 {
    let axis = if normal.x.abs() > 0.9 { Vec3::Y } else { Vec3::X };
    (axis - normal * normal.dot(axis)).normalize()
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

    /// Returns the direction in which the effector faces when its patch lies flat on the surface; `None` for an effector without a
    /// patch and on surfaces that are too steep to stand on.
    ///
    /// There a sole touches with its effector alone, at any angle: it could lie flat on a wall only with toes that point up.
    pub fn flat_facing(&self, character: &Character) -> Option<Vec3> {
        let has_patch = character.effectors[self.effector].ability.patch.is_some();
        (has_patch && HoldType::of_normal(self.normal) == HoldType::LoadBearing).then_some(-self.normal)
    }

    /// Returns the direction in which the effector faces when it is level on the surface, whether it has a patch or not: a heel without one
    /// still belongs to a foot. `None` for an effector without a facing and on surfaces that are too steep to stand on.
    pub fn level_facing(&self, character: &Character) -> Option<Vec3> {
        let has_facing = character.effectors[self.effector].facing.is_some();
        (has_facing && HoldType::of_normal(self.normal) == HoldType::LoadBearing).then_some(-self.normal)
    }

    /// Returns the front and the back end of the area with which the effector presses: those of its patch, if that lies flat to
    /// within [`MAX_PATCH_TILT`], otherwise the contact point twice.
    pub fn pressing_ends(&self, character: &Character, frames: &LinkFrames) -> [Vec3; 2] {
        let effector = &character.effectors[self.effector];
        let (Some(patch), Some(facing)) = (effector.ability.patch, effector.facing) else { return [self.point; 2] };
        let world_from_link = frames.world_from_link[effector.link].rotation;
        let tilt = (world_from_link * facing).angle_between(-self.normal);
        let forward = world_from_link * patch.forward;
        let along = (forward - self.normal * self.normal.dot(forward)).try_normalize();
        match along.filter(|_| tilt <= MAX_PATCH_TILT) {
            Some(along) => [self.point + along * patch.front, self.point - along * patch.back],
            None => [self.point; 2],
        }
    }

    /// Returns the effector's center during the contact.
    pub fn effector_center(&self, character: &Character) -> Vec3 {
        center_when_touching(&character.effectors[self.effector], self.point, self.normal)
    }
}

/// The contacts at one time, at most one per effector.
pub type Stance = Vec<Contact>;
