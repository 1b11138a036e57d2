//! What Ctrl-C does: the first one exits at once or cancels the present work, the second one always exits at once.
//!
//! While a scene is read or a file is prepared there is nothing to clean up, so Ctrl-C exits. Work that reports progress is asked to
//! stop instead, and a file is written to its end.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::exit_status::Status;

/// Whether Ctrl-C was ever pressed.
static IS_PRESSED: AtomicBool = AtomicBool::new(false);

/// Whether the present work is to stop.
static IS_CANCELLED: AtomicBool = AtomicBool::new(false);

/// The number of [`ExitDelay`]s.
static DELAYS: AtomicUsize = AtomicUsize::new(0);

/// Sets the handler. If it cannot be set, Ctrl-C ends the process as usual.
pub fn set_handler() {
    let _ = ctrlc::set_handler(|| {
        let is_second = IS_PRESSED.swap(true, Ordering::SeqCst);
        IS_CANCELLED.store(true, Ordering::SeqCst);
        if is_second || DELAYS.load(Ordering::SeqCst) == 0 {
            exit();
        }
    });
}

/// Whether the present work is to stop.
pub fn is_cancelled() -> bool {
    IS_CANCELLED.load(Ordering::SeqCst)
}

/// Says that the work has stopped and that what follows, such as writing its partial result, is to be done.
pub fn acknowledge_cancellation() {
    IS_CANCELLED.store(false, Ordering::SeqCst);
}

/// While it lives, the first Ctrl-C does not exit.
pub struct ExitDelay(());

impl ExitDelay {
    pub fn new() -> Self {
        DELAYS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for ExitDelay {
    fn drop(&mut self) {
        DELAYS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs something that must not be left half done, and exits afterwards if Ctrl-C was pressed and nothing else delays it.
pub fn finish_before_exit<T>(work: impl FnOnce() -> T) -> T {
    let delay = ExitDelay::new();
    let result = work();
    drop(delay);
    if is_cancelled() && DELAYS.load(Ordering::SeqCst) == 0 {
        exit();
    }
    result
}

/// Runs something that leaves nothing behind, within one [`ExitDelay`]: Ctrl-C exits at once.
pub fn exit_at_once_during<T>(_delay: &ExitDelay, work: impl FnOnce() -> T) -> T {
    DELAYS.fetch_sub(1, Ordering::SeqCst);
    if is_cancelled() {
        exit();
    }
    let result = work();
    DELAYS.fetch_add(1, Ordering::SeqCst);
    result
}

fn exit() -> ! {
    // The prompt is not to follow a progress bar on its line.
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
    std::process::exit(Status::Cancelled as i32);
}
