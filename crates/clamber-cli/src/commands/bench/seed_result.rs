//! Plans one seed: the result, its check and its times.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hint::black_box;
use std::ops::Range;
use std::time::{Duration, Instant};

use clamber::check::{Report, check_motion};
use clamber::io::to_motion_json;
use clamber::model::id::{EffectorId, HoldId};
use clamber::model::motion::ContactSpan;
use clamber::model::obstacle_collision::{CollisionWorkspace, is_free};
use clamber::model::rng::fnv1a;
use clamber::model::{Motion, Problem};
use clamber::plan::{Algorithm, PlanOutcome, PlanSettings, Planner};
use rayon::prelude::*;
use serde::Serialize;

use super::settings::stop_after;
use super::statistics::quantile_of;
use crate::run_planner::Settings;

/// Collision checks are repeated at least this long and this often, because shorter measurements are noise.
const MIN_TIME: Duration = Duration::from_millis(5);
const MIN_ROUNDS: usize = 5;

/// How each seed is planned.
pub struct SeedBench {
    pub settings: Settings,
    /// A second planner to compare with.
    pub against: Option<Algorithm>,
    pub seeds: Range<u64>,
    pub max_seconds: Option<f64>,
    /// Expansions per slice; `None` plans in one call.
    pub slices: Option<u64>,
}

/// The result of one seed.
pub struct SeedResult {
    pub seed: u64,
    pub solved: bool,
    pub valid: bool,
    pub seconds: f64,
    /// Seconds to plan the motion and to check it, as [`clamber::Planner`] does.
    pub checked_seconds: f64,
    pub backtracks: u64,
    pub expansions: u64,
    pub frames: usize,
    pub digest: u64,
    pub report: Report,
    pub transitions: BTreeSet<String>,
    /// Duration of the motion, in seconds.
    pub duration: f64,
    /// Seconds to check all frames for collisions once.
    pub collision_check: f64,
    /// Contacts made, without those of the start.
    pub contacts: usize,
    /// The effectors and holds of all contacts, in the order in which they are made.
    pub contact_sequence: Vec<(EffectorId, HoldId)>,
    pub against: Option<OtherPlannerResult>,
}

/// A seed whose scene, with jitter, the reader rejects.
#[derive(Clone, Debug, Serialize)]
pub struct RejectedDraw {
    pub seed: u64,
    pub message: String,
}

/// The second planner's result for the same seed.
pub struct OtherPlannerResult {
    pub solved: bool,
    pub seconds: f64,
}

impl SeedBench {
    /// Plans all seeds on the threads of the pool. Returns the results in the order of the seeds. `problem` returns the problem of
    /// a seed, or why the scene reader rejects it.
    pub fn run_all<'p>(
        &self,
        problem: impl Fn(u64) -> Result<Cow<'p, Problem>, String> + Sync,
    ) -> Vec<Result<SeedResult, RejectedDraw>> {
        let run = |seed| match problem(seed) {
            Ok(problem) => Ok(self.run(&problem, seed)),
            Err(message) => Err(RejectedDraw { seed, message }),
        };
        self.seeds.clone().into_par_iter().map(run).collect()
    }

    fn run(&self, problem: &Problem, seed: u64) -> SeedResult {
        let plan = &self.settings.plan;
        let (outcome, seconds) = self.plan_timed(problem, plan, seed);
        // Measured on the same thread right after planning, so that both times see the same machine load.
        let collision_check = time_collision_check(
            problem,
            &outcome.motion,
            plan.stance_clearance.for_contacts_in(&problem.world, &problem.character).margin,
        );
        let against = self.against.map(|algorithm| {
            let mut settings = *plan;
            settings.algorithm = algorithm;
            let (outcome, seconds) = self.plan_timed(problem, &settings, seed);
            OtherPlannerResult { solved: outcome.failure.is_none(), seconds }
        });
        let start = Instant::now();
        let report = check_motion(problem, &outcome.motion, &self.settings.check);
        let checked_seconds = seconds + start.elapsed().as_secs_f64();
        SeedResult {
            seed,
            solved: outcome.failure.is_none(),
            valid: outcome.failure.is_none() && report.passed(),
            seconds,
            checked_seconds,
            backtracks: outcome.statistics.backtracks,
            expansions: outcome.statistics.expansions,
            frames: outcome.motion.frames.len(),
            transitions: transitions(&outcome.motion),
            report,
            digest: fnv1a(to_motion_json(problem, &outcome.motion).unwrap_or_default().as_bytes()),
            duration: f64::from(outcome.motion.duration()),
            collision_check,
            contact_sequence: contact_sequence(&outcome.motion),
            contacts: outcome.motion.contacts.iter().filter(|span| span.first_frame > 0).count(),
            against,
        }
    }

    /// Returns the outcome and the planning time in seconds.
    fn plan_timed(&self, problem: &Problem, settings: &PlanSettings, seed: u64) -> (PlanOutcome, f64) {
        let start = Instant::now();
        let mut observer = stop_after(self.max_seconds);
        let mut planner = Planner::new(problem.clone()).settings(*settings).seed(seed);
        let result = match self.slices {
            Some(slice) => {
                while !planner.advance(slice) && observer(&planner.progress()).is_continue() {}
                planner.into_result()
            }
            None => planner.run_with_progress(&mut observer),
        };
        (result.into(), start.elapsed().as_secs_f64())
    }
}

/// Measures the seconds to check every frame for collisions: the median of several rounds, because the machine may be
/// interrupted in some.
fn time_collision_check(problem: &Problem, motion: &Motion, margin: f32) -> f64 {
    let Problem { world, character, .. } = problem;
    let mut workspace = CollisionWorkspace::default();
    let mut round = || {
        let start = Instant::now();
        for frame in &motion.frames {
            black_box(is_free(world, character, black_box(&frame.configuration), margin, &mut workspace));
        }
        start.elapsed().as_secs_f64()
    };
    // The first round warms the caches.
    round();
    let (start, mut rounds) = (Instant::now(), Vec::new());
    while rounds.len() < MIN_ROUNDS || start.elapsed() < MIN_TIME {
        rounds.push(round());
    }
    quantile_of(rounds.into_iter(), 0.5).unwrap_or(0.0)
}

fn contact_sequence(motion: &Motion) -> Vec<(EffectorId, HoldId)> {
    let mut spans: Vec<&ContactSpan> = motion.contacts.iter().collect();
    spans.sort_by_key(|span| (span.first_frame, span.contact.effector));
    spans.iter().map(|span| (span.contact.effector, span.contact.hold)).collect()
}

/// The mode transitions of a motion.
fn transitions(motion: &Motion) -> BTreeSet<String> {
    let pairs = motion.mode_spans.windows(2);
    pairs
        .filter(|pair| pair[0].mode != pair[1].mode)
        .map(|pair| format!("{} to {}", pair[0].mode, pair[1].mode))
        .collect()
}
