//! One file a verb.

pub mod bench;
pub mod check;
pub mod convert;
pub mod draw;
pub mod generate;
pub mod plan;
pub mod refine;
pub mod bench_generated;
pub mod bench_growth;
pub mod bench_clips;
