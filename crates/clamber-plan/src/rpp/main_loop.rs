//! The planner core: edges first, then descent, then random walks, then backtracking (Kalisiak 1999, Figure 4.15).

use std::sync::Arc;

use clamber_model::kinematics::center_of_mass;
use clamber_model::problem::Posture;
use clamber_model::rng::Stream;
use clamber_model::{ModeTable, Problem};

use super::search_state::{RppSearch, guide_to};
use super::tuning;
use crate::budget::{Budget, Interrupt};
use crate::failure::{Failure, Impasse};
use crate::local_planner::LocalPlanner;
use crate::mode::stances_without_edges::no_edge;
use crate::plan::Statistics;
use crate::search_tuning::{MAX_NEIGHBORS, MAX_WALKS, MIN_DESCENT, MIN_ESCAPE, NEIGHBORS_PER_CHECKPOINT, WALK_LENGTH};
use crate::settings::ResolvedSettings;
use crate::waypoint::{Locomotion, Waypoint, append_passage, entry};

impl RppSearch {
    pub async fn new(
        problem: Arc<Problem>,
        table: Arc<ModeTable>,
        settings: ResolvedSettings,
        seed: u64,
        budget: Budget,
    ) -> Self {
        let mut search = Self {
            guide: guide_to(&problem, &settings, [&problem.start, &problem.goal]).await,
            path: vec![Waypoint::fixed(problem.start.clone(), &table)],
            subproblem_start: 0,
            nearest: (f32::INFINITY, Vec::new()),
            failures: vec![0; table.edges.len()].into(),
            since_progress: (0, f32::INFINITY),
            recent_backtracks: (0, f32::INFINITY),
            statistics: Statistics::default(),
            neighbors: vec![problem.start.configuration.clone(); MAX_NEIGHBORS],
            order: Vec::new(),
            subproblem: 0,
            goal: problem.goal.clone(),
            start_distance: f32::INFINITY,
            distance: f32::INFINITY,
            arrival_tried: None,
            result: None,
            local: LocalPlanner::new(problem, table, settings, Stream::new(seed, "rpp"), budget),
        };
        search.begin_subproblem(0).await;
        search
    }

    /// Tries the edges and one step of descent, then an escape, then a backtrack; true when the search is over.
    pub async fn advance(&mut self) -> bool {
        if self.result.is_none() {
            match self.step().await {
                Ok(true) => self.end_subproblem().await,
                Ok(false) => {}
                Err(interrupt) => {
                    let failure = self.failure(interrupt);
                    self.result = Some(Err(failure));
                }
            }
        }
        self.result.is_some()
    }

    pub fn result(&self) -> Option<&Result<(), Failure>> {
        self.result.as_ref()
    }

    /// The finished share of the distance to the goal.
    pub fn fraction(&self) -> f32 {
        let count = self.local.problem.passages.len() + 1;
        (self.subproblem as f32 + 1.0 - self.distance / self.start_distance.max(self.distance)) / count as f32
    }

    pub fn statistics(&self) -> Statistics {
        let Budget { expansions, backtracks, .. } = self.local.budget;
        Statistics { expansions, backtracks, ..self.statistics }
    }

    /// The path to the goal; while there is none, the path that ended nearest to it.
    pub fn best(&self) -> Vec<Waypoint> {
        let is_nearer = match self.result {
            Some(Ok(())) => false,
            Some(Err(_)) => self.nearest.1.len() > self.subproblem_start,
            None => self.nearest.0 < self.distance,
        };
        if is_nearer { self.nearest.1.clone() } else { self.path.clone() }
    }

    async fn begin_subproblem(&mut self, index: usize) {
        let problem = Arc::clone(&self.local.problem);
        let passage = problem.passages.get(index);
        self.subproblem = index;
        self.goal = passage
            .map_or_else(|| problem.goal.clone(), |passage| entry(&passage.motion, &self.local.table, &problem.world));
        let here = self.here().clone();
        let from =
            Posture { configuration: here.configuration, stance: here.stance.to_vec(), mode_name: String::new() };
        self.guide = guide_to(&problem, &self.local.settings, [&from, &self.goal]).await;
        self.subproblem_start = self.path.len();
        self.start_distance = self.distance_here();
        self.distance = self.start_distance;
        if self.start_distance == f32::INFINITY {
            self.result = Some(Err(Failure::NoPath { cell_size: self.guide.grid.cell_size }));
            return;
        }
        if let Some(impasse) = self.no_edge_impasse() {
            self.result = Some(Err(Failure::Impasse(impasse)));
            return;
        }
        let last = self.path.len() - 1;
        self.path[last].mode_start_distance = self.start_distance;
        self.nearest = (f32::INFINITY, Vec::new());
        self.since_progress = (0, f32::INFINITY);
        self.recent_backtracks = (0, f32::INFINITY);
        self.failures.fill(0);
        self.arrival_tried = None;
    }

    /// The impasse at the beginning of a subproblem if the mode table has no edge for its contacts, and the goal is farther
    /// than the body gets on them.
    fn no_edge_impasse(&self) -> Option<Impasse> {
        let here = self.here();
        let Locomotion::Mode(mode) = here.locomotion else { return None };
        if self.start_distance < tuning::FAR_GOAL * self.local.settings.size {
            return None;
        }
        let cause = no_edge(&self.local.table, mode, &here.stance, &self.local.problem.world)?;
        let mode = self.local.table.modes[mode].name.clone();
        Some(Impasse { blocked_position: here.configuration.root.translation, mode, cause, is_proved: false })
    }

    async fn end_subproblem(&mut self) {
        let problem = Arc::clone(&self.local.problem);
        let Some(passage) = problem.passages.get(self.subproblem) else {
            self.result = Some(Ok(()));
            return;
        };
        append_passage(&mut self.path, &passage.motion, &self.local.table, &problem.world);
        self.begin_subproblem(self.subproblem + 1).await;
    }

    /// The planner core; true when the goal of the subproblem is reached.
    async fn step(&mut self) -> Result<bool, Interrupt> {
        let goal_moving = Locomotion::of_name(&self.local.table, &self.goal.mode_name).unwrap_or(Locomotion::Flying);
        let here = self.distance_here();
        self.note_progress(here);
        self.distance = here;
        let is_near = here < tuning::ARRIVAL * self.local.settings.size && self.here().locomotion == goal_moving;
        let is_tried = self.arrival_tried.as_ref().is_some_and(|tried| Arc::ptr_eq(tried, &self.here().stance));
        let goal = self.goal.clone();
        if is_near && !is_tried {
            self.arrival_tried = Some(self.here().stance.clone());
            if self.arrive(&goal).await? {
                return Ok(true);
            }
        }
        let has_moved = self.try_edges().await?;
        let here = self.distance_here();
        let has_descended = self.descend(here).await?;
        if !has_moved && !has_descended {
            if is_near && self.arrive(&goal).await? {
                return Ok(true);
            }
            if !self.escape(here).await? {
                self.backtrack().await?;
            }
        }
        Ok(false)
    }

    fn failure(&mut self, interrupt: Interrupt) -> Failure {
        self.remember_nearest();
        Failure::interrupted(interrupt, &self.local.budget, self.nearest.0)
    }

    /// One step of descent through the guide, keeping the contacts; false at a local minimum.
    async fn descend(&mut self, here: f32) -> Result<bool, Interrupt> {
        let Self { local, guide, path, neighbors, order, .. } = self;
        local.budget.spend(MAX_NEIGHBORS as u64).await?;
        let Waypoint { configuration, stance, .. } = &path[path.len() - 1];
        let least_gain = MIN_DESCENT * guide.grid.cell_size;
        let character = &local.problem.character;
        order.clear();
        for (index, neighbor) in neighbors.iter_mut().enumerate() {
            if local.projection.sample_neighbor(character, configuration, stance, &mut local.random, neighbor) {
                let distance = guide.distance(center_of_mass(character, &local.projection.link_frames));
                if distance < here - least_gain {
                    order.push((distance, index));
                }
            }
            if index % NEIGHBORS_PER_CHECKPOINT == 0 {
                local.budget.checkpoint().await;
            }
        }
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut free = None;
        for &(_, index) in &*order {
            local.budget.checkpoint().await;
            if local.is_step_free(configuration, &neighbors[index]) {
                free = Some(index);
                break;
            }
        }
        let Some(index) = free else { return Ok(false) };
        let next = neighbors[index].clone();
        self.push(next, false);
        self.statistics.descent_steps += 1;
        Ok(true)
    }

    /// Random walks from a local minimum until one ends nearer to the goal or where an edge applies. If none does, the path
    /// stays unchanged. The thesis tries edges only after a walk that ended nearer. But a foot that the descent pulled out
    /// of reach of the next hold gets back into reach by moving up, not down.
    async fn escape(&mut self, here: f32) -> Result<bool, Interrupt> {
        let lower = here - MIN_ESCAPE * self.guide.grid.cell_size;
        let length = self.path.len();
        for _ in 0..MAX_WALKS {
            self.statistics.walks += 1;
            self.since_progress.0 += 1;
            if self.walk(WALK_LENGTH, lower).await? < lower {
                self.statistics.walks_escaped += 1;
                return Ok(true);
            }
            if self.try_edges().await? {
                self.statistics.walks_escaped += 1;
                return Ok(true);
            }
            self.path.truncate(length);
        }
        Ok(false)
    }

    /// Returns to a random waypoint of this subproblem that a random walk made, or to any where there is none, with its mode
    /// and contacts, and walks randomly from there.
    async fn backtrack(&mut self) -> Result<(), Interrupt> {
        if self.local.budget.backtracks >= self.local.settings.max_backtracks {
            return Err(Interrupt::BudgetSpent);
        }
        self.remember_nearest();
        self.local.budget.backtracks += 1;
        let first = self.backtrack_window();
        let random: Vec<usize> = (first..self.path.len()).filter(|&index| self.path[index].is_random).collect();
        let index = match random.len() {
            0 => first + self.local.random.below(self.path.len() - first),
            count => random[self.local.random.below(count)],
        };
        self.path.truncate(index + 1);
        self.walk(WALK_LENGTH, f32::NEG_INFINITY).await?;
        Ok(())
    }

    /// The first waypoint that a backtrack may return to.
    ///
    /// The thesis chooses among the whole path and needs help on a long course, since it rarely retries the hard place at
    /// the end. Here the window is short at first and doubles after every few backtracks without progress.
    fn backtrack_window(&mut self) -> usize {
        let (times, least) = self.recent_backtracks;
        let now = self.since_progress.1;
        self.recent_backtracks = if now < least { (1, now) } else { (times + 1, least) };
        let length = tuning::BACKTRACK_WINDOW.saturating_mul(
            1usize.checked_shl(self.recent_backtracks.0 / tuning::BACKTRACKS_PER_DOUBLING).unwrap_or(usize::MAX),
        );
        self.path.len().saturating_sub(length).max(self.subproblem_start - 1)
    }
}
