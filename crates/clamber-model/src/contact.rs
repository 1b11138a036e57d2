//! What it means that an effector touches a surface.
//!
//! An effector is a small sphere, and a touch is the sphere resting on the surface along its normal. The limb's
//! capsule ends in that sphere (same centre, no greater radius), so it touches where the sphere does and lies on the
//! outer side everywhere else, whatever the limb's angle: no contact needs an overlap.

use crate::character::Effector;
use crate::math::Vec3;

/// Where the effector's centre is when it touches a surface at `point`, whose outer unit normal is `normal`.
pub fn center_when_touching(effector: &Effector, point: Vec3, normal: Vec3) -> Vec3 {
    point + normal * effector.radius
}
