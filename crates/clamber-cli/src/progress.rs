//! A progress bar on a terminal, silence in a pipe; and a polite end on Ctrl-C.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clamber::plan::{PlanStage, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows how a plan or a drawing goes, and notices when it should stop.
pub struct Watch {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Watch {
    pub fn new() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        // The first Ctrl-C asks for an end, the second makes one. Without a handler, the first already does.
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
        Self { bar, stop }
    }

    pub fn plan(&self, progress: &Progress) -> ControlFlow<()> {
        let phase = match progress.stage {
            PlanStage::Search => "searching",
            PlanStage::Smooth => "smoothing",
            _ => "planning",
        };
        let message = format!("{} tried, {} times back", progress.expansions, progress.backtracks);
        self.show(phase, progress.share, message)
    }

    pub fn draw(&self, share: f32) -> ControlFlow<()> {
        self.show("drawing", share, String::new())
    }

    fn show(&self, phase: &'static str, share: f32, message: String) -> ControlFlow<()> {
        if !self.bar.is_hidden() {
            self.bar.set_prefix(phase);
            self.bar.set_position((1000.0 * share) as u64);
            self.bar.set_message(message);
        }
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
