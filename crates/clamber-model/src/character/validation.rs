//! Validates the description of a character.

use super::description::{Capsule, CharacterDescription, RootJoint};
use super::roles::NamedLandmark;
use crate::id::{HingeId, LimbId, LinkId};
use crate::scaling::ScaleError;

/// The greatest angle of a hinge, in radians: about 300 turns, which is 100 000 degrees, the greatest number in files.
pub(crate) const MAX_ANGLE: f32 = 2000.0;

/// Why a [`CharacterDescription`] is not a valid character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CharacterError {
    /// There are no links.
    #[error("a character needs at least one link")]
    NoLinks,
    /// A link is listed before its parent, or a link other than the first has no parent.
    #[error("link `{link}` must come after its parent, and only the first link has none")]
    ParentOrder {
        /// The link whose parent is missing or later.
        link: String,
    },
    /// A link's range of hinges or capsules does not start where the previous link's range ends.
    #[error("link `{link}` does not own the next hinges and capsules in the list")]
    InvalidIndexRange {
        /// The link with the wrong range.
        link: String,
    },
    /// A hinge of a planar character does not rotate about z.
    #[error("hinge `{hinge}` of a planar character must rotate about z")]
    NotPlanar {
        /// The hinge with another axis.
        hinge: String,
    },
    /// A joint of a planar character is not in the plane.
    #[error("link `{link}` of a planar character needs a joint in the plane z = 0, rotated about z at most")]
    JointOffPlane {
        /// The link whose joint leaves the plane.
        link: String,
    },
    /// A limb or an effector refers to a link, a hinge or a limb that does not exist, or a limb has none.
    #[error("limb or effector `{referrer}` refers to a link, hinge or limb that does not exist, or has none")]
    DanglingReference {
        /// The name of the limb or effector that refers to it.
        referrer: String,
    },
    /// An effector's patch or grip has a direction that is not a unit vector, a negative length or no facing, or a force is not
    /// greater than 0.
    #[error(
        "effector `{effector}` needs unit directions, lengths that are not negative, forces greater than 0, and a facing at right angles to its patch"
    )]
    InvalidContactAbility {
        /// The effector.
        effector: String,
    },
    /// A hand or a foot has no effector or shares it, has a length that is not positive, or is too thick.
    #[error(
        "the hand or foot of effector `{effector}` needs lengths greater than 0 and a thickness of at most twice the effector's radius"
    )]
    InvalidExtremity {
        /// The effector's name, or its index if it does not exist.
        effector: String,
    },
    /// A role, a landmark or the symmetry refers to a link or a limb that does not exist, names none or one twice, or has the
    /// name of another.
    #[error("`{name}` needs a unique name, and links and limbs that exist, at least one and each once")]
    InvalidRole {
        /// The name of the role or landmark, or `trunk`, `gaze`, `span` or `symmetry`.
        name: String,
    },
    /// A part of the body is not symmetric although the character states a symmetry.
    #[error("`{part}` is not symmetric: {reason}")]
    NotSymmetric {
        /// The name of the link, hinge, limb or effector.
        part: String,
        /// How it differs from its mirror image.
        reason: &'static str,
    },
    /// The rules of self-collision refer to a link or a limb that does not exist, or list a limb twice.
    #[error("invalid self-collision: {reason}")]
    InvalidSelfCollision {
        /// What is wrong.
        reason: &'static str,
    },
    /// Two links that must stay apart overlap in the rest posture.
    #[error("links `{link}` and `{other}` overlap by {overlap:.4} m in the rest posture")]
    OverlapAtRest {
        /// One of the two links that overlap most.
        link: String,
        /// The other.
        other: String,
        /// How far they overlap, in meters.
        overlap: f32,
        /// The pairs that overlap, the deepest first; at most 20.
        deepest_pairs: Vec<[String; 2]>,
    },
    /// A coordinate is not finite, a rotation is not a unit quaternion, or a capsule radius is not greater than 0.
    #[error("link `{link}` needs finite coordinates, unit rotations and capsule radii greater than 0")]
    InvalidShape {
        /// The link.
        link: String,
    },
    /// A hinge axis is not a unit vector.
    #[error("hinge `{hinge}` needs an axis of length 1")]
    Axis {
        /// The hinge.
        hinge: String,
    },
    /// A hinge turns farther than 300 turns.
    #[error("the limits of hinge `{hinge}` are more than 300 turns")]
    TooManyTurns {
        /// The hinge.
        hinge: String,
    },
    /// A hinge's limits are not ordered or do not contain the rest angle.
    #[error("hinge `{hinge}` needs min <= rest <= max")]
    Limits {
        /// The hinge.
        hinge: String,
    },
    /// A mass is negative, or the total mass is not positive and finite.
    #[error("the masses must not be negative and their sum must be greater than 0")]
    InvalidMass,
    /// There are no capsules, so there is nothing to check for collisions.
    #[error("the character needs at least one capsule")]
    NoShape,
    /// A hinge or the root has a speed or an acceleration that is not greater than 0.
    #[error("`{joint}` needs speeds and accelerations greater than 0")]
    InvalidSpeedLimit {
        /// The hinge's name, or `root`.
        joint: String,
    },
    /// A hinge has a strength that is not greater than 0.
    #[error("hinge `{hinge}` needs strengths greater than 0")]
    InvalidStrength {
        /// The hinge.
        hinge: String,
    },
    /// The character was changed after it was built.
    #[error("the character's links or capsules were changed after it was built; build it again")]
    ChangedAfterBuild,
    /// The scale factor is not finite or not positive.
    #[error(transparent)]
    InvalidScale(#[from] ScaleError),
}

pub(super) fn validate(description: &CharacterDescription) -> Result<(), CharacterError> {
    if description.links.is_empty() {
        return Err(CharacterError::NoLinks);
    }
    check_links(description)?;
    check_references(description)?;
    check_extremities(description)?;
    check_roles(description)?;
    check_hinges(description)?;
    check_speeds(description)?;
    if description.capsules.is_empty() {
        return Err(CharacterError::NoShape);
    }
    let total: f32 = description.links.iter().map(|link| link.mass).sum();
    if description.links.iter().any(|link| link.mass < 0.0) || !total.is_finite() || total <= 0.0 {
        return Err(CharacterError::InvalidMass);
    }
    Ok(())
}

/// Checks that links come parents first and own consecutive hinges and capsules.
fn check_links(description: &CharacterDescription) -> Result<(), CharacterError> {
    let (mut next_hinge, mut next_capsule) = (HingeId::from(0), 0);
    for (index, link) in description.links.iter_enumerated() {
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
        let in_list = next_hinge <= description.hinges.next_key() && next_capsule <= description.capsules.len();
        if !owned || !in_list || description.hinges[link.hinges.range()].iter().any(|hinge| hinge.link != index) {
            return Err(CharacterError::InvalidIndexRange { link: link.name.clone() });
        }
        let is_valid = |capsule: &Capsule| capsule.a.is_finite() && capsule.b.is_finite() && capsule.radius > 0.0;
        let joint = &link.parent_from_joint;
        let joint_is_valid = joint.translation.is_finite() && joint.rotation.is_normalized();
        if !joint_is_valid
            || !link.center_of_mass.is_finite()
            || !description.capsules[link.capsules.clone()].iter().all(is_valid)
        {
            return Err(CharacterError::InvalidShape { link: link.name.clone() });
        }
        if description.root_joint == RootJoint::Planar {
            let [x, y, ..] = joint.rotation.to_array();
            if joint.translation.z != 0.0 || x != 0.0 || y != 0.0 {
                return Err(CharacterError::JointOffPlane { link: link.name.clone() });
            }
        }
    }
    if next_hinge != description.hinges.next_key() || next_capsule != description.capsules.len() {
        return Err(CharacterError::InvalidIndexRange {
            link: description.links.raw[description.links.len() - 1].name.clone(),
        });
    }
    Ok(())
}

/// Checks that limbs and effectors refer to links, hinges and limbs that exist, and that effectors' abilities are valid.
fn check_references(description: &CharacterDescription) -> Result<(), CharacterError> {
    let in_links = |link: &LinkId| *link < description.links.next_key();
    let in_hinges = |hinge: &HingeId| *hinge < description.hinges.next_key();
    for limb in &description.limbs {
        let is_empty = limb.links.is_empty() || limb.hinges.is_empty();
        if is_empty || !limb.links.iter().all(in_links) || !limb.hinges.iter().all(in_hinges) {
            return Err(CharacterError::DanglingReference { referrer: limb.name.clone() });
        }
    }
    for effector in &description.effectors {
        if !in_links(&effector.link) || effector.limb.is_some_and(|limb| limb >= description.limbs.next_key()) {
            return Err(CharacterError::DanglingReference { referrer: effector.name.clone() });
        }
        if !effector.ability.is_valid(effector.facing) {
            return Err(CharacterError::InvalidContactAbility { effector: effector.name.clone() });
        }
    }
    Ok(())
}

/// Checks that hands and feet have positive lengths, fit their effector, and do not share it.
fn check_extremities(description: &CharacterDescription) -> Result<(), CharacterError> {
    for (index, extremity) in description.extremities.iter().enumerate() {
        let Some(effector) = description.effectors.get(extremity.effector) else {
            return Err(CharacterError::InvalidExtremity { effector: extremity.effector.index().to_string() });
        };
        let is_positive = extremity.shape.lengths().iter().all(|length| length.is_finite() && *length > 0.0);
        let fits = extremity.shape.thickness() <= 2.0 * effector.radius;
        let is_only = description.extremities[..index].iter().all(|other| other.effector != extremity.effector);
        if !is_positive || !fits || !is_only {
            return Err(CharacterError::InvalidExtremity { effector: effector.name.clone() });
        }
    }
    Ok(())
}

/// Checks that roles and landmarks have unique names and refer to links and limbs that exist.
fn check_roles(description: &CharacterDescription) -> Result<(), CharacterError> {
    let roles = &description.roles;
    let (links, limbs) = (description.links.len(), description.limbs.len());
    let check = |is_valid: bool, name: &str| match is_valid {
        true => Ok(()),
        false => Err(CharacterError::InvalidRole { name: name.to_owned() }),
    };
    let is_set = |set: &[LimbId]| {
        let is_first = |(index, limb): (usize, &LimbId)| limb.index() < limbs && !set[..index].contains(limb);
        set.iter().enumerate().all(is_first)
    };
    check(roles.trunk_link.index() < links, "trunk")?;
    check(roles.gaze_link.is_none_or(|link| link.index() < links), "gaze")?;
    check(roles.span_limbs.iter().all(|set| is_set(set)), "span")?;
    for (index, role) in roles.limb_roles.iter().enumerate() {
        let is_unique = roles.limb_roles[..index].iter().all(|other| other.name != role.name);
        check(is_unique && !role.limbs.is_empty() && is_set(&role.limbs), &role.name)?;
    }
    for (index, NamedLandmark { name, landmark }) in roles.landmarks.iter().enumerate() {
        let is_unique = roles.landmarks[..index].iter().all(|other| other.name != *name);
        check(is_unique && landmark.is_within(links, limbs), name)?;
    }
    let paired: Vec<LimbId> = roles.mirrored_limbs.iter().flatten().flatten().copied().collect();
    check(is_set(&paired), "symmetry")
}

/// Checks that the speeds and accelerations of the root and the hinges are greater than 0.
fn check_speeds(description: &CharacterDescription) -> Result<(), CharacterError> {
    let is_positive = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite() && *number > 0.0);
    let root = &description.root_motion_limits;
    if !is_positive(&[root.speed, root.acceleration, root.turn_speed, root.turn_acceleration]) {
        return Err(CharacterError::InvalidSpeedLimit { joint: "root".to_owned() });
    }
    match description.hinges.iter().find(|hinge| !is_positive(&[hinge.max_speed, hinge.max_acceleration])) {
        Some(hinge) => Err(CharacterError::InvalidSpeedLimit { joint: hinge.name.clone() }),
        None => Ok(()),
    }
}

/// Checks that hinges have unit axes, ordered limits and positive strengths.
fn check_hinges(description: &CharacterDescription) -> Result<(), CharacterError> {
    for hinge in &description.hinges {
        let hinge_name = || hinge.name.clone();
        if hinge.axis.is_nan() || (hinge.axis.length() - 1.0).abs() > 1e-4 {
            return Err(CharacterError::Axis { hinge: hinge_name() });
        }
        if !(hinge.min <= hinge.rest && hinge.rest <= hinge.max) {
            return Err(CharacterError::Limits { hinge: hinge_name() });
        }
        if hinge.min < -MAX_ANGLE || hinge.max > MAX_ANGLE {
            return Err(CharacterError::TooManyTurns { hinge: hinge_name() });
        }
        if description.root_joint == RootJoint::Planar && (hinge.axis.x != 0.0 || hinge.axis.y != 0.0) {
            return Err(CharacterError::NotPlanar { hinge: hinge_name() });
        }
        if hinge.strength.iter().flatten().any(|torque| !torque.is_finite() || *torque <= 0.0) {
            return Err(CharacterError::InvalidStrength { hinge: hinge_name() });
        }
    }
    Ok(())
}
