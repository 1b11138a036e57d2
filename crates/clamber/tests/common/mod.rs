//! What several tests of the library need.

use std::path::PathBuf;

use clamber::io::{Scene, read_scene};

/// A shipped scene.
pub fn scene(name: &str) -> Scene {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    read_scene(&root.join("scenes").join(format!("{name}.toml"))).expect("shipped scenes are good")
}
