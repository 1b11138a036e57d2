//! The states of the automaton: how far an edge has been carried out.

use clamber_model::id::{EdgeId, ModeId};

/// An explanation of the motion so far.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    /// The mode in which the next edge begins.
    pub mode: ModeId,
    /// The mode that the motion may still be labeled with: an edge changes the mode when its holds are taken, and a motion
    /// may extend the former mode up to the next change.
    pub former_mode: Option<ModeId>,
    /// The edge in progress.
    pub edge: Option<EdgeProgress>,
    pub is_turning: bool,
    /// Whether the last contact was one of the target, taken without an edge.
    pub has_taken_target: bool,
    /// The contacts that were released in this moment and must be taken again in it, as indices in the motion.
    pub to_retake: Vec<usize>,
}

/// How far an edge has been carried out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EdgeProgress {
    pub edge: EdgeId,
    /// The number of effects that are complete.
    pub effects: usize,
    /// The number of takes that are complete.
    pub takes: usize,
    /// The contacts that it has made, as indices in the motion.
    pub made: Vec<usize>,
}

impl State {
    /// A state between two edges.
    pub fn in_mode(mode: ModeId) -> Self {
        Self { mode, former_mode: None, edge: None, is_turning: false, has_taken_target: false, to_retake: Vec::new() }
    }
}
