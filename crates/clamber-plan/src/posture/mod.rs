//! Postures of a character that holds on to the world: keeping contacts, and how comfortable it is.

pub(crate) mod anatomy;
pub(crate) mod holding;
pub(crate) mod discomfort;
pub(crate) mod fit;
pub(crate) mod limb;
pub(crate) mod mover;
pub(crate) mod slope;
pub(crate) mod swing;
pub(crate) mod tree;
