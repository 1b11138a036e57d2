//! How a plan tells how it is going, and is stopped.

use std::ops::ControlFlow;

/// What the planner is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Looking for a way.
    Search,
    /// Straightening the way that was found.
    Smooth,
}

/// How a plan is going.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What the planner is doing.
    pub phase: Phase,
    /// The share of the phase's way that is behind, from 0 to 1: of the distance to the goal in the search. It may
    /// fall when the search goes back.
    pub share: f32,
    /// Configurations tried so far.
    pub expansions: u64,
    /// Times the search went back so far.
    pub backtracks: u64,
}

/// Told every few hundred expansions; answering [`ControlFlow::Break`] stops the plan, which then returns what it has.
pub type Observer<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;
