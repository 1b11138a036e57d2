//! Keeps the parts of a motion that an edit left valid, and plans the rest.
//!
//! A motion is compared with the problem, not the problem with an earlier one, so no record of the edit is needed.

mod tuning;
mod split_at_frame;
mod invalid_frame_range;

use std::sync::Arc;

use clamber_model::motion::FLYING_MODE;
use clamber_model::{Motion, Problem};

use self::invalid_frame_range::{CheckScope, InvalidRange, changes_after, changes_before, invalid_range};
use self::split_at_frame::{Splice, cut, cut_at};
use crate::budget::{CancelToken, Observer};
use crate::failure::Failure;
use crate::plan::{PlanOutcome, Statistics};
use crate::run_search::Search;
use crate::settings::{Algorithm, PlanSettings};
use crate::trunk_guide::GuideMemory;

/// A problem and how to solve it.
pub(crate) struct Request {
    pub problem: Arc<Problem>,
    pub settings: PlanSettings,
    pub seed: u64,
    pub cancel: CancelToken,
    /// All tries are in one world.
    pub memory: GuideMemory,
}

impl Request {
    /// Solves a related problem with another budget.
    fn solve(&self, problem: Arc<Problem>, max_expansions: u64, observer: &mut Observer) -> PlanOutcome {
        self.solve_with(problem, PlanSettings { max_expansions, ..self.settings }, observer)
    }

    /// Solves the problem of a piece, which ends inside a motion.
    fn solve_piece(&self, problem: Arc<Problem>, observer: &mut Observer) -> PlanOutcome {
        let max_expansions = self.settings.max_expansions / tuning::PIECE_BUDGET;
        let settings = PlanSettings { max_expansions, exact_arrival: true, ..self.settings };
        self.solve_with(problem, settings, observer)
    }

    fn solve_with(&self, problem: Arc<Problem>, settings: PlanSettings, observer: &mut Observer) -> PlanOutcome {
        Search::new(problem, settings, self.seed, self.cancel.clone(), self.memory.clone()).run(observer)
    }

    /// Plans on from the kept part of a motion, or from the start when nothing is kept.
    fn solve_rest(&self, cut: Option<(Motion, Problem)>, max_expansions: u64, observer: &mut Observer) -> PlanOutcome {
        let Some((mut kept, rest)) = cut else {
            return self.solve(Arc::clone(&self.problem), max_expansions, observer);
        };
        let mut outcome = self.solve(Arc::new(rest), max_expansions, observer);
        kept.append(&outcome.motion);
        outcome.statistics.frames = kept.frames.len() as u64;
        outcome.motion = kept;
        outcome
    }
}

/// Keeps a motion up to a time and plans the rest.
pub(crate) fn continue_from(request: &Request, motion: &Motion, time: f32, observer: &mut Observer) -> PlanOutcome {
    if let Some(outcome) = rejected(request, motion) {
        return outcome;
    }
    let cut = cut(&request.problem, motion, time);
    request.solve_rest(cut, request.settings.max_expansions, observer)
}

/// The outcome for a problem or a motion that cannot be used at all.
fn rejected(request: &Request, motion: &Motion) -> Option<PlanOutcome> {
    let Problem { character, world, .. } = &*request.problem;
    let validity = request.problem.validate().map_err(Failure::from);
    let failure = validity.and_then(|()| motion.validate(character, world).map_err(Failure::from)).err()?;
    let start = vec![request.problem.start.configuration.clone()];
    let motion = Motion::from_configurations(&character.name, FLYING_MODE, start, 1.0);
    Some(PlanOutcome { motion, failure: Some(failure), statistics: Statistics::default() })
}

/// Replans what an edit made invalid.
pub(crate) fn replan(request: &Request, motion: &Motion, observer: &mut Observer) -> PlanOutcome {
    if let Some(outcome) = rejected(request, motion) {
        return outcome;
    }
    let Some(invalid) = invalid_range(&request.problem, motion, CheckScope::All) else {
        let statistics = Statistics { frames: motion.frames.len() as u64, ..Default::default() };
        return PlanOutcome { motion: motion.clone(), failure: None, statistics };
    };
    let mut effort = Statistics::default();
    // The published planner ends a piece with steps that the mode table allows only at the goal.
    let has_pieces = request.settings.algorithm_for(&request.problem) != Algorithm::Rpp;
    if has_pieces && let Some(outcome) = replan_piece(request, motion, &invalid, &mut effort, observer) {
        return outcome;
    }
    replan_tail(request, motion, &invalid, effort, observer)
}

/// Replans a piece around the invalid frames and keeps the rest: most edits concern one place.
fn replan_piece(
    request: &Request,
    motion: &Motion,
    invalid: &InvalidRange,
    effort: &mut Statistics,
    observer: &mut Observer,
) -> Option<PlanOutcome> {
    let problem = &request.problem;
    let after = changes_after(motion, invalid.last?, tuning::LEAD_IN)?;
    let around = |count: usize| Some([changes_before(motion, invalid.first, count)?, after]);
    for ends in tuning::PIECE_LEAD_INS.into_iter().filter_map(around) {
        let Some(splice) = Splice::new(problem, motion, ends) else { continue };
        let piece = Arc::new(splice.problem.clone());
        let mut outcome = request.solve_piece(piece, observer);
        outcome.statistics.add_effort(effort);
        if outcome.failure == Some(Failure::Cancelled) {
            outcome.motion = splice.begin(&outcome.motion);
            outcome.statistics.frames = outcome.motion.frames.len() as u64;
            return Some(outcome);
        }
        let whole = splice.join(&outcome.motion);
        if outcome.failure.is_none() && invalid_range(problem, &whole, CheckScope::WithoutCollisions).is_none() {
            outcome.statistics.frames = whole.frames.len() as u64;
            outcome.motion = whole;
            return Some(outcome);
        }
        *effort = outcome.statistics;
    }
    None
}

/// Replans everything from a place before the invalid frames to the goal, and keeps less with every try.
fn replan_tail(
    request: &Request,
    motion: &Motion,
    invalid: &InvalidRange,
    mut effort: Statistics,
    observer: &mut Observer,
) -> PlanOutcome {
    let problem = &request.problem;
    let back = |count: usize| cut_at(problem, motion, changes_before(motion, invalid.first, count)?);
    let counts = std::iter::successors(Some(tuning::LEAD_IN), |count| count.checked_mul(2));
    let mut cuts: Vec<(Motion, Problem)> = counts.map_while(back).collect();
    cuts.dedup_by_key(|(kept, _)| kept.frames.len());
    let tries = cuts.len();
    for (done, cut) in cuts.into_iter().enumerate() {
        let left = request.settings.max_expansions.saturating_sub(effort.expansions);
        // Tries that keep more have less to find, so each may spend about twice as much as the one before.
        let mut outcome = request.solve_rest(Some(cut), left >> (tries - done), observer);
        outcome.statistics.add_effort(&effort);
        if matches!(outcome.failure, None | Some(Failure::Cancelled)) {
            return outcome;
        }
        effort = outcome.statistics;
    }
    let left = request.settings.max_expansions.saturating_sub(effort.expansions);
    let mut outcome = request.solve(Arc::clone(problem), left, observer);
    outcome.statistics.add_effort(&effort);
    outcome
}
