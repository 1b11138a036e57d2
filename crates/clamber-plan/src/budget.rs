//! Counts the work of a plan, and stops it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::resumable_search::{SharedMonitor, checkpoint};

/// Stage of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanStage {
    /// Building the guide.
    Prepare,
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

/// Expansions between two checkpoints of a search: few enough that a slice ends in time, and enough that returning to the caller
/// costs nothing beside them.
const EXPANSIONS_PER_CHECKPOINT: u64 = 8;

/// Counts the configurations that a search tries, up to a limit, and returns to the caller at checkpoints.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    cancel: CancelToken,
    max_expansions: u64,
    /// Configurations tried so far.
    pub expansions: u64,
    /// Backtracks so far.
    pub backtracks: u64,
    /// Expansions at the last checkpoint.
    last_checkpoint: u64,
    pub monitor: SharedMonitor,
}

impl Budget {
    pub fn new(max_expansions: u64, cancel: CancelToken, monitor: SharedMonitor) -> Self {
        Self { cancel, max_expansions, expansions: 0, backtracks: 0, last_checkpoint: 0, monitor }
    }

    /// The whole budget once more, cancelled by the same token. Its expansions are not published.
    pub fn renewed(&self) -> Self {
        Self::new(self.max_expansions, self.cancel.clone(), SharedMonitor::default())
    }

    /// Counts configurations about to be tried.
    pub async fn spend(&mut self, count: u64) -> Result<(), Interrupt> {
        if self.expansions >= self.max_expansions {
            return Err(Interrupt::BudgetSpent);
        }
        if self.is_cancelled() {
            return Err(Interrupt::Cancelled);
        }
        self.count(count).await;
        Ok(())
    }

    /// Counts configurations that were tried, whatever the limit.
    pub async fn count(&mut self, count: u64) {
        self.expansions += count;
        if self.expansions >= self.last_checkpoint + EXPANSIONS_PER_CHECKPOINT {
            self.checkpoint().await;
        }
    }

    /// Returns to the caller of the slice.
    pub async fn checkpoint(&mut self) {
        self.last_checkpoint = self.expansions;
        self.monitor.publish_counts(self.expansions, self.backtracks);
        checkpoint().await;
    }

    /// Publishes the finished fraction of the smoothing and returns to the caller; false when it cancelled.
    pub async fn continues_smoothing(&mut self, fraction: f32) -> bool {
        self.monitor.publish_fraction(fraction);
        self.checkpoint().await;
        !self.is_cancelled()
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled() || self.monitor.is_stopped()
    }
}
