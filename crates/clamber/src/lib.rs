//! Give it a world, a character and a goal, and it returns a motion.
//!
//! This crate is what a Rust program adds: it plans and checks in one call and passes on the parts. World and character
//! are immutable and shared, so any number of plans may run at once, each on its own thread.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//! use std::path::Path;
//!
//! let scene = clamber::io::read_scene(Path::new("scenes/flight.toml"))?;
//! let solution = clamber::solve(&scene.problem, &clamber::Settings::default(), 1, &mut |_| ControlFlow::Continue(()));
//! match &solution.outcome.failure {
//!     None => println!("{} frames; {}", solution.outcome.motion.frames.len(), solution.report),
//!     Some(failure) => println!("no plan: {failure}"),
//! }
//! # Ok::<(), clamber::io::FileError>(())
//! ```

pub mod course;
mod hands_and_feet;
mod impasse;

pub use clamber_check as check;
pub use clamber_clip as clip;
pub use clamber_draw as draw;
pub use clamber_io as io;
pub use clamber_model as model;
pub use clamber_plan as plan;
pub use hands_and_feet::{read_bvh_of, with_hands_and_feet};
pub use impasse::draw_impasse;
