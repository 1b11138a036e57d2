//! A progress bar on terminals, and cancellation with Ctrl-C.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clamber::check::CheckProgress;
use clamber::plan::{PlanStage, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows the progress of planning, checking or drawing, and cancels it on Ctrl-C.
pub struct ProgressMonitor {
    bar: ProgressBar,
    cancelled: Arc<AtomicBool>,
}

impl ProgressMonitor {
    pub fn new() -> Self {
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        // The first Ctrl-C cancels, the second exits at once. If the handler cannot be set, the first exits.
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        let target =
            if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(1000), target);
        let style =
            ProgressStyle::with_template("{prefix:>10} [{bar:30}] {elapsed} {msg}").expect("a constant template");
        bar.set_style(style.progress_chars("=> "));
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, cancelled }
    }

    pub fn report_plan(&self, progress: &Progress) -> ControlFlow<()> {
        let stage = match progress.stage {
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

    pub fn report_drawing(&self, fraction: f32) -> ControlFlow<()> {
        self.show("drawing", fraction, String::new())
    }

    fn show(&self, stage: &'static str, fraction: f32, message: String) -> ControlFlow<()> {
        if !self.bar.is_hidden() {
            self.bar.set_prefix(stage);
            self.bar.set_position((1000.0 * fraction) as u64);
            self.bar.set_message(message);
        }
        if self.cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for ProgressMonitor {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
