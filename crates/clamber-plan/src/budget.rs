//! Counts the work of a plan, and stops it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stage of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanStage {
    /// The search for a path.
    Search,
    /// Shortening the path that was found.
    Smooth,
    /// Checking the motion; `clamber::Planner` does it after planning.
    Check,
}

/// Progress of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// What the planner is doing.
    pub stage: PlanStage,
    /// The finished fraction of the stage, from 0 to 1; of the distance to the goal during the search. It may fall when the
    /// search backtracks.
    pub fraction: f32,
    /// Configurations tried so far.
    pub expansions: u64,
    /// Backtracks so far.
    pub backtracks: u64,
}

impl Progress {
    /// Progress of the check of a plan that took this work.
    pub fn of_check(fraction: f32, expansions: u64, backtracks: u64) -> Self {
        Self { stage: PlanStage::Check, fraction, expansions, backtracks }
    }
}

/// Called every few hundred expansions. [`ControlFlow::Break`] cancels the plan.
pub type Observer<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// Cancels a plan from another thread. Clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks the plan to stop. It cannot be undone.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a search stops early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interrupt {
    /// Every configuration that the budget allows was tried.
    BudgetSpent,
    /// The caller cancelled.
    Cancelled,
}

/// Counts the configurations that a search tries, up to a limit.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    cancel: CancelToken,
    max_expansions: u64,
    /// Configurations tried so far.
    pub expansions: u64,
    /// Backtracks so far.
    pub backtracks: u64,
}

impl Budget {
    pub fn new(max_expansions: u64, cancel: CancelToken) -> Self {
        Self { cancel, max_expansions, expansions: 0, backtracks: 0 }
    }

    /// The whole budget once more, cancelled by the same token.
    pub fn renewed(&self) -> Self {
        Self::new(self.max_expansions, self.cancel.clone())
    }

    /// Counts configurations about to be tried.
    pub fn spend(&mut self, count: u64) -> Result<(), Interrupt> {
        if self.expansions >= self.max_expansions {
            return Err(Interrupt::BudgetSpent);
        }
        if self.cancel.is_cancelled() {
            return Err(Interrupt::Cancelled);
        }
        self.expansions += count;
        Ok(())
    }
}
