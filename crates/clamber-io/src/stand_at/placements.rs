//! Where to put the body: exactly at the place, and then nearby.

use clamber_model::Character;
use clamber_model::character::RootJoint;
use clamber_model::math::{Vec3, rotation_about};
use clamber_model::world::UP;

use super::ground::Ground;
use super::tuning;

/// One way to put the body at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub at: Vec3,
    /// A horizontal unit vector.
    pub facing: Vec3,
    /// The direction that is up for the body.
    pub up: Vec3,
    /// How far every other support is ahead, and the others back, in body sizes.
    pub stride: f32,
}

/// Returns the placements in the order in which they are tried.
pub(super) fn placements(character: &Character, ground: &Ground, facing: Vec3) -> Vec<Placement> {
    let first = Placement { at: ground.point, facing, up: UP, stride: 0.0 };
    let mut list = vec![first];
    // Many legs stand on a slope as on the ground, with the body along the slope.
    if ground.normal.angle_between(UP) > tuning::LEVEL {
        list.push(Placement { up: ground.normal, ..first });
    }
    list.extend(tuning::STRIDES.map(|stride| Placement { stride, ..first }));
    let is_free = character.root_joint == RootJoint::Free;
    if is_free {
        let turned = |degrees: f32| rotation_about(UP, degrees.to_radians()) * facing;
        list.extend(tuning::TURNS.map(|degrees| Placement { facing: turned(degrees), ..first }));
    }
    let side = facing.cross(UP);
    let straight = [facing, -facing, side, -side];
    let diagonal = [facing + side, facing - side, -facing + side, -facing - side].map(Vec3::normalize);
    for distance in tuning::SHIFTS {
        let directions = straight.into_iter().chain(diagonal).filter(|way| is_free || way.cross(facing) == Vec3::ZERO);
        let shifted =
            directions.map(|way| Placement { at: first.at + way * (distance * character.body_size()), ..first });
        list.extend(shifted);
    }
    list
}
