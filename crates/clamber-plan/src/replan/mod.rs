//! Keeps the parts of a motion that an edit left valid.

pub(crate) mod cut;
pub(crate) mod change;
