//! Interprets mode tables: conditions of edges, the holds they take and the contacts they release.

pub(crate) mod condition;
pub(crate) mod hold_selection;
pub(crate) mod release;
pub(crate) mod blocked_edges;
