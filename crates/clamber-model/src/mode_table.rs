//! Modes of moving as data: which limbs carry, which posture is comfortable, and how one mode leads to the next
//! (Kalisiak 1999, 4.7 and 5.3).
//!
//! A [`ModeTable`] is the papers' locomotion-mode finite state machine. Its edges are made of a closed vocabulary of
//! conditions, holds to be found, and effects; planners know the vocabulary and nothing of walking or climbing.

use typed_index_collections::TiVec;

use crate::contact::Contact;
use crate::id::{EdgeId, EffectorId, GroupId, LimbId, LinkId, ModeId};
use crate::scaling::{Scale, ScaleError};
use crate::world::{HoldType, World};

/// How a character may move.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeTable {
    /// What the parts of the character are to the heuristics.
    pub body: Body,
    /// Effectors that stand in for each other, such as the two feet.
    pub groups: TiVec<GroupId, Group>,
    /// The modes.
    pub modes: TiVec<ModeId, Mode>,
    /// The edges, in the order in which they are tried.
    pub edges: TiVec<EdgeId, Edge>,
}

impl ModeTable {
    /// The mode of this name.
    pub fn find_mode(&self, name: &str) -> Option<ModeId> {
        self.modes.position(|mode| mode.name == name)
    }

    /// The group of this name.
    pub fn find_group(&self, name: &str) -> Option<GroupId> {
        self.groups.position(|group| group.name == name)
    }

    /// The first mode that allows a stance, where any does.
    pub fn first_mode_allowing(&self, stance: &[Contact], world: &World) -> Option<ModeId> {
        self.modes.position(|mode| !mode.carriers.is_empty() && self.allows(mode, stance, world))
    }

    /// Whether a stance has the contacts that a mode needs, and none that it does not take.
    pub fn allows(&self, mode: &Mode, stance: &[Contact], world: &World) -> bool {
        let is_taken = |contact: &Contact| {
            let hold_type = world.holds[contact.hold].hold_type;
            let carries = |carrier: &Carrier| self.groups[carrier.group].effectors.contains(&contact.effector);
            mode.carriers.iter().any(|carrier| carries(carrier) && carrier.types.contains(&hold_type))
        };
        stance.len() >= mode.least_contacts && stance.iter().all(is_taken)
    }

    /// Returns the table for the character at another size: every length grows by `factor`.
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
            for take in &mut edge.takes {
                take.apart.iter_mut().for_each(|apart| apart.by *= by);
                take.close.iter_mut().for_each(|close| close.by *= by);
            }
        }
        Ok(table)
    }

    /// The first group that an effector belongs to.
    pub fn group_of(&self, effector: EffectorId) -> Option<GroupId> {
        self.groups.position(|group| group.effectors.contains(&effector))
    }
}

/// What the parts of the character are to the heuristics.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The link that the spine is in.
    pub trunk_link: LinkId,
    /// The link that is held up.
    pub head_link: LinkId,
    /// Limbs that are arms.
    pub arm_limbs: Vec<LimbId>,
    /// Limbs that are legs.
    pub leg_limbs: Vec<LimbId>,
}

/// Effectors that stand in for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Unique in the table.
    pub name: String,
    /// No two of one limb.
    pub effectors: Vec<EffectorId>,
}

/// A way of moving.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Unique in the table.
    pub name: String,
    /// Which effectors may hold on, and to what. None at all makes a mode without contacts.
    pub carriers: Vec<Carrier>,
    /// The fewest contacts at any moment; 0 in a mode without contacts.
    pub least_contacts: usize,
    /// The heuristics whose product is the discomfort, each raised to the power of its weight.
    pub heuristics: Vec<(Heuristic, f32)>,
    /// The discomfort that is good enough for posture correction to stop.
    pub acceptable_discomfort: f32,
    /// Where the centre of mass must be each time a contact is made and a former one left, where that matters.
    pub balance: Option<Balance>,
    /// Whether clips of it get the gait of a walk, on the effectors of `balance`.
    pub has_gait: bool,
}

/// A group of effectors that may hold on, and what it may hold on to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carrier {
    /// The group.
    pub group: GroupId,
    /// The types of hold that it may take.
    pub types: Vec<HoldType>,
}

/// The centre of mass is above, or below, the space between the contacts of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// The group.
    pub group: GroupId,
    /// How far outside it may be, in metres.
    pub within: f32,
}

/// What makes a posture comfortable (thesis 5.2). Each is a number from 1 (comfortable) up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// The head is in line with the spine.
    HeadUp,
    /// Elbows and knees are a little bent.
    ComfyLimbs,
    /// The centre of mass is above the middle of the contacts.
    Balance,
    /// The spine is vertical.
    UprightSpine,
    /// Arms swing against the legs.
    LimbCounterBalance,
    /// The body hangs down from the hands, the legs from the hips.
    HangDown,
    /// The shins lie on the ground.
    KneesDown,
}

impl Heuristic {
    /// All of them, with the words that files use.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::HeadUp, "head-up"),
        (Self::ComfyLimbs, "comfy-limbs"),
        (Self::Balance, "balance"),
        (Self::UprightSpine, "upright-spine"),
        (Self::LimbCounterBalance, "limb-counter-balance"),
        (Self::HangDown, "hang-down"),
        (Self::KneesDown, "knees-down"),
    ];
}

/// A step within a mode, or a transition between two.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Unique in the table.
    pub name: String,
    /// The mode it begins in.
    pub from: ModeId,
    /// The mode it ends in.
    pub to: ModeId,
    /// All must hold before anything is looked for.
    pub preconditions: Vec<Condition>,
    /// Holds to be found, all of them, in order.
    pub takes: Vec<Take>,
    /// What is done then, in order.
    pub effects: Vec<Effect>,
    /// All must hold when it is done, before the last contacts are left; otherwise nothing was done.
    pub postconditions: Vec<Condition>,
}

/// A hold to be found, and the free effector that shall take it.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// The groups of which an effector must be free; the others of its group are its siblings.
    pub groups: Vec<GroupId>,
    /// The types of hold that are looked for.
    pub types: Vec<HoldType>,
    /// The hold is nearer to the goal, along the guide, than what the siblings hold on to.
    pub must_advance: bool,
    /// The hold is farther than this from what these groups hold on to or have just found, in metres.
    pub apart: Vec<Apart>,
    /// The hold is no farther than this from something that each of these groups holds on to or has just found, in metres.
    pub close: Vec<Close>,
    /// The hold is higher than this part of the body.
    pub above: Option<Mark>,
    /// The hold is lower than this part of the body.
    pub below: Option<Mark>,
    /// It is the hold that this group held on to before the character backed up, rather than any.
    pub held_before_retracing_by: Option<GroupId>,
}

/// A least distance to other contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// The group.
    pub from_group: GroupId,
    /// In metres.
    pub by: f32,
}

/// A greatest distance to some other contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Close {
    /// The group.
    pub to_group: GroupId,
    /// In metres.
    pub by: f32,
}

/// A part of the body to compare heights with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The joint of the head.
    Head,
    /// The middle of the joints of the legs.
    Hip,
}

/// Something that is true or false of the moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition {
    /// For so many steps of the planner, the character has come no nearer to the goal.
    NoProgress(usize),
    /// Since the mode began, the character has come nearer to the goal by so many metres.
    AdvancedSinceModeBegan(f32),
    /// Every effector of the group holds on to something.
    AllInContact(GroupId),
    /// An effector of any group holds on to a hold of this type.
    AnyContactOnType(HoldType),
    /// There is room for the character to stand where its feet are.
    RoomToStand,
    /// The head is above the hip.
    HeadOverHip,
    /// The spine leans from the vertical by no more than this, in radians.
    Upright(f32),
    /// The way to the goal leads backwards, for at least this many metres.
    RouteIsBehind(f32),
    /// The way to the goal leads down, by at least this many metres, before it has led twice as far to a side.
    RouteGoesDown(f32),
    /// So many times in a row the edge found its holds, but its conditions afterwards did not hold.
    Failed {
        /// The edge.
        edge: EdgeId,
        /// How many times.
        times: usize,
    },
    /// The centre of mass is between the contacts of a group.
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
            | Self::Failed { .. } => self,
        }
    }
}

/// Something that an edge does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// The free effectors found by [`Edge::takes`] are brought to their holds.
    Attach,
    /// Posture correction by the heuristics of a mode.
    CorrectPosture(ModeId),
    /// All contacts of the group are left but those just made.
    Detach(GroupId),
    /// The contact of the group that is farthest from the goal is left.
    DetachRear(GroupId),
    /// When the hands and feet in contact are farther apart than a share of the most that is possible, the rear contact
    /// of `if_stretched` is left, otherwise that of `if_bent`.
    DetachRearBySpan {
        /// From 0 to 1.
        span_fraction: f32,
        /// The group when stretched.
        if_stretched: GroupId,
        /// The group when not.
        if_bent: GroupId,
    },
    /// Goes back along the way so far until all effectors of the group hold on to something else than now.
    RetracePath(GroupId),
    /// Wanders about until what [`Edge::takes`] names can be reached.
    WanderIntoReach,
    /// Turns half around about the vertical, on the contacts.
    TurnAround,
}
