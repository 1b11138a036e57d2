//! The data that describe a character: links, hinges, capsules, limbs, effectors, hands and feet.

use std::ops::Range;

use typed_index_collections::TiVec;

use super::contact_ability::ContactAbility;
use super::roles::BodyRoles;
use super::self_collision_rules::SelfCollisionRules;
use crate::id::{EffectorId, HingeId, IdRange, LimbId, LinkId};
use crate::math::{Pose, Vec3};
use crate::scaling::Scale;

/// The degrees of freedom of the root link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootJoint {
    /// Translation along x and y and rotation about z, in the plane z = 0. The facing (a half turn about y) is part of the
    /// root's pose and changes only by an explicit turn.
    Planar,
    /// Any position and orientation.
    Free,
}

/// One degree of freedom of the root, along or about an axis of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RootAxis {
    /// Translation along the unit vector; the coordinate is in meters.
    Move(Vec3),
    /// Rotation about the unit vector through the root's origin; the coordinate is in radians.
    Turn(Vec3),
}

impl RootJoint {
    /// The root's degrees of freedom, in the order of Jacobians and displacements.
    pub fn axes(self) -> &'static [RootAxis] {
        use RootAxis::{Move, Turn};
        const PLANAR: [RootAxis; 3] = [Move(Vec3::X), Move(Vec3::Y), Turn(Vec3::Z)];
        const FREE: [RootAxis; 6] =
            [Move(Vec3::X), Move(Vec3::Y), Move(Vec3::Z), Turn(Vec3::X), Turn(Vec3::Y), Turn(Vec3::Z)];
        match self {
            RootJoint::Planar => &PLANAR,
            RootJoint::Free => &FREE,
        }
    }
}

/// A rigid body segment of a character. Its frame is at the joint to its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The link's name, unique in its character.
    pub name: String,
    /// The parent link; `None` only for the root, which is the first link.
    pub parent: Option<LinkId>,
    /// Pose of the joint in the parent's frame, with all hinges at zero.
    pub parent_from_joint: Pose,
    /// Its hinges in [`Character::hinges`](super::Character::hinges), applied in order at the joint. No hinge makes a fixed
    /// joint, several make a universal or ball joint.
    pub hinges: IdRange<HingeId>,
    /// Its capsules in [`Character::capsules`](super::Character::capsules).
    pub capsules: Range<usize>,
    /// Mass in kilograms.
    pub mass: f32,
    /// Center of mass in the link's frame.
    pub center_of_mass: Vec3,
}

/// A rotational degree of freedom.
#[derive(Clone, Debug, PartialEq)]
pub struct Hinge {
    /// The hinge's name, unique in its character.
    pub name: String,
    /// The link that it rotates.
    pub link: LinkId,
    /// Unit vector in the frame after the preceding hinges of the same link.
    pub axis: Vec3,
    /// Lower limit, in radians.
    pub min: f32,
    /// Upper limit, in radians.
    pub max: f32,
    /// Angle in the rest posture, in radians.
    pub rest: f32,
    /// Speed limit, in radians per second.
    pub max_speed: f32,
    /// Acceleration limit, in radians per second squared.
    pub max_acceleration: f32,
    /// The greatest torques toward smaller and toward greater angles, in newton meters, both positive; `None` if not known.
    pub strength: Option<[f32; 2]>,
}

/// Speed and acceleration limits of the root link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMotionLimits {
    /// Speed limit along each axis, in meters per second.
    pub speed: f32,
    /// Acceleration limit along each axis, in meters per second squared.
    pub acceleration: f32,
    /// Angular speed limit, in radians per second.
    pub turn_speed: f32,
    /// Angular acceleration limit, in radians per second squared.
    pub turn_acceleration: f32,
}

/// A line segment thickened by a radius: the collision shape of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// One end of the axis.
    pub a: Vec3,
    /// The other end of the axis.
    pub b: Vec3,
    /// Radius around the axis, in meters.
    pub radius: f32,
}

/// The side of the body that a limb is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The character's own left, -z at rest.
    Left,
    /// The character's own right, +z at rest.
    Right,
    /// In the middle.
    Middle,
}

/// A chain of links from the trunk to a tip.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    /// The limb's name, unique in its character.
    pub name: String,
    /// Its links, from the one attached to the trunk to the tip.
    pub links: Vec<LinkId>,
    /// Its hinges, in the same order.
    pub hinges: Vec<HingeId>,
    /// The side of the body it is on.
    pub side: Side,
}

/// A point of a link that may make contact with the world: a hand, a foot, a knee.
///
/// It is a small sphere fixed to its link. In contact, the sphere rests on a surface: its center is one radius from the
/// contact point along the surface normal, so it touches without overlap at any angle of the limb (see
/// [`crate::contact`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Effector {
    /// The effector's name, unique in its character.
    pub name: String,
    /// The link that it is fixed to.
    pub link: LinkId,
    /// The limb that it belongs to; `None` on the trunk.
    pub limb: Option<LimbId>,
    /// The sphere's center in the link's frame.
    pub center: Vec3,
    /// The sphere's radius, in meters.
    pub radius: f32,
    /// Unit vector in the link's frame that points into the touched surface (out of the sole, out of the palm); `None` where
    /// the orientation does not matter.
    pub facing: Option<Vec3>,
    /// The kinds of contact that it makes, and the force that it bears.
    pub ability: ContactAbility,
}

/// A hand or a foot beyond an effector: two links that planning ignores and that are added to the planned motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremity {
    /// The effector that it extends: the ankle, or the middle of the palm. Its sphere rests on the surface, so the sole is one
    /// radius below.
    pub effector: EffectorId,
    /// Hand or foot, and its dimensions.
    pub shape: ExtremityShape,
}

/// The dimensions of a hand or a foot, in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExtremityShape {
    /// A foot and its toes, at right angles to the limb.
    Foot {
        /// From the ankle back to the end of the heel.
        ankle_to_heel: f32,
        /// From the ankle forward to the ball, where the toes begin.
        ankle_to_ball: f32,
        /// From the ball to the tips of the toes.
        toe_length: f32,
        /// From the sole to the top, at the ball.
        thickness: f32,
    },
    /// A palm and its fingers, in line with the limb; the palm faces back when the limb hangs down.
    Hand {
        /// From the effector to the knuckles.
        palm_length: f32,
        /// From the knuckles to the finger tips.
        finger_length: f32,
        /// From the palm to the back of the hand.
        thickness: f32,
    },
}

impl Link {
    pub(super) fn scaled(mut self, scale: Scale) -> Self {
        self.parent_from_joint.translation *= scale.length;
        self.center_of_mass *= scale.length;
        self.mass *= scale.mass();
        self
    }
}

impl Hinge {
    pub(super) fn scaled(mut self, scale: Scale) -> Self {
        self.max_speed /= scale.time;
        self.max_acceleration /= scale.length;
        self.strength = self.strength.map(|torques| torques.map(|torque| torque * scale.mass() * scale.length));
        self
    }
}

impl Capsule {
    pub(super) fn scaled(self, scale: Scale) -> Self {
        Self { a: self.a * scale.length, b: self.b * scale.length, radius: self.radius * scale.length }
    }
}

impl ExtremityShape {
    pub(super) fn scaled(self, scale: Scale) -> Self {
        let by = scale.length;
        match self {
            Self::Foot { ankle_to_heel: heel, ankle_to_ball: ball, toe_length: toes, thickness } => Self::Foot {
                ankle_to_heel: heel * by,
                ankle_to_ball: ball * by,
                toe_length: toes * by,
                thickness: thickness * by,
            },
            Self::Hand { palm_length: palm, finger_length: fingers, thickness } => {
                Self::Hand { palm_length: palm * by, finger_length: fingers * by, thickness: thickness * by }
            }
        }
    }

    /// All of its lengths.
    pub(super) fn lengths(&self) -> Vec<f32> {
        match *self {
            Self::Foot { ankle_to_heel: heel, ankle_to_ball: ball, toe_length: toes, thickness } => {
                vec![heel, ball, toes, thickness]
            }
            Self::Hand { palm_length: palm, finger_length: fingers, thickness } => vec![palm, fingers, thickness],
        }
    }

    /// From the sole to the top, or from the palm to the back.
    pub(super) fn thickness(&self) -> f32 {
        match *self {
            Self::Foot { thickness, .. } | Self::Hand { thickness, .. } => thickness,
        }
    }
}

/// The unvalidated data of a character.
#[derive(Clone, Debug, PartialEq)]
pub struct CharacterDescription {
    /// The character's name.
    pub name: String,
    /// The degrees of freedom of the root link.
    pub root_joint: RootJoint,
    /// Speed and acceleration limits of the root link.
    pub root_motion_limits: RootMotionLimits,
    /// The links, parents before children.
    pub links: TiVec<LinkId, Link>,
    /// The hinges, in the order of their links.
    pub hinges: TiVec<HingeId, Hinge>,
    /// The capsules, in the order of their links.
    pub capsules: Vec<Capsule>,
    /// The limbs.
    pub limbs: TiVec<LimbId, Limb>,
    /// The effectors.
    pub effectors: TiVec<EffectorId, Effector>,
    /// Hands and feet that planning ignores, at most one per effector.
    pub extremities: Vec<Extremity>,
    /// What the parts of the body are for.
    pub roles: BodyRoles,
    /// Which links must stay apart; `None` if all may overlap.
    pub self_collision: Option<SelfCollisionRules>,
}
