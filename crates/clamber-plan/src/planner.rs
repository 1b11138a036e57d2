//! The planner as a user sees it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clamber_model::{Motion, Problem};

use crate::budget::{CancelToken, Observer, Progress};
use crate::plan::{Plan, PlanError};
use crate::replan;
use crate::run_search::Search;
use crate::settings::{Algorithm, PlanSettings};
use crate::trunk_guide::GuideMemory;

/// Weight by which the length of the longest piece of work without a checkpoint is forgotten, at each checkpoint.
const PIECE_DECAY: f32 = 0.999;

/// Searches for a motion from the start of a [`Problem`] to its goal.
///
/// It owns its data and is `Send`, so it can live in a game's component, a Python object or a browser worker. The same
/// problem, settings and seed give the same plan, byte for byte, however the work is sliced.
///
/// Plan in one call:
///
/// ```no_run
/// # fn example(problem: clamber_model::Problem) {
/// use clamber_plan::Planner;
///
/// match Planner::new(problem).seed(1).run() {
///     Ok(plan) => println!("{} frames", plan.motion.frames.len()),
///     Err(error) => println!("no plan: {error}; {:?}", error.reason.suggestion()),
/// }
/// # }
/// ```
///
/// Or in slices, for example one for each frame of a game:
///
/// ```no_run
/// # fn example(problem: clamber_model::Problem) {
/// use clamber_plan::Planner;
///
/// let mut planner = Planner::new(problem).budget(200_000);
/// while !planner.advance(1_000) {
///     println!("{:.0}%", 100.0 * planner.progress().fraction);
/// }
/// let result = planner.into_result();
/// # }
/// ```
pub struct Planner {
    problem: Arc<Problem>,
    settings: PlanSettings,
    seed: u64,
    cancel: CancelToken,
    memory: GuideMemory,
    /// `None` before the first slice.
    search: Option<Search>,
    /// The longest time between two recent checkpoints.
    longest_piece: Duration,
}

impl Planner {
    /// A planner with default settings and seed 0.
    pub fn new(problem: impl Into<Arc<Problem>>) -> Self {
        Self {
            problem: problem.into(),
            settings: PlanSettings::default(),
            seed: 0,
            cancel: CancelToken::default(),
            memory: GuideMemory::default(),
            search: None,
            longest_piece: Duration::ZERO,
        }
    }

    /// The seed of every random choice. Default 0.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, search: None, ..self }
    }

    /// The configurations to try before giving up: [`PlanSettings::max_expansions`].
    pub fn budget(self, max_expansions: u64) -> Self {
        let settings = PlanSettings { max_expansions, ..self.settings };
        self.settings(settings)
    }

    /// The algorithm: [`PlanSettings::algorithm`].
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        let settings = PlanSettings { algorithm, ..self.settings };
        self.settings(settings)
    }

    /// Whether the path is smoothed: [`PlanSettings::smooth`].
    pub fn smoothing(self, smooth: bool) -> Self {
        let settings = PlanSettings { smooth, ..self.settings };
        self.settings(settings)
    }

    /// Replaces all settings.
    pub fn settings(self, settings: PlanSettings) -> Self {
        Self { settings, search: None, ..self }
    }

    /// The problem to solve.
    pub fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// Replaces the token that cancels this planner: one token may cancel several.
    pub fn with_cancel_token(self, cancel: CancelToken) -> Self {
        Self { cancel, search: None, ..self }
    }

    /// Begins with what earlier planners with this memory learned about the world in space, and adds to it. After an edit, only what is
    /// near is learned again. The plan is the same as without a memory, but may take less time.
    pub fn guide_memory(self, memory: GuideMemory) -> Self {
        Self { memory, search: None, ..self }
    }

    /// A token that cancels this planner from another thread.
    pub fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// Plans until the goal is reached, the planner gives up or the budget is spent.
    pub fn run(self) -> Result<Plan, PlanError> {
        self.run_with_progress(&mut |_| ControlFlow::Continue(()))
    }

    /// Like [`run`](Self::run), and reports progress. The observer cancels by returning [`ControlFlow::Break`].
    pub fn run_with_progress(mut self, observer: &mut Observer) -> Result<Plan, PlanError> {
        self.begin();
        match self.search.take() {
            Some(search) => search.run(observer).into_result(),
            None => unreachable!("the search has just begun"),
        }
    }

    /// Plans until about this many more configurations were tried; true when the search is over.
    ///
    /// A slice may exceed the count by some tens, since the search returns only at its checkpoints.
    pub fn advance(&mut self, expansions: u64) -> bool {
        self.begin().advance(expansions)
    }

    /// Plans while the function returns true; true when the search is over. The function is called every few configurations,
    /// so that a slice can end by any clock or flag.
    pub fn advance_while(&mut self, mut continues: impl FnMut() -> bool) -> bool {
        self.begin().advance_while(&mut continues)
    }

    /// Plans for about this much time; true when the search is over.
    ///
    /// A slice ends before the time is over: it keeps a reserve, from a half to three quarters of the time, for the longest piece of
    /// work without a checkpoint. WebAssembly without an operating system has no clock: there a slice ends at the first checkpoint, and
    /// [`advance_while`](Self::advance_while) takes the host's clock.
    pub fn advance_for(&mut self, time: Duration) -> bool {
        // The standard library's clock would panic.
        if cfg!(all(target_family = "wasm", target_os = "unknown")) {
            return self.advance_while(|| false);
        }
        let begin = Instant::now();
        let (mut last, mut longest) = (Duration::ZERO, self.longest_piece);
        let is_over = self.advance_while(|| {
            let now = begin.elapsed();
            longest = longest.mul_f32(PIECE_DECAY).max(now - last);
            last = now;
            now + longest.clamp(time / 2, 3 * time / 4) < time
        });
        self.longest_piece = longest;
        is_over
    }

    /// Progress of the search.
    pub fn progress(&mut self) -> Progress {
        self.begin().progress()
    }

    /// The motion that ends nearest to the goal so far. It begins at the start.
    pub fn best_motion(&mut self) -> Motion {
        self.begin().best_motion()
    }

    /// Ends the search and returns its result. A search that [`advance`](Self::advance) did not complete is
    /// [cancelled](crate::Failure::Cancelled).
    pub fn into_result(mut self) -> Result<Plan, PlanError> {
        self.begin();
        match self.search.take() {
            Some(search) => search.finish().into_result(),
            None => unreachable!("the search has just begun"),
        }
    }

    /// Repairs a motion after the problem was edited: keeps what still solves the problem and replans the rest.
    ///
    /// A motion that solves the problem is returned unchanged. Otherwise the planner finds the first and the last frame that
    /// violate the problem: contacts on forbidden or moved holds, unused pins, missing passages, another start or goal,
    /// collisions. It replans a piece around them; where that fails, it keeps less and less. All tries share one budget.
    pub fn replan(self, motion: &Motion) -> Result<Plan, PlanError> {
        self.replan_with_progress(motion, &mut |_| ControlFlow::Continue(()))
    }

    /// Like [`replan`](Self::replan), and reports progress.
    pub fn replan_with_progress(self, motion: &Motion, observer: &mut Observer) -> Result<Plan, PlanError> {
        let request = self.request(motion);
        replan::replan(&request, motion, observer).into_result()
    }

    /// Keeps a motion up to a time in seconds and plans the rest anew (Kalisiak 1999, 5.6.3).
    ///
    /// The kept part ends with the last frame up to that time in a mode of the mode table, since turns and passages are kept
    /// or dropped as a whole. Passages and pins in the kept part count as done.
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
        let request = self.request(motion);
        replan::continue_from(&request, motion, time, observer).into_result()
    }

    /// What is planned beside a motion out of equilibrium begins or ends out of equilibrium too.
    fn request(self, motion: &Motion) -> replan::Request {
        let Self { problem, mut settings, seed, cancel, memory, .. } = self;
        settings.equilibrium &= motion.in_equilibrium;
        replan::Request { problem, settings, seed, cancel, memory }
    }

    fn begin(&mut self) -> &mut Search {
        let Self { problem, settings, seed, cancel, memory, search, .. } = self;
        let begin = || Search::new(Arc::clone(problem), *settings, *seed, cancel.clone(), memory.clone());
        search.get_or_insert_with(begin)
    }
}

/// A planner can move between threads and owns its data.
const _: () = {
    const fn is_send_and_static<T: Send + 'static>() {}
    is_send_and_static::<Planner>();
};
