//! The shipped characters, alone and in a room.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::path::{Path, PathBuf};

use clamber_io::{parse_character, parse_scene};
use clamber_model::{Character, Problem};

/// The character of this name, from the repository's `characters/`.
pub fn character(name: &str) -> Character {
    let file = folder().join(format!("{name}.toml"));
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    parse_character(&file, &bytes).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The figure that version 1 described, in version 2.
pub fn figure_without_feet() -> Character {
    let file = folder().join("../crates/clamber-testing/fixtures/figure_without_feet.toml");
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    parse_character(&file, &bytes).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The character of version 2 with the body of version 1: the figure had no feet.
pub fn with_body_of_version_1(name: &str) -> Character {
    let mut body = if name == "figure" { figure_without_feet() } else { character(name) };
    // Version 1 states no strengths.
    body.hinges.iter_mut().for_each(|hinge| hinge.strength = None);
    body
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../characters")
}

/// A shipped character in a room whose floor has the holds `floor 1`, `floor 2`, ...
pub fn in_room(name: &str) -> Problem {
    let scene = format!(
        r#"
version = 1
name = "room"
character = "{name}.toml"
bounds = {{ min = [0, 0, -2], max = [4, 3, 2] }}

[[obstacle]]
name = "floor"
box = {{ center = [2, -0.5, 0], size = [4, 1, 4] }}
holds = {{ every = 0.25, types = ["load-bearing"] }}

[start]
position = [1, 1.5]

[goal]
position = [3, 1.5]
"#
    );
    let scene = parse_scene(&folder().join("room.toml"), scene.as_bytes(), &|path| std::fs::read(path));
    scene.unwrap_or_else(|error| panic!("{error:?}")).problem
}
