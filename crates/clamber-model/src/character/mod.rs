//! Characters: immutable trees of links joined by hinges.

mod contact_ability;
mod description;
mod roles;
mod self_collision;
mod self_collision_rules;
mod symmetry;
mod validation;

use typed_index_collections::{TiSlice, TiVec};

use crate::id::{EffectorId, HingeId, LimbId, LinkId};
use crate::scaling::Scale;

pub use contact_ability::{ContactAbility, GRAVITY, Grip, Patch};
pub use description::{
    Capsule, CharacterDescription, Effector, Extremity, ExtremityShape, Hinge, Limb, Link, RootAxis, RootJoint,
    RootMotionLimits, Side,
};
pub use roles::{BodyRoles, Landmark, LimbRole, NamedLandmark};
pub(crate) use self_collision::BoundingSphere;
pub use self_collision::LinkPair;
use self_collision::SelfCollisionPairs;
pub use self_collision_rules::SelfCollisionRules;
pub(crate) use symmetry::mirrored_pose;
pub use symmetry::{MirroredHinge, SymmetryMap};
pub use validation::CharacterError;
pub(crate) use validation::MAX_ANGLE;
use validation::validate;

/// The body size for which tuning lengths are written, in meters: that of the shipped figure.
///
/// A tuning length of `0.1 / REFERENCE_BODY_SIZE` body sizes is 0.1 m for the figure and 0.2 m for a body twice its size.
pub const REFERENCE_BODY_SIZE: f32 = 1.01;

/// An upper bound on the distance between an ancestor's joint and the points of a link, at any hinge angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LeverArm {
    /// The ancestor, or the link itself.
    pub link: LinkId,
    /// From the ancestor's joint to the farthest point of the link, in meters.
    pub length: f32,
}

/// An immutable tree of links joined by hinges, with limits, masses, capsule shapes, limbs and effectors.
///
/// Parents come before their children, and link 0 is the root. A configuration lists hinge angles in the order of
/// [`Character::hinges`]; degrees of freedom are the root's ([`RootJoint::axes`]) and then the hinges.
#[derive(Clone, Debug)]
pub struct Character {
    /// The character's name.
    pub name: String,
    /// The degrees of freedom of the root link.
    pub root_joint: RootJoint,
    /// Speed and acceleration limits of the root link.
    pub root_motion_limits: RootMotionLimits,
    /// The links, parents before children; the first is the root.
    pub links: TiVec<LinkId, Link>,
    /// All hinges, in the order of their links.
    pub hinges: TiVec<HingeId, Hinge>,
    /// All capsules, in the order of their links, each in its link's frame.
    pub capsules: Vec<Capsule>,
    /// The link of each capsule.
    pub link_of_capsule: Vec<LinkId>,
    /// The limbs.
    pub limbs: TiVec<LimbId, Limb>,
    /// The effectors.
    pub effectors: TiVec<EffectorId, Effector>,
    /// Hands and feet that planning ignores.
    pub extremities: Vec<Extremity>,
    /// What the parts of the body are for.
    pub roles: BodyRoles,
    /// Which links must stay apart; `None` if all may overlap. [`Self::self_collision_pairs`] lists them.
    pub self_collision: Option<SelfCollisionRules>,
    /// Mass of all links, in kilograms.
    pub total_mass: f32,
    /// For each link, the lever arms from the joints between it and the root, its own first.
    lever_arms: TiVec<LinkId, Vec<LeverArm>>,
    /// For each link, the greatest distance of a point of its subtree from its joint.
    subtree_reaches: TiVec<LinkId, f32>,
    symmetry: Option<SymmetryMap>,
    self_collision_pairs: SelfCollisionPairs,
}

impl Character {
    /// Validates a description and derives the masses and bounds that the algorithms need.
    pub fn new(description: CharacterDescription) -> Result<Self, CharacterError> {
        validate(&description)?;
        let pairs = description.roles.mirrored_limbs.as_ref();
        let symmetry = pairs.map(|pairs| SymmetryMap::new(&description, pairs)).transpose()?;
        let self_collision_pairs = SelfCollisionPairs::new(&description, symmetry.as_ref())?;
        let CharacterDescription {
            name,
            root_joint,
            root_motion_limits,
            links,
            hinges,
            capsules,
            limbs,
            effectors,
            extremities,
            roles,
            self_collision,
        } = description;
        let total_mass = links.iter().map(|link| link.mass).sum();
        let mut link_of_capsule = vec![LinkId::ROOT; capsules.len()];
        for (index, link) in links.iter_enumerated() {
            link_of_capsule[link.capsules.clone()].fill(index);
        }
        let lever_arms: TiVec<LinkId, Vec<LeverArm>> =
            links.keys().map(|link| lever_arms_of(&links, &capsules, link)).collect();
        let mut subtree_reaches = TiVec::from(vec![0.0f32; links.len()]);
        for arm in lever_arms.iter().flatten() {
            subtree_reaches[arm.link] = subtree_reaches[arm.link].max(arm.length);
        }
        Ok(Self {
            name,
            root_joint,
            root_motion_limits,
            links,
            hinges,
            capsules,
            link_of_capsule,
            limbs,
            effectors,
            extremities,
            roles,
            self_collision,
            total_mass,
            lever_arms,
            subtree_reaches,
            symmetry,
            self_collision_pairs,
        })
    }

    /// Checks that the character is as [`new`](Self::new) builds it: fields are public, so they may have been changed since.
    pub fn validate(&self) -> Result<(), CharacterError> {
        let built = Self::new(self.description())?;
        let is_as_built = built.link_of_capsule == self.link_of_capsule
            && built.total_mass == self.total_mass
            && built.lever_arms == self.lever_arms
            && built.subtree_reaches == self.subtree_reaches
            && built.symmetry == self.symmetry
            && built.self_collision_pairs == self.self_collision_pairs;
        if is_as_built { Ok(()) } else { Err(CharacterError::ChangedAfterBuild) }
    }

    /// Returns the description that [`new`](Self::new) builds the character from.
    pub fn description(&self) -> CharacterDescription {
        let Self {
            name,
            root_joint,
            root_motion_limits,
            links,
            hinges,
            capsules,
            limbs,
            effectors,
            extremities,
            roles,
            self_collision,
            ..
        } = self.clone();
        CharacterDescription {
            name,
            root_joint,
            root_motion_limits,
            links,
            hinges,
            capsules,
            limbs,
            effectors,
            extremities,
            roles,
            self_collision,
        }
    }

    /// The characteristic length of the body, in meters: the stretched length of its longest limb, from the first joint to
    /// the farthest point of the tip; without limbs, the greatest distance of any point from the root. Heuristics
    /// relate their lengths to it, so that bodies of any size need no retuning.
    pub fn body_size(&self) -> f32 {
        let limbs = self.limbs.iter().filter_map(|limb| limb.links.first());
        let longest = limbs.map(|&link| self.subtree_reach(link)).fold(0.0, f32::max);
        if longest > 0.0 { longest } else { self.subtree_reach(LinkId::ROOT) }
    }

    /// Returns the character at another size.
    ///
    /// Scaling is dynamically similar (see [`crate::scaling`]): lengths grow by `factor`, masses by its cube and times by its
    /// square root. So linear speeds grow by the square root, linear accelerations stay, angular speeds shrink by the
    /// square root and angular accelerations by the factor. Forces grow with the weight.
    pub fn scaled(&self, factor: f32) -> Result<Self, CharacterError> {
        let scale = Scale::new(factor)?;
        let CharacterDescription {
            name,
            root_joint,
            root_motion_limits,
            links,
            hinges,
            capsules,
            limbs,
            effectors,
            extremities,
            roles,
            self_collision,
        } = self.description();
        let description = CharacterDescription {
            name,
            root_joint,
            root_motion_limits: RootMotionLimits {
                speed: root_motion_limits.speed * scale.length / scale.time,
                acceleration: root_motion_limits.acceleration,
                turn_speed: root_motion_limits.turn_speed / scale.time,
                turn_acceleration: root_motion_limits.turn_acceleration / scale.length,
            },
            links: links.into_iter().map(|link| link.scaled(scale)).collect(),
            hinges: hinges.into_iter().map(|hinge| hinge.scaled(scale)).collect(),
            capsules: capsules.into_iter().map(|capsule| capsule.scaled(scale)).collect(),
            limbs,
            effectors: effectors
                .into_iter()
                .map(|effector| Effector {
                    center: effector.center * scale.length,
                    radius: effector.radius * scale.length,
                    ability: effector.ability.scaled(scale),
                    ..effector
                })
                .collect(),
            extremities: extremities
                .into_iter()
                .map(|extremity| Extremity { shape: extremity.shape.scaled(scale), ..extremity })
                .collect(),
            roles,
            self_collision,
        };
        Self::new(description)
    }

    /// Returns which part of the body is the mirror image of which; `None` where [`BodyRoles::mirrored_limbs`] states no
    /// symmetry.
    pub fn symmetry(&self) -> Option<&SymmetryMap> {
        self.symmetry.as_ref()
    }

    /// Returns the pairs of links that must stay apart, sorted: all except links that are joined directly, may overlap or lie in
    /// different layers, see [`SelfCollisionRules`].
    pub fn self_collision_pairs(&self) -> &[LinkPair] {
        &self.self_collision_pairs.pairs
    }

    /// Returns a sphere around the capsules of a link, in its frame.
    #[inline]
    pub(crate) fn bounding_sphere(&self, link: LinkId) -> &BoundingSphere {
        &self.self_collision_pairs.spheres[link]
    }

    /// Returns the number of degrees of freedom of the root and the hinges.
    pub fn degrees_of_freedom(&self) -> usize {
        self.root_joint.axes().len() + self.hinges.len()
    }

    /// Returns the link with this name.
    pub fn find_link(&self, name: &str) -> Option<LinkId> {
        self.links.position(|link| link.name == name)
    }

    /// Returns the hinge with this name.
    pub fn find_hinge(&self, name: &str) -> Option<HingeId> {
        self.hinges.position(|hinge| hinge.name == name)
    }

    /// Returns the effector with this name.
    pub fn find_effector(&self, name: &str) -> Option<EffectorId> {
        self.effectors.position(|effector| effector.name == name)
    }

    /// Returns the limb that contains a link; `None` for the trunk.
    pub fn limb_of_link(&self, link: LinkId) -> Option<LimbId> {
        self.limbs.position(|limb| limb.links.contains(&link))
    }

    /// Returns the lever arms of the joints that move a link, its own first and the root last.
    pub(crate) fn lever_arms(&self, link: LinkId) -> &[LeverArm] {
        &self.lever_arms[link]
    }

    /// Returns the greatest distance of a link's own points from its joint, in meters.
    #[inline]
    pub fn link_reach(&self, link: LinkId) -> f32 {
        self.lever_arms[link][0].length
    }

    /// Returns the greatest distance, at any hinge angles, of the points of a link and its descendants from its joint, in meters.
    #[inline]
    pub fn subtree_reach(&self, link: LinkId) -> f32 {
        self.subtree_reaches[link]
    }
}

fn lever_arms_of(links: &TiSlice<LinkId, Link>, capsules: &[Capsule], link: LinkId) -> Vec<LeverArm> {
    let own = &capsules[links[link].capsules.clone()];
    let mut length = own
        .iter()
        .fold(0.0, |extent: f32, capsule| extent.max(capsule.a.length().max(capsule.b.length()) + capsule.radius));
    let mut lever_arms = vec![LeverArm { link, length }];
    let mut child = link;
    while let Some(parent) = links[child].parent {
        length += links[child].parent_from_joint.translation.length();
        lever_arms.push(LeverArm { link: parent, length });
        child = parent;
    }
    lever_arms
}
