//! Searches in slices: a search is a future that returns to its caller at every checkpoint.
//!
//! The compiler turns the async functions of a search into a state machine that can stop deep inside a step, for example half-way
//! through the search for a limb's path. Nothing waits: the caller polls again to continue, so slices need no threads and no
//! clock, work in a browser, and cannot change the result.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use clamber_model::Motion;

/// Returns to the caller of the slice once.
pub(crate) fn checkpoint() -> Checkpoint {
    Checkpoint { has_returned: false }
}

/// The future of [`checkpoint`].
pub(crate) struct Checkpoint {
    has_returned: bool,
}

impl Future for Checkpoint {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context) -> Poll<()> {
        match std::mem::replace(&mut self.has_returned, true) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }
}

/// A computation that runs from checkpoint to checkpoint.
pub(crate) struct SlicedTask<T> {
    future: Pin<Box<dyn Future<Output = T> + Send>>,
}

impl<T> SlicedTask<T> {
    pub fn new(future: impl Future<Output = T> + Send + 'static) -> Self {
        Self { future: Box::pin(future) }
    }

    /// Runs to the next checkpoint. Returns the result at the end; must not be called again then.
    pub fn run_to_checkpoint(&mut self) -> Option<T> {
        match self.future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }
}

/// Runs a future to its end, through all of its checkpoints.
#[cfg(test)]
pub(crate) fn run_to_end<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
    }
}

/// What a search publishes at its checkpoints, and what its caller asks of it.
#[derive(Debug, Default)]
pub(crate) struct SearchMonitor {
    expansions: AtomicU64,
    backtracks: AtomicU64,
    /// The bits of the finished fraction of the stage.
    fraction: AtomicU32,
    /// Whether the search has prepared its guide, so that it has a path.
    has_begun: AtomicBool,
    is_smoothing: AtomicBool,
    /// Whether the caller does not want the search to continue.
    is_stopped: AtomicBool,
    is_motion_wanted: AtomicBool,
    best_motion: Mutex<Option<Motion>>,
}

impl SearchMonitor {
    pub fn publish_counts(&self, expansions: u64, backtracks: u64) {
        self.expansions.store(expansions, Ordering::Relaxed);
        self.backtracks.store(backtracks, Ordering::Relaxed);
    }

    /// Progress never falls: a search that goes back has not lost what it learned.
    pub fn publish_fraction(&self, fraction: f32) {
        let fraction = fraction.max(self.fraction());
        self.fraction.store(fraction.to_bits(), Ordering::Relaxed);
    }

    pub fn begin_search(&self) {
        self.has_begun.store(true, Ordering::Relaxed);
    }

    pub fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed)
    }

    pub fn begin_smoothing(&self) {
        self.is_smoothing.store(true, Ordering::Relaxed);
    }

    pub fn expansions(&self) -> u64 {
        self.expansions.load(Ordering::Relaxed)
    }

    pub fn backtracks(&self) -> u64 {
        self.backtracks.load(Ordering::Relaxed)
    }

    pub fn fraction(&self) -> f32 {
        f32::from_bits(self.fraction.load(Ordering::Relaxed))
    }

    pub fn is_smoothing(&self) -> bool {
        self.is_smoothing.load(Ordering::Relaxed)
    }

    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Asks the search for its best motion, which it publishes between two steps.
    pub fn request_motion(&self) {
        self.is_motion_wanted.store(true, Ordering::Relaxed);
    }

    pub fn is_motion_wanted(&self) -> bool {
        self.is_motion_wanted.load(Ordering::Relaxed)
    }

    /// Publishes the best motion, which was asked for.
    pub fn publish_motion(&self, motion: Motion) {
        self.is_motion_wanted.store(false, Ordering::Relaxed);
        *self.best_motion.lock().unwrap_or_else(PoisonError::into_inner) = Some(motion);
    }

    pub fn take_motion(&self) -> Option<Motion> {
        self.best_motion.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A monitor shared by a search and its caller.
pub(crate) type SharedMonitor = Arc<SearchMonitor>;
