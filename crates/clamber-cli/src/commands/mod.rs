//! One module per command.

mod generated_course;
pub mod generate;
pub mod check;
pub mod convert;
pub mod draw;
pub mod pose;
pub mod refine;
pub mod plan;
pub mod bench;
