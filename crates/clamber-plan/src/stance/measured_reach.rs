//! Tries a single step on its own, in an otherwise empty world, to measure how far the body reaches in practice.

use std::sync::Arc;

use clamber_model::id::{EdgeId, EffectorId, GroupId, HoldId};
use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::mode_table::Condition;
use clamber_model::mode_table::{Edge, Effect};
use clamber_model::problem::Posture;
use clamber_model::world::{DistanceFieldSettings, Hold, HoldShape, Obstacle};
use clamber_model::{Contact, Problem, World};

use super::candidate::{Action, Candidate};
use super::search_state::StanceSearch;
use super::tuning::{ALONG_SURFACE_COSINE, REACH_BISECTIONS, SAME_DIRECTION_COSINE};
use crate::hold_graph::Vertex;
use crate::resumable_search::checkpoint;
use crate::settings::ResolvedSettings;
use crate::trunk_guide::GuideMemory;
use clamber_posture::solver::{PostureReference, PostureTasks};

/// A manner of taking one hold while holding another.
pub(super) struct Transfer {
    /// Index into the table's edges.
    pub edge: EdgeId,
    /// The groups that may hold the first hold.
    pub holding_groups: Vec<GroupId>,
    /// The group that takes the second hold.
    pub group: GroupId,
}

/// A step of one effector that is tried on its own.
struct TrialStep {
    edge: EdgeId,
    held: EffectorId,
    taker: EffectorId,
    ends: [Vertex; 2],
}

impl StanceSearch {
    /// The transfers from one vertex to another, the likeliest first: those of the mode in which the search ended.
    pub(super) fn transfers(&self, ends: [usize; 2]) -> Vec<Transfer> {
        let table = &*self.local.table;
        let [from, to] = ends.map(|vertex| self.hold_type(vertex));
        let mode = self.subproblem.best_node().mode;
        let backs_up = |edge: &Edge| edge.effects.iter().any(|effect| matches!(effect, Effect::RetracePath(_)));
        let transfer = |(number, edge): (EdgeId, &Edge)| {
            let take = edge.holds_to_take.first().filter(|take| take.types.contains(&to) && !backs_up(edge))?;
            let supporting_groups =
                table.modes[edge.from].supporting_groups.iter().filter(|carrier| carrier.types.contains(&from));
            let holding_groups: Vec<GroupId> = supporting_groups.map(|carrier| carrier.group).collect();
            let group = *take.groups.first()?;
            (!holding_groups.is_empty()).then_some(Transfer { edge: number, holding_groups, group })
        };
        let mut transfers: Vec<Transfer> = table.edges.iter_enumerated().filter_map(transfer).collect();
        transfers.sort_by_key(|transfer| {
            let edge = &table.edges[transfer.edge];
            (edge.from != mode, edge.to != edge.from, transfer.edge)
        });
        transfers
    }

    /// The largest distance at which a hold can be taken in the direction of these two vertices, without obstacles. Zero
    /// when the edge cannot be tried on its own.
    pub(super) async fn practical_reach(&self, transfer: &Transfer, ends: [usize; 2]) -> f32 {
        let table = &*self.local.table;
        let ends = ends.map(|vertex| self.graph.vertices[vertex]);
        let problem = self.trial_problem(ends);
        let mut farthest: f32 = 0.0;
        for &holder in &transfer.holding_groups {
            let held = table.effector_groups[holder].effectors[0];
            let limb = |effector: EffectorId| self.local.problem.character.effectors[effector].limb;
            let takers = &table.effector_groups[transfer.group].effectors;
            let Some(&taker) = takers.iter().find(|taker| limb(**taker) != limb(held)) else { continue };
            let step = TrialStep { edge: transfer.edge, held, taker, ends };
            let [mut near, mut far] = [0.0, self.reach.max_hold_distance(held, taker)];
            for _ in 0..REACH_BISECTIONS {
                checkpoint().await;
                let middle = 0.5 * (near + far);
                let is_feasible = self.is_feasible_at(&problem, &step, middle).await;
                *(if is_feasible { &mut near } else { &mut far }) = middle;
            }
            farthest = farthest.max(near);
        }
        farthest
    }

    /// The problem in an empty world, with the floor or wall that both vertices are on, if there is one.
    fn trial_problem(&self, [from, to]: [Vertex; 2]) -> Problem {
        let problem = &*self.local.problem;
        let (half_side, thickness) = (self.lengths.trial_world, self.lengths.trial_floor);
        let direction = (to.point - from.point).normalize_or_zero();
        let is_one_surface = from.normal.dot(to.normal) > SAME_DIRECTION_COSINE
            && direction.dot(from.normal).abs() < ALONG_SURFACE_COSINE;
        let floor = is_one_surface.then(|| {
            let rotation = Rotation::from_rotation_arc(Vec3::Y, from.normal);
            let middle = from.point - from.normal * (0.5 * thickness);
            let size = Vec3::new(4.0 * half_side, thickness, 4.0 * half_side);
            Obstacle::cuboid("floor", Pose::from_parts(middle, rotation), size)
        });
        let depth = 0.5 * (problem.world.max.z - problem.world.min.z).min(2.0 * half_side);
        let half = Vec3::splat(half_side).with_z(depth);
        let obstacles = floor.and_then(Result::ok).into_iter().collect();
        let mut settings = DistanceFieldSettings::default();
        settings.cell_size = self.lengths.trial_cell;
        settings.planar_cell_size = self.lengths.trial_flat_cell;
        let world =
            World::from_obstacles(problem.world.space, obstacles, from.point - half, from.point + half, &settings);
        let (pins, passages, forbidden) = Default::default();
        Problem { world: Arc::new(world), pins, passages, forbidden_holds: forbidden, ..problem.clone() }
    }

    /// Whether a step is feasible when its holds are this far apart.
    async fn is_feasible_at(&self, empty: &Problem, step: &TrialStep, distance: f32) -> bool {
        let [from, to] = step.ends;
        let there = from.point + (to.point - from.point).normalize_or_zero() * distance;
        let hold_at = |vertex: Vertex| Hold {
            shape: HoldShape::Point(vertex.point),
            ..self.local.problem.world.holds[vertex.hold].clone()
        };
        let holds = [from, Vertex { point: there, ..to }].map(hold_at).to_vec();
        let world = Arc::new(World::clone(&empty.world).with_holds(holds));
        let first = Contact { effector: step.held, hold: HoldId::new(0), point: from.point, normal: from.normal };
        let second = Contact { effector: step.taker, hold: HoldId::new(1), point: there, normal: to.normal };
        let mut both = vec![first, second];
        both.sort_by_key(|contact| contact.effector);

        let table = &*self.local.table;
        let mode = table.edges[step.edge].from;
        let conditions = table.modes[mode].balance.map(Condition::CenterBetween);
        let tasks = |stance| PostureTasks {
            patch_headings: &[],
            stance,
            reference: PostureReference::Comfort(mode),
            conditions: conditions.as_slice(),
            center_regions: &[],
            effort: None,
        };
        let best = self.subproblem.best_node();
        let mut configuration = best.configuration.clone();
        configuration.root.translation += from.point - best.stance.first().map_or(from.point, |held| held.point);
        let start = Posture { configuration, stance: vec![first], mode_name: table.modes[mode].name.clone() };
        let goal = Posture { stance: vec![second], ..start.clone() };
        let mut problem = Problem { world, start, goal, ..empty.clone() };
        let mut configuration = problem.start.configuration.clone();
        let mut search = self.trial_search(problem.clone(), step.edge).await;
        let alone = [first];
        if !search.local.solve_free(&mut configuration, tasks(&alone)).await {
            return false;
        }
        if table.modes[mode].least_contacts > 1 {
            return search.local.solve_free(&mut configuration, tasks(&both)).await;
        }
        problem.start.configuration = configuration;
        let candidate = Candidate::new(0, Action::Edge(step.edge, Arc::new([second])), 0.0);
        self.trial_search(problem, step.edge).await.take_edge(&candidate, step.edge, &[second]).await.is_some()
    }

    async fn trial_search(&self, problem: Problem, edge: EdgeId) -> Self {
        let (table, budget) = (Arc::clone(&self.local.table), self.local.budget.renewed());
        // A walker is carried by the one contact of the trial. A climber has others, which the trial does not know: its reach is
        // a matter of lengths.
        let Edge { from, to, .. } = &table.edges[edge];
        let is_carried_by_one = from == to && table.modes[*from].balance.is_some();
        let equilibrium = self.local.settings.equilibrium && is_carried_by_one;
        let settings = ResolvedSettings { equilibrium, ..self.local.settings };
        Self::new(Arc::new(problem), table, settings, 1, budget, &GuideMemory::default()).await
    }
}
