//! The path from one posture to the next while some contacts last and a limb moves to a new one.

mod tuning;
pub(crate) mod transition_problem;
mod keep_equilibrium;
mod bidirectional_tree;
mod body_path;
mod swing_curve;
mod tip_path;
mod limb_tree;
mod limb_swing;
mod follow_keyframes;
mod transition_path;
