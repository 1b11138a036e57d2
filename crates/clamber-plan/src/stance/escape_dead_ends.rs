//! Dead ends: penalties on the guide, restarts, and giving up.
//!
//! The guide may be wrong about what a body can do from hold to hold. After a number of candidates without a better node, the
//! guide's edges around the place get a dead-end penalty, until another path is the shorter one; candidates that were tried
//! stay closed. After more of them, the search restarts some meters back, and at last from the beginning of the subproblem: chance
//! decides how the search arrives at a place, and what one seed does not solve another mostly does. Of all attempts, the
//! one that came nearest is reported.

use clamber_model::math::Vec3;

use super::node::Node;
use super::search_state::StanceSearch;
use super::subproblem_state::{FailedAttempt, Subproblem};
use super::tuning::{EXPANSIONS_PER_REQUEUE, MAX_ATTEMPTS, MAX_RESTARTS, PLACES_PER_EXPANSION};
use crate::failure::Failure;

impl StanceSearch {
    /// Makes strenuous postures cost no more than others, until there is progress.
    pub(super) async fn ignore_effort(&mut self) {
        let is_ignored = std::mem::replace(&mut self.subproblem.ignores_effort, true);
        if !is_ignored && self.subproblem.nodes.iter().any(|node| node.effort_penalty > 0.0) {
            self.rebuild_open_list().await;
        }
    }

    /// Penalizes the guide just ahead of the best node. The plain search does not go by its costs.
    pub(super) async fn penalize_dead_end(&mut self) {
        if self.straight_guide.is_some() {
            return;
        }
        if let (Some(at), Some(guide)) = (self.guide_point(self.subproblem.best_node()), &mut self.trunk_guide) {
            guide.penalize(at, self.lengths.penalty_radius, self.lengths.dead_end_penalty);
            self.update_costs_to_go().await;
            self.rebuild_open_list().await;
            return;
        }
        let Some([from, to]) = self.next_guide_step() else { return };
        let center = from + (to - from).clamp_length_max(self.lengths.penalty_ahead);
        self.graph.penalize_around(center, self.lengths.penalty_radius, self.lengths.dead_end_penalty);
        self.update_costs_to_go().await;
        self.rebuild_open_list().await;
    }

    /// The ends of the first edge of the guide's path.
    fn next_guide_step(&self) -> Option<[Vec3; 2]> {
        let mut points = self.guide_path().map(|vertex| self.graph.vertices[vertex].point);
        Some([points.next()?, points.next()?])
    }

    /// Discards the nodes near the best one and restarts some meters back, as if nothing had been tried there: other random
    /// numbers give another path. A penalty leads the guide away from the hold that was not reached, for instance over a gap that
    /// is slightly too wide. False after the last allowed restart.
    pub(super) async fn restart(&mut self) -> bool {
        if self.subproblem.restarts == MAX_RESTARTS {
            return false;
        }
        self.remove_penalties().await;
        let stuck_step = self.next_guide_step().filter(|_| self.trunk_guide.is_none());
        let restarts = self.subproblem.restarts + 1;
        let back = self.lengths.restart_distance * restarts as f32;
        let cost_to_go = self.subproblem.best_node().cost_to_go + back;
        let mut kept = self.subproblem.nodes_to(self.subproblem.best);
        // The kept path ends before the first node that is nearer: there the new search begins.
        let is_nearer = |&node: &usize| self.subproblem.nodes[node].cost_to_go <= cost_to_go;
        let count = kept.iter().position(is_nearer).unwrap_or(kept.len());
        kept.truncate(count.max(1));
        let Subproblem { index, stuck_cost_to_go, nodes, .. } = std::mem::take(&mut self.subproblem);
        self.subproblem = Subproblem { index, restarts, stuck_cost_to_go, ..Subproblem::default() };
        let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
        for (position, node) in kept.into_iter().enumerate() {
            let Some(node) = nodes[node].take() else { continue };
            let node = Node { parent: position.checked_sub(1), ..node };
            self.remember_stance(&node);
            self.subproblem.nodes.push(node);
        }
        self.subproblem.best = self.subproblem.nodes.len() - 1;
        self.subproblem.least_cost_to_go = self.subproblem.best_node().cost_to_go;
        if let Some(step) = stuck_step {
            let penalty = self.lengths.restart_penalty * restarts as f32;
            self.graph.penalize_between(step, self.lengths.penalty_radius, penalty);
            self.update_costs_to_go().await;
        }
        self.rebuild_open_list().await;
        true
    }

    /// Starts the subproblem from its beginning. Fails after the last allowed attempt, or where the reason is certain.
    pub(super) async fn give_up(&mut self) {
        self.remove_penalties().await;
        self.earlier.count += 1;
        if self.earlier.count == MAX_ATTEMPTS || self.certain_impasse().await.is_some() {
            self.fail().await;
            return;
        }
        let cost_to_go = self.subproblem.least_cost_to_go;
        if self.earlier.best.as_ref().is_none_or(|best| cost_to_go < best.cost_to_go) {
            let impasse = self.likely_impasse().await;
            let mut path = Vec::new();
            self.subproblem.move_path_to(self.subproblem.best, &mut path);
            self.earlier.best = Some(FailedAttempt { cost_to_go, path, impasse });
        }
        self.begin_subproblem(self.subproblem.index).await;
    }

    /// Ends the search with an explanation.
    async fn fail(&mut self) {
        self.remove_penalties().await;
        let known = self.certain_impasse().await;
        let known = known.or_else(|| self.better_attempt().map(|attempt| attempt.impasse.clone()));
        let impasse = match known {
            Some(impasse) => impasse,
            None => self.likely_impasse().await,
        };
        let impasse = self.with_certainty(impasse).await;
        self.result = Some(Err(Failure::Impasse(impasse)));
    }

    /// Computes the guide and the cost-to-go of all nodes anew.
    async fn update_costs_to_go(&mut self) {
        match &mut self.trunk_guide {
            Some(guide) => {
                let before = guide.relaxed_places();
                guide.update().await;
                let relaxed = guide.relaxed_places() - before;
                self.local.budget.count((relaxed / PLACES_PER_EXPANSION) as u64).await;
            }
            None => {
                let goal = self.subgoal().contacts(&self.local.problem.world, self.graph.lengths.spacing);
                self.graph.set_goal(&goal).await;
            }
        }
        for index in 0..self.subproblem.nodes.len() {
            let nodes = &self.subproblem.nodes;
            let node = &nodes[index];
            let cost_to_go = self.cost_to_go(&node.stance, self.heading_of(&node.configuration), node.mode);
            let parent = node.parent.map(|parent| &nodes[parent]).filter(|parent| parent.mode == node.mode);
            let at_mode_start = parent.map_or(cost_to_go, |parent| parent.cost_to_go_at_mode_start);
            let node = &mut self.subproblem.nodes[index];
            (node.cost_to_go, node.cost_to_go_at_mode_start) = (cost_to_go, at_mode_start);
        }
        let nodes = self.subproblem.nodes.iter().enumerate();
        let best = nodes.min_by(|a, b| a.1.cost_to_go.total_cmp(&b.1.cost_to_go));
        self.subproblem.best = best.map_or(0, |(index, _)| index);
    }

    /// Fills the open list with untried candidates of all nodes that are not far behind the best one.
    async fn rebuild_open_list(&mut self) {
        self.subproblem.open.clear();
        self.subproblem.candidates.clear();
        self.subproblem.expanding.clear();
        for index in 0..self.subproblem.nodes.len() {
            let node = &self.subproblem.nodes[index];
            let heading = self.heading_of(&node.configuration);
            let cost_to_go = self.unpenalized_cost_to_go(&node.stance, heading, node.mode);
            if cost_to_go < self.subproblem.least_cost_to_go + self.lengths.requeue_range {
                self.open_node(index);
                match self.trunk_guide {
                    Some(_) => self.local.budget.count(EXPANSIONS_PER_REQUEUE).await,
                    None => self.local.budget.checkpoint().await,
                }
            }
        }
    }

    /// Removes all penalties from the guide.
    async fn remove_penalties(&mut self) {
        let is_changed = match &mut self.trunk_guide {
            Some(guide) => guide.remove_penalties(),
            None => self.graph.remove_penalties(),
        };
        if is_changed {
            self.update_costs_to_go().await;
        }
    }
}
