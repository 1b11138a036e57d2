//! One module per command.

pub mod generate;
pub mod check;
pub mod convert;
pub mod draw;
pub mod pose;
pub mod refine;
pub mod plan;
pub mod bench;
