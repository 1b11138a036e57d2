//! The exit status of the command.

use miette::Diagnostic;

/// The exit status, as the shell sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Success = 0,
    InvalidMotion = 1,
    InputError = 2,
    NoPlan = 3,
    /// By Ctrl-C, as shells count it.
    Cancelled = 130,
}

/// Ctrl-C ended some work.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{what} was cancelled")]
pub struct Cancelled {
    pub what: &'static str,
}
