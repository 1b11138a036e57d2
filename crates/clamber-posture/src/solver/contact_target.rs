//! Where an effector has to be.

use clamber_model::character::{Effector, RootJoint};
use clamber_model::contact::contact_tangent;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::{Jacobian, JacobianTerm, LinkFrames, effector_position, link_pose};
use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration, Contact};

/// The place that an effector has to be at, and the direction that it has to face there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactTarget {
    /// The effector.
    pub effector: EffectorId,
    /// Of its center, in the world.
    pub center: Vec3,
    /// A unit vector in the world; `None` if any direction will do. Ignored if the effector has no facing.
    pub facing: Option<Vec3>,
    /// Where the front of its patch points, a unit vector in the world across the facing; `None` if any direction will do. Ignored if the
    /// effector has no patch or does not have to face a direction.
    pub forward: Option<Vec3>,
}

/// Which way the front of a patch points, such as that of a sole that stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchHeading {
    /// The effector with the patch.
    pub effector: EffectorId,
    /// A unit vector in the world, along the surface.
    pub forward: Vec3,
}

impl PatchHeading {
    /// Returns which way the patch of a contact points in a configuration; `None` for an effector that faces nowhere. Without a patch, any
    /// direction across its facing stands for the front.
    pub fn of_contact(character: &Character, configuration: &Configuration, contact: &Contact) -> Option<Self> {
        let effector = &character.effectors[contact.effector];
        let inward = contact.level_facing(character)?;
        let forward = link_pose(character, configuration, effector.link).rotation * front_of(effector)?;
        let forward = (forward - inward * inward.dot(forward)).try_normalize()?;
        Some(Self { effector: contact.effector, forward })
    }
}

impl ContactTarget {
    /// On a contact, with a flat patch where there has to be one.
    pub fn on(character: &Character, contact: &Contact) -> Self {
        Self {
            effector: contact.effector,
            center: contact.effector_center(character),
            facing: contact.flat_facing(character),
            forward: None,
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

    /// The direction in which the front of the patch points, and the one across it in which it must not, if it has to point somewhere.
    pub(super) fn forwards(&self, character: &Character, frames: &LinkFrames) -> Option<[Vec3; 2]> {
        let effector = &character.effectors[self.effector];
        let (wanted, front, inward) = (self.forward?, front_of(effector)?, self.facing?);
        Some([frames.world_from_link[effector.link].rotation * front, inward.cross(wanted)])
    }
}

/// The front of an effector in the frame of its link: that of its patch, or any direction across its facing.
pub fn front_of(effector: &Effector) -> Option<Vec3> {
    let patch = effector.ability.patch.map(|patch| patch.forward);
    patch.or_else(|| effector.facing.map(|facing| facing.any_orthonormal_vector()))
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
