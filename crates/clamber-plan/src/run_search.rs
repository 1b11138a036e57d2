//! One search with any of the algorithms: runs it in slices, reports progress and makes the motion.

use std::sync::Arc;

use clamber_model::character::RootJoint;
use clamber_model::configuration::max_motion_bound;
use clamber_model::id::{LinkId, TiVec};
use clamber_model::kinematics::{EndpointLinkFrames, max_displacement};
use clamber_model::motion::FLYING_MODE;
use clamber_model::obstacle_collision::{CheckedLinks, CollisionWorkspace, is_free_between};
use clamber_model::self_collision;
use clamber_model::{Configuration, Motion, Problem};

use crate::budget::{Budget, CancelToken, Observer, PlanStage, Progress};
use crate::center_of_mass_in_scene_bounds::stays_in_bounds;
use crate::failure::Failure;
use crate::free_flight_search::FlightSearch;
use crate::local_planner::LocalPlanner;
use crate::path_to_motion::motion_of;
use crate::plan::{PlanOutcome, Statistics};
use crate::resumable_search::{SharedMonitor, SlicedTask};
use crate::rpp::RppSearch;
use crate::settings::{Algorithm, PlanSettings, ResolvedSettings};
use crate::smoothing::shortcut::{SteeringMethod, resample, smooth};
use crate::smoothing::smooth_body::{self, smooth_bodies};
use crate::smoothing::smooth_limbs::smooth_limbs;
use crate::stance::StanceSearch;
use crate::trunk_guide::GuideMemory;
use crate::validate_problem::validate;
use crate::waypoint::Waypoint;

/// Configurations tried between two reports to an observer, and most checkpoints: no configurations are tried while the guide is
/// prepared and while the path is smoothed.
const EXPANSIONS_BETWEEN_REPORTS: u64 = 512;
const CHECKPOINTS_BETWEEN_REPORTS: u64 = 256;

/// A search in progress.
pub(crate) struct Search {
    problem: Arc<Problem>,
    cancel: CancelToken,
    monitor: SharedMonitor,
    task: SlicedTask<PlanOutcome>,
    /// The result, once the task has ended.
    outcome: Option<PlanOutcome>,
}

impl Search {
    pub fn new(
        problem: Arc<Problem>,
        settings: PlanSettings,
        seed: u64,
        cancel: CancelToken,
        memory: GuideMemory,
    ) -> Self {
        let monitor = SharedMonitor::default();
        let budget = Budget::new(settings.max_expansions, cancel.clone(), Arc::clone(&monitor));
        let task = SlicedTask::new(plan(Arc::clone(&problem), settings, seed, budget, memory));
        Self { problem, cancel, monitor, task, outcome: None }
    }

    /// Searches to the end and makes the motion. An observer that cancels is not called again.
    pub fn run(mut self, observer: &mut Observer) -> PlanOutcome {
        let (mut next_expansions, mut checkpoints) = (EXPANSIONS_BETWEEN_REPORTS, 0);
        let (mut is_observed, mut is_abandoned) = (true, false);
        while !self.run_to_checkpoint() {
            checkpoints += 1;
            let expansions = self.monitor.expansions();
            let is_due = expansions >= next_expansions || checkpoints == CHECKPOINTS_BETWEEN_REPORTS;
            if is_observed && is_due {
                (next_expansions, checkpoints) = (expansions + EXPANSIONS_BETWEEN_REPORTS, 0);
                if observer(&self.progress()).is_break() {
                    (is_observed, is_abandoned) = (false, !self.monitor.is_smoothing());
                    self.monitor.stop();
                }
            }
        }
        let outcome = self.finish();
        // Whatever the search found before it noticed. A path that is only partly smoothed is a plan.
        let failure = if is_abandoned { Some(Failure::Cancelled) } else { outcome.failure };
        PlanOutcome { failure, ..outcome }
    }

    /// Plans until about this many more configurations were tried, at least to the next checkpoint; true when the search is over.
    pub fn advance(&mut self, expansions: u64) -> bool {
        let until = self.monitor.expansions().saturating_add(expansions.max(1));
        let monitor = Arc::clone(&self.monitor);
        self.advance_while(&mut || monitor.expansions() < until)
    }

    /// Plans from checkpoint to checkpoint while the function returns true; true when the search is over.
    pub fn advance_while(&mut self, continues: &mut dyn FnMut() -> bool) -> bool {
        loop {
            if self.run_to_checkpoint() {
                return true;
            }
            if !continues() {
                return false;
            }
        }
    }

    /// True at the end.
    fn run_to_checkpoint(&mut self) -> bool {
        if self.outcome.is_none() {
            let is_cancelled = self.cancel.is_cancelled() || self.monitor.is_stopped();
            self.outcome = match is_cancelled && !self.monitor.has_begun() {
                // Preparing the guide of a large world takes long and need not be finished.
                true => Some(without_search(&self.problem, Failure::Cancelled)),
                false => self.task.run_to_checkpoint(),
            };
            if self.outcome.as_ref().is_some_and(|outcome| outcome.failure.is_none()) {
                self.monitor.publish_fraction(1.0);
            }
        }
        self.outcome.is_some()
    }

    pub fn progress(&self) -> Progress {
        Progress {
            stage: match (self.monitor.has_begun(), self.monitor.is_smoothing()) {
                (false, _) => PlanStage::Prepare,
                (true, false) => PlanStage::Search,
                (true, true) => PlanStage::Smooth,
            },
            fraction: self.monitor.fraction(),
            expansions: self.monitor.expansions(),
            backtracks: self.monitor.backtracks(),
        }
    }

    /// The motion along the best path so far, not smoothed. Continues to the next place where the search can tell.
    pub fn best_motion(&mut self) -> Motion {
        self.monitor.request_motion();
        loop {
            if let Some(motion) = self.monitor.take_motion() {
                return motion;
            }
            if self.run_to_checkpoint() {
                let outcome = self.outcome.as_ref();
                return outcome.map_or_else(|| start_alone(&self.problem), |outcome| outcome.motion.clone());
            }
        }
    }

    /// The result. A search that is not over counts as cancelled.
    pub fn finish(mut self) -> PlanOutcome {
        self.monitor.stop();
        loop {
            if let Some(outcome) = self.outcome.take() {
                return outcome;
            }
            self.run_to_checkpoint();
        }
    }
}

/// The start as a motion of one frame. It ignores the frame rate of the settings, which may be invalid.
fn start_alone(problem: &Problem) -> Motion {
    let start = vec![problem.start.configuration.clone()];
    Motion::from_configurations(&problem.character.name, FLYING_MODE, start, 1.0)
}

/// The outcome of a search that did not begin.
fn without_search(problem: &Problem, failure: Failure) -> PlanOutcome {
    let motion = start_alone(problem);
    let statistics = Statistics { frames: motion.frames.len() as u64, ..Statistics::default() };
    PlanOutcome { motion, failure: Some(failure), statistics }
}

/// Searches with the algorithm of the settings.
async fn plan(
    problem: Arc<Problem>,
    settings: PlanSettings,
    seed: u64,
    budget: Budget,
    memory: GuideMemory,
) -> PlanOutcome {
    let algorithm = settings.algorithm_for(&problem);
    if let Err(failure) = validate(&problem, &settings) {
        return without_search(&problem, failure);
    }
    let settings = settings.resolve(&problem);
    match (algorithm, problem.modes.clone()) {
        (Algorithm::Rpp, Some(table)) => {
            plan_rpp(RppSearch::new(problem, table, settings, seed, budget).await, settings.smooth).await
        }
        (Algorithm::Stance | Algorithm::PlainStance | Algorithm::Auto, Some(table)) => {
            let search = StanceSearch::new(problem, table, settings, seed, budget, &memory).await;
            plan_stance(search, &memory).await
        }
        _ => {
            plan_flight(FlightSearch::new(Arc::clone(&problem), settings, seed, budget).await, &problem, settings).await
        }
    }
}

async fn plan_stance(mut search: StanceSearch, memory: &GuideMemory) -> PlanOutcome {
    search.local.budget.monitor.begin_search();
    while !search.advance().await {
        let monitor = &search.local.budget.monitor;
        monitor.publish_fraction(search.fraction());
        if monitor.is_motion_wanted() {
            monitor.publish_motion(stance_motion(&search.local, search.best()).await);
        }
        search.local.budget.checkpoint().await;
    }
    let statistics = search.statistics();
    let failure = search.result().and_then(|result| result.clone().err());
    let path = search.take_best();
    search.remember_guide(memory);
    let raw_frames = path.len();
    let motion = stance_motion(&search.local, path).await;
    outcome(motion, failure, statistics, raw_frames, &search.local.collision)
}

async fn plan_rpp(mut search: RppSearch, smooths: bool) -> PlanOutcome {
    search.local.budget.monitor.begin_search();
    while !search.advance().await {
        let monitor = &search.local.budget.monitor;
        monitor.publish_fraction(search.fraction());
        if monitor.is_motion_wanted() {
            let path = resample_rpp(&search.local, &search.best()).await;
            monitor.publish_motion(rpp_motion(&search.local, &path));
        }
        search.local.budget.checkpoint().await;
    }
    let statistics = search.statistics();
    let failure = search.result().and_then(|result| result.clone().err());
    let mut path = search.best();
    let raw_frames = path.len();
    let mut local = search.local;
    let smooths = smooths && failure != Some(Failure::Cancelled);
    if smooths {
        local.budget.monitor.begin_smoothing();
        path = smooth_bodies(&mut local, path).await;
    }
    path = resample_rpp(&local, &path).await;
    if smooths && !local.budget.is_cancelled() {
        smooth_limbs(&mut local, &mut path).await;
    }
    outcome(rpp_motion(&local, &path), failure, statistics, raw_frames, &local.collision)
}

async fn plan_flight(mut search: FlightSearch, problem: &Problem, settings: ResolvedSettings) -> PlanOutcome {
    search.budget.monitor.begin_search();
    while !search.advance().await {
        let monitor = &search.budget.monitor;
        monitor.publish_fraction(search.fraction());
        if monitor.is_motion_wanted() {
            let mut steering = FlightSteering::new(problem, &settings, search.budget.clone());
            let path =
                resample(&problem.character, &search.best(), settings.max_frame_displacement, &mut steering).await;
            monitor.publish_motion(flight_motion(problem, path, &settings));
        }
        search.budget.checkpoint().await;
    }
    let statistics = search.statistics();
    let failure = search.result().and_then(|result| result.clone().err());
    let mut path = search.best();
    let raw_frames = path.len();
    let FlightSearch { collision, budget, .. } = search;
    let mut steering = FlightSteering { problem, settings: &settings, collision, bounds: TiVec::new(), budget };
    if settings.smooth && failure != Some(Failure::Cancelled) {
        steering.budget.monitor.begin_smoothing();
        path = smooth(&problem.character, path, settings.step, &mut steering).await;
    }
    let path = resample(&problem.character, &path, settings.max_frame_displacement, &mut steering).await;
    outcome(flight_motion(problem, path, &settings), failure, statistics, raw_frames, &steering.collision)
}

fn outcome(
    motion: Motion,
    failure: Option<Failure>,
    mut statistics: Statistics,
    raw_frames: usize,
    collision: &CollisionWorkspace,
) -> PlanOutcome {
    statistics.raw_frames = raw_frames as u64;
    statistics.frames = motion.frames.len() as u64;
    statistics.collision_checks = collision.checked_count;
    statistics.engine_queries = collision.engine_queries;
    PlanOutcome { motion, failure, statistics }
}

fn flight_motion(problem: &Problem, path: Vec<Configuration>, settings: &ResolvedSettings) -> Motion {
    Motion::from_configurations(&problem.character.name, FLYING_MODE, path, settings.frames_per_second)
}

async fn resample_rpp(local: &LocalPlanner, path: &[Waypoint]) -> Vec<Waypoint> {
    let character = &local.problem.character;
    let mut lengths = TiVec::new();
    let mut measure = |[from, to]: [&Configuration; 2]| max_motion_bound(character, from, to, &mut lengths);
    smooth_body::resample(character, path, local.settings.max_frame_displacement, &mut measure, &mut |_| true).await
}

fn rpp_motion(local: &LocalPlanner, path: &[Waypoint]) -> Motion {
    motion_of(&local.problem.character, &local.table, path, local.settings.frames_per_second)
}

/// Resamples the path and makes the motion. Takes the path by value to free it before the motion is made.
async fn stance_motion(local: &LocalPlanner, path: Vec<Waypoint>) -> Motion {
    // Steps of the search are already as long as a frame's, except where contacts bend them into arcs.
    const SPACING: f32 = 1.15;
    let character = &local.problem.character;
    let mut ends = EndpointLinkFrames::default();
    let mut measure = |step: [&Configuration; 2]| max_displacement(character, step, &mut ends);
    let (problem, clearance) = (&local.problem, &local.settings.stance_clearance);
    let mut collision = CollisionWorkspace::default();
    let mut is_free = |[from, to]: [&Configuration; 2]| {
        character.root_joint == RootJoint::Planar
            || is_free_between(&problem.world, character, from, to, clearance, &mut collision)
    };
    let spacing = SPACING * local.settings.max_frame_displacement;
    let sampled = smooth_body::resample(character, &path, spacing, &mut measure, &mut is_free).await;
    drop(path);
    let mut motion = motion_of(character, &local.table, &sampled, local.settings.frames_per_second);
    motion.in_equilibrium = local.settings.equilibrium;
    motion
}

/// Largest displacement of a piece of a straight flight that is checked at once, in steps of the search.
const MAX_PIECE: f32 = 4.0;

/// Steers straight through free space.
struct FlightSteering<'a> {
    problem: &'a Problem,
    settings: &'a ResolvedSettings,
    collision: CollisionWorkspace,
    bounds: TiVec<LinkId, f32>,
    budget: Budget,
}

impl<'a> FlightSteering<'a> {
    fn new(problem: &'a Problem, settings: &'a ResolvedSettings, budget: Budget) -> Self {
        Self { problem, settings, collision: CollisionWorkspace::default(), bounds: TiVec::new(), budget }
    }
}

impl SteeringMethod for FlightSteering<'_> {
    async fn is_free(&mut self, from: &Configuration, to: &Configuration) -> bool {
        let Problem { world, character, .. } = self.problem;
        if !stays_in_bounds(self.problem, from, to, &mut self.collision.end_link_frames) {
            return false;
        }
        // Piece by piece, since the check of a long step cannot be interrupted.
        let length = max_motion_bound(character, from, to, &mut self.bounds);
        let count = (length / (MAX_PIECE * self.settings.step)).ceil().max(1.0) as usize;
        let (mut here, mut next) = (from.clone(), from.clone());
        for piece in 1..=count {
            self.budget.checkpoint().await;
            match piece == count {
                true => next.clone_from(to),
                false => next.interpolate(from, to, piece as f32 / count as f32),
            }
            let collision = &mut self.collision;
            if !is_free_between(world, character, &here, &next, &self.settings.flight_clearance, collision)
                || !self_collision::is_free_between(
                    character,
                    [&here, &next],
                    CheckedLinks::All,
                    &mut collision.self_collision,
                )
            {
                return false;
            }
            std::mem::swap(&mut here, &mut next);
        }
        true
    }

    async fn continues(&mut self, fraction: f32) -> bool {
        self.budget.continues_smoothing(fraction).await
    }

    fn interpolate(&mut self, from: &Configuration, to: &Configuration, t: f32) -> Option<Configuration> {
        let mut between = from.clone();
        between.interpolate(from, to, t);
        Some(between)
    }
}
