//! One search with any of the algorithms: runs it in slices, reports progress and makes the motion.

use std::sync::Arc;

use clamber_model::collision::{CollisionWorkspace, is_step_free};
use clamber_model::configuration::max_motion_bound;
use clamber_model::id::TiVec;
use clamber_model::kinematics::{StepFrames, max_displacement};
use clamber_model::motion::FLYING;
use clamber_model::{Configuration, Motion, Problem};

use crate::budget::{Budget, CancelToken, Observer, PlanStage, Progress};
use crate::center_of_mass_in_bounds::stays_in_bounds;
use crate::failure::Failure;
use crate::free_flight_search::FlightSearch;
use crate::local_planner::LocalPlanner;
use crate::path_to_motion::motion_of;
use crate::plan::{PlanOutcome, Statistics};
use crate::rpp::RppSearch;
use crate::settings::{Algorithm, PlanSettings, ResolvedSettings};
use crate::smoothing::shortcut::{SteeringMethod, resample, smooth};
use crate::smoothing::smooth_body::{self, smooth_bodies};
use crate::smoothing::smooth_limbs::smooth_limbs;
use crate::stance::StanceSearch;
use crate::validate_problem::validate;
use crate::waypoint::Waypoint;

/// Configurations tried between two reports to an observer.
const EXPANSIONS_BETWEEN_REPORTS: u64 = 512;

/// A search in progress.
pub(crate) struct Search {
    problem: Arc<Problem>,
    settings: ResolvedSettings,
    cancel: CancelToken,
    state: State,
}

enum State {
    Rejected(Result<(), Failure>),
    Flight(Box<FlightSearch>),
    Rpp(Box<RppSearch>),
    Stance(Box<StanceSearch>),
}

impl Search {
    pub fn new(problem: Arc<Problem>, settings: PlanSettings, seed: u64, cancel: CancelToken) -> Self {
        let budget = Budget::new(settings.max_expansions, cancel.clone());
        let algorithm = settings.algorithm_for(&problem);
        let verdict = validate(&problem, &settings);
        let settings = settings.resolve(&problem);
        let state = match (verdict, algorithm, problem.modes.clone()) {
            (Err(failure), ..) => State::Rejected(Err(failure)),
            (_, Algorithm::Rpp, Some(table)) => {
                State::Rpp(Box::new(RppSearch::new(Arc::clone(&problem), table, settings, seed, budget)))
            }
            (_, Algorithm::Stance | Algorithm::Auto, Some(table)) => {
                State::Stance(Box::new(StanceSearch::new(Arc::clone(&problem), table, settings, seed, budget)))
            }
            _ => State::Flight(Box::new(FlightSearch::new(Arc::clone(&problem), settings, seed, budget))),
        };
        Self { problem, settings, cancel, state }
    }

    /// Searches to the end and makes the motion.
    pub fn run(mut self, observer: &mut Observer) -> PlanOutcome {
        while !self.advance(EXPANSIONS_BETWEEN_REPORTS) {
            if observer(&self.progress()).is_break() {
                break;
            }
        }
        self.finish(observer)
    }

    /// Takes steps until about this many more configurations were tried, at least one; true when the search is over.
    pub fn advance(&mut self, expansions: u64) -> bool {
        let until = self.expansions().saturating_add(expansions.max(1));
        loop {
            if self.step() || self.cancel.is_cancelled() {
                return true;
            }
            if self.expansions() >= until {
                return false;
            }
        }
    }

    fn step(&mut self) -> bool {
        match &mut self.state {
            State::Rejected(_) => true,
            State::Flight(search) => search.advance(),
            State::Rpp(search) => search.advance(),
            State::Stance(search) => search.advance(1),
        }
    }

    pub fn progress(&self) -> Progress {
        let Statistics { expansions, backtracks, .. } = self.statistics();
        let fraction = match &self.state {
            State::Rejected(_) => 0.0,
            State::Flight(search) => search.fraction(),
            State::Rpp(search) => search.fraction(),
            State::Stance(search) => search.fraction(),
        };
        Progress { stage: PlanStage::Search, fraction, expansions, backtracks }
    }

    fn expansions(&self) -> u64 {
        match &self.state {
            State::Rejected(_) => 0,
            State::Flight(search) => search.budget.expansions,
            State::Rpp(search) => search.local.budget.expansions,
            State::Stance(search) => search.local.budget.expansions,
        }
    }

    fn statistics(&self) -> Statistics {
        match &self.state {
            State::Rejected(_) => Statistics::default(),
            State::Flight(search) => search.statistics(),
            State::Rpp(search) => search.statistics(),
            State::Stance(search) => search.statistics(),
        }
    }

    /// The failure; a search that is not over counts as cancelled.
    fn failure(&self) -> Option<Failure> {
        let result = match &self.state {
            State::Rejected(result) => Some(result),
            State::Flight(search) => search.result(),
            State::Rpp(search) => search.result(),
            State::Stance(search) => search.result(),
        };
        result.map_or(Some(Failure::Cancelled), |result| result.clone().err())
    }

    /// The motion along the best path so far, not smoothed.
    pub fn best_motion(&self) -> Motion {
        match &self.state {
            State::Rejected(_) => self.start_alone(),
            State::Flight(search) => {
                let mut steering = FlightSteering::new(&self.problem, &self.settings);
                let path = resample(
                    &self.problem.character,
                    &search.best(),
                    self.settings.max_frame_displacement,
                    &mut steering,
                );
                flight_motion(&self.problem, path, &self.settings)
            }
            State::Rpp(search) => rpp_motion(&search.local, &resample_rpp(&search.local, &search.best())),
            State::Stance(search) => stance_motion(&search.local, search.best()),
        }
    }

    /// Ends the search: smooths its path if the settings ask for it, and makes the motion.
    pub fn finish(self, observer: &mut Observer) -> PlanOutcome {
        let failure = self.failure();
        let mut statistics = self.statistics();
        let is_smoothed = self.settings.smooth && failure != Some(Failure::Cancelled);
        let Statistics { expansions, backtracks, .. } = statistics;
        let cancel = self.cancel.clone();
        let mut continues = |fraction: f32| {
            let progress = Progress { stage: PlanStage::Smooth, fraction, expansions, backtracks };
            !cancel.is_cancelled() && observer(&progress).is_continue()
        };
        let (motion, raw_frames, collision) = match self.state {
            State::Rejected(_) => (self.start_alone(), 0, CollisionWorkspace::default()),
            State::Flight(search) => {
                finish_flight(*search, &self.problem, &self.settings, is_smoothed.then_some(&mut continues))
            }
            State::Rpp(search) => finish_rpp(*search, is_smoothed.then_some(&mut continues)),
            State::Stance(mut search) => {
                let path = search.take_best();
                let raw_frames = path.len();
                (stance_motion(&search.local, path), raw_frames, search.local.collision)
            }
        };
        statistics.raw_frames = raw_frames as u64;
        statistics.frames = motion.frames.len() as u64;
        statistics.collision_checks = collision.checked_count;
        statistics.engine_queries = collision.engine_queries;
        PlanOutcome { motion, failure, statistics }
    }

    /// The start as a motion of one frame. It ignores the frame rate of the settings, which may be invalid.
    fn start_alone(&self) -> Motion {
        let start = vec![self.problem.start.configuration.clone()];
        Motion::from_configurations(&self.problem.character.name, FLYING, start, 1.0)
    }
}

type Continues<'a> = dyn FnMut(f32) -> bool + 'a;

fn finish_flight(
    search: FlightSearch,
    problem: &Problem,
    settings: &ResolvedSettings,
    continues: Option<&mut Continues>,
) -> (Motion, usize, CollisionWorkspace) {
    let mut path = search.best();
    let raw_frames = path.len();
    let mut steering = FlightSteering { problem, settings, collision: search.collision };
    if let Some(continues) = continues {
        path = smooth(&problem.character, path, settings.step, &mut steering, continues);
    }
    let path = resample(&problem.character, &path, settings.max_frame_displacement, &mut steering);
    (flight_motion(problem, path, settings), raw_frames, steering.collision)
}

fn flight_motion(problem: &Problem, path: Vec<Configuration>, settings: &ResolvedSettings) -> Motion {
    Motion::from_configurations(&problem.character.name, FLYING, path, settings.frames_per_second)
}

fn finish_rpp(search: RppSearch, continues: Option<&mut Continues>) -> (Motion, usize, CollisionWorkspace) {
    let mut path = search.best();
    let raw_frames = path.len();
    let mut local = search.local;
    match continues {
        None => path = resample_rpp(&local, &path),
        Some(continues) => {
            // An observer that cancelled is not called again.
            let mut running = true;
            path = smooth_bodies(&mut local, path, &mut |share| {
                running = continues(0.5 * share);
                running
            });
            path = resample_rpp(&local, &path);
            if running {
                smooth_limbs(&mut local, &mut path, &mut |share| continues(0.5 + 0.5 * share));
            }
        }
    }
    (rpp_motion(&local, &path), raw_frames, local.collision)
}

fn resample_rpp(local: &LocalPlanner, path: &[Waypoint]) -> Vec<Waypoint> {
    let character = &local.problem.character;
    let mut lengths = TiVec::new();
    let mut measure = |[from, to]: [&Configuration; 2]| max_motion_bound(character, from, to, &mut lengths);
    smooth_body::resample(character, path, local.settings.max_frame_displacement, &mut measure)
}

fn rpp_motion(local: &LocalPlanner, path: &[Waypoint]) -> Motion {
    motion_of(&local.problem.character, &local.table, path, local.settings.frames_per_second)
}

/// Resamples the path and makes the motion. Takes the path by value to free it before the motion is made.
fn stance_motion(local: &LocalPlanner, path: Vec<Waypoint>) -> Motion {
    // Steps of the search are already as long as a frame's, except where contacts bend them into arcs.
    const SPACING: f32 = 1.15;
    let character = &local.problem.character;
    let mut ends = StepFrames::default();
    let mut measure = |step: [&Configuration; 2]| max_displacement(character, step, &mut ends);
    let sampled =
        smooth_body::resample(character, &path, SPACING * local.settings.max_frame_displacement, &mut measure);
    drop(path);
    motion_of(character, &local.table, &sampled, local.settings.frames_per_second)
}

/// Steers straight through free space.
struct FlightSteering<'a> {
    problem: &'a Problem,
    settings: &'a ResolvedSettings,
    collision: CollisionWorkspace,
}

impl<'a> FlightSteering<'a> {
    fn new(problem: &'a Problem, settings: &'a ResolvedSettings) -> Self {
        Self { problem, settings, collision: CollisionWorkspace::default() }
    }
}

impl SteeringMethod for FlightSteering<'_> {
    fn is_free(&mut self, from: &Configuration, to: &Configuration) -> bool {
        let Problem { world, character, .. } = self.problem;
        stays_in_bounds(self.problem, from, to, &mut self.collision.step_frames)
            && is_step_free(world, character, from, to, &self.settings.flight_clearance, &mut self.collision)
    }

    fn interpolate(&mut self, from: &Configuration, to: &Configuration, t: f32) -> Option<Configuration> {
        let mut between = from.clone();
        between.interpolate(from, to, t);
        Some(between)
    }
}
