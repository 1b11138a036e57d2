//! Expansion of nodes, and the order in which their candidates are tried.
//!
//! A candidate's cost is an estimate when it enters the open list. Reach, hold types and separation are checked for every
//! candidate; postures, collisions and paths only for those that are popped.
//!
//! A candidate that failed quickly is tried thoroughly only when all others are 0.8 m of cost-to-go worse: most of what
//! fails is impossible. It comes sooner for nodes near the best one.

use super::candidate::{Action, Candidate, TrialOutcome};
use super::known_stance_filter::FilterVerdict;
use super::node::{Node, is_facing_left};
use super::search_state::StanceSearch;
use super::subproblem_state::Subproblem;
use super::successors::goes_back;
use super::tuning::{DEFERRAL_PATIENCE, HEURISTIC_WEIGHT};

impl StanceSearch {
    /// Adds a node and its candidates, unless its stance is known.
    pub(super) async fn add_node(&mut self, node: Node) {
        if !self.remember_stance(&node) {
            return;
        }
        let heading = self.heading_of(&node.configuration);
        let unpenalized = self.unpenalized_cost_to_go(&node.stance, heading, node.mode);
        let is_end = self.subgoal().is_pin_held(&node.path);
        let subproblem = &mut self.subproblem;
        let index = subproblem.nodes.len();
        if index == 0 || node.cost_to_go < subproblem.best_node().cost_to_go {
            (subproblem.best, subproblem.since_best, subproblem.penalties_since_best) = (index, 0, 0);
        }
        if unpenalized < subproblem.least_cost_to_go {
            (subproblem.least_cost_to_go, subproblem.since_progress) = (unpenalized, 0);
            subproblem.ignores_effort = false;
            subproblem.open.reset_repetitions();
            if unpenalized < subproblem.stuck_cost_to_go {
                (subproblem.restarts, subproblem.stuck_cost_to_go) = (0, unpenalized);
            }
        }
        subproblem.nodes.push(node);
        if is_end {
            // Boxed, because the next subproblem adds its first node.
            Box::pin(self.end_subproblem(index, Vec::new())).await;
            return;
        }
        self.open_node(index);
    }

    /// Puts what follows a node on the open list: its candidates or, in the plain search, its expansion, which tries all of them.
    pub(super) fn open_node(&mut self, index: usize) {
        let Subproblem { nodes, tried, ignores_effort, .. } = &self.subproblem;
        let node = &nodes[index];
        let effort = if *ignores_effort { 0.0 } else { node.effort_penalty };
        let expansion = Candidate::new(index, Action::Expand, node.cost + effort);
        if self.straight_guide.is_some() && !tried.contains_key(&expansion.key()) {
            self.push(expansion, node.cost_to_go);
        } else {
            self.push_successors(index);
        }
    }

    /// Removes the next candidate and returns it with its priority: the best of the open list, unless a node is being expanded.
    pub(super) fn pop_candidate(&mut self) -> Option<(f32, usize)> {
        let subproblem = &mut self.subproblem;
        if let Some(successor) = subproblem.expanding.pop_front() {
            return Some(successor);
        }
        let best = subproblem.open.pop(self.lengths.repetition_penalty)?;
        subproblem.since_progress += 1;
        subproblem.since_best += 1;
        Some(best)
    }

    /// Puts a candidate back on the open list if similar steps have failed since it got its cost. Returns whether it did.
    pub(super) fn is_repriced(&mut self, number: usize, priority: f32) -> bool {
        let candidate = &self.subproblem.candidates[number];
        let Action::Edge(edge, made) = &candidate.action else { return false };
        if !self.leads_onto_wall(*edge) || made.is_empty() || !self.subproblem.expanding.is_empty() {
            return false;
        }
        let node = &self.subproblem.nodes[candidate.node];
        let description = &self.local.table.edges[*edge];
        let stance = if goes_back(description) { &node.stance_before_release } else { &node.stance };
        let during = self.stance_during(description, stance);
        let failure_cost = self.failure_cost(*edge, self.heading_of(&node.configuration), &during, made);
        let more = failure_cost - candidate.failure_cost;
        if more < self.lengths.worthwhile_repricing {
            return false;
        }
        let repriced = Candidate { failure_cost, cost: candidate.cost + more, ..candidate.clone() };
        self.enqueue(repriced, priority + more);
        true
    }

    /// Puts all candidates of a node on the open list.
    pub(super) fn push_successors(&mut self, node: usize) {
        self.push_edges(node);
        self.push_arrival(node);
    }

    /// Puts a candidate on the open list, unless it is closed. `cost_to_go` is that of the successor.
    pub(super) fn push(&mut self, candidate: Candidate, cost_to_go: f32) {
        if !cost_to_go.is_finite() {
            return;
        }
        let priority = candidate.cost + HEURISTIC_WEIGHT * cost_to_go;
        match self.subproblem.tried.get(&candidate.key()) {
            None => self.enqueue(candidate, priority),
            Some(TrialOutcome::QuickFailed) => self.enqueue_thorough(candidate, priority),
            Some(TrialOutcome::Closed) => {}
        }
    }

    fn enqueue(&mut self, candidate: Candidate, priority: f32) {
        let is_put_off = candidate.is_thorough || candidate.is_deferred || matches!(candidate.action, Action::Expand);
        let Subproblem { nodes, open, candidates, expanding, .. } = &mut self.subproblem;
        if self.straight_guide.is_some() && !is_put_off {
            expanding.push_back((priority, candidates.len()));
        } else {
            let class = (candidate.action_type(), is_facing_left(&nodes[candidate.node].configuration));
            open.push(class, priority, candidates.len());
        }
        candidates.push(candidate);
    }

    /// Defers a candidate to a thorough attempt.
    pub(super) fn enqueue_thorough(&mut self, candidate: Candidate, priority: f32) {
        let penalty = self.deferral_penalty(&candidate);
        let again = Candidate { is_thorough: true, cost: candidate.cost + penalty, ..candidate };
        self.enqueue(again, priority + penalty);
    }

    /// Priority penalty for deferred candidates.
    fn deferral_penalty(&self, candidate: &Candidate) -> f32 {
        let node = &self.subproblem.nodes[candidate.node];
        let behind = node.cost_to_go - self.subproblem.best_node().cost_to_go;
        let per_length = self.cost_per_length(&node.stance, self.heading_of(&node.configuration), node.mode);
        let deferral = self.lengths.deferral + behind.clamp(0.0, self.lengths.max_deferral_behind);
        HEURISTIC_WEIGHT * per_length * deferral / self.impatience()
    }

    /// How many times sooner deferred candidates are tried because nothing else has brought the body nearer. In narrow places in space, every
    /// new stance has quick candidates of its own, and all of them may need a thorough path.
    fn impatience(&self) -> f32 {
        match self.trunk_guide {
            Some(_) => 1.0 + self.subproblem.since_progress as f32 / DEFERRAL_PATIENCE,
            None => 1.0,
        }
    }

    /// Applies the feasibility filter; true when the candidate is closed or deferred instead of tried.
    pub(super) fn is_filtered_out(&mut self, candidate: &Candidate, priority: f32) -> bool {
        match self.filter_verdict(candidate) {
            FilterVerdict::Try => return false,
            FilterVerdict::KnownStance => {
                self.subproblem.tried.insert(candidate.key(), TrialOutcome::Closed);
            }
            FilterVerdict::EquivalentStance => {
                let penalty = self.deferral_penalty(candidate);
                let deferred = Candidate { is_deferred: true, cost: candidate.cost + penalty, ..candidate.clone() };
                self.enqueue(deferred, priority + penalty);
            }
            FilterVerdict::ReleaseFailed if candidate.is_thorough => {
                self.subproblem.tried.insert(candidate.key(), TrialOutcome::Closed);
            }
            FilterVerdict::SiblingFailed | FilterVerdict::ReleaseFailed => {
                self.subproblem.tried.insert(candidate.key(), TrialOutcome::QuickFailed);
                self.enqueue_thorough(candidate.clone(), priority);
            }
        }
        true
    }
}
