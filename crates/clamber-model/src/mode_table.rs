//! Locomotion modes as data: which limbs may make contact, which postures are comfortable, and how modes follow each other
//! (Kalisiak 1999, 4.7 and 5.3).
//!
//! A [`ModeTable`] is the papers' finite state machine of locomotion modes. Its edges consist of a fixed set of conditions, holds
//! to take and effects; planners know this set and nothing about walking or climbing.

use typed_index_collections::TiVec;

use crate::character::{Character, Landmark};
use crate::configuration::Configuration;
use crate::contact::Contact;
use crate::id::{EdgeId, EffectorId, GroupId, HingeId, LimbId, LinkId, ModeId};
use crate::math::{Vec3, rotation_about};
use crate::scaling::{Scale, ScaleError};
use crate::world::{HoldType, World};

/// The locomotion modes of a character and the edges between them.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeTable {
    /// The link whose orientation is the heading of the body.
    pub trunk_link: LinkId,
    /// The limbs at the two ends of the stretched body. The greatest possible distance between a tip of the first and a tip of
    /// the second set is the body's span, which heuristics relate their lengths to.
    pub span_limbs: [Vec<LimbId>; 2],
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
        stance.len() >= mode.least_contacts
            && stance.iter().all(|contact| self.mode_allows_contact(mode, contact, world))
    }

    /// Returns whether a mode allows a contact: its effector carries there, on a hold of this type.
    pub fn mode_allows_contact(&self, mode: &Mode, contact: &Contact, world: &World) -> bool {
        let hold_type = world.holds[contact.hold].hold_type;
        let carries =
            |carrier: &SupportingGroup| self.effector_groups[carrier.group].effectors.contains(&contact.effector);
        mode.supporting_groups.iter().any(|carrier| carries(carrier) && carrier.types.contains(&hold_type))
    }

    /// Returns the table for the scaled character: every length is multiplied by `factor`, and speeds by its root.
    pub fn scaled(&self, factor: f32) -> Result<Self, ScaleError> {
        let Scale { length: by, time } = Scale::new(factor)?;
        let mut table = self.clone();
        for speed in table.modes.iter_mut().filter_map(|mode| mode.speed.as_mut()) {
            *speed *= by / time;
        }
        for balance in table.modes.iter_mut().filter_map(|mode| mode.balance.as_mut()) {
            balance.within *= by;
        }
        for edge in &mut table.edges {
            for condition in edge.preconditions.iter_mut().chain(&mut edge.postconditions) {
                condition.scale(by);
            }
            for take in &mut edge.holds_to_take {
                take.min_separations.iter_mut().for_each(|apart| apart.by *= by);
                take.max_separations.iter_mut().for_each(|close| close.by *= by);
            }
        }
        Ok(table)
    }

    /// Returns whether a take is complete with the contact of an effector: where effectors move together, when all of a group that
    /// contains this one are in contact.
    pub fn completes_take(
        &self,
        take: &HoldToTake,
        effector: EffectorId,
        is_in_contact: impl Fn(EffectorId) -> bool,
    ) -> bool {
        let is_complete = |group: &GroupId| {
            let effectors = &self.effector_groups[*group].effectors;
            effectors.contains(&effector) && effectors.iter().all(|&other| other == effector || is_in_contact(other))
        };
        !take.together || take.groups.iter().any(is_complete)
    }

    /// Returns the first group that contains an effector.
    pub fn group_of_effector(&self, effector: EffectorId) -> Option<GroupId> {
        self.effector_groups.position(|group| group.effectors.contains(&effector))
    }
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
    /// How far the center of mass may be outside of where the contacts carry the body in static equilibrium, during a step, in
    /// body sizes ([`Character::body_size`](crate::Character::body_size)). Beyond 0 the body falls a little from contact to
    /// contact, as people do when they walk.
    pub max_center_offset: f32,
    /// How much effort counts: the torques that hinges need in equilibrium relative to their strength. 0 leaves it out.
    pub effort: f32,
    /// The natural speed of the body, in meters per second; `None` where it is not known.
    pub speed: Option<f32>,
    /// The walking gait that clips of this mode get, on the effectors of `balance`; `None` for no gait.
    pub walking_gait: Option<WalkingGait>,
    /// The posture on level ground that the body resembles as far as contacts and obstacles allow.
    pub reference_posture: ReferencePosture,
}

/// A posture that a body in a mode resembles: where it differs from the rest posture. The default is the rest posture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReferencePosture {
    /// How far the root is turned forward, from the heading toward the ground, in radians.
    pub pitch: f32,
    /// Angles of hinges in radians; the others are at rest.
    pub angles: Vec<(HingeId, f32)>,
    /// Whether the posture is relative to the surface that carries the body, and not to level ground: on a wall, its up is away from the wall.
    pub turns_with_surface: bool,
}

impl ReferencePosture {
    /// Returns the posture with its root at the origin, facing +x.
    pub fn configuration(&self, character: &Character) -> Configuration {
        let mut configuration = Configuration::rest(character);
        configuration.root.rotation = rotation_about(Vec3::Z, -self.pitch);
        for &(hinge, angle) in &self.angles {
            configuration.angles[hinge] = angle;
        }
        configuration
    }
}

/// What the rest of the body does in a walking gait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkingGait {
    /// Limbs that swing against the walking limbs of the other side.
    pub swinging_limbs: Vec<LimbId>,
    /// Links that keep facing ahead while the trunk leans.
    pub level_links: Vec<LinkId>,
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
#[derive(Clone, Debug, PartialEq)]
pub enum PostureHeuristic {
    /// The center of mass is above the middle of the contacts.
    Balance,
    /// A link has the orientation relative to its parent that it has at rest.
    AlignedWithParent(LinkId),
    /// The hinges between the first and the second link of these limbs are near their rest angles.
    BendsNearRest(Vec<LimbId>),
    /// A line of the body is vertical.
    Upright {
        /// The line.
        line: BodyLine,
        /// How many times as much a lean backward counts as one forward, at least 1.
        backward: f32,
    },
    /// Limbs swing against others on the same side of the body.
    OppositeSwing {
        /// The limbs.
        limbs: Vec<LimbId>,
        /// The limbs that they swing against.
        against: Vec<LimbId>,
    },
    /// The body hangs far below the limbs that hold it, and other limbs hang below the body.
    HangDown {
        /// The limbs that hold the body.
        holding: Vec<LimbId>,
        /// A landmark that is far below the highest of their contacts.
        below_holding: Landmark,
        /// The limbs that hang.
        hanging: Vec<LimbId>,
        /// A landmark that is far above the mean of their tips.
        above_hanging: Landmark,
    },
    /// The second joint of each of these limbs is as high as its tip.
    LevelTips(Vec<LimbId>),
}

/// A line from one point of the body to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyLine {
    /// The lower end of the upright line.
    pub from: Landmark,
    /// The upper end.
    pub to: Landmark,
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

/// A hold to find for a free effector, or one for each free effector of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldToTake {
    /// The groups that may provide the free effector; the other effectors of its group are its siblings.
    pub groups: Vec<GroupId>,
    /// Whether all free effectors of one of the groups take holds in the same step, such as the three feet of an insect's tripod.
    pub together: bool,
    /// The types of hold to search for.
    pub types: Vec<HoldType>,
    /// Whether the hold must be closer to the goal, along the guide, than the siblings' holds.
    pub must_pass_siblings: bool,
    /// Whether the body must face the surface of the hold. It faces every surface that does not face the way it does, so also a
    /// level one.
    pub must_be_faced: bool,
    /// Whether the surface of the hold must go on around the contact, unlike a rung or a small ledge. In space only.
    pub must_be_wide: bool,
    /// Minimum distances to these groups' present and newly found holds.
    pub min_separations: Vec<MinSeparation>,
    /// Maximum distances to one of each group's present and newly found holds.
    pub max_separations: Vec<MaxSeparation>,
    /// The hold must be higher than this landmark.
    pub above_landmark: Option<Landmark>,
    /// The hold must be lower than this landmark.
    pub below_landmark: Option<Landmark>,
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

/// A condition on the present state of the planner.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The character has made no progress toward the goal for this many planner steps.
    NoProgress(usize),
    /// The character has advanced toward the goal by this many meters since the mode began.
    AdvancedSinceModeBegan(f32),
    /// Every effector of the group is in contact.
    AllInContact(GroupId),
    /// Some effector of the group is in contact.
    AnyInContact(GroupId),
    /// Any effector is in contact with a hold of this type.
    AnyContactOnType(HoldType),
    /// There is room for the body at the height that it has at rest, above the tips of limbs or at a landmark.
    RoomToStand {
        /// The limbs.
        on: Vec<LimbId>,
        /// The landmark.
        or_at: Landmark,
    },
    /// A landmark is higher than another.
    Higher {
        /// The higher landmark.
        landmark: Landmark,
        /// The lower landmark.
        than: Landmark,
    },
    /// A line of the body leans from the vertical by at most an angle.
    Upright {
        /// The line.
        line: BodyLine,
        /// In radians.
        max_lean: f32,
    },
    /// Of these limbs, one in contact is stretched to at least a share of its length.
    Stretched {
        /// The limbs.
        limbs: Vec<LimbId>,
        /// The least distance from the first joint to the tip, as a share of the limb's length.
        share: f32,
    },
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
    /// The motion has to be in static equilibrium at every moment, which is a setting of the planner and of the checker.
    EquilibriumRequired,
    /// It does not have to be.
    EquilibriumNotRequired,
}

impl Condition {
    fn scale(&mut self, by: f32) {
        match self {
            Self::AdvancedSinceModeBegan(length) | Self::RouteIsBehind(length) | Self::RouteGoesDown(length) => {
                *length *= by;
            }
            Self::CenterBetween(balance) => balance.within *= by,
            Self::NoProgress(_)
            | Self::AllInContact(_)
            | Self::AnyInContact(_)
            | Self::AnyContactOnType(_)
            | Self::RoomToStand { .. }
            | Self::Higher { .. }
            | Self::Upright { .. }
            | Self::Stretched { .. }
            | Self::EquilibriumRequired
            | Self::EquilibriumNotRequired
            | Self::EdgeFailed { .. } => {}
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
    /// Releases the rear contact of `if_stretched` when the distance between contacts of the two sets of
    /// [`ModeTable::span_limbs`] exceeds a share of the span, and that of `if_bent` otherwise.
    DetachRearBySpan {
        /// Share of the span, from 0 to 1.
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
