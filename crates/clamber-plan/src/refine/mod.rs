//! Makes a way that was found worth looking at.

pub(crate) mod smooth;
pub(crate) mod contacts;
pub(crate) mod limbs;
pub(crate) mod clip;
pub(crate) mod extremities;
