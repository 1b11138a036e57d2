//! The grasp-based planner as published: modes first, then descent, then random walks, then going back
//! (Kalisiak 1999, 4.8 and Figure 4.15; Kalisiak and van de Panne 2001).

mod edges;
mod arrival;

use std::sync::Arc;

use clamber_model::id::{EdgeId, ModeId, TiVec};
use clamber_model::kinematics::{Workspace, center_of_mass, forward};
use clamber_model::problem::Posture;
use clamber_model::rng::Stream;
use clamber_model::world::Grid;
use clamber_model::{Configuration, Contact, ModeTable, Problem};

use crate::budget::{Budget, Interrupt};
use crate::distance_map::DistanceMap;
use crate::failure::Failure;
use crate::local_planner::LocalPlanner;
use crate::plan::Statistics;
use crate::settings::PlanSettings;
use crate::waypoint::{Locomotion, Waypoint, append_passage, entry};

/// The published search, and everything it has found so far.
pub(crate) struct RppSearch {
    pub local: LocalPlanner,
    /// Falls toward the goal of the present part.
    guide: DistanceMap,
    path: Vec<Waypoint>,
    /// Where the present part begins: what is before is never gone back over.
    subproblem_start: usize,
    /// The path that came nearest to the present part's goal, and how near.
    nearest: (f32, Vec<Waypoint>),
    /// How often in a row each edge found its holds but not what must be true afterwards.
    failures: TiVec<EdgeId, usize>,
    /// Steps since the character was last nearer to the goal than ever, and how near that was.
    since_progress: (usize, f32),
    /// Times back since then, and how near the goal was when they were first counted.
    backs: (u32, f32),
    statistics: Statistics,
    neighbors: Vec<Configuration>,
    order: Vec<(f32, usize)>,
    /// The present subproblem: its index among the passages, where the goal comes last, and the posture that ends it.
    subproblem: usize,
    goal: Posture,
    /// Distance to that goal at the beginning of the subproblem and after the last step.
    begins: f32,
    distance: f32,
    /// The stance from which the goal's own contacts were last tried.
    arrival_tried: Option<Arc<[Contact]>>,
    result: Option<Result<(), Failure>>,
}

/// Less than this is no progress, in meters.
const PROGRESS: f32 = 0.05;

impl RppSearch {
    pub fn new(
        problem: Arc<Problem>,
        table: Arc<ModeTable>,
        settings: PlanSettings,
        seed: u64,
        budget: Budget,
    ) -> Self {
        let mut search = Self {
            guide: guide_to(&problem, &settings, [&problem.start, &problem.goal]),
            path: vec![Waypoint::fixed(problem.start.clone(), &table)],
            subproblem_start: 0,
            nearest: (f32::INFINITY, Vec::new()),
            failures: vec![0; table.edges.len()].into(),
            since_progress: (0, f32::INFINITY),
            backs: (0, f32::INFINITY),
            statistics: Statistics::default(),
            neighbors: vec![problem.start.configuration.clone(); settings.max_neighbors],
            order: Vec::new(),
            subproblem: 0,
            goal: problem.goal.clone(),
            begins: f32::INFINITY,
            distance: f32::INFINITY,
            arrival_tried: None,
            result: None,
            local: LocalPlanner::new(problem, table, settings, Stream::new(seed, "rpp"), budget),
        };
        search.begin_subproblem(0);
        search
    }

    /// Tries edges, one step of descent, and where neither helps an escape or a backtrack; true when the search is over.
    pub fn advance(&mut self) -> bool {
        if self.result.is_none() {
            match self.step() {
                Ok(true) => self.end_subproblem(),
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
    pub fn share(&self) -> f32 {
        let count = self.local.problem.passages.len() + 1;
        (self.subproblem as f32 + 1.0 - self.distance / self.begins.max(self.distance)) / count as f32
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

    fn begin_subproblem(&mut self, index: usize) {
        let problem = Arc::clone(&self.local.problem);
        let passage = problem.passages.get(index);
        self.subproblem = index;
        self.goal = passage
            .map_or_else(|| problem.goal.clone(), |passage| entry(&passage.motion, &self.local.table, &problem.world));
        let here = self.here().clone();
        let from = Posture { configuration: here.configuration, stance: here.stance.to_vec(), mode: String::new() };
        self.guide = guide_to(&problem, &self.local.settings, [&from, &self.goal]);
        self.subproblem_start = self.path.len();
        self.begins = self.distance_here();
        self.distance = self.begins;
        if self.begins == f32::INFINITY {
            self.result = Some(Err(Failure::NoPath { cell: self.guide.grid.cell }));
            return;
        }
        let last = self.path.len() - 1;
        self.path[last].mode_start_distance = self.begins;
        self.nearest = (f32::INFINITY, Vec::new());
        self.since_progress = (0, f32::INFINITY);
        self.backs = (0, f32::INFINITY);
        self.failures.fill(0);
        self.arrival_tried = None;
    }

    fn end_subproblem(&mut self) {
        let problem = Arc::clone(&self.local.problem);
        let Some(passage) = problem.passages.get(self.subproblem) else {
            self.result = Some(Ok(()));
            return;
        };
        append_passage(&mut self.path, &passage.motion, &self.local.table, &problem.world);
        self.begin_subproblem(self.subproblem + 1);
    }

    /// The planner core; true when the goal of the subproblem is reached.
    fn step(&mut self) -> Result<bool, Interrupt> {
        let goal_moving = Locomotion::of_name(&self.local.table, &self.goal.mode).unwrap_or(Locomotion::Flying);
        let here = self.distance_here();
        self.note_progress(here);
        self.distance = here;
        let is_near = here < self.local.settings.arrival && self.here().locomotion == goal_moving;
        let is_tried = self.arrival_tried.as_ref().is_some_and(|tried| Arc::ptr_eq(tried, &self.here().stance));
        let goal = self.goal.clone();
        if is_near && !is_tried {
            self.arrival_tried = Some(self.here().stance.clone());
            if self.arrive(&goal)? {
                return Ok(true);
            }
        }
        let has_moved = self.try_edges()?;
        let here = self.distance_here();
        let has_descended = self.descend(here)?;
        if !has_moved && !has_descended {
            if is_near && self.arrive(&goal)? {
                return Ok(true);
            }
            if !self.escape(here)? {
                self.backtrack()?;
            }
        }
        Ok(false)
    }

    fn failure(&mut self, interrupt: Interrupt) -> Failure {
        self.remember_nearest();
        let (expansions, backtracks) = (self.local.budget.expansions, self.local.budget.backtracks);
        match interrupt {
            Interrupt::BudgetSpent => Failure::BudgetSpent { expansions, backtracks, remaining: self.nearest.0 },
            Interrupt::Cancelled => Failure::Cancelled,
        }
    }

    fn here(&self) -> &Waypoint {
        &self.path[self.path.len() - 1]
    }

    /// The distance to the goal along the guide; the local's frames are then those of the end of the path.
    fn distance_here(&mut self) -> f32 {
        let center = self.local.center_of(&self.path[self.path.len() - 1].configuration);
        self.guide.distance(center)
    }

    fn note_progress(&mut self, here: f32) {
        let (steps, least) = &mut self.since_progress;
        if here < *least - PROGRESS {
            (*steps, *least) = (0, here);
        } else {
            *steps += 1;
        }
    }

    /// Appends a configuration with the contacts of the end of the path.
    fn push(&mut self, configuration: Configuration, is_random: bool) {
        let waypoint = Waypoint { configuration, is_random, is_fixed: false, ..self.here().clone() };
        self.path.push(waypoint);
    }

    /// Adds a contact to those that the end of the path had, at the end of the limb's path to it.
    fn attach(&mut self, stance: &[Contact], contact: Contact) {
        let mut stance = stance.to_vec();
        stance.push(contact);
        stance.sort_by_key(|contact| contact.effector);
        let last = self.path.len() - 1;
        self.path[last].stance = stance.into();
    }

    /// Corrects the posture by the heuristics of a mode.
    fn correct(&mut self, mode: ModeId) -> Result<(), Interrupt> {
        let Waypoint { configuration, stance, .. } = self.here().clone();
        for configuration in self.local.correct(&configuration, &stance, mode)? {
            self.push(configuration, false);
        }
        Ok(())
    }

    /// One step of descent through the guide, keeping the contacts; false at a local minimum.
    fn descend(&mut self, here: f32) -> Result<bool, Interrupt> {
        let Self { local, guide, path, neighbors, order, .. } = self;
        local.budget.spend(local.settings.max_neighbors as u64)?;
        let Waypoint { configuration, stance, .. } = &path[path.len() - 1];
        let least_gain = 0.02 * guide.grid.cell;
        let character = &local.problem.character;
        order.clear();
        for (index, neighbor) in neighbors.iter_mut().enumerate() {
            if local.projection.sample_neighbor(character, configuration, stance, &mut local.random, neighbor) {
                let distance = guide.distance(center_of_mass(character, &local.projection.frames));
                if distance < here - least_gain {
                    order.push((distance, index));
                }
            }
        }
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let free =
            order.iter().map(|(_, index)| *index).find(|&index| local.is_step_free(configuration, &neighbors[index]));
        let Some(index) = free else { return Ok(false) };
        let next = neighbors[index].clone();
        self.push(next, false);
        self.statistics.descents += 1;
        Ok(true)
    }

    /// Random walks from a local minimum, until one ends lower or where an edge can be taken. The path is left as it was if
    /// none does. The thesis looks at edges only after a walk that ended lower; but a foot that the descent has pulled out
    /// of reach of the next hold comes into reach again on the path up, not down.
    fn escape(&mut self, here: f32) -> Result<bool, Interrupt> {
        let lower = here - 0.25 * self.guide.grid.cell;
        let length = self.path.len();
        for _ in 0..self.local.settings.max_walks {
            self.statistics.walks += 1;
            self.since_progress.0 += 1;
            if self.walk(self.local.settings.walk_length, lower)? < lower {
                self.statistics.walks_escaped += 1;
                return Ok(true);
            }
            if self.try_edges()? {
                self.statistics.walks_escaped += 1;
                return Ok(true);
            }
            self.path.truncate(length);
        }
        Ok(false)
    }

    /// A random walk that keeps the contacts and ends early below a distance to the goal; returns the distance at its end.
    fn walk(&mut self, draws: usize, until_below: f32) -> Result<f32, Interrupt> {
        let mut distance = self.distance_here();
        let mut next = self.here().configuration.clone();
        for _ in 0..draws {
            self.local.budget.spend(1)?;
            let Waypoint { configuration, stance, .. } = &self.path[self.path.len() - 1];
            if self.local.draw_free(configuration, stance, &mut next) {
                self.push(next.clone(), true);
                distance = self.distance_here();
                if distance < until_below {
                    break;
                }
            }
        }
        Ok(distance)
    }

    /// Goes back to one of the randomly made waypoints of this part, or to any where there is none, with the mode and the
    /// contacts that it had, and walks on blindly from there.
    fn backtrack(&mut self) -> Result<(), Interrupt> {
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
        self.walk(self.local.settings.walk_length, f32::NEG_INFINITY)?;
        Ok(())
    }

    /// Where the stretch begins that is gone back over.
    ///
    /// The thesis goes back over all of the path, and needs a hand on a long course: what is hard is met far less often
    /// than what led to it. Here the stretch is short at first, and twice as long after each few times back that
    /// did not lead nearer to the goal than ever.
    fn backtrack_window(&mut self) -> usize {
        const SHORTEST: usize = 120;
        const TIMES: u32 = 4;
        let (times, least) = self.backs;
        let now = self.since_progress.1;
        self.backs = if now < least { (1, now) } else { (times + 1, least) };
        let length = SHORTEST.saturating_mul(1usize.checked_shl(self.backs.0 / TIMES).unwrap_or(usize::MAX));
        self.path.len().saturating_sub(length).max(self.subproblem_start - 1)
    }

    fn remember_nearest(&mut self) {
        let here = self.distance_here();
        if here < self.nearest.0 || self.nearest.1.is_empty() {
            self.nearest = (here, self.path.clone());
        }
    }
}

/// The guide from one posture's center of mass to another's.
fn guide_to(problem: &Problem, settings: &PlanSettings, postures: [&Posture; 2]) -> DistanceMap {
    let Problem { world, character, .. } = problem;
    let mut frames = Workspace::default();
    let [start, goal] = postures.map(|posture| {
        forward(character, &posture.configuration, &mut frames);
        center_of_mass(character, &frames)
    });
    let grid = Grid::covering(world.min, world.max, settings.cell, settings.max_cells);
    DistanceMap::new(world, grid, settings.occupancy, start, goal)
}
