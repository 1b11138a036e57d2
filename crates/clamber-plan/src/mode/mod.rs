//! What a mode table's words mean: conditions, and holds to be found.

pub(crate) mod condition;
pub(crate) mod hold_selection;
pub(crate) mod release;
