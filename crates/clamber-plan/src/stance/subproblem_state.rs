//! The search state of one subproblem: the path to a subgoal.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use clamber_model::id::EdgeId;

use super::candidate::{Candidate, CandidateKey, TrialOutcome};
use super::learned_failure_rates::FailureRates;
use super::node::Node;
use super::open_list::OpenList;
use crate::failure::Impasse;
use crate::waypoint::Waypoint;

/// The search for a path to one subgoal.
#[derive(Default)]
pub(super) struct Subproblem {
    /// Index of the subgoal.
    pub index: usize,
    pub nodes: Vec<Node>,
    /// Indices into `candidates`.
    pub open: OpenList,
    pub candidates: Vec<Candidate>,
    /// In the plain search, the candidates of the node that is being expanded, with their priorities: indices into `candidates`.
    pub expanding: VecDeque<(f32, usize)>,
    /// Keys of the stances of all nodes, each with its mode and facing.
    pub known_stances: BTreeSet<Vec<i32>>,
    /// The same, where effectors of a group are interchangeable.
    pub known_equivalents: BTreeSet<Vec<i32>>,
    pub failure_rates: FailureRates,
    /// The candidates that were tried.
    pub tried: BTreeMap<CandidateKey, TrialOutcome>,
    /// Nodes and edges that begin with a release for which the body found no balance, and whether it was looked for thoroughly.
    pub failed_releases: BTreeSet<(usize, EdgeId, bool)>,
    /// The node with the least cost-to-go.
    pub best: usize,
    /// Candidates tried since it was found, or since the last dead-end penalty.
    pub since_best: usize,
    /// Dead-end penalties since then.
    pub penalties_since_best: usize,
    /// The least cost-to-go of any node, without dead-end penalties.
    pub least_cost_to_go: f32,
    /// Candidates tried since it last decreased.
    pub since_progress: usize,
    /// Whether strenuous postures cost no more than others, because the search got stuck while they did.
    pub ignores_effort: bool,
    /// Restarts since the least cost-to-go fell below `stuck_cost_to_go`.
    pub restarts: usize,
    pub stuck_cost_to_go: f32,
}

/// Earlier attempts at a subproblem.
#[derive(Default)]
pub(super) struct EarlierAttempts {
    pub count: usize,
    /// The one that ended nearest to the subgoal.
    pub best: Option<FailedAttempt>,
    /// Whether it is proved that there is no way to the subgoal, once that was looked for.
    pub is_no_way_proved: Option<bool>,
}

/// An attempt at a subproblem that failed.
pub(super) struct FailedAttempt {
    /// Its least cost-to-go, without dead-end penalties.
    pub cost_to_go: f32,
    /// The path from the beginning of the subproblem.
    pub path: Vec<Waypoint>,
    pub impasse: Impasse,
}

impl Subproblem {
    pub fn best_node(&self) -> &Node {
        &self.nodes[self.best]
    }

    /// Indices of the nodes from the root to a node.
    pub fn nodes_to(&self, node: usize) -> Vec<usize> {
        let mut nodes = vec![node];
        while let Some(parent) = self.nodes[nodes[nodes.len() - 1]].parent {
            nodes.push(parent);
        }
        nodes.reverse();
        nodes
    }

    /// Appends the path from the root to a node.
    pub fn append_path_to(&self, node: usize, path: &mut Vec<Waypoint>) {
        for node in self.nodes_to(node) {
            path.extend(self.nodes[node].path.iter().cloned());
        }
    }

    /// The same, and empties the paths of these nodes.
    pub fn move_path_to(&mut self, node: usize, path: &mut Vec<Waypoint>) {
        for node in self.nodes_to(node) {
            path.append(&mut self.nodes[node].path);
        }
    }
}
