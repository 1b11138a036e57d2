//! What a mode table's words mean: conditions, and holds to be found.

pub(crate) mod condition;
pub(crate) mod take;
pub(crate) mod leave;
