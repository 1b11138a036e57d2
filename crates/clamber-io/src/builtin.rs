//! The shipped scenes and characters, compiled into the program, so that it runs in any folder.
//!
//! A bare name without a file ending means a built-in: `climb` is a scene and `figure` a character. Everything else is
//! a path, such as `climb.toml` or `./climb`. [`read_scene`](crate::read_scene) and the `character` of a scene file
//! follow this rule.

use std::path::Path;

use clamber_model::{Character, ModeTable};

use crate::character::parse_character;
use crate::embedded_files;
use crate::error::FileError;
use crate::modes::parse_modes;

/// Returns the names of the built-in scenes, sorted.
pub fn scene_names() -> Vec<&'static str> {
    embedded_files::scene_names()
}

/// Returns the names of the built-in characters, sorted.
pub fn character_names() -> Vec<&'static str> {
    embedded_files::character_names()
}

/// Reads a built-in character. An unknown name is an error that lists the known ones.
pub fn character(name: &str) -> Result<Character, FileError> {
    let file = embedded_files::character_path(name);
    let bytes = embedded_files::read(&file).map_err(|_| {
        let help = embedded_files::known_names("characters", &character_names(), "my-character.toml");
        FileError::without_location(Path::new(name), "there is no built-in character of this name").with_help(help)
    })?;
    parse_character(&file, &bytes)
}

/// Reads the mode table of a built-in character. An unknown name is an error that lists the known ones.
pub fn mode_table(name: &str, character: &Character) -> Result<ModeTable, FileError> {
    let file = embedded_files::modes_path(name);
    let bytes = embedded_files::read(&file).map_err(|_| {
        let help = embedded_files::known_names("characters", &character_names(), "my-character.modes.toml");
        FileError::without_location(Path::new(name), "there is no built-in mode table of this name").with_help(help)
    })?;
    parse_modes(&file, &bytes, character, &embedded_files::character_path(name))
}
