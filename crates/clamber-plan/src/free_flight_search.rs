//! Plans in free space: descent along the guide, random walks out of local minima, backtracking (Kalisiak 1999, 3.6 and
//! Figures 3.12 and 3.13, after Barraquand and Latombe 1991).

use std::sync::Arc;

use clamber_model::kinematics::{LinkFrames, center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::CollisionWorkspace;
use clamber_model::rng::Stream;
use clamber_model::world::Grid;
use clamber_model::{Configuration, Problem};

use crate::budget::{Budget, Interrupt};
use crate::distance_to_goal_map::DistanceMap;
use crate::failure::Failure;
use crate::flight_validity::is_flight_free;
use crate::plan::Statistics;
use crate::search_tuning::{
    MAX_CELLS, MAX_NEIGHBORS, MAX_WALKS, MIN_DESCENT, MIN_ESCAPE, NEIGHBORS_PER_CHECKPOINT, RELAX, WALK_LENGTH,
};
use crate::settings::ResolvedSettings;
use clamber_posture::contact_projection::displacement_bounded_increments;

/// A configuration of the path so far.
#[derive(Clone)]
struct Waypoint {
    configuration: Configuration,
    /// Whether a random walk made it; backtracking prefers these (thesis 3.6.3).
    is_random: bool,
}

/// The state of a search through free space.
pub(crate) struct FlightSearch {
    problem: Arc<Problem>,
    settings: ResolvedSettings,
    pub collision: CollisionWorkspace,
    pub budget: Budget,
    /// The guide with marked dead ends.
    map: DistanceMap,
    /// The guide without marked dead ends, which measures progress.
    plain_map: DistanceMap,
    dead_end_radius: f32,
    random: Stream,
    frames: LinkFrames,
    /// For each degree of freedom, the change that moves no point farther than the step.
    increments: Vec<f32>,
    displacement: Vec<f32>,
    neighbors: Vec<Configuration>,
    order: Vec<(f32, usize)>,
    path: Vec<Waypoint>,
    /// The path that ended nearest to the goal before the search backtracked, and how near.
    nearest: (f32, Vec<Waypoint>),
    start_distance: f32,
    /// Distance to the goal along the guide after the last step.
    distance: f32,
    statistics: Statistics,
    result: Option<Result<(), Failure>>,
}

/// Most samples for one step of a random walk; when all collide, the walk skips the step.
const WALK_TRIES: usize = 10;

impl FlightSearch {
    pub async fn new(problem: Arc<Problem>, settings: ResolvedSettings, seed: u64, budget: Budget) -> Self {
        let Problem { world, character, start, goal, .. } = &*problem;
        let (start, goal) = (&start.configuration, &goal.configuration);
        let mut frames = LinkFrames::default();
        let mut center = |configuration: &Configuration| {
            forward(character, configuration, &mut frames);
            center_of_mass(character, &frames)
        };
        let (start_center, goal_center) = (center(start), center(goal));
        let grid = Grid::covering(world.min, world.max, settings.cell_size, MAX_CELLS);
        let map = DistanceMap::new(world, grid, settings.occupancy, start_center, goal_center).await;
        let start_distance = map.distance(start_center);
        let thickest = character.capsules.iter().fold(0.0, |thickest: f32, capsule| thickest.max(capsule.radius));
        let result =
            (start_distance == f32::INFINITY).then_some(Err(Failure::NoPath { cell_size: map.grid.cell_size }));
        Self {
            collision: CollisionWorkspace::default(),
            budget,
            plain_map: map.clone(),
            map,
            dead_end_radius: 2.0 * thickest + settings.cell_size,
            random: Stream::new(seed, "flight"),
            frames,
            increments: displacement_bounded_increments(character, settings.step),
            displacement: Vec::new(),
            neighbors: vec![start.clone(); MAX_NEIGHBORS],
            order: Vec::new(),
            path: vec![Waypoint { configuration: start.clone(), is_random: false }],
            nearest: (f32::INFINITY, Vec::new()),
            start_distance,
            distance: start_distance,
            statistics: Statistics::default(),
            result,
            settings,
            problem,
        }
    }

    /// One step of descent, one escape from a local minimum, or one backtrack; true when the search is over.
    pub async fn advance(&mut self) -> bool {
        if self.result.is_none() {
            match self.step().await {
                Ok(is_connected) => self.result = is_connected.then_some(Ok(())),
                Err(failure) => {
                    self.remember_nearest();
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
        (1.0 - self.distance / self.start_distance).clamp(0.0, 1.0)
    }

    pub fn statistics(&self) -> Statistics {
        Statistics { expansions: self.budget.expansions, backtracks: self.budget.backtracks, ..self.statistics }
    }

    /// The path to the goal; while there is none, the path that ended nearest to it.
    pub fn best(&self) -> Vec<Configuration> {
        let is_nearer = match self.result {
            Some(Ok(())) => false,
            Some(Err(_)) => !self.nearest.1.is_empty(),
            None => self.nearest.0 < self.distance,
        };
        let best = if is_nearer { &self.nearest.1 } else { &self.path };
        best.iter().map(|waypoint| waypoint.configuration.clone()).collect()
    }

    /// True when the goal is connected.
    async fn step(&mut self) -> Result<bool, Failure> {
        // By the plain map: a dead end beside the goal would make the goal itself seem far.
        let plain = self.plain_distance_here();
        self.distance = plain;
        if plain < self.map.grid.cell_size {
            let is_connected = self.connect().await?;
            if !is_connected {
                self.backtrack().await?;
            }
            return Ok(is_connected);
        }
        let here = self.distance_here();
        if !self.descend(here).await? && !self.escape(here).await? {
            let center = self.center_here();
            self.map.mark_dead_end(center, self.dead_end_radius).await;
            self.backtrack().await?;
        }
        Ok(false)
    }

    /// The center of mass at the end of the path.
    fn center_here(&mut self) -> Vec3 {
        forward(&self.problem.character, &self.path[self.path.len() - 1].configuration, &mut self.frames);
        center_of_mass(&self.problem.character, &self.frames)
    }

    /// The guide's distance from the end of the path.
    fn distance_here(&mut self) -> f32 {
        let center = self.center_here();
        self.map.distance(center)
    }

    /// The same without marked dead ends.
    fn plain_distance_here(&mut self) -> f32 {
        let center = self.center_here();
        self.plain_map.distance(center)
    }

    /// Samples the neighbor of this index around the end of the path.
    ///
    /// Each coordinate stays, rises or falls by its increment (thesis 3.6.2), or by a half or a quarter of it, since only
    /// small steps are free in narrow places. The thesis gives the three equal chances. Over many steps that spreads all
    /// limbs, the more hinges the more, and a spread body passes nothing. So in half of the samples only a few hinges turn,
    /// and a hinge turns toward its rest angle a little more often than away.
    fn draw_neighbor(&mut self, index: usize) {
        let Self { problem, increments, displacement, neighbors, random, path, .. } = self;
        let character = &problem.character;
        let from = &path[path.len() - 1].configuration;
        let scale = [1.0, 0.5, 0.25][random.below(3)];
        let share_at_rest = [1.0 / 3.0, 5.0 / 6.0][random.below(2)];
        let (root, hinges) = increments.split_at(character.root_joint.axes().len());
        displacement.clear();
        displacement.extend(root.iter().map(|increment| scale * increment * (random.below(3) as f32 - 1.0)));
        for ((hinge, angle), increment) in character.hinges.iter().zip(&from.angles).zip(hinges) {
            let drawn = random.uniform();
            let relax = if *angle == hinge.rest { 0.0 } else { RELAX };
            let towards_rest = (drawn - share_at_rest) / (1.0 - share_at_rest) < 0.5 * (1.0 + relax);
            let sign = if (hinge.rest > *angle) == towards_rest { 1.0 } else { -1.0 };
            displacement.push(if drawn < share_at_rest { 0.0 } else { scale * increment * sign });
        }
        neighbors[index].clone_from(from);
        neighbors[index].displace(character, displacement);
    }

    /// One step of descent: moves to the free neighbor nearest to the goal among a random sample. False at a local minimum.
    ///
    /// The thesis checks collisions first and distances then. In the opposite order, the same neighbor takes a fraction of
    /// the collision checks.
    async fn descend(&mut self, here: f32) -> Result<bool, Failure> {
        self.spend(MAX_NEIGHBORS as u64).await?;
        let least_gain = MIN_DESCENT * self.map.grid.cell_size;
        self.order.clear();
        for index in 0..self.neighbors.len() {
            self.draw_neighbor(index);
            let distance = distance_of(&self.map, &self.problem, &mut self.frames, &self.neighbors[index]);
            if distance < here - least_gain {
                self.order.push((distance, index));
            }
            if index % NEIGHBORS_PER_CHECKPOINT == 0 {
                self.budget.checkpoint().await;
            }
        }
        let descended = self.take_first_free().await;
        self.statistics.descent_steps += u64::from(descended);
        Ok(descended)
    }

    /// Appends the first neighbor, by value, that a free step reaches.
    async fn take_first_free(&mut self) -> bool {
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for k in 0..self.order.len() {
            let index = self.order[k].1;
            self.budget.checkpoint().await;
            if self.is_free_to(index) {
                self.path.push(Waypoint { configuration: self.neighbors[index].clone(), is_random: false });
                return true;
            }
        }
        false
    }

    fn is_free_to(&mut self, neighbor: usize) -> bool {
        let from = &self.path[self.path.len() - 1].configuration;
        let to = &self.neighbors[neighbor];
        is_flight_free(&self.problem, [from, to], &self.settings.flight_clearance, &mut self.collision)
    }

    /// Random walks from a local minimum until one ends nearer to the goal. If none does, the path stays unchanged.
    async fn escape(&mut self, here: f32) -> Result<bool, Failure> {
        let lower = here - MIN_ESCAPE * self.map.grid.cell_size;
        let length = self.path.len();
        for _ in 0..MAX_WALKS {
            self.statistics.walks += 1;
            if self.walk(WALK_LENGTH, lower).await? < lower {
                self.statistics.walks_escaped += 1;
                return Ok(true);
            }
            self.path.truncate(length);
        }
        Ok(false)
    }

    /// A random walk that stops once it is nearer to the goal than `until_below`; returns the distance at its end.
    async fn walk(&mut self, steps: usize, until_below: f32) -> Result<f32, Failure> {
        let mut distance = self.distance_here();
        for _ in 0..steps {
            for _ in 0..WALK_TRIES {
                self.spend(1).await?;
                self.draw_neighbor(0);
                if self.is_free_to(0) {
                    self.path.push(Waypoint { configuration: self.neighbors[0].clone(), is_random: true });
                    break;
                }
            }
            distance = self.distance_here();
            if distance < until_below {
                break;
            }
        }
        Ok(distance)
    }

    /// Returns to a random configuration of the path that a random walk made, or to any where there is none, and walks
    /// randomly from there (thesis 3.6.3).
    async fn backtrack(&mut self) -> Result<(), Failure> {
        if self.budget.backtracks >= self.settings.max_backtracks {
            return Err(self.interrupted(Interrupt::BudgetSpent));
        }
        self.remember_nearest();
        self.budget.backtracks += 1;
        let random: Vec<usize> = (0..self.path.len()).filter(|&index| self.path[index].is_random).collect();
        let index = match random.len() {
            0 => self.random.below(self.path.len()),
            count => random[self.random.below(count)],
        };
        self.path.truncate(index + 1);
        self.walk(WALK_LENGTH, f32::NEG_INFINITY).await?;
        Ok(())
    }

    /// Moves from near the goal into the goal configuration. On failure, the path stays unchanged.
    ///
    /// The thesis interpolates and leaves open what happens when that collides. Here the configuration approaches the goal's
    /// coordinate by coordinate where the straight line is not free, with short random walks in between.
    async fn connect(&mut self) -> Result<bool, Failure> {
        let length = self.path.len();
        for _ in 0..=MAX_WALKS {
            loop {
                let goal = &Arc::clone(&self.problem).goal.configuration;
                self.neighbors[0].clone_from(goal);
                if self.is_free_to(0) {
                    self.path.push(Waypoint { configuration: goal.clone(), is_random: false });
                    return Ok(true);
                }
                if !self.approach_goal().await? {
                    break;
                }
            }
            self.walk(WALK_LENGTH / 8 + 1, f32::NEG_INFINITY).await?;
        }
        self.path.truncate(length);
        Ok(false)
    }

    /// One step toward the goal configuration: to the free neighbor nearest to it among a random sample.
    async fn approach_goal(&mut self) -> Result<bool, Failure> {
        self.spend(MAX_NEIGHBORS as u64).await?;
        let Self { problem, increments, displacement, neighbors, order, random, path, .. } = self;
        let (character, goal) = (&problem.character, &problem.goal.configuration);
        let from = &path[path.len() - 1].configuration;
        let here = increments_to_goal(problem, increments, from, displacement);
        order.clear();
        for (index, neighbor) in neighbors.iter_mut().enumerate() {
            from.displacement_to(character, goal, displacement);
            for (amount, increment) in displacement.iter_mut().zip(increments.iter()) {
                *amount = match random.below(6) {
                    0 => *increment,
                    1 => -*increment,
                    2 => 0.0,
                    _ => amount.clamp(-*increment, *increment),
                };
            }
            neighbor.clone_from(from);
            neighbor.displace(character, displacement);
            let distance_to_goal = increments_to_goal(problem, increments, neighbor, displacement);
            if distance_to_goal < here - 0.1 {
                order.push((distance_to_goal, index));
            }
        }
        Ok(self.take_first_free().await)
    }

    fn remember_nearest(&mut self) {
        let here = self.plain_distance_here();
        if here < self.nearest.0 || self.nearest.1.is_empty() {
            self.nearest = (here, self.path.clone());
        }
    }

    /// Counts configurations about to be tried; fails when the budget is spent or the caller cancelled.
    async fn spend(&mut self, count: u64) -> Result<(), Failure> {
        self.budget.spend(count).await.map_err(|interrupt| self.interrupted(interrupt))
    }

    fn interrupted(&mut self, interrupt: Interrupt) -> Failure {
        self.remember_nearest();
        Failure::interrupted(interrupt, &self.budget, self.nearest.0)
    }
}

/// The guide's distance to the goal from a configuration's center of mass.
fn distance_of(map: &DistanceMap, problem: &Problem, frames: &mut LinkFrames, configuration: &Configuration) -> f32 {
    forward(&problem.character, configuration, frames);
    map.distance(center_of_mass(&problem.character, frames))
}

/// The number of increments between a configuration and the goal, summed over all coordinates.
fn increments_to_goal(
    problem: &Problem,
    increments: &[f32],
    configuration: &Configuration,
    displacement: &mut Vec<f32>,
) -> f32 {
    configuration.displacement_to(&problem.character, &problem.goal.configuration, displacement);
    displacement.iter().zip(increments).map(|(amount, increment)| (amount / increment).abs()).sum()
}
