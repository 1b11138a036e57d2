//! Continues the search from its best node as if the contacts could bear more.
//!
//! That an impasse is one of equilibrium, and what would help, is found by trying: with more friction, more strength or the center of
//! mass farther out, the same search either gets on within some candidates or does not.

use std::sync::Arc;

use clamber_model::id::{EffectorId, HoldId};
use clamber_model::rng::Stream;
use clamber_model::{Character, ModeTable, World};

use super::node::Node;
use super::search_state::StanceSearch;
use super::subproblem_state::{EarlierAttempts, Subproblem};
use super::tuning::COUNTERFACTUAL_CANDIDATES;
use crate::local_planner::LocalPlanner;
use crate::settings::ResolvedSettings;
use crate::waypoint::Waypoint;

/// What is different from the problem.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Counterfactual {
    /// Nothing.
    AsGiven,
    /// Contacts need not carry the body.
    Weightless,
    /// These holds have at least this coefficient of friction.
    Friction(Vec<HoldId>, f32),
    /// The limits of these effectors are multiplied by a factor.
    Strength(Vec<EffectorId>, f32),
    /// The center of mass may be this much farther outside in every mode, in meters.
    CenterOutside(f32),
}

impl StanceSearch {
    /// The path from the best node to a node that is clearly nearer to the goal, if the search finds one in the counterfactual
    /// problem.
    pub(super) async fn path_if(&self, counterfactual: &Counterfactual) -> Option<Vec<Waypoint>> {
        let mut search = self.counterfactual(counterfactual).await;
        let begin = search.subproblem.least_cost_to_go;
        for _ in 0..COUNTERFACTUAL_CANDIDATES {
            if self.local.budget.is_cancelled() {
                return None;
            }
            let (priority, number) = search.subproblem.open.pop(search.lengths.repetition_penalty)?;
            search.subproblem.since_best += 1;
            let candidate = search.subproblem.candidates[number].clone();
            if !search.is_filtered_out(&candidate, priority) {
                search.try_candidate(candidate, priority).await;
            }
            if search.result.is_some() {
                return Some(search.path);
            }
            if begin - search.subproblem.least_cost_to_go >= search.lengths.counterfactual_progress {
                let mut path = Vec::new();
                search.subproblem.append_path_to(search.subproblem.nodes.len() - 1, &mut path);
                return Some(path);
            }
        }
        None
    }

    /// A search of the counterfactual problem that begins with the last nodes to the best one.
    async fn counterfactual(&self, counterfactual: &Counterfactual) -> Self {
        let mut problem = (*self.local.problem).clone();
        let mut table = Arc::clone(&self.local.table);
        let mut settings = self.local.settings;
        match counterfactual {
            Counterfactual::AsGiven => {}
            Counterfactual::Weightless => settings = ResolvedSettings { equilibrium: false, ..settings },
            Counterfactual::Friction(holds, least) => problem.world = Arc::new(rougher(&problem.world, holds, *least)),
            Counterfactual::Strength(effectors, factor) => {
                problem.character = Arc::new(stronger(&problem.character, effectors, *factor));
            }
            Counterfactual::CenterOutside(distance) => {
                let mut changed = ModeTable::clone(&table);
                changed.modes.iter_mut().for_each(|mode| mode.max_center_offset += distance / settings.size);
                table = Arc::new(changed);
            }
        }
        let (random, budget) = (Stream::new(1, "counterfactual"), self.local.budget.renewed());
        let best = self.subproblem.best_node();
        let infinity = f32::INFINITY;
        let mut search = Self {
            local: LocalPlanner::new(Arc::new(problem), table, settings, random, budget),
            lengths: self.lengths,
            reach: self.reach.clone(),
            graph: self.graph.clone(),
            explained_place: self.explained_place,
            trunk_guide: self.trunk_guide.clone(),
            straight_guide: self.straight_guide,
            dislikes: Vec::new(),
            path: Vec::new(),
            subgoals: vec![self.subgoal().clone()],
            subproblem: Subproblem { least_cost_to_go: infinity, stuck_cost_to_go: infinity, ..Subproblem::default() },
            earlier: EarlierAttempts::default(),
            result: None,
        };
        let nodes = self.subproblem.nodes_to(self.subproblem.best);
        let farthest = best.cost_to_go + self.lengths.restart_distance;
        let first = nodes.iter().position(|node| self.subproblem.nodes[*node].cost_to_go <= farthest).unwrap_or(0);
        for (index, &node) in nodes[first..].iter().enumerate() {
            let node = &self.subproblem.nodes[node];
            let parent = index.checked_sub(1);
            let path = if parent.is_some() { node.path.clone() } else { vec![node.waypoint()] };
            search.add_node(Node { parent, path, ..node.clone() }).await;
        }
        search
    }
}

/// A world in which some holds have at least this coefficient of friction.
fn rougher(world: &World, holds: &[HoldId], least: f32) -> World {
    let mut world = world.clone();
    for &hold in holds {
        let friction = &mut world.holds[hold].friction;
        *friction = friction.max(least);
    }
    world
}

/// A character some of whose effectors bear a multiple of what they did.
pub(super) fn stronger(character: &Character, effectors: &[EffectorId], factor: f32) -> Character {
    let mut character = character.clone();
    for &effector in effectors {
        let ability = &mut character.effectors[effector].ability;
        ability.max_push *= factor;
        if let Some(grip) = &mut ability.grip {
            grip.max_force *= factor;
        }
    }
    character
}
