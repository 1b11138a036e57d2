//! Clamber as a WebAssembly module, for Node and browsers.
//!
//! The module imports nothing, so any host can instantiate it. An instance holds one scene and one motion; [`exports`] lists
//! the functions that the host calls.

mod planned_scene;
pub mod exports;
