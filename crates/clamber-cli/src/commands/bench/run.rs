//! One seed: a plan, its verdict and its times.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use clamber::check::{Report, check};
use clamber::io::write_motion;
use clamber::model::collision::{CollisionWorkspace, is_free};
use clamber::model::rng::fnv1a;
use clamber::model::{Motion, Problem};
use clamber::plan::{Algorithm, PlanSettings, Planner, Progress};
use rayon::prelude::*;

use super::figures::quantile_of;
use crate::outcome::{Outcome, Settings};

/// Shorter than this, and of fewer rounds, a time says more of the clock and of the machine than of the work.
const LEAST: Duration = Duration::from_millis(5);
const LEAST_ROUNDS: usize = 5;

/// What is asked of each seed.
pub struct Course {
    pub settings: Settings,
    /// Another planner that plans each seed too.
    pub against: Option<Algorithm>,
    /// From 1 to this.
    pub seeds: u64,
    pub max_seconds: Option<f64>,
    /// How many configurations the stance planner tries at a time.
    pub slices: Option<u64>,
}

/// What one seed gave.
pub struct Run {
    pub seed: u64,
    pub solved: bool,
    pub valid: bool,
    pub seconds: f64,
    pub backtracks: u64,
    pub expansions: u64,
    pub frames: usize,
    pub digest: u64,
    pub report: Report,
    pub transitions: BTreeSet<String>,
    /// How long the motion is, in seconds.
    pub plays: f64,
    /// Seconds of one collision check of each of its frames.
    pub collision_check: f64,
    /// Contacts that are made on the way, those of the start not counted.
    pub contacts: usize,
    pub against: Option<Against>,
}

/// What the other planner made of the same seed.
pub struct Against {
    pub solved: bool,
    pub seconds: f64,
}

impl Course {
    /// All seeds, in order, as many at once as the pool has threads.
    pub fn runs(&self, problem: &Problem) -> Vec<Run> {
        (1..=self.seeds).into_par_iter().map(|seed| self.run(problem, seed)).collect()
    }

    fn run(&self, problem: &Problem, seed: u64) -> Run {
        let Settings { plan, check: tolerance } = &self.settings;
        let (outcome, seconds) = self.timed(problem, plan, seed);
        // On the same thread and at once, so that both times are of the same machine in the same mood.
        let collision_check = time_collision_check(problem, &outcome.motion, plan.contact_clearance.margin);
        let against = self.against.map(|algorithm| {
            let (outcome, seconds) = self.timed(problem, &PlanSettings { algorithm, ..*plan }, seed);
            Against { solved: outcome.failure.is_none(), seconds }
        });
        let report = check(problem, &outcome.motion, tolerance);
        Run {
            seed,
            solved: outcome.failure.is_none(),
            valid: outcome.failure.is_none() && report.passed(),
            seconds,
            backtracks: outcome.statistics.backtracks,
            expansions: outcome.statistics.expansions,
            frames: outcome.motion.frames.len(),
            transitions: transitions(&outcome.motion),
            report,
            digest: fnv1a(write_motion(problem, &outcome.motion).as_bytes()),
            plays: f64::from(outcome.motion.duration()),
            collision_check,
            contacts: outcome.motion.contacts.iter().filter(|span| span.first > 0).count(),
            against,
        }
    }

    /// A plan, and the seconds it took.
    fn timed(&self, problem: &Problem, settings: &PlanSettings, seed: u64) -> (Outcome, f64) {
        let began = Instant::now();
        let mut watch = stop_after(self.max_seconds);
        let mut planner = Planner::new(problem.clone()).settings(*settings).seed(seed);
        let result = match self.slices {
            Some(slice) => {
                while !planner.advance(slice) && watch(&planner.progress()).is_continue() {}
                planner.finish()
            }
            None => planner.run_with_progress(&mut watch),
        };
        (result.into(), began.elapsed().as_secs_f64())
    }
}

/// Stops a plan that takes longer than this from now on.
pub fn stop_after(max_seconds: Option<f64>) -> impl FnMut(&Progress) -> ControlFlow<()> + Send {
    let began = Instant::now();
    move |_| match max_seconds {
        Some(most) if began.elapsed().as_secs_f64() > most => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}

/// The seconds of one collision check of every frame: the median of as many rounds as can be measured, for the machine may
/// be called away in some.
fn time_collision_check(problem: &Problem, motion: &Motion, margin: f32) -> f64 {
    let Problem { world, character, .. } = problem;
    let mut workspace = CollisionWorkspace::default();
    let mut round = || {
        let began = Instant::now();
        for frame in &motion.frames {
            black_box(is_free(world, character, black_box(&frame.configuration), margin, &mut workspace));
        }
        began.elapsed().as_secs_f64()
    };
    // The first round is for the memory.
    round();
    let (began, mut rounds) = (Instant::now(), Vec::new());
    while rounds.len() < LEAST_ROUNDS || began.elapsed() < LEAST {
        rounds.push(round());
    }
    quantile_of(rounds.into_iter(), 0.5).unwrap_or(0.0)
}

/// Which mode follows which in a motion.
fn transitions(motion: &Motion) -> BTreeSet<String> {
    let pairs = motion.spans.windows(2);
    pairs
        .filter(|pair| pair[0].mode != pair[1].mode)
        .map(|pair| format!("{} to {}", pair[0].mode, pair[1].mode))
        .collect()
}
