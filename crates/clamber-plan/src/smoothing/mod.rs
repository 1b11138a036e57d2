//! Shortens the path that a search found.

pub(crate) mod shortcut;
pub(crate) mod body;
pub(crate) mod limb;
