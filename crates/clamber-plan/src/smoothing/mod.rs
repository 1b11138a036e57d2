//! Shortens and evens the path that a search found.

mod tuning;
pub(crate) mod shortcut;
pub(crate) mod body;
pub(crate) mod limb;
