//! The state of a stance search, and what its parts ask of it.

use clamber_model::Contact;
use clamber_model::id::{HoldId, ModeId};
use clamber_model::problem::Posture;

use super::subgoal_sequence::Subgoal;
use super::subproblem_state::{EarlierAttempts, FailedAttempt, Subproblem};
use super::tuning::Lengths;
use crate::cost_to_go_guide::Guide;
use crate::failure::Failure;
use crate::hold_graph::HoldGraph;
use crate::local_planner::LocalPlanner;
use crate::max_contact_distances::Reach;
use crate::waypoint::Waypoint;

/// A best-first search over stances.
pub(crate) struct StanceSearch {
    pub local: LocalPlanner,
    pub(super) lengths: Lengths,
    pub(super) reach: Reach,
    pub(super) graph: HoldGraph,
    /// For each hold, a random cost by which seeds differ; empty without variety.
    pub(super) dislikes: Vec<f32>,
    /// The path through the solved subproblems.
    pub(super) path: Vec<Waypoint>,
    pub(super) subgoals: Vec<Subgoal>,
    pub(super) subproblem: Subproblem,
    pub(super) earlier: EarlierAttempts,
    pub(super) result: Option<Result<(), Failure>>,
}

impl StanceSearch {
    pub(super) fn subgoal(&self) -> &Subgoal {
        &self.subgoals[self.subproblem.index]
    }

    /// The posture that ends the subproblem, unless its subgoal is a pin.
    pub(super) fn goal(&self) -> Option<&Posture> {
        match self.subgoal() {
            Subgoal::Posture(goal, _) => Some(goal),
            Subgoal::Pin(_) => None,
        }
    }

    pub(super) fn goal_mode(&self) -> Option<ModeId> {
        self.local.table.find_mode(&self.goal()?.mode_name)
    }

    /// The random cost of a hold.
    pub(super) fn dislike(&self, hold: HoldId) -> f32 {
        self.dislikes.get(hold.index()).copied().unwrap_or(0.0)
    }

    /// The cost-to-go of a stance: the mean of its contacts.
    pub(super) fn cost_to_go(&self, stance: &[Contact]) -> f32 {
        self.graph.mean_cost_to_go(stance)
    }

    /// The same without dead-end penalties.
    pub(super) fn unpenalized_cost_to_go(&self, stance: &[Contact]) -> f32 {
        self.graph.unpenalized().mean_cost_to_go(stance)
    }

    /// The vertices on the guide's path from the best node to the subgoal.
    pub(super) fn guide_path(&self) -> impl Iterator<Item = usize> + '_ {
        let stance = self.subproblem.best_node().stance.iter();
        let first = stance.min_by(|a, b| self.graph.cost_to_go(a).total_cmp(&self.graph.cost_to_go(b)));
        let first = first.and_then(|contact| self.graph.nearest_vertex(contact));
        std::iter::successors(first, |&vertex| self.graph.next(vertex))
    }

    /// Length of the guide's path from the best node to the subgoal, in meters.
    pub(super) fn distance_to_goal(&self) -> f32 {
        let points = || self.guide_path().map(|vertex| self.graph.vertices[vertex].point);
        points().zip(points().skip(1)).map(|(from, to)| from.distance(to)).sum()
    }

    /// The best earlier attempt at the subproblem, if it came nearer than this one.
    pub(super) fn better_attempt(&self) -> Option<&FailedAttempt> {
        self.earlier.best.as_ref().filter(|attempt| attempt.cost_to_go < self.subproblem.least_cost_to_go)
    }
}
