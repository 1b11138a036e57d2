//! The state of a stance search, and what its parts ask of it.

use clamber_model::Contact;
use clamber_model::id::{HoldId, ModeId};
use clamber_model::math::Vec3;
use clamber_model::problem::Posture;

use super::node::Node;
use super::straight_guide::StraightGuide;
use super::subgoal_sequence::Subgoal;
use super::subproblem_state::{EarlierAttempts, FailedAttempt, Subproblem};
use super::tuning::{Lengths, MISFIT_COST, TURN_COST};
use crate::cost_to_go_guide::Guide;
use crate::failure::Failure;
use crate::hold_graph::HoldGraph;
use crate::local_planner::LocalPlanner;
use crate::max_contact_distances::Reach;
use crate::trunk_guide::{GuidePoint, TrunkGuide};
use crate::waypoint::Waypoint;
use clamber_posture::anatomy::turn_between;

/// A best-first search over stances.
pub(crate) struct StanceSearch {
    pub local: LocalPlanner,
    pub(super) lengths: Lengths,
    pub(super) reach: Reach,
    /// The graph of holds; in space, of those around an impasse that is explained.
    pub(super) graph: HoldGraph,
    /// Where in space the graph of holds leads: a place for the trunk.
    pub(super) explained_place: Option<Vec3>,
    /// The guide of a body in space; in the plane, the graph of holds is the guide.
    pub(super) trunk_guide: Option<TrunkGuide>,
    /// What the plain search has instead of the guides' costs.
    pub(super) straight_guide: Option<StraightGuide>,
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

    /// The guide along which contacts are compared.
    pub(super) fn guide(&self) -> &dyn Guide {
        match (&self.straight_guide, &self.trunk_guide) {
            (Some(guide), _) => guide,
            (None, Some(guide)) => guide,
            (None, None) => &self.graph,
        }
    }

    /// The cost-to-go of a stance in a mode: the mean of its contacts or, in space, that of the trunk above them, which should face along
    /// the guide.
    pub(super) fn cost_to_go(&self, stance: &[Contact], heading: Vec3, mode: ModeId) -> f32 {
        match (&self.straight_guide, &self.trunk_guide) {
            (Some(guide), _) => guide.mean_cost_to_go(stance),
            (None, Some(guide)) => self.trunk_cost_to_go(guide, stance, heading, mode, TrunkGuide::cost_to_go_at),
            (None, None) => self.graph.mean_cost_to_go(stance),
        }
    }

    /// The same without dead-end penalties.
    pub(super) fn unpenalized_cost_to_go(&self, stance: &[Contact], heading: Vec3, mode: ModeId) -> f32 {
        match (&self.straight_guide, &self.trunk_guide) {
            (Some(guide), _) => guide.mean_cost_to_go(stance),
            (None, Some(guide)) => {
                self.trunk_cost_to_go(guide, stance, heading, mode, TrunkGuide::unpenalized_cost_to_go_at)
            }
            (None, None) => self.graph.unpenalized().mean_cost_to_go(stance),
        }
    }

    fn trunk_cost_to_go(
        &self,
        guide: &TrunkGuide,
        stance: &[Contact],
        heading: Vec3,
        mode: ModeId,
        cost_at: fn(&TrunkGuide, GuidePoint) -> f32,
    ) -> f32 {
        let Some(position) = guide.trunk_place(stance, heading, mode) else { return f32::INFINITY };
        let at = GuidePoint { position, mode };
        let turn = guide.heading(at, heading).map_or(0.0, |wanted| turn_between(heading, wanted));
        // Where a body is to turn around, that must not keep it from getting there.
        let turn = guide.heading_before_change(at).map_or(turn, |(_, nearness)| nearness * turn);
        let facing = guide.slowness(mode) * TURN_COST * turn.abs() + MISFIT_COST * guide.misfit_at(at, heading);
        cost_at(guide, at) + self.reach.body_size * facing
    }

    /// The place of a node in space.
    pub(super) fn guide_point(&self, node: &Node) -> Option<GuidePoint> {
        let heading = self.heading_of(&node.configuration);
        let position = self.trunk_guide.as_ref()?.trunk_place(&node.stance, heading, node.mode)?;
        Some(GuidePoint { position, mode: node.mode })
    }

    /// The vertices on the path over holds from the best node to the subgoal.
    pub(super) fn guide_path(&self) -> impl Iterator<Item = usize> + '_ {
        let stance = self.subproblem.best_node().stance.iter();
        let first = stance.min_by(|a, b| self.graph.cost_to_go(a).total_cmp(&self.graph.cost_to_go(b)));
        let first = first.and_then(|contact| self.graph.nearest_vertex(contact));
        std::iter::successors(first, |&vertex| self.graph.next(vertex))
    }

    /// Length of the guide's path from the best node to the subgoal, in meters.
    pub(super) fn distance_to_goal(&self) -> f32 {
        if let Some(guide) = &self.trunk_guide {
            let at = self.guide_point(self.subproblem.best_node());
            return at.map_or(f32::INFINITY, |at| guide.unpenalized_cost_to_go_at(at));
        }
        let points = || self.guide_path().map(|vertex| self.graph.vertices[vertex].point);
        points().zip(points().skip(1)).map(|(from, to)| from.distance(to)).sum()
    }

    /// The best earlier attempt at the subproblem, if it came nearer than this one.
    pub(super) fn better_attempt(&self) -> Option<&FailedAttempt> {
        self.earlier.best.as_ref().filter(|attempt| attempt.cost_to_go < self.subproblem.least_cost_to_go)
    }
}
