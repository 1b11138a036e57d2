//! The nouns of Clamber and their mathematics.
//!
//! A [`Character`] is an immutable tree of links joined by hinges; a [`Configuration`] places it in a
//! [`World`] of obstacles and holds; a [`Motion`] is a timed sequence of configurations and contacts. What is computed from them
//! are free functions over an immutable model and a mutable workspace, so that threads share the model:
//! [`kinematics::forward`], [`kinematics::solve`], [`collision::is_step_free`].
//!
//! Units are metres, kilograms, seconds and radians. Axes are right-handed with y up, as in glTF; a
//! character at rest looks along +x with its right hand at +z. Planar characters live in z = 0.
//!
//! There are no files, no threads and no clock here, so that the crate runs unchanged in a browser.

// The order of this list is the order of the layers: a module uses only the ones above it.
pub mod math;
pub mod rng;
pub mod id;
pub mod scale;
pub mod character;
pub mod configuration;
pub mod kinematics;
pub mod world;
pub mod collision;
pub mod contact;
pub mod support;
pub mod mode;
pub mod motion;
pub mod problem;

pub use character::Character;
pub use configuration::Configuration;
pub use contact::Contact;
pub use mode::ModeTable;
pub use motion::Motion;
pub use problem::Problem;
pub use world::World;
