//! Shortens and evens the path that a search found.

mod tuning;
pub(crate) mod shortcut;
pub(crate) mod smooth_body;
pub(crate) mod smooth_limbs;
