//! Characters: immutable trees of links joined by hinges.

use std::ops::Range;

use typed_index_collections::{TiSlice, TiVec};

use crate::id::{EffectorId, HingeId, IdRange, LimbId, LinkId};
use crate::math::{Pose, Vec3};
use crate::scaling::{Scale, ScaleError};

/// The body size for which tuning lengths are written, in meters: that of the shipped figure.
///
/// A tuning length of `0.1 / REFERENCE_BODY_SIZE` body sizes is 0.1 m for the figure and 0.2 m for a body twice its size.
pub const REFERENCE_BODY_SIZE: f32 = 0.93;

/// How the first link may move through the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// In the plane z = 0: along x and y, and turning about z. The way it faces (a half turn about y) is part
    /// of its placement and changes only by an explicit turn.
    Planar,
    /// Anywhere, turned in any way.
    Free,
}

/// One degree of freedom of the root, along or about an axis of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RootAxis {
    /// Moves along the unit vector; the coordinate is in metres.
    Move(Vec3),
    /// Turns about the unit vector through the root's origin; the coordinate is in radians.
    Turn(Vec3),
}

impl Root {
    /// The root's degrees of freedom, in the order in which Jacobians and displacements list them.
    pub fn axes(self) -> &'static [RootAxis] {
        use RootAxis::{Move, Turn};
        const PLANAR: [RootAxis; 3] = [Move(Vec3::X), Move(Vec3::Y), Turn(Vec3::Z)];
        const FREE: [RootAxis; 6] =
            [Move(Vec3::X), Move(Vec3::Y), Move(Vec3::Z), Turn(Vec3::X), Turn(Vec3::Y), Turn(Vec3::Z)];
        match self {
            Root::Planar => &PLANAR,
            Root::Free => &FREE,
        }
    }
}

/// A rigid part of a character. Its frame sits at the joint with its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The link's name, unique in its character.
    pub name: String,
    /// The link it hangs on; `None` for the first link alone, the root.
    pub parent: Option<LinkId>,
    /// Where the joint is in the parent's frame, with all hinges at zero.
    pub parent_from_joint: Pose,
    /// Its hinges in [`Character::hinges`], applied in order at the joint; none makes a rigid joint, several
    /// make a universal or ball joint.
    pub hinges: IdRange<HingeId>,
    /// Its shapes in [`Character::capsules`].
    pub capsules: Range<usize>,
    /// In kilograms.
    pub mass: f32,
    /// In the link's frame.
    pub center_of_mass: Vec3,
}

/// One rotary degree of freedom.
#[derive(Clone, Debug, PartialEq)]
pub struct Hinge {
    /// The hinge's name, unique in its character.
    pub name: String,
    /// The link that it turns.
    pub link: LinkId,
    /// Unit vector in the frame that the hinges before it have made.
    pub axis: Vec3,
    /// The least angle, in radians.
    pub min: f32,
    /// The greatest angle, in radians.
    pub max: f32,
    /// The angle of the relaxed body, in radians.
    pub rest: f32,
    /// The most radians a second.
    pub speed: f32,
    /// The most that the speed changes in a second, in radians a second.
    pub acceleration: f32,
}

/// How fast the first link may move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootLimits {
    /// In metres a second, along each axis.
    pub speed: f32,
    /// The most that the speed changes in a second.
    pub acceleration: f32,
    /// In radians a second.
    pub turn_speed: f32,
    /// The most that the turn's speed changes in a second.
    pub turn_acceleration: f32,
}

/// A segment thickened by a radius: the shape of a body part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// One end of the axis.
    pub a: Vec3,
    /// The other end of the axis.
    pub b: Vec3,
    /// The thickness around the axis.
    pub radius: f32,
}

/// The side of the body a limb is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The character's own left, -z at rest.
    Left,
    /// The character's own right, +z at rest.
    Right,
    /// In the middle.
    Middle,
}

/// The chain of links from the trunk to a tip.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    /// The limb's name, unique in its character.
    pub name: String,
    /// Its links, from the one that hangs on the trunk to the tip.
    pub links: Vec<LinkId>,
    /// Its hinges, in the same order.
    pub hinges: Vec<HingeId>,
    /// The side of the body it is on.
    pub side: Side,
}

/// A place of a link that may touch the world: a hand, a foot, a knee.
///
/// It is a small sphere fixed in its link. A touch is the sphere resting on a surface: its centre stands off
/// by its radius along the surface's normal, so that it touches and does not overlap, whatever the limb's
/// angle (see [`crate::contact`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Effector {
    /// The effector's name, unique in its character.
    pub name: String,
    /// The link it is a place of.
    pub link: LinkId,
    /// The limb that brings it to its place; `None` on the trunk.
    pub limb: Option<LimbId>,
    /// The sphere's centre in the link's frame.
    pub center: Vec3,
    /// The sphere's radius.
    pub radius: f32,
    /// Unit vector in the link's frame that points into the surface it touches (out of the sole, out of the
    /// palm), where that matters.
    pub facing: Option<Vec3>,
}

/// A hand or a foot beyond an effector: two links that planning leaves out and that are added to what was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremity {
    /// The effector that it goes on from: the ankle, or the middle of the palm. Its sphere rests on what it holds on to, so
    /// the sole is one radius below.
    pub effector: EffectorId,
    /// What it is, and how large.
    pub shape: ExtremityShape,
}

/// The measures of a hand or a foot, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExtremityShape {
    /// A foot and its toes, at right angles to the limb.
    Foot {
        /// From the ankle back to the end of the heel.
        heel: f32,
        /// From the ankle forward to the ball, where the toes begin.
        ball: f32,
        /// From the ball to the tips of the toes.
        toes: f32,
        /// From the sole to the top, at the ball.
        thickness: f32,
    },
    /// A palm and its fingers, in line with the limb; the palm faces back when the limb hangs down.
    Hand {
        /// From the effector to the knuckles.
        palm: f32,
        /// From the knuckles to the finger tips.
        fingers: f32,
        /// From the palm to the back of the hand.
        thickness: f32,
    },
}

impl Link {
    fn scaled(mut self, scale: Scale) -> Self {
        self.parent_from_joint.translation *= scale.length;
        self.center_of_mass *= scale.length;
        self.mass *= scale.mass();
        self
    }
}

impl Hinge {
    fn scaled(mut self, scale: Scale) -> Self {
        self.speed /= scale.time;
        self.acceleration /= scale.length;
        self
    }
}

impl Capsule {
    fn scaled(self, scale: Scale) -> Self {
        Self { a: self.a * scale.length, b: self.b * scale.length, radius: self.radius * scale.length }
    }
}

impl ExtremityShape {
    fn scaled(self, scale: Scale) -> Self {
        let by = scale.length;
        match self {
            Self::Foot { heel, ball, toes, thickness } => {
                Self::Foot { heel: heel * by, ball: ball * by, toes: toes * by, thickness: thickness * by }
            }
            Self::Hand { palm, fingers, thickness } => {
                Self::Hand { palm: palm * by, fingers: fingers * by, thickness: thickness * by }
            }
        }
    }

    /// All of its measures.
    pub fn measures(&self) -> Vec<f32> {
        match *self {
            Self::Foot { heel, ball, toes, thickness } => vec![heel, ball, toes, thickness],
            Self::Hand { palm, fingers, thickness } => vec![palm, fingers, thickness],
        }
    }

    /// From the sole, or the palm, to the other side.
    pub fn thickness(&self) -> f32 {
        match *self {
            Self::Foot { thickness, .. } | Self::Hand { thickness, .. } => thickness,
        }
    }
}

/// What a character is made of, before it is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CharacterDescription {
    /// The character's name.
    pub name: String,
    /// How the first link may move.
    pub root: Root,
    /// How fast it may.
    pub root_limits: RootLimits,
    /// Parents before children.
    pub links: TiVec<LinkId, Link>,
    /// In the order of their links.
    pub hinges: TiVec<HingeId, Hinge>,
    /// In the order of their links.
    pub capsules: Vec<Capsule>,
    /// The limbs.
    pub limbs: TiVec<LimbId, Limb>,
    /// The effectors.
    pub effectors: TiVec<EffectorId, Effector>,
    /// Hands and feet that planning leaves out, each of another effector.
    pub extremities: Vec<Extremity>,
}

/// What is wrong with the [`CharacterDescription`] of a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CharacterError {
    /// It needs at least one link.
    #[error("a character needs at least one link")]
    NoLinks,
    /// Links must be listed from the root outwards.
    #[error("link `{link}` must come after its parent, and only the first link has none")]
    ParentOrder {
        /// The link whose parent is missing or later.
        link: String,
    },
    /// A link's ranges of hinges or capsules do not continue the ones before.
    #[error("link `{link}` does not own the next hinges and capsules in the list")]
    Ranges {
        /// The link whose ranges are off.
        link: String,
    },
    /// Planar characters are trees of parallel hinges.
    #[error("hinge `{hinge}` of a planar character must turn about z")]
    NotPlanar {
        /// The hinge with another axis.
        hinge: String,
    },
    /// A planar character's links must lie in the plane.
    #[error("link `{link}` of a planar character must be joined in the plane z = 0, unturned or turned about z")]
    JointOffPlane {
        /// The link whose joint leaves the plane.
        link: String,
    },
    /// A limb or an effector names a link, a hinge or a limb that is not there.
    #[error("limb or effector `{referrer}` names a part that the character does not have")]
    DanglingReference {
        /// The name of the limb or effector that refers to it.
        referrer: String,
    },
    /// A hand or a foot goes on from no effector, or it has no size, or it is thicker than there is room.
    #[error(
        "a hand or foot of effector `{effector}` needs measures greater than 0, and twice the effector's radius of thickness at most"
    )]
    Extremity {
        /// The effector, by name or, where there is none, by number.
        effector: String,
    },
    /// A capsule or a joint is not at a finite place, or a radius is not greater than 0.
    #[error("link `{link}` needs capsules of a radius greater than 0, and everything at finite places")]
    Shape {
        /// The link.
        link: String,
    },
    /// An axis has no direction.
    #[error("hinge `{hinge}` needs an axis of length 1")]
    Axis {
        /// The hinge.
        hinge: String,
    },
    /// Limits must be ordered and contain the rest angle.
    #[error("hinge `{hinge}` needs min <= rest <= max")]
    Limits {
        /// The hinge.
        hinge: String,
    },
    /// Masses are not negative, and something must have one.
    #[error("the character needs a mass")]
    NoMass,
    /// The collision shapes are what is planned with.
    #[error("the character needs at least one capsule")]
    NoShape,
    /// The scale factor is not finite or not positive.
    #[error(transparent)]
    Scale(#[from] ScaleError),
}

/// The longest way from one link's joint to the points of another, whatever the angles between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lever {
    /// The link at whose joint the lever begins: this one or an ancestor.
    pub link: LinkId,
    /// From that joint to the farthest point of this link.
    pub length: f32,
}

/// An immutable tree of links joined by hinges, with limits, masses, capsule shapes, limbs and effectors.
///
/// Links come parents first, and link 0 is the root. A configuration lists hinge angles in the order of
/// [`Character::hinges`]; degrees of freedom are the root's ([`Root::axes`]) and then the hinges.
#[derive(Clone, Debug)]
pub struct Character {
    /// The character's name.
    pub name: String,
    /// How the first link may move.
    pub root: Root,
    /// How fast it may.
    pub root_limits: RootLimits,
    /// Parents before children; the first is the root.
    pub links: TiVec<LinkId, Link>,
    /// All hinges, in the order of their links.
    pub hinges: TiVec<HingeId, Hinge>,
    /// All shapes, in the order of their links, each in its link's frame.
    pub capsules: Vec<Capsule>,
    /// The link of each capsule.
    pub link_of_capsule: Vec<LinkId>,
    /// The limbs.
    pub limbs: TiVec<LimbId, Limb>,
    /// The effectors.
    pub effectors: TiVec<EffectorId, Effector>,
    /// Hands and feet that planning leaves out; none for a character whose links are all there is of it.
    pub extremities: Vec<Extremity>,
    /// In kilograms.
    pub total_mass: f32,
    /// For each link, the levers of the joints between it and the root, its own first.
    levers: TiVec<LinkId, Vec<Lever>>,
    /// For each link, the farthest that a point of it, or of a link that it carries, can be from its joint.
    reaches: TiVec<LinkId, f32>,
}

impl Character {
    /// Checks the parts and derives what the algorithms need of them.
    pub fn new(parts: CharacterDescription) -> Result<Self, CharacterError> {
        check(&parts)?;
        let CharacterDescription { name, root, root_limits, links, hinges, capsules, limbs, effectors, extremities } =
            parts;
        let total_mass = links.iter().map(|link| link.mass).sum();
        let mut link_of_capsule = vec![LinkId::ROOT; capsules.len()];
        for (index, link) in links.iter_enumerated() {
            link_of_capsule[link.capsules.clone()].fill(index);
        }
        let levers: TiVec<LinkId, Vec<Lever>> = links.keys().map(|link| levers_of(&links, &capsules, link)).collect();
        let mut reaches = TiVec::from(vec![0.0f32; links.len()]);
        for lever in levers.iter().flatten() {
            reaches[lever.link] = reaches[lever.link].max(lever.length);
        }
        Ok(Self {
            name,
            root,
            root_limits,
            links,
            hinges,
            capsules,
            link_of_capsule,
            limbs,
            effectors,
            extremities,
            total_mass,
            levers,
            reaches,
        })
    }

    /// The characteristic length of the body, in meters: the stretched length of its longest limb, from the first joint to
    /// the farthest point of the tip; without limbs, the farthest that any point can be from the root. Heuristics relate
    /// their lengths to it, so that bodies of any size need no retuning.
    pub fn body_size(&self) -> f32 {
        let limbs = self.limbs.iter().filter_map(|limb| limb.links.first());
        let longest = limbs.map(|&link| self.subtree_reach(link)).fold(0.0, f32::max);
        if longest > 0.0 { longest } else { self.subtree_reach(LinkId::ROOT) }
    }

    /// Returns the character at another size.
    ///
    /// Scaling is dynamically similar (see [`crate::scaling`]): lengths grow by `factor`, masses by its cube and times by its
    /// square root. So linear speeds grow by the square root, linear accelerations stay, angular speeds shrink by the
    /// square root and angular accelerations by the factor.
    pub fn scaled(&self, factor: f32) -> Result<Self, CharacterError> {
        let scale = Scale::new(factor)?;
        let Self { name, root, root_limits, links, hinges, capsules, limbs, effectors, extremities, .. } = self.clone();
        let parts = CharacterDescription {
            name,
            root,
            root_limits: RootLimits {
                speed: root_limits.speed * scale.length / scale.time,
                acceleration: root_limits.acceleration,
                turn_speed: root_limits.turn_speed / scale.time,
                turn_acceleration: root_limits.turn_acceleration / scale.length,
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
                    ..effector
                })
                .collect(),
            extremities: extremities
                .into_iter()
                .map(|extremity| Extremity { shape: extremity.shape.scaled(scale), ..extremity })
                .collect(),
        };
        Self::new(parts)
    }

    /// The number of degrees of freedom: the root's and the hinges'.
    pub fn degrees_of_freedom(&self) -> usize {
        self.root.axes().len() + self.hinges.len()
    }

    /// The link with this name.
    pub fn find_link(&self, name: &str) -> Option<LinkId> {
        self.links.position(|link| link.name == name)
    }

    /// The hinge with this name.
    pub fn find_hinge(&self, name: &str) -> Option<HingeId> {
        self.hinges.position(|hinge| hinge.name == name)
    }

    /// The effector with this name.
    pub fn find_effector(&self, name: &str) -> Option<EffectorId> {
        self.effectors.position(|effector| effector.name == name)
    }

    /// The limb that a link is part of; `None` for the trunk.
    pub fn limb_of_link(&self, link: LinkId) -> Option<LimbId> {
        self.limbs.position(|limb| limb.links.contains(&link))
    }

    /// The joints that carry a link, its own first and the root last, each with the longest way from it to the
    /// link's points.
    pub(crate) fn levers(&self, link: LinkId) -> &[Lever] {
        &self.levers[link]
    }

    /// The farthest that any point of a link itself is from its joint.
    #[inline]
    pub fn link_radius(&self, link: LinkId) -> f32 {
        self.levers[link][0].length
    }

    /// The farthest that any point of a link, or of the links that it carries, can be from its joint.
    #[inline]
    pub fn subtree_reach(&self, link: LinkId) -> f32 {
        self.reaches[link]
    }
}

fn check(parts: &CharacterDescription) -> Result<(), CharacterError> {
    if parts.links.is_empty() {
        return Err(CharacterError::NoLinks);
    }
    check_links(parts)?;
    check_references(parts)?;
    check_extremities(parts)?;
    check_hinges(parts)?;
    if parts.capsules.is_empty() {
        return Err(CharacterError::NoShape);
    }
    let total: f32 = parts.links.iter().map(|link| link.mass).sum();
    if parts.links.iter().any(|link| link.mass < 0.0) || !total.is_finite() || total <= 0.0 {
        return Err(CharacterError::NoMass);
    }
    Ok(())
}

/// Links come parents first, and own consecutive hinges and capsules.
fn check_links(parts: &CharacterDescription) -> Result<(), CharacterError> {
    let (mut next_hinge, mut next_capsule) = (HingeId::from(0), 0);
    for (index, link) in parts.links.iter_enumerated() {
        let parent_is_earlier = match link.parent {
            None => index == LinkId::ROOT,
            Some(parent) => parent < index,
        };
        if !parent_is_earlier {
            return Err(CharacterError::ParentOrder { link: link.name.clone() });
        }
        let owned = link.hinges.start == next_hinge
            && link.capsules.start == next_capsule
            && link.hinges.end >= next_hinge
            && link.capsules.end >= next_capsule;
        next_hinge = link.hinges.end;
        next_capsule = link.capsules.end;
        let in_list = next_hinge <= parts.hinges.next_key() && next_capsule <= parts.capsules.len();
        if !owned || !in_list || parts.hinges[link.hinges.range()].iter().any(|hinge| hinge.link != index) {
            return Err(CharacterError::Ranges { link: link.name.clone() });
        }
        let sound = |capsule: &Capsule| capsule.a.is_finite() && capsule.b.is_finite() && capsule.radius > 0.0;
        let joint_is_finite = link.parent_from_joint.translation.is_finite() && link.center_of_mass.is_finite();
        if !joint_is_finite || !parts.capsules[link.capsules.clone()].iter().all(sound) {
            return Err(CharacterError::Shape { link: link.name.clone() });
        }
        if parts.root == Root::Planar {
            let joint = &link.parent_from_joint;
            let [x, y, ..] = joint.rotation.to_array();
            if joint.translation.z != 0.0 || x != 0.0 || y != 0.0 {
                return Err(CharacterError::JointOffPlane { link: link.name.clone() });
            }
        }
    }
    if next_hinge != parts.hinges.next_key() || next_capsule != parts.capsules.len() {
        return Err(CharacterError::Ranges { link: parts.links.raw[parts.links.len() - 1].name.clone() });
    }
    Ok(())
}

/// Limbs and effectors refer to links, hinges and limbs that exist.
fn check_references(parts: &CharacterDescription) -> Result<(), CharacterError> {
    let in_links = |link: &LinkId| *link < parts.links.next_key();
    let in_hinges = |hinge: &HingeId| *hinge < parts.hinges.next_key();
    for limb in &parts.limbs {
        if limb.links.is_empty() || !limb.links.iter().all(in_links) || !limb.hinges.iter().all(in_hinges) {
            return Err(CharacterError::DanglingReference { referrer: limb.name.clone() });
        }
    }
    for effector in &parts.effectors {
        if !in_links(&effector.link) || effector.limb.is_some_and(|limb| limb >= parts.limbs.next_key()) {
            return Err(CharacterError::DanglingReference { referrer: effector.name.clone() });
        }
    }
    Ok(())
}

/// Hands and feet have positive sizes, fit their effector, and there is one for each.
fn check_extremities(parts: &CharacterDescription) -> Result<(), CharacterError> {
    for (index, extremity) in parts.extremities.iter().enumerate() {
        let Some(effector) = parts.effectors.get(extremity.effector) else {
            return Err(CharacterError::Extremity { effector: extremity.effector.index().to_string() });
        };
        let is_sound = extremity.shape.measures().iter().all(|measure| measure.is_finite() && *measure > 0.0);
        let fits = extremity.shape.thickness() <= 2.0 * effector.radius;
        let is_only = parts.extremities[..index].iter().all(|other| other.effector != extremity.effector);
        if !is_sound || !fits || !is_only {
            return Err(CharacterError::Extremity { effector: effector.name.clone() });
        }
    }
    Ok(())
}

/// Hinges have unit axes and ordered limits.
fn check_hinges(parts: &CharacterDescription) -> Result<(), CharacterError> {
    for hinge in &parts.hinges {
        let hinge_name = || hinge.name.clone();
        if hinge.axis.is_nan() || (hinge.axis.length() - 1.0).abs() > 1e-4 {
            return Err(CharacterError::Axis { hinge: hinge_name() });
        }
        if !(hinge.min <= hinge.rest && hinge.rest <= hinge.max) {
            return Err(CharacterError::Limits { hinge: hinge_name() });
        }
        if parts.root == Root::Planar && (hinge.axis.x != 0.0 || hinge.axis.y != 0.0) {
            return Err(CharacterError::NotPlanar { hinge: hinge_name() });
        }
    }
    Ok(())
}

fn levers_of(links: &TiSlice<LinkId, Link>, capsules: &[Capsule], link: LinkId) -> Vec<Lever> {
    let own = &capsules[links[link].capsules.clone()];
    let mut length = own
        .iter()
        .fold(0.0, |extent: f32, capsule| extent.max(capsule.a.length().max(capsule.b.length()) + capsule.radius));
    let mut levers = vec![Lever { link, length }];
    let mut carried = link;
    while let Some(parent) = links[carried].parent {
        length += links[carried].parent_from_joint.translation.length();
        levers.push(Lever { link: parent, length });
        carried = parent;
    }
    levers
}
