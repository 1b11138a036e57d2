//! Locomotion modes as data: which limbs may make contact, which postures are comfortable, and how modes follow each other
//! (Kalisiak 1999, 4.7 and 5.3).
//!
//! A [`ModeTable`] is the papers' finite state machine of locomotion modes. Its edges consist of a fixed set of conditions, holds
//! to take and effects; planners know this set and nothing about walking or climbing.

use typed_index_collections::TiVec;

use crate::contact::Contact;
use crate::id::{EdgeId, EffectorId, GroupId, LimbId, LinkId, ModeId};
use crate::scaling::{Scale, ScaleError};
use crate::world::{HoldType, World};

/// The locomotion modes of a character and the edges between them.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeTable {
    /// The links and limbs that the heuristics refer to.
    pub body_roles: BodyRoles,
    /// Groups of interchangeable effectors, such as the two feet.
    pub effector_groups: TiVec<GroupId, EffectorGroup>,
    /// The modes.
    pub modes: TiVec<ModeId, Mode>,
    /// The edges, in the order in which they are tried.
    pub edges: TiVec<EdgeId, Edge>,
}

impl ModeTable {
    /// Returns the mode with this name.
    pub fn find_mode(&self, name: &str) -> Option<ModeId> {
        self.modes.position(|mode| mode.name == name)
    }

    /// Returns the group with this name.
    pub fn find_effector_group(&self, name: &str) -> Option<GroupId> {
        self.effector_groups.position(|group| group.name == name)
    }

    /// Returns the first mode that allows a stance.
    pub fn first_mode_allowing_stance(&self, stance: &[Contact], world: &World) -> Option<ModeId> {
        self.modes.position(|mode| !mode.supporting_groups.is_empty() && self.mode_allows_stance(mode, stance, world))
    }

    /// Returns whether a stance has enough contacts for a mode, and only contacts that the mode permits.
    pub fn mode_allows_stance(&self, mode: &Mode, stance: &[Contact], world: &World) -> bool {
        let is_permitted = |contact: &Contact| {
            let hold_type = world.holds[contact.hold].hold_type;
            let carries =
                |carrier: &SupportingGroup| self.effector_groups[carrier.group].effectors.contains(&contact.effector);
            mode.supporting_groups.iter().any(|carrier| carries(carrier) && carrier.types.contains(&hold_type))
        };
        stance.len() >= mode.least_contacts && stance.iter().all(is_permitted)
    }

    /// Returns the table for the scaled character: every length is multiplied by `factor`.
    pub fn scaled(&self, factor: f32) -> Result<Self, ScaleError> {
        let by = Scale::new(factor)?.length;
        let mut table = self.clone();
        for balance in table.modes.iter_mut().filter_map(|mode| mode.balance.as_mut()) {
            balance.within *= by;
        }
        for edge in &mut table.edges {
            for condition in edge.preconditions.iter_mut().chain(&mut edge.postconditions) {
                *condition = condition.scaled(by);
            }
            for take in &mut edge.holds_to_take {
                take.min_separations.iter_mut().for_each(|apart| apart.by *= by);
                take.max_separations.iter_mut().for_each(|close| close.by *= by);
            }
        }
        Ok(table)
    }

    /// Returns the first group that contains an effector.
    pub fn group_of_effector(&self, effector: EffectorId) -> Option<GroupId> {
        self.effector_groups.position(|group| group.effectors.contains(&effector))
    }
}

/// The links and limbs that the heuristics refer to.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyRoles {
    /// The link that contains the spine.
    pub trunk_link: LinkId,
    /// The head.
    pub head_link: LinkId,
    /// The arms.
    pub arm_limbs: Vec<LimbId>,
    /// The legs.
    pub leg_limbs: Vec<LimbId>,
}

/// Interchangeable effectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectorGroup {
    /// The name, unique in the table.
    pub name: String,
    /// The effectors, at most one per limb.
    pub effectors: Vec<EffectorId>,
}

/// A locomotion mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// The name, unique in the table.
    pub name: String,
    /// Which effectors may make contact, and with which holds. Empty for a mode without contacts.
    pub supporting_groups: Vec<SupportingGroup>,
    /// Minimum number of contacts at any time; 0 in a mode without contacts.
    pub least_contacts: usize,
    /// The heuristics whose product is the discomfort, each raised to the power of its weight.
    pub posture_heuristics: Vec<(PostureHeuristic, f32)>,
    /// The discomfort at which posture correction may stop.
    pub acceptable_discomfort: f32,
    /// Where the center of mass must be when a contact is made and an earlier one released; `None` for no requirement.
    pub balance: Option<Balance>,
    /// Whether clips of this mode get a walking gait, on the effectors of `balance`.
    pub adds_walking_gait: bool,
}

/// A group of effectors that may make contact, and the holds that it may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupportingGroup {
    /// The group.
    pub group: GroupId,
    /// The types of hold that it may use.
    pub types: Vec<HoldType>,
}

/// The center of mass is above or below the support polygon of the contacts of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// The group.
    pub group: GroupId,
    /// Allowed horizontal distance from the support polygon, in meters.
    pub within: f32,
}

/// A heuristic of comfort (thesis 5.2). Its value is 1 for a comfortable posture, and greater otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostureHeuristic {
    /// The head is aligned with the spine.
    HeadAlongSpine,
    /// Elbows and knees are slightly bent.
    SlightlyBentLimbs,
    /// The center of mass is above the middle of the contacts.
    Balance,
    /// The spine is vertical.
    UprightSpine,
    /// The arms swing opposite to the legs.
    ArmsSwingOppositeLegs,
    /// The body hangs below the hands, the legs below the hips.
    HangDown,
    /// The shins are level.
    LevelShins,
}

impl PostureHeuristic {
    /// All heuristics with their keywords in files.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::HeadAlongSpine, "head-up"),
        (Self::SlightlyBentLimbs, "comfy-limbs"),
        (Self::Balance, "balance"),
        (Self::UprightSpine, "upright-spine"),
        (Self::ArmsSwingOppositeLegs, "limb-counter-balance"),
        (Self::HangDown, "hang-down"),
        (Self::LevelShins, "knees-down"),
    ];
}

/// A step within a mode, or a transition between two.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The name, unique in the table.
    pub name: String,
    /// The mode in which it starts.
    pub from: ModeId,
    /// The mode in which it ends.
    pub to: ModeId,
    /// Conditions that must be true before it searches for holds.
    pub preconditions: Vec<Condition>,
    /// The holds to take, in order; all must be found.
    pub holds_to_take: Vec<HoldToTake>,
    /// The effects, in order.
    pub effects: Vec<Effect>,
    /// Conditions that must be true after the effects, before the last contacts are released; otherwise the edge is undone.
    pub postconditions: Vec<Condition>,
}

/// A hold to find for a free effector.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldToTake {
    /// The groups that may provide the free effector; the other effectors of its group are its siblings.
    pub groups: Vec<GroupId>,
    /// The types of hold to search for.
    pub types: Vec<HoldType>,
    /// Whether the hold must be closer to the goal, along the guide, than the siblings' holds.
    pub must_pass_siblings: bool,
    /// Minimum distances to these groups' present and newly found holds.
    pub min_separations: Vec<MinSeparation>,
    /// Maximum distances to one of each group's present and newly found holds.
    pub max_separations: Vec<MaxSeparation>,
    /// The hold must be higher than this landmark.
    pub above_landmark: Option<BodyLandmark>,
    /// The hold must be lower than this landmark.
    pub below_landmark: Option<BodyLandmark>,
    /// The hold must be the one that this group held before the character retraced its path.
    pub held_before_retracing_by: Option<GroupId>,
}

/// A minimum distance from the contacts of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinSeparation {
    /// The group.
    pub from_group: GroupId,
    /// Distance in meters.
    pub by: f32,
}

/// A maximum distance to a contact of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaxSeparation {
    /// The group.
    pub to_group: GroupId,
    /// Distance in meters.
    pub by: f32,
}

/// A body landmark whose height holds are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyLandmark {
    /// The joint of the head.
    Head,
    /// The midpoint of the hip joints.
    Hip,
}

/// A condition on the present state of the planner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition {
    /// The character has made no progress toward the goal for this many planner steps.
    NoProgress(usize),
    /// The character has advanced toward the goal by this many meters since the mode began.
    AdvancedSinceModeBegan(f32),
    /// Every effector of the group is in contact.
    AllInContact(GroupId),
    /// Any effector is in contact with a hold of this type.
    AnyContactOnType(HoldType),
    /// There is room for the character to stand at its feet.
    RoomToStand,
    /// The head is above the hip.
    HeadOverHip,
    /// The spine leans from the vertical by at most this angle, in radians.
    Upright(f32),
    /// The route to the goal leads backward for at least this many meters.
    RouteIsBehind(f32),
    /// The route to the goal descends by at least this many meters before it has moved sideways by twice as much.
    RouteGoesDown(f32),
    /// The edge found its holds but failed its postconditions this many times in a row.
    EdgeFailed {
        /// The edge.
        edge: EdgeId,
        /// The number of times.
        times: usize,
    },
    /// The center of mass is between the contacts of a group.
    CenterBetween(Balance),
}

impl Condition {
    fn scaled(self, by: f32) -> Self {
        match self {
            Self::AdvancedSinceModeBegan(length) => Self::AdvancedSinceModeBegan(length * by),
            Self::RouteIsBehind(length) => Self::RouteIsBehind(length * by),
            Self::RouteGoesDown(length) => Self::RouteGoesDown(length * by),
            Self::CenterBetween(balance) => Self::CenterBetween(Balance { within: balance.within * by, ..balance }),
            Self::NoProgress(_)
            | Self::AllInContact(_)
            | Self::AnyContactOnType(_)
            | Self::RoomToStand
            | Self::HeadOverHip
            | Self::Upright(_)
            | Self::EdgeFailed { .. } => self,
        }
    }
}

/// An action of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// Moves the free effectors found by [`Edge::holds_to_take`] to their holds.
    Attach,
    /// Corrects the posture by the heuristics of a mode.
    CorrectPosture(ModeId),
    /// Releases all contacts of the group except those just made.
    Detach(GroupId),
    /// Releases the contact of the group that is farthest from the goal.
    DetachRear(GroupId),
    /// Releases the rear contact of `if_stretched` when the distance between hands and feet in contact exceeds a share of the
    /// greatest possible distance, and that of `if_bent` otherwise.
    DetachRearBySpan {
        /// Share of the greatest possible distance, from 0 to 1.
        span_fraction: f32,
        /// The group for a stretched body.
        if_stretched: GroupId,
        /// The group for a bent body.
        if_bent: GroupId,
    },
    /// Retraces the path until all effectors of the group have other contacts than now.
    RetracePath(GroupId),
    /// Moves by a random walk until the holds of [`Edge::holds_to_take`] are within reach.
    WanderIntoReach,
    /// Makes a half turn about the vertical while on its contacts.
    TurnAround,
}
