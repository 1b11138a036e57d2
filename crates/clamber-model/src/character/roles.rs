//! Roles and landmarks: the names by which mode tables speak of the parts of a body.
//!
//! No algorithm knows what an arm or a leg is. A character states which limbs play which role, and a mode table says what it
//! wants of a role: that its limbs hang, swing or carry.

use crate::id::{LimbId, LinkId};

/// What the parts of a body are for.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyRoles {
    /// The link whose orientation is the heading of the body.
    pub trunk_link: LinkId,
    /// The link that carries the eyes, which look along its +x axis; `None` for a body without a face.
    pub gaze_link: Option<LinkId>,
    /// Named sets of limbs. A limb may have several roles.
    pub limb_roles: Vec<LimbRole>,
    /// Named points of the body.
    pub landmarks: Vec<NamedLandmark>,
    /// The limbs at the two ends of the stretched body. The greatest possible distance between a tip of the first and a tip of
    /// the second set is the body's span, see [`ModeTable::span_limbs`](crate::ModeTable::span_limbs).
    pub span_limbs: [Vec<LimbId>; 2],
    /// Pairs of limbs that are each other's mirror image; `None` for a body without a left and a right half, see
    /// [`Character::symmetry`](super::Character::symmetry).
    pub mirrored_limbs: Option<Vec<[LimbId; 2]>>,
}

/// A named set of limbs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimbRole {
    /// The name, unique among the roles.
    pub name: String,
    /// The limbs, at least one, each once.
    pub limbs: Vec<LimbId>,
}

/// A named point of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedLandmark {
    /// The name, unique among the landmarks.
    pub name: String,
    /// The point.
    pub landmark: Landmark,
}

/// A point of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Landmark {
    /// The joint of a link to its parent.
    Joint(LinkId),
    /// The mean of the first joints of limbs, of which there is at least one.
    MeanOfFirstJoints(Vec<LimbId>),
}

impl BodyRoles {
    /// The roles of a body that states none: the root is the trunk, and any two of its limbs may span it.
    pub fn unnamed(limbs: usize) -> Self {
        let all: Vec<LimbId> = (0..limbs).map(LimbId::new).collect();
        Self {
            trunk_link: LinkId::ROOT,
            gaze_link: None,
            limb_roles: Vec::new(),
            landmarks: Vec::new(),
            span_limbs: [all.clone(), all],
            mirrored_limbs: None,
        }
    }
}

impl Landmark {
    /// Whether the links and limbs that it refers to exist.
    pub(crate) fn is_within(&self, links: usize, limbs: usize) -> bool {
        match self {
            Self::Joint(link) => link.index() < links,
            Self::MeanOfFirstJoints(of) => !of.is_empty() && of.iter().all(|limb| limb.index() < limbs),
        }
    }
}
