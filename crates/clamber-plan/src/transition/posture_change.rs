//! The question that a transition answers: from one posture to another on given contacts.

use clamber_model::{Configuration, Contact};

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// What mostly works.
    Quick,
    /// Whatever may work.
    Thorough,
}

/// A change of posture.
#[derive(Clone, Copy)]
pub(crate) struct PostureChange<'a> {
    pub from: &'a Configuration,
    pub to: &'a Configuration,
    /// What is held all the path.
    pub held: &'a [Contact],
    /// What is held at its end, too: its effector swings there.
    pub adds: Option<&'a Contact>,
    /// Whether limbs that hold nothing may end elsewhere.
    pub is_loose: bool,
}
