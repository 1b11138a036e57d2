//! Progress of making a clip, and its cancellation.

use std::ops::ControlFlow;

use crate::error::ClipError;

/// Progress of refining a motion or of adding hands and feet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClipProgress {
    /// The finished fraction, from 0 to 1. It never falls.
    pub fraction: f32,
}

/// Called many times per second. [`ControlFlow::Break`] cancels.
pub type ClipObserver<'a> = dyn FnMut(&ClipProgress) -> ControlFlow<()> + 'a;

/// An observer that never cancels.
pub(crate) fn ignore_progress(_: &ClipProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Steps between two calls of the observer. A step takes some tens of microseconds.
const STEPS_PER_REPORT: usize = 16;

/// Items between two calls of the observer in loops over many items that take less than a microsecond each.
const ITEMS_PER_REPORT: usize = 1024;

/// Counts the work and tells the observer about it.
pub(crate) struct ProgressReporter<'a, 'o> {
    observer: &'a mut ClipObserver<'o>,
    /// The finished fraction at the beginning and at the end of the present stage.
    stage: [f32; 2],
    /// The steps of the present stage: finished, and expected.
    steps: [usize; 2],
    /// Steps since the observer was called.
    unreported: usize,
    /// The finished fraction that was reported last.
    finished: f32,
}

impl<'a, 'o> ProgressReporter<'a, 'o> {
    pub fn new(observer: &'a mut ClipObserver<'o>) -> Self {
        Self { observer, stage: [0.0; 2], steps: [0, 1], unreported: 0, finished: 0.0 }
    }

    /// Ends the present stage and begins one after which this fraction of all work is finished.
    pub fn begin_stage(&mut self, end: f32, steps: usize) -> Result<(), ClipError> {
        self.stage = [self.stage[1], end];
        self.steps = [0, steps.max(1)];
        self.report()
    }

    /// Begins a stage that is this share of what the present stage leaves to do: how often work is repeated is not known in
    /// advance.
    pub fn begin_share_of_rest(&mut self, share: f32, steps: usize) -> Result<(), ClipError> {
        let begin = self.stage[1];
        self.begin_stage(begin + (1.0 - begin) * share, steps)
    }

    /// Counts a step of the stage.
    pub fn step(&mut self) -> Result<(), ClipError> {
        self.steps[0] += 1;
        self.unreported += 1;
        if self.unreported >= STEPS_PER_REPORT { self.report() } else { Ok(()) }
    }

    /// Asks the observer before some of the items of a loop, by their index.
    pub fn poll_at(&mut self, index: usize) -> Result<(), ClipError> {
        if index.is_multiple_of(ITEMS_PER_REPORT) { self.report() } else { Ok(()) }
    }

    /// Ends the last stage.
    pub fn finish(&mut self) -> Result<(), ClipError> {
        self.begin_stage(1.0, 1)?;
        self.begin_stage(1.0, 1)
    }

    fn report(&mut self) -> Result<(), ClipError> {
        let [begin, end] = self.stage;
        let done = (self.steps[0] as f32 / self.steps[1] as f32).min(1.0);
        self.finished = (begin + (end - begin) * done).max(self.finished).min(1.0);
        self.unreported = 0;
        match (self.observer)(&ClipProgress { fraction: self.finished }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ClipError::Cancelled),
        }
    }
}
