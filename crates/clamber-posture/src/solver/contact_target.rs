//! Where an effector has to be.

use clamber_model::character::RootJoint;
use clamber_model::contact::contact_tangent;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::{Jacobian, JacobianTerm, LinkFrames, effector_position};
use clamber_model::math::Vec3;
use clamber_model::{Character, Contact};

/// The place that an effector has to be at, and the direction that it has to face there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactTarget {
    /// The effector.
    pub effector: EffectorId,
    /// Of its center, in the world.
    pub center: Vec3,
    /// A unit vector in the world; `None` if any direction will do. Ignored if the effector has no facing.
    pub facing: Option<Vec3>,
}

impl ContactTarget {
    /// On a contact, with a flat patch where there has to be one.
    pub fn on(character: &Character, contact: &Contact) -> Self {
        Self {
            effector: contact.effector,
            center: contact.effector_center(character),
            facing: contact.flat_facing(character),
        }
    }
    /// The displacement of the effector from its place.
    pub(super) fn miss(&self, character: &Character, frames: &LinkFrames) -> Vec3 {
        effector_position(character, frames, self.effector) - self.center
    }

    /// Appends the rows of a multiple of the miss, one for each of its [`dimensions`].
    pub(super) fn push_miss_rows(
        &self,
        character: &Character,
        frames: &LinkFrames,
        weight: f32,
        jacobian: &mut Jacobian,
    ) {
        let link = character.effectors[self.effector].link;
        let at = effector_position(character, frames, self.effector);
        for gradient in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().take(dimensions(character)) {
            jacobian.push_row();
            jacobian.add_term(weight, JacobianTerm::Point { link, at, gradient });
        }
    }

    /// The direction that the effector faces and the one that it has to face, if it has to.
    pub(super) fn facings(&self, character: &Character, frames: &LinkFrames) -> Option<[Vec3; 2]> {
        let effector = &character.effectors[self.effector];
        let (wanted, facing) = (self.facing?, effector.facing?);
        Some([frames.world_from_link[effector.link].rotation * facing, wanted])
    }
}

/// Coordinates of a point of the body that can change: two in the plane.
pub(super) fn dimensions(character: &Character) -> usize {
    if character.root_joint == RootJoint::Planar { 2 } else { 3 }
}

/// Directions along a surface that is faced, in which a facing can turn: two, one in the plane.
pub(super) fn tangents(character: &Character, facing: Vec3) -> impl Iterator<Item = Vec3> + use<> {
    let tangent = contact_tangent(-facing);
    [tangent, tangent.cross(facing)].into_iter().take(dimensions(character) - 1)
}
