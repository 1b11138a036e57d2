//! The exit status of the command.

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
