//! Turns the way that a search found into a motion.

pub(crate) mod smooth;
