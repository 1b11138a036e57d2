//! The grasp-based planner as published: modes first, then descent, then random walks, then going back
//! (Kalisiak 1999, 4.8 and Figure 4.15; Kalisiak and van de Panne 2001).

mod edges;
mod arrival;

use std::sync::Arc;

use clamber_model::kinematics::{Workspace, center_of_mass, forward};
use clamber_model::problem::Posture;
use clamber_model::world::Grid;
use clamber_model::{Configuration, Contact, Problem};

use crate::budget::Stop;
use crate::distance_map::DistanceMap;
use crate::failure::{Failure, Statistics};
use crate::local_planner::LocalPlanner;
use crate::settings::PlanSettings;
use crate::waypoint::{Moving, Waypoint, append_passage, entry};

/// What the search found.
pub(crate) struct Found {
    /// From the start; to the goal unless there is a failure.
    pub way: Vec<Waypoint>,
    pub failure: Option<Failure>,
    pub statistics: Statistics,
}

/// Looks for a way from the start through the passages to the goal, part by part (thesis 5.4.4).
pub(crate) fn search(mover: &mut LocalPlanner) -> Found {
    let mut search = Search::new(mover);
    let failure = search.run().err();
    if failure.is_some() && search.nearest.1.len() > search.part_begins {
        search.way = std::mem::take(&mut search.nearest.1);
    }
    search.statistics.expansions = search.mover.meter.expansions;
    search.statistics.backtracks = search.mover.meter.backtracks;
    Found { way: search.way, failure, statistics: search.statistics }
}

struct Search<'m, 'a, 'o> {
    mover: &'m mut LocalPlanner<'a, 'o>,
    /// Falls toward the goal of the present part.
    guide: DistanceMap,
    way: Vec<Waypoint>,
    /// Where the present part begins: what is before is never gone back over.
    part_begins: usize,
    /// The way that came nearest to the present part's goal, and how near.
    nearest: (f32, Vec<Waypoint>),
    /// How often in a row each edge found its holds but not what must be true afterwards.
    failures: Vec<usize>,
    /// Steps since the character was last nearer to the goal than ever, and how near that was.
    since_progress: (usize, f32),
    /// Times back since then, and how near the goal was when they were first counted.
    backs: (u32, f32),
    statistics: Statistics,
    neighbours: Vec<Configuration>,
    order: Vec<(f32, usize)>,
}

/// Less than this is no progress, in metres.
const PROGRESS: f32 = 0.05;

impl<'m, 'a, 'o> Search<'m, 'a, 'o> {
    fn new(mover: &'m mut LocalPlanner<'a, 'o>) -> Self {
        let problem = mover.problem;
        let start = Waypoint::fixed(problem.start.clone(), mover.table);
        Self {
            guide: guide_to(problem, mover.settings, [&problem.start, &problem.goal]),
            way: vec![start],
            part_begins: 0,
            nearest: (f32::INFINITY, Vec::new()),
            failures: vec![0; mover.table.edges.len()],
            since_progress: (0, f32::INFINITY),
            backs: (0, f32::INFINITY),
            statistics: Statistics::default(),
            neighbours: vec![problem.start.configuration.clone(); mover.settings.max_neighbours],
            order: Vec::new(),
            mover,
        }
    }

    fn run(&mut self) -> Result<(), Failure> {
        let problem = self.mover.problem;
        let parts = problem.passages.len() + 1;
        for part in 0..parts {
            let passage = problem.passages.get(part);
            let goal = passage.map_or_else(
                || problem.goal.clone(),
                |passage| entry(&passage.motion, self.mover.table, &problem.world),
            );
            self.plan_part(&goal, [part, parts])?;
            if let Some(passage) = passage {
                append_passage(&mut self.way, &passage.motion, self.mover.table, &self.mover.problem.world);
            }
        }
        Ok(())
    }

    /// The planner core.
    fn plan_part(&mut self, goal: &Posture, [part, parts]: [usize; 2]) -> Result<(), Failure> {
        let here = self.way[self.way.len() - 1].clone();
        let from = Posture { configuration: here.configuration, stance: here.stance.to_vec(), mode: String::new() };
        self.guide = guide_to(self.mover.problem, self.mover.settings, [&from, goal]);
        self.part_begins = self.way.len();
        let begins = self.distance_here();
        if begins == f32::INFINITY {
            return Err(Failure::NoWay { cell: self.guide.grid.cell });
        }
        let last = self.way.len() - 1;
        self.way[last].mode_began = begins;
        self.nearest = (f32::INFINITY, Vec::new());
        self.since_progress = (0, f32::INFINITY);
        self.backs = (0, f32::INFINITY);
        self.failures.fill(0);
        self.go_to(goal, begins, [part, parts]).map_err(|stop| self.failure(stop))
    }

    fn go_to(&mut self, goal: &Posture, begins: f32, [part, parts]: [usize; 2]) -> Result<(), Stop> {
        let goal_moving = Moving::of_name(self.mover.table, &goal.mode).unwrap_or(Moving::Flying);
        let mut tried_to_arrive_at: Option<Arc<[Contact]>> = None;
        loop {
            let here = self.distance_here();
            self.note_progress(here);
            self.mover.meter.share = (part as f32 + 1.0 - here / begins.max(here)) / parts as f32;
            let is_near = here < self.mover.settings.arrival && self.here().moving == goal_moving;
            let is_tried = tried_to_arrive_at.as_ref().is_some_and(|tried| Arc::ptr_eq(tried, &self.here().stance));
            if is_near && !is_tried {
                tried_to_arrive_at = Some(self.here().stance.clone());
                if self.arrive(goal)? {
                    return Ok(());
                }
            }
            let has_moved = self.take_an_edge()?;
            let here = self.distance_here();
            let has_descended = self.descend(here)?;
            if !has_moved && !has_descended {
                if is_near && self.arrive(goal)? {
                    return Ok(());
                }
                if !self.walk_out(here)? {
                    self.go_back()?;
                }
            }
        }
    }

    fn failure(&mut self, stop: Stop) -> Failure {
        self.remember_nearest();
        let (expansions, backtracks) = (self.mover.meter.expansions, self.mover.meter.backtracks);
        match stop {
            Stop::BudgetSpent => Failure::BudgetSpent { expansions, backtracks, remaining: self.nearest.0 },
            Stop::Cancelled => Failure::Cancelled,
        }
    }

    fn here(&self) -> &Waypoint {
        &self.way[self.way.len() - 1]
    }

    /// The distance to the goal along the guide; the mover's frames are then those of the end of the way.
    fn distance_here(&mut self) -> f32 {
        let center = self.mover.center_of(&self.way[self.way.len() - 1].configuration);
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

    /// Appends a configuration with the contacts of the end of the way.
    fn push(&mut self, configuration: Configuration, is_random: bool) {
        let waypoint = Waypoint { configuration, is_random, is_fixed: false, ..self.here().clone() };
        self.way.push(waypoint);
    }

    /// Adds a contact to those that the end of the way had, at the end of the limb's way to it.
    fn attach(&mut self, stance: &[Contact], contact: Contact) {
        let mut stance = stance.to_vec();
        stance.push(contact);
        stance.sort_by_key(|contact| contact.effector);
        let last = self.way.len() - 1;
        self.way[last].stance = stance.into();
    }

    /// Corrects the posture by the heuristics of a mode.
    fn correct(&mut self, mode: usize) -> Result<(), Stop> {
        let Waypoint { configuration, stance, .. } = self.here().clone();
        for configuration in self.mover.correct(&configuration, &stance, mode)? {
            self.push(configuration, false);
        }
        Ok(())
    }

    /// One step of descent through the guide, keeping the contacts; false at a local minimum.
    fn descend(&mut self, here: f32) -> Result<bool, Stop> {
        let Self { mover, guide, way, neighbours, order, .. } = self;
        mover.meter.spend(mover.settings.max_neighbours as u64)?;
        let Waypoint { configuration, stance, .. } = &way[way.len() - 1];
        let least_gain = 0.02 * guide.grid.cell;
        let character = &mover.problem.character;
        order.clear();
        for (index, neighbour) in neighbours.iter_mut().enumerate() {
            if mover.holding.sample_neighbor(character, configuration, stance, &mut mover.random, neighbour) {
                let distance = guide.distance(center_of_mass(character, &mover.holding.frames));
                if distance < here - least_gain {
                    order.push((distance, index));
                }
            }
        }
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let free =
            order.iter().map(|(_, index)| *index).find(|&index| mover.is_step_free(configuration, &neighbours[index]));
        let Some(index) = free else { return Ok(false) };
        let next = neighbours[index].clone();
        self.push(next, false);
        self.statistics.descents += 1;
        Ok(true)
    }

    /// Random walks from a local minimum, until one ends lower or where an edge can be taken. The way is left as it was if
    /// none does. The thesis looks at edges only after a walk that ended lower; but a foot that the descent has pulled out
    /// of reach of the next hold comes into reach again on the way up, not down.
    fn walk_out(&mut self, here: f32) -> Result<bool, Stop> {
        let lower = here - 0.25 * self.guide.grid.cell;
        let length = self.way.len();
        for _ in 0..self.mover.settings.max_walks {
            self.statistics.walks += 1;
            self.since_progress.0 += 1;
            if self.walk(self.mover.settings.walk_length, lower)? < lower {
                self.statistics.walks_escaped += 1;
                return Ok(true);
            }
            if self.take_an_edge()? {
                self.statistics.walks_escaped += 1;
                return Ok(true);
            }
            self.way.truncate(length);
        }
        Ok(false)
    }

    /// A random walk that keeps the contacts and ends early below a distance to the goal; returns the distance at its end.
    fn walk(&mut self, draws: usize, until_below: f32) -> Result<f32, Stop> {
        let mut distance = self.distance_here();
        let mut next = self.here().configuration.clone();
        for _ in 0..draws {
            self.mover.meter.spend(1)?;
            let Waypoint { configuration, stance, .. } = &self.way[self.way.len() - 1];
            if self.mover.draw_free(configuration, stance, &mut next) {
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
    fn go_back(&mut self) -> Result<(), Stop> {
        if self.mover.meter.backtracks >= self.mover.settings.max_backtracks {
            return Err(Stop::BudgetSpent);
        }
        self.remember_nearest();
        self.mover.meter.backtracks += 1;
        let first = self.back_window();
        let random: Vec<usize> = (first..self.way.len()).filter(|&index| self.way[index].is_random).collect();
        let index = match random.len() {
            0 => first + self.mover.random.below(self.way.len() - first),
            count => random[self.mover.random.below(count)],
        };
        self.way.truncate(index + 1);
        self.walk(self.mover.settings.walk_length, f32::NEG_INFINITY)?;
        Ok(())
    }

    /// Where the stretch begins that is gone back over.
    ///
    /// The thesis goes back over all of the way, and needs a hand on a long course: what is hard is met far less often
    /// than what led to it. Here the stretch is short at first, and twice as long after each few times back that
    /// did not lead nearer to the goal than ever.
    fn back_window(&mut self) -> usize {
        const SHORTEST: usize = 120;
        const TIMES: u32 = 4;
        let (times, least) = self.backs;
        let now = self.since_progress.1;
        self.backs = if now < least { (1, now) } else { (times + 1, least) };
        let length = SHORTEST.saturating_mul(1usize.checked_shl(self.backs.0 / TIMES).unwrap_or(usize::MAX));
        self.way.len().saturating_sub(length).max(self.part_begins - 1)
    }

    fn remember_nearest(&mut self) {
        let here = self.distance_here();
        if here < self.nearest.0 || self.nearest.1.is_empty() {
            self.nearest = (here, self.way.clone());
        }
    }
}

/// The guide from one posture's centre of mass to another's.
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
