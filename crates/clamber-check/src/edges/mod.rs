//! Whether the mode table's edges allow every change of contacts and modes.
//!
//! A motion is explained as a sequence of edges, each of which takes its holds and applies its effects in order. All
//! explanations are followed at once, as a nondeterministic automaton over the changes of contacts and modes.
//!
//! Judged: the modes that an edge joins; its preconditions on contacts; of each hold that it takes, the group of the effector,
//! a free limb, the type of the hold and the distances from other contacts; which contacts its effects release, and that they
//! do so after the holds were taken; turns. Near the start of a passage and the goal, the last steps onto their own contacts
//! are allowed without an edge.
//!
//! Not judged, because a motion does not tell: conditions on the planner's progress, on its route and on its failures; which
//! contact is the rear one; whether a hold is nearer to the goal than another; conditions on the posture in which a planner
//! chose an edge (head over hip, upright, room to stand, balance before the edge, holds above or below a landmark or faced), since
//! postures between changes of contact are smoothed afterward. Balance at a release is measured by `balance`. A planner may
//! return to an earlier state in the middle of an edge, so an edge may end after any of its effects.

mod contact_and_mode_changes;
mod edge_execution_state;
mod mode_edge_rules;
mod explain_by_mode_edges;

pub(crate) use explain_by_mode_edges::measure;
