//! Candidates: actions that may be tried from a node.

use std::sync::Arc;

use clamber_model::Contact;
use clamber_model::id::{EdgeId, EffectorId, HoldId};

/// A move from a node to a successor.
#[derive(Clone)]
pub(super) enum Action {
    /// Takes an edge of the mode table, with the contacts of its first take.
    Edge(EdgeId, Arc<[Contact]>),
    /// Makes contacts of the goal, all in one step.
    GoalContacts(Arc<[Contact]>),
    /// Turns to face as the goal does.
    Turn,
    /// Moves into the goal's posture.
    Settle,
    /// Tries all successors of the node. Only the plain search has it.
    Expand,
}

/// An action without its contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ActionType {
    Edge(EdgeId),
    GoalContacts,
    Turn,
    Settle,
    Expand,
}

/// An action on the open list.
#[derive(Clone)]
pub(super) struct Candidate {
    /// The node that it starts from.
    pub node: usize,
    pub action: Action,
    /// Estimated cost of the successor, in meters.
    pub cost: f32,
    /// The part of it that is due to failures of similar steps, as far as they are known.
    pub failure_cost: f32,
    /// Whether the quick attempt has failed, so that the thorough one is next.
    pub is_thorough: bool,
    /// Whether it was deferred because an equivalent stance is known.
    pub is_deferred: bool,
}

/// Identifies an action from a node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CandidateKey {
    node: usize,
    action: ActionType,
    /// Effectors, holds, and the bits of the points' coordinates.
    contacts: Vec<(EffectorId, HoldId, [u32; 3])>,
}

/// How trying a candidate ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrialOutcome {
    /// The quick attempt failed; a thorough one may follow.
    QuickFailed,
    /// There is nothing more to try.
    Closed,
}

impl Candidate {
    /// A candidate to be tried quickly.
    pub fn new(node: usize, action: Action, cost: f32) -> Self {
        Self { node, action, cost, failure_cost: 0.0, is_thorough: false, is_deferred: false }
    }

    pub fn key(&self) -> CandidateKey {
        let contacts = match &self.action {
            Action::Edge(_, contacts) | Action::GoalContacts(contacts) => &**contacts,
            Action::Turn | Action::Settle | Action::Expand => &[],
        };
        let bits = |contact: &Contact| (contact.effector, contact.hold, contact.point.to_array().map(f32::to_bits));
        CandidateKey { node: self.node, action: self.action_type(), contacts: contacts.iter().map(bits).collect() }
    }

    pub fn action_type(&self) -> ActionType {
        match &self.action {
            Action::Edge(edge, _) => ActionType::Edge(*edge),
            Action::GoalContacts(_) => ActionType::GoalContacts,
            Action::Turn => ActionType::Turn,
            Action::Settle => ActionType::Settle,
            Action::Expand => ActionType::Expand,
        }
    }
}
