//! The data types of Clamber and their math.
//!
//! A [`Character`] is an immutable tree of links joined by hinges. A [`Configuration`] places it in a [`World`] of obstacles
//! and holds. A [`Motion`] is a timed sequence of configurations and contacts. Algorithms are free functions over an immutable
//! model and a mutable workspace, so that threads share the model: [`kinematics::forward`],
//! [`obstacle_collision::is_free_between`].
//!
//! Units are meters, kilograms, seconds and radians. Axes are right-handed with y up, as in glTF. A character at rest faces
//! +x, and its right hand is at +z. Planar characters live in z = 0.
//!
//! The crate uses no files, no threads and no clock, so it runs unchanged in a browser.

// Lowest layer first: a module uses only the modules above it.
pub mod math;
pub mod simplex;
pub mod rng;
pub mod segment_distance;
pub mod id;
pub mod scaling;
pub mod character;
pub mod configuration;
pub mod kinematics;
mod checked_links;
pub mod self_collision;
pub mod world;
pub mod obstacle_collision;
pub mod contact;
pub mod support_polygon;
pub mod mode_table;
pub mod motion;
mod motion_sample;
pub mod problem;
mod validation;
mod problem_builder;

pub use character::Character;
pub use configuration::Configuration;
pub use contact::Contact;
pub use mode_table::ModeTable;
pub use motion::Motion;
pub use motion_sample::MotionSample;
pub use problem::Problem;
pub use problem_builder::ProblemBuilder;
pub use validation::{ModeTableError, MotionError, ProblemError, validate_character_and_world};
pub use world::World;
