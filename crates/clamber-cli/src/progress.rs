//! A progress bar on terminals, and cancellation with Ctrl-C.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use clamber::ClipProgress;
use clamber::check::CheckProgress;
use clamber::plan::{PlanStage, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::ctrl_c::{ExitDelay, exit_at_once_during, is_cancelled};

/// Reading that lasts longer than this is shown.
const SHOWN_AFTER: Duration = Duration::from_millis(500);

/// The interval at which elapsed times are shown.
const TICK: Duration = Duration::from_millis(250);

/// Shows the progress of planning, refining, checking or drawing, and cancels it on Ctrl-C.
pub struct ProgressMonitor {
    bar: ProgressBar,
    delay: ExitDelay,
}

impl ProgressMonitor {
    pub fn new() -> Self {
        let delay = ExitDelay::new();
        let bar = ProgressBar::with_draw_target(Some(1000), draw_target());
        bar.set_style(style("{prefix:>10} [{bar:30}] {elapsed} {msg}").progress_chars("=> "));
        bar.enable_steady_tick(TICK);
        Self { bar, delay }
    }

    pub fn report_plan(&self, progress: &Progress) -> ControlFlow<()> {
        let stage = match progress.stage {
            PlanStage::Prepare => "preparing",
            PlanStage::Search => "searching",
            PlanStage::Smooth => "smoothing",
            PlanStage::Check => "checking",
            _ => "planning",
        };
        let message = format!("{} configurations expanded, {} backtracks", progress.expansions, progress.backtracks);
        self.show(stage, progress.fraction, message)
    }

    pub fn report_check(&self, progress: &CheckProgress) -> ControlFlow<()> {
        self.show("checking", progress.fraction, String::new())
    }

    pub fn report_refining(&self, progress: &ClipProgress) -> ControlFlow<()> {
        self.show("refining", progress.fraction, String::new())
    }

    pub fn report_hands_and_feet(&self, progress: &ClipProgress) -> ControlFlow<()> {
        self.show("extending", progress.fraction, "adding hands and feet".to_owned())
    }

    pub fn report_drawing(&self, fraction: f32) -> ControlFlow<()> {
        self.show("drawing", fraction, String::new())
    }

    /// Runs something that neither reports progress nor leaves anything behind: Ctrl-C exits at once.
    pub fn run_without_progress<T>(&self, work: impl FnOnce() -> T) -> T {
        exit_at_once_during(&self.delay, work)
    }

    fn show(&self, stage: &'static str, fraction: f32, message: String) -> ControlFlow<()> {
        if !self.bar.is_hidden() {
            self.bar.set_prefix(stage);
            self.bar.set_position((1000.0 * fraction) as u64);
            self.bar.set_message(message);
        }
        if is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A bar that counts what is done of many, such as courses.
pub fn counting_bar(count: u64, of: &'static str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(count), draw_target());
    bar.set_style(style("{pos} of {len} {prefix} [{bar:30}] {elapsed}").progress_chars("=> "));
    bar.set_prefix(of);
    bar.enable_steady_tick(TICK);
    bar
}

impl Drop for ProgressMonitor {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Reads something and shows that on terminals if it takes long. Ctrl-C exits at once.
pub fn show_while_reading<T>(what: &'static str, read: impl FnOnce() -> T) -> T {
    let (finished, wait) = channel::<()>();
    std::thread::scope(move |scope| {
        scope.spawn(move || {
            if wait.recv_timeout(SHOWN_AFTER) == Err(RecvTimeoutError::Timeout) {
                let bar = ProgressBar::with_draw_target(None, draw_target());
                bar.set_style(style("{prefix:>10} {msg} {elapsed}"));
                bar.set_prefix("reading");
                bar.set_message(what);
                bar.enable_steady_tick(TICK);
                // Ends with an error when the sender is dropped.
                let _ = wait.recv();
                bar.finish_and_clear();
            }
        });
        let result = read();
        drop(finished);
        result
    })
}

fn draw_target() -> ProgressDrawTarget {
    if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
}

fn style(template: &'static str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("a constant template")
}
