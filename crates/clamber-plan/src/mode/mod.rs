//! Interprets mode tables: conditions of edges, the holds they take and the contacts they release.

pub(crate) mod edge_condition;
pub(crate) mod hold_selection;
pub(crate) mod released_contacts;
pub(crate) mod stances_without_edges;
