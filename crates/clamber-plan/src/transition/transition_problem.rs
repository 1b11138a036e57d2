//! The problem that a transition solves: from one posture to another on given contacts.

use clamber_model::{Configuration, Contact};

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Only what mostly works.
    Quick,
    /// Everything.
    Thorough,
}

/// A change of posture.
#[derive(Clone, Copy)]
pub(crate) struct PostureChange<'a> {
    pub from: &'a Configuration,
    pub to: &'a Configuration,
    /// The contacts that last.
    pub held: &'a [Contact],
    /// The contact that is made at its end; its effector swings there.
    pub adds: Option<&'a Contact>,
    /// Whether limbs without contact may end elsewhere.
    pub is_loose: bool,
}
