//! The main loop: pops a candidate, tries it, and adds the successor.
//!
//! One call of [`StanceSearch::advance`] tries one candidate.

use std::sync::Arc;

use clamber_model::character::RootJoint;
use clamber_model::id::{HoldId, ModeId};
use clamber_model::rng::Stream;
use clamber_model::world::UP;
use clamber_model::{Contact, ModeTable, Problem};

use super::candidate::{Action, Candidate, TrialOutcome};
use super::node::Node;
use super::search_state::StanceSearch;
use super::straight_guide::StraightGuide;
use super::subgoal_sequence::{Subgoal, subgoals, subgoals_in_space};
use super::subproblem_state::{EarlierAttempts, Subproblem};
use super::tuning::{
    EFFORT_PATIENCE, Lengths, MAX_SINCE_BEST, MAX_SINCE_BEST_IN_EQUILIBRIUM, MAX_SINCE_BEST_IN_SPACE, MAX_STALLED,
    PLACES_PER_EXPANSION,
};
use crate::bridge_hold_graph_gaps::bridge_gaps;
use crate::budget::Budget;
use crate::cost_to_go_guide::Guide;
use crate::failure::Failure;
use crate::hold_graph::HoldGraph;
use crate::local_planner::LocalPlanner;
use crate::max_contact_distances::Reach;
use crate::plan::Statistics;
use crate::settings::ResolvedSettings;
use crate::trunk_guide::{GuideMemory, GuidePoint, TrunkGuide};
use crate::waypoint::{Locomotion, Waypoint, append_passage};

impl StanceSearch {
    pub async fn new(
        problem: Arc<Problem>,
        table: Arc<ModeTable>,
        settings: ResolvedSettings,
        seed: u64,
        budget: Budget,
        memory: &GuideMemory,
    ) -> Self {
        let random = Stream::new(seed, "stance");
        let local = LocalPlanner::new(problem.clone(), table.clone(), settings, random, budget);
        let lengths = Lengths::new(problem.character.body_size());
        let reach = Reach::new(&problem.character);
        let is_spatial = problem.character.root_joint == RootJoint::Free;
        // In space, the trunk's guide leads, and time must not grow with the world: explanations build the graph where they need it.
        let mut graph = match is_spatial {
            true => HoldGraph::empty(reach.body_size),
            false => {
                let holds: Vec<HoldId> = problem.world.holds.keys().filter(|hold| problem.may_hold(*hold)).collect();
                HoldGraph::new(&problem.world, &table, &reach, &holds, |_| true).await
            }
        };
        let subgoals = match is_spatial {
            true => subgoals_in_space(&problem, &table),
            false => subgoals(&problem, &table, &mut graph, lengths.unreachable).await,
        };
        let path = vec![Waypoint::fixed(problem.start.clone(), &table)];
        let (subproblem, earlier) = (Subproblem::default(), EarlierAttempts::default());
        let dislikes = dislikes(problem.world.holds.len(), settings.variety * lengths.dislike, seed);
        let trunk_guide = is_spatial.then(|| TrunkGuide::new(problem.clone(), &table, &reach, memory));
        let mut search = Self {
            local,
            lengths,
            reach,
            graph,
            explained_place: None,
            trunk_guide,
            straight_guide: settings.is_plain.then(StraightGuide::default),
            dislikes,
            path,
            subgoals,
            subproblem,
            earlier,
            result: None,
        };
        search.begin_subproblem(0).await;
        search
    }

    /// Tries a candidate; true when the search is over.
    pub async fn advance(&mut self) -> bool {
        if self.result.is_none() {
            self.try_next().await;
        }
        self.result.is_some()
    }

    /// Progress from 0 to 1: the subproblems solved, and the share of the cost-to-go that the present one has covered.
    pub fn fraction(&self) -> f32 {
        let (root, best) = (self.subproblem.nodes[0].cost_to_go, self.subproblem.best_node().cost_to_go);
        // Where the guide knows no way, nothing is covered.
        let remaining = if best.is_finite() { best / root.max(best).max(f32::MIN_POSITIVE) } else { 1.0 };
        (self.subproblem.index as f32 + (1.0 - remaining)) / self.subgoals.len() as f32
    }

    /// The path to the goal; while there is none, the path that ends nearest to it.
    pub fn best(&self) -> Vec<Waypoint> {
        let mut path = self.path.clone();
        match self.better_attempt() {
            _ if self.result == Some(Ok(())) => {}
            Some(attempt) => path.extend(attempt.path.iter().cloned()),
            None => self.subproblem.append_path_to(self.subproblem.best, &mut path),
        }
        path
    }

    /// The same at the end of the search. Frees the nodes, which may need several times the memory of the path.
    pub fn take_best(&mut self) -> Vec<Waypoint> {
        let mut path = std::mem::take(&mut self.path);
        match self.better_attempt() {
            _ if self.result == Some(Ok(())) => {}
            Some(attempt) => path.extend(attempt.path.iter().cloned()),
            None => self.subproblem.move_path_to(self.subproblem.best, &mut path),
        }
        (self.subproblem, self.earlier) = (Subproblem::default(), EarlierAttempts::default());
        path
    }

    /// Leaves what the guide in space knows about the world to later searches. At the end of the search.
    pub fn remember_guide(&mut self, memory: &GuideMemory) {
        if let Some(guide) = self.trunk_guide.take() {
            guide.remember(memory);
        }
    }

    pub fn result(&self) -> Option<&Result<(), Failure>> {
        self.result.as_ref()
    }

    pub fn statistics(&self) -> Statistics {
        Statistics { expansions: self.local.budget.expansions, ..Default::default() }
    }

    /// Starts the search for a subgoal from the end of the path. Skips pins that the path holds already.
    pub(super) async fn begin_subproblem(&mut self, mut index: usize) {
        while self.subgoals[index].is_pin_held(&self.path) {
            index += 1;
        }
        let infinity = f32::INFINITY;
        self.subproblem =
            Subproblem { index, least_cost_to_go: infinity, stuck_cost_to_go: infinity, ..Subproblem::default() };
        let last = self.path[self.path.len() - 1].clone();
        if self.trunk_guide.is_none() {
            self.graph.remove_penalties();
            let goal = self.subgoals[index].contacts(&self.local.problem.world, self.graph.lengths.spacing);
            self.set_graph_goal(&last.stance, &goal).await;
        }
        let mode = match last.locomotion {
            Locomotion::Mode(mode) => mode,
            _ => self
                .local
                .table
                .first_mode_allowing_stance(&last.stance, &self.local.problem.world)
                .unwrap_or(ModeId::new(0)),
        };
        self.set_trunk_goal(&last, mode).await;
        if self.straight_guide.is_some() {
            let contacts = self.subgoals[index].contacts(&self.local.problem.world, self.graph.lengths.spacing);
            self.straight_guide = Some(StraightGuide::to(&contacts));
        }
        let cost_to_go = self.cost_to_go(&last.stance, self.heading_of(&last.configuration), mode);
        let root = Node {
            parent: None,
            path: Vec::new(),
            configuration: last.configuration.clone(),
            stance: last.stance.clone(),
            stance_before_release: last.stance.clone(),
            mode,
            cost: 0.0,
            effort_penalty: 0.0,
            has_room_for_faster: false,
            cost_to_go,
            cost_to_go_at_mode_start: cost_to_go,
        };
        self.add_node(root).await;
    }

    /// Computes the paths over holds from a stance to a goal.
    pub(super) async fn set_graph_goal(&mut self, from: &[Contact], goal: &[Contact]) {
        self.graph.set_goal(goal).await;
        if !self.graph.mean_cost_to_go(from).is_finite() {
            // The subgoal cannot be reached. The search goes as far as the first gap, which explains the failure.
            let world = &self.local.problem.world;
            bridge_gaps(&mut self.graph, world, &self.local.table, &self.reach, [from, goal]).await;
            self.graph.set_goal(goal).await;
        }
    }

    /// Computes the paths of the trunk from a waypoint to the subgoal.
    async fn set_trunk_goal(&mut self, from: &Waypoint, mode: ModeId) {
        let Some(guide) = &self.trunk_guide else { return };
        let heading = self.heading_of(&from.configuration);
        let Some(position) = guide.trunk_place(&from.stance, heading, mode) else { return };
        let goals: Vec<GuidePoint> = match self.subgoal() {
            Subgoal::Posture(goal, _) => {
                let mode = self.local.table.find_mode(&goal.mode_name).unwrap_or(mode);
                let heading = self.heading_of(&goal.configuration);
                let place = guide.trunk_place(&goal.stance, heading, mode);
                place.map(|position| GuidePoint { position, mode }).into_iter().collect()
            }
            Subgoal::Pin(_) => {
                let above = |contact: &Contact| {
                    let shape = guide.shape(mode)?;
                    Some(GuidePoint { position: contact.point + UP * shape.height, mode })
                };
                let contacts = self.subgoal().contacts(&self.local.problem.world, self.graph.lengths.spacing);
                contacts.iter().filter_map(above).collect()
            }
        };
        let goal_heading = self.goal().map(|goal| self.heading_of(&goal.configuration));
        if let Some(guide) = &mut self.trunk_guide {
            let before = guide.evaluated_places();
            guide.set_goal(GuidePoint { position, mode }, &goals, goal_heading).await;
            let evaluated = guide.evaluated_places() - before;
            self.local.budget.count((evaluated / PLACES_PER_EXPANSION) as u64).await;
        }
    }

    /// Tries the best candidate of the open list.
    async fn try_next(&mut self) {
        let Some((priority, number)) = self.pop_candidate() else {
            self.give_up().await;
            return;
        };
        if self.is_repriced(number, priority) {
            return;
        }
        let since_progress = self.subproblem.since_progress;
        if self.subproblem.expanding.is_empty()
            && self.is_impasse_check_due()
            && let Some(impasse) = self.certain_impasse().await
        {
            let impasse = self.with_certainty(impasse).await;
            self.result = Some(Err(Failure::Impasse(impasse)));
            return;
        }
        if let Err(interrupt) = self.local.budget.spend(1).await {
            let failure = Failure::interrupted(interrupt, &self.local.budget, self.distance_to_goal());
            self.result = Some(Err(failure));
            return;
        }
        if since_progress > MAX_STALLED {
            if !self.restart().await {
                self.give_up().await;
            }
            return;
        }
        let candidate = self.subproblem.candidates[number].clone();
        if !self.is_filtered_out(&candidate, priority) {
            self.try_candidate(candidate, priority).await;
        }
    }

    pub(super) async fn try_candidate(&mut self, candidate: Candidate, priority: f32) {
        let successor = match &candidate.action {
            Action::Edge(edge, first) => self.take_edge(&candidate, *edge, first).await,
            Action::GoalContacts(contacts) => self.take_goal_contacts(&candidate, contacts).await,
            Action::Turn => self.turn_to_goal(&candidate).await,
            Action::Settle => {
                if let Some(path) = self.settle(&candidate).await {
                    self.end_subproblem(candidate.node, path).await;
                    return;
                }
                None
            }
            Action::Expand => {
                self.subproblem.tried.insert(candidate.key(), TrialOutcome::Closed);
                self.push_successors(candidate.node);
                return;
            }
        };
        let is_closed = successor.is_some() || candidate.is_thorough;
        let outcome = if is_closed { TrialOutcome::Closed } else { TrialOutcome::QuickFailed };
        self.subproblem.tried.insert(candidate.key(), outcome);
        match successor {
            Some(node) => self.add_node(node).await,
            None if !candidate.is_thorough => self.enqueue_thorough(candidate, priority),
            None => {}
        }
        if self.subproblem.since_progress >= EFFORT_PATIENCE && self.result.is_none() {
            self.ignore_effort().await;
        }
        if self.subproblem.since_best >= self.max_since_best() && self.result.is_none() {
            self.subproblem.since_best = 0;
            self.subproblem.penalties_since_best += 1;
            self.penalize_dead_end().await;
        }
    }

    /// Candidates tried without a better node after which the guide gets a dead-end penalty. In space, where that costs as much as many
    /// candidates, more of them after each.
    fn max_since_best(&self) -> usize {
        match (&self.trunk_guide, self.local.settings.equilibrium) {
            (Some(_), _) => MAX_SINCE_BEST_IN_SPACE * (1 + self.subproblem.penalties_since_best),
            (None, true) => MAX_SINCE_BEST_IN_EQUILIBRIUM,
            (None, false) => MAX_SINCE_BEST,
        }
    }

    /// Appends the path to a node and `last` to the solution, and starts the next subproblem.
    pub(super) async fn end_subproblem(&mut self, node: usize, last: Vec<Waypoint>) {
        self.subproblem.move_path_to(node, &mut self.path);
        self.path.extend(last);
        if let Subgoal::Posture(_, Some(passage)) = self.subgoal() {
            let passage = &self.local.problem.passages[*passage];
            append_passage(&mut self.path, &passage.motion, &self.local.table, &self.local.problem.world);
        }
        self.earlier = EarlierAttempts::default();
        let next = self.subproblem.index + 1;
        if next < self.subgoals.len() {
            self.begin_subproblem(next).await;
        } else {
            self.result = Some(Ok(()));
        }
    }
}

/// Random costs of holds up to a greatest one; none if that is 0.
fn dislikes(holds: usize, greatest: f32, seed: u64) -> Vec<f32> {
    if greatest == 0.0 {
        return Vec::new();
    }
    let mut random = Stream::new(seed, "variety");
    (0..holds).map(|_| greatest * random.uniform()).collect()
}
