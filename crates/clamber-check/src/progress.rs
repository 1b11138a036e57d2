//! Progress of a check, and its cancellation.

use std::ops::ControlFlow;

/// Progress of a check.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckProgress {
    /// The finished fraction, from 0 to 1. It never falls.
    pub fraction: f32,
}

/// Called many times per second. [`ControlFlow::Break`] cancels the check.
pub type CheckObserver<'a> = dyn FnMut(&CheckProgress) -> ControlFlow<()> + 'a;

/// Steps between two calls of the observer: a step takes some microseconds, and a call is to cost nothing in comparison.
const STEPS_PER_REPORT: usize = 64;

/// Counts the work of a check and tells the observer about it.
pub(crate) struct ProgressReporter<'a, 'o> {
    observer: &'a mut CheckObserver<'o>,
    /// The finished fraction at the beginning and at the end of the present stage.
    stage: [f32; 2],
    /// The finished fraction that was reported last.
    finished: f32,
    steps: usize,
    is_cancelled: bool,
}

impl<'a, 'o> ProgressReporter<'a, 'o> {
    pub fn new(observer: &'a mut CheckObserver<'o>) -> Self {
        Self { observer, stage: [0.0; 2], finished: 0.0, steps: 0, is_cancelled: false }
    }

    /// Begins a stage that is this share of the whole work.
    pub fn begin_stage(&mut self, share: f32) {
        self.stage = [self.stage[1], self.stage[1] + share];
        self.report(0.0);
    }

    /// Counts a step, after which this fraction of the stage is finished. Returns whether to continue.
    pub fn step(&mut self, fraction: f32) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_REPORT) {
            self.report(fraction);
        }
        !self.is_cancelled
    }

    /// Asks the observer. Returns whether to continue.
    pub fn poll(&mut self) -> bool {
        self.report(0.0);
        !self.is_cancelled
    }

    /// Ends the last stage.
    pub fn finish(&mut self) {
        self.stage = [1.0; 2];
        self.report(1.0);
    }

    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    fn report(&mut self, fraction: f32) {
        let [begin, end] = self.stage;
        self.finished = (begin + (end - begin) * fraction).max(self.finished).min(1.0);
        // An observer that cancelled is not called again.
        let progress = CheckProgress { fraction: self.finished };
        self.is_cancelled = self.is_cancelled || (self.observer)(&progress).is_break();
    }
}
