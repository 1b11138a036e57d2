//! The path from one posture to the next while some contacts last and a limb moves to a new one.

pub(crate) mod posture_change;
mod tree;
mod body_path;
