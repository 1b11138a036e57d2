//! How a plan tells how it is going, and is stopped.

use std::ops::ControlFlow;

/// What the planner is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Looking for a way.
    Search,
    /// Straightening the way that was found.
    Smooth,
}

/// How a plan is going.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What the planner is doing.
    pub phase: Phase,
    /// The share of the phase's way that is behind, from 0 to 1: of the distance to the goal in the search. It may
    /// fall when the search goes back.
    pub share: f32,
    /// Configurations tried so far.
    pub expansions: u64,
    /// Times the search went back so far.
    pub backtracks: u64,
}

/// Told every few hundred expansions; answering [`ControlFlow::Break`] stops the plan, which then returns what it has.
/// It can be sent, so that a plan that is under way can be.
pub type Observer<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

/// Why a search has to end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// All the configurations that it may try were tried.
    BudgetSpent,
    /// The observer said so.
    Cancelled,
}

/// The observer is told each time this many more configurations were tried.
pub(crate) const EXPANSIONS_BETWEEN_REPORTS: u64 = 512;

/// Counts what a search tries, and tells the observer.
pub(crate) struct Meter<'a, 'o> {
    observer: Option<&'a mut Observer<'o>>,
    max_expansions: u64,
    /// Configurations tried so far.
    pub expansions: u64,
    /// Times the search went back so far.
    pub backtracks: u64,
    /// The share of the way that is behind, as last known.
    pub share: f32,
}

impl<'a, 'o> Meter<'a, 'o> {
    pub fn new(observer: &'a mut Observer<'o>, max_expansions: u64) -> Self {
        Self { observer: Some(observer), ..Self::unwatched(max_expansions) }
    }

    /// A meter that only counts.
    pub fn unwatched(max_expansions: u64) -> Self {
        Self { observer: None, max_expansions, expansions: 0, backtracks: 0, share: 0.0 }
    }

    /// Counts configurations about to be tried.
    pub fn spend(&mut self, count: u64) -> Result<(), Stop> {
        let before = self.expansions;
        if before >= self.max_expansions {
            return Err(Stop::BudgetSpent);
        }
        self.expansions += count;
        let reports = |expansions: u64| expansions / EXPANSIONS_BETWEEN_REPORTS;
        if reports(before) != reports(self.expansions) {
            self.report(Phase::Search, self.share)?;
        }
        Ok(())
    }

    /// Tells the observer where things stand.
    pub fn report(&mut self, phase: Phase, share: f32) -> Result<(), Stop> {
        let progress = Progress { phase, share, expansions: self.expansions, backtracks: self.backtracks };
        let is_stopped = self.observer.as_mut().is_some_and(|observer| observer(&progress).is_break());
        if is_stopped { Err(Stop::Cancelled) } else { Ok(()) }
    }
}
