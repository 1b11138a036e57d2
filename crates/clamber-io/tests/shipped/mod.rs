//! The characters that come with the project.

use std::path::Path;

use clamber_io::parse_character;
use clamber_model::Character;

/// The character of this name, from the repository's `characters/`.
pub fn character(name: &str) -> Character {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../characters/{name}.toml"));
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    parse_character(&file, &bytes).unwrap_or_else(|error| panic!("{error:?}"))
}
