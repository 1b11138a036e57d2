//! One file a verb.

pub mod bench;
pub mod check;
pub mod convert;
pub mod draw;
pub mod plan;
