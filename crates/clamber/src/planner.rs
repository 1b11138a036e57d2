//! The planner with a check: no motion is returned as a plan unless it passes.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

#[cfg(doc)]
use clamber_check::quality::Bearing;
use clamber_check::quality::bearing;
use clamber_check::{CheckProgress, CheckSettings, Report, check_motion_with_progress};
use clamber_model::{Motion, Problem};
use clamber_plan::{Algorithm, CancelToken, Failure, GuideMemory, Observer, PlanSettings, Progress, Statistics};

/// Plans per run: a plan that fails the check is planned again with another seed.
const MAX_PLANS: u64 = 3;

/// Searches for a motion from the start of a [`Problem`] to its goal, and checks it.
///
/// This is [`clamber_plan::Planner`], which documents slices, cancellation and replanning, followed by
/// [`check_motion`](clamber_check::check_motion()). [`run`](Self::run) plans a rejected motion again with other seeds, which
/// derive from the given one; a motion that is still rejected is an error with its report. The same problem, settings and seed
/// give the same plan, byte for byte.
///
/// ```no_run
/// # fn example(problem: clamber::Problem) {
/// match clamber::Planner::new(problem).seed(1).run() {
///     Ok(plan) => println!("{} frames", plan.motion.frames.len()),
///     Err(error) => println!("no plan: {error}; {:?}", error.reason.suggestion()),
/// }
/// # }
/// ```
pub struct Planner {
    planner: clamber_plan::Planner,
    check: CheckSettings,
    settings: PlanSettings,
    seed: u64,
    plans_to_compare: u32,
    memory: GuideMemory,
}

/// A motion that reaches the goal and passes the check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The motion from the start to the goal.
    pub motion: Motion,
    /// The work it took, rejected plans included.
    pub statistics: Statistics,
    /// The report of the check, in which every property passed.
    pub check_report: Report,
}

/// Why there is no plan, and how far the planner got.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
#[non_exhaustive]
pub struct PlanError {
    /// Why there is no plan.
    pub reason: Failure,
    /// The work that was done.
    pub statistics: Statistics,
    /// The motion that ended nearest to the goal, or the one that was rejected.
    pub partial_motion: Box<Motion>,
    /// The report of the check, if the reason is [`Failure::CheckFailed`].
    pub check_report: Option<Report>,
}

impl Planner {
    /// A planner with default settings and seed 0.
    pub fn new(problem: impl Into<Arc<Problem>>) -> Self {
        let (check, settings) = (CheckSettings::default(), PlanSettings::default());
        // The plans of one planner are in one world.
        let memory = GuideMemory::default();
        let planner = clamber_plan::Planner::new(problem).guide_memory(memory.clone());
        Self { planner, check, settings, seed: 0, plans_to_compare: 1, memory }
    }

    /// The seed of every random choice. Default 0.
    pub fn seed(self, seed: u64) -> Self {
        Self { planner: self.planner.seed(seed), seed, ..self }
    }

    /// The configurations to try before giving up: [`PlanSettings::max_expansions`].
    pub fn budget(self, max_expansions: u64) -> Self {
        let mut settings = self.settings;
        settings.max_expansions = max_expansions;
        self.settings(settings)
    }

    /// The algorithm: [`PlanSettings::algorithm`].
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        let mut settings = self.settings;
        settings.algorithm = algorithm;
        self.settings(settings)
    }

    /// Whether the path is smoothed: [`PlanSettings::smooth`].
    pub fn smoothing(self, smooth: bool) -> Self {
        let mut settings = self.settings;
        settings.smooth = smooth;
        self.settings(settings)
    }

    /// Begins with what earlier planners learned about the world in space: [`clamber_plan::Planner::guide_memory`].
    pub fn guide_memory(self, memory: GuideMemory) -> Self {
        Self { planner: self.planner.guide_memory(memory.clone()), memory, ..self }
    }

    /// Replaces all settings.
    pub fn settings(self, settings: PlanSettings) -> Self {
        Self { planner: self.planner.settings(settings), settings, ..self }
    }

    /// Makes [`run`](Self::run) plan this many times, each time with the whole budget and with a seed that derives from the given
    /// one, and return the plan of least [`cost`](Plan::cost). Default 1.
    pub fn best_of(self, plans: u32) -> Self {
        Self { plans_to_compare: plans.max(1), ..self }
    }

    /// The tolerances of the check. Default [`CheckSettings::default`].
    pub fn check_settings(self, check: CheckSettings) -> Self {
        Self { check, ..self }
    }

    /// The problem to solve.
    pub fn problem(&self) -> &Arc<Problem> {
        self.planner.problem()
    }

    /// A token that cancels this planner from another thread.
    pub fn cancel_token(&self) -> CancelToken {
        self.planner.cancel_token()
    }

    /// Plans until the goal is reached, the planner gives up or the budget is spent.
    pub fn run(self) -> Result<Plan, PlanError> {
        self.run_with_progress(&mut |_| ControlFlow::Continue(()))
    }

    /// Like [`run`](Self::run), and reports progress. The observer cancels by returning [`ControlFlow::Break`].
    pub fn run_with_progress(self, observer: &mut Observer) -> Result<Plan, PlanError> {
        let Self { ref planner, check, settings, seed, plans_to_compare, ref memory } = self;
        let memory = memory.clone();
        let (problem, cancel) = (Arc::clone(planner.problem()), planner.cancel_token());
        let run = |planner: clamber_plan::Planner, observer: &mut Observer| planner.run_with_progress(observer);
        let mut best = self.plan_until_valid(observer, run);
        for number in 1..u64::from(plans_to_compare) {
            if matches!(&best, Err(PlanError { reason: Failure::Cancelled, .. })) {
                break;
            }
            // Far from the seeds that callers choose and from those of rejected plans.
            let seed = seed.wrapping_add(number << 32);
            let mut next = Self::new(Arc::clone(&problem)).settings(settings).check_settings(check).seed(seed);
            next = next.guide_memory(memory.clone());
            next.planner = next.planner.with_cancel_token(cancel.clone());
            best = better(&problem, best, next.plan_until_valid(observer, run));
        }
        best
    }

    /// Plans until about this many more configurations were tried; true when the search is over.
    pub fn advance(&mut self, expansions: u64) -> bool {
        self.planner.advance(expansions)
    }

    /// Plans while the function returns true; true when the search is over.
    pub fn advance_while(&mut self, continues: impl FnMut() -> bool) -> bool {
        self.planner.advance_while(continues)
    }

    /// Plans for about this much time; true when the search is over.
    pub fn advance_for(&mut self, time: Duration) -> bool {
        self.planner.advance_for(time)
    }

    /// Progress of the search.
    pub fn progress(&mut self) -> Progress {
        self.planner.progress()
    }

    /// The motion that ends nearest to the goal so far. It begins at the start.
    pub fn best_motion(&mut self) -> Motion {
        self.planner.best_motion()
    }

    /// Ends the search and returns its result. A search that [`advance`](Self::advance) did not complete is
    /// [cancelled](Failure::Cancelled). A rejected motion is not planned again: planning is in the caller's slices.
    pub fn into_result(self) -> Result<Plan, PlanError> {
        let checker = Checker {
            problem: Arc::clone(self.planner.problem()),
            settings: self.check,
            cancel: self.planner.cancel_token(),
        };
        checker.check(self.planner.into_result(), &mut |_| ControlFlow::Continue(()))
    }

    /// Repairs a motion after the problem was edited: [`clamber_plan::Planner::replan`].
    pub fn replan(self, motion: &Motion) -> Result<Plan, PlanError> {
        self.replan_with_progress(motion, &mut |_| ControlFlow::Continue(()))
    }

    /// Like [`replan`](Self::replan), and reports progress.
    pub fn replan_with_progress(self, motion: &Motion, observer: &mut Observer) -> Result<Plan, PlanError> {
        self.plan_until_valid(observer, |planner, observer| planner.replan_with_progress(motion, observer))
    }

    /// Keeps a motion up to a time in seconds and plans the rest anew: [`clamber_plan::Planner::replan_from_time`].
    pub fn replan_from_time(self, motion: &Motion, time: f32) -> Result<Plan, PlanError> {
        self.replan_from_time_with_progress(motion, time, &mut |_| ControlFlow::Continue(()))
    }

    /// Like [`replan_from_time`](Self::replan_from_time), and reports progress.
    pub fn replan_from_time_with_progress(
        self,
        motion: &Motion,
        time: f32,
        observer: &mut Observer,
    ) -> Result<Plan, PlanError> {
        self.plan_until_valid(observer, |planner, observer| {
            planner.replan_from_time_with_progress(motion, time, observer)
        })
    }

    /// Plans with up to [`MAX_PLANS`] seeds until the check passes. All plans share one budget.
    fn plan_until_valid(
        self,
        observer: &mut Observer,
        mut plan: impl FnMut(clamber_plan::Planner, &mut Observer) -> Result<clamber_plan::Plan, clamber_plan::PlanError>,
    ) -> Result<Plan, PlanError> {
        let Self { planner, check, mut settings, seed, memory, .. } = self;
        let (problem, cancel) = (Arc::clone(planner.problem()), planner.cancel_token());
        let checker = Checker { problem: Arc::clone(&problem), settings: check, cancel: cancel.clone() };
        let budget = settings.max_expansions;
        let mut result = checker.check(plan(planner, observer), observer);
        for number in 1..MAX_PLANS {
            let Err(error @ PlanError { reason: Failure::CheckFailed { .. }, .. }) = &result else { break };
            let spent = error.statistics;
            if spent.expansions >= budget {
                break;
            }
            settings.max_expansions = budget - spent.expansions;
            // Far from the seeds that callers choose, so that no two runs share a plan.
            let next_seed = seed.wrapping_add(number << 48);
            let planner = clamber_plan::Planner::new(Arc::clone(&problem))
                .settings(settings)
                .seed(next_seed)
                .guide_memory(memory.clone())
                .with_cancel_token(cancel.clone());
            result = checker.check(plan(planner, observer), observer);
            match &mut result {
                Ok(Plan { statistics, .. }) | Err(PlanError { statistics, .. }) => statistics.add_effort(&spent),
            }
        }
        result
    }
}

impl Plan {
    /// What the motion costs, by which [`Planner::best_of`] compares: [`Bearing::cost`], or the duration for a character without
    /// modes.
    pub fn cost(&self, problem: &Problem) -> f32 {
        bearing(problem, &self.motion).map_or(self.motion.duration(), |bearing| bearing.cost())
    }
}

/// The better of two results, with the work of both. A cancellation ends the comparison.
fn better(problem: &Problem, a: Result<Plan, PlanError>, b: Result<Plan, PlanError>) -> Result<Plan, PlanError> {
    let is_second = match (&a, &b) {
        (_, Err(PlanError { reason: Failure::Cancelled, .. })) => true,
        (Ok(a), Ok(b)) => b.cost(problem) < a.cost(problem),
        (a, b) => a.is_err() && b.is_ok(),
    };
    let (mut chosen, other) = if is_second { (b, a) } else { (a, b) };
    let (Ok(Plan { statistics: spent, .. }) | Err(PlanError { statistics: spent, .. })) = &other;
    let (Ok(Plan { statistics, .. }) | Err(PlanError { statistics, .. })) = &mut chosen;
    statistics.add_effort(spent);
    chosen
}

/// Checks plans.
struct Checker {
    problem: Arc<Problem>,
    settings: CheckSettings,
    cancel: CancelToken,
}

impl Checker {
    /// A plan that passes the check, or why it does not.
    fn check(
        &self,
        result: Result<clamber_plan::Plan, clamber_plan::PlanError>,
        observer: &mut Observer,
    ) -> Result<Plan, PlanError> {
        let (motion, statistics) = match result {
            Ok(plan) => (plan.motion, plan.statistics),
            Err(error) => {
                let clamber_plan::PlanError { reason, statistics, partial_motion: partial, .. } = error;
                return Err(PlanError { reason, statistics, partial_motion: partial, check_report: None });
            }
        };
        let Statistics { expansions, backtracks, .. } = statistics;
        let observer = &mut |progress: &CheckProgress| {
            if self.cancel.is_cancelled() {
                return ControlFlow::Break(());
            }
            observer(&Progress::of_check(progress.fraction, expansions, backtracks))
        };
        let report = check_motion_with_progress(&self.problem, &motion, &self.settings, observer);
        let reason = match &report {
            Some(report) if !report.passed() => {
                let failed = report.properties.iter().filter(|result| !result.passed).map(|result| result.property);
                Failure::CheckFailed { properties: failed.collect::<Vec<_>>().join(", ") }
            }
            Some(report) => return Ok(Plan { motion, statistics, check_report: report.clone() }),
            None => Failure::Cancelled,
        };
        Err(PlanError { reason, statistics, partial_motion: Box::new(motion), check_report: report })
    }
}
