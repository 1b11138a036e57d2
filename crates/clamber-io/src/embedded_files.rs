//! The bytes of the shipped files, and the rule that separates built-in names from paths.

use std::io::{Error, ErrorKind, Result};
use std::path::{Component, Path, PathBuf};

/// Embeds files of `data/`, which holds symbolic links to the repository's `characters` and `scenes`: through them
/// `cargo package` puts these files into the crate, and there is only one copy of each in the repository.
macro_rules! embed {
    ($($path:literal),* $(,)?) => { &[$(($path, include_bytes!(concat!("../data/", $path)) as &[u8])),*] };
}

const FILES: &[(&str, &[u8])] = embed![
    "characters/dog.modes.toml",
    "characters/dog.toml",
    "characters/figure.modes.toml",
    "characters/figure.toml",
    "characters/human.modes.toml",
    "characters/human.toml",
    "characters/insect.modes.toml",
    "characters/insect.toml",
    "characters/spider.modes.toml",
    "characters/spider.toml",
    "scenes/cave.toml",
    "scenes/climb.toml",
    "scenes/crawl.toml",
    "scenes/flight.toml",
    "scenes/flight-human.toml",
    "scenes/flight-insect.toml",
    "scenes/fork.toml",
    "scenes/gauntlet.toml",
    "scenes/meshes/boulders.obj",
    "scenes/overhang.toml",
    "scenes/swing.toml",
    "scenes/walk.toml",
    "scenes/walk-human.toml",
];

/// Returns the name if a path is a bare name: no separator and no file ending. Bare names mean built-ins.
pub(crate) fn bare_name(path: &Path) -> Option<&str> {
    let name = path.to_str()?;
    let is_bare = !name.is_empty() && !name.contains(['.', '/', '\\']);
    is_bare.then_some(name)
}

/// Returns the embedded path of a scene.
pub(crate) fn scene_path(name: &str) -> PathBuf {
    PathBuf::from(format!("scenes/{name}.toml"))
}

/// Returns the embedded path of a character.
pub(crate) fn character_path(name: &str) -> PathBuf {
    PathBuf::from(format!("characters/{name}.toml"))
}

/// Returns the embedded path of a character's mode table.
pub(crate) fn modes_path(name: &str) -> PathBuf {
    PathBuf::from(format!("characters/{name}.modes.toml"))
}

/// Returns the names of all scenes, sorted.
pub(crate) fn scene_names() -> Vec<&'static str> {
    names_in("scenes/")
}

/// Returns the names of all characters, sorted.
pub(crate) fn character_names() -> Vec<&'static str> {
    names_in("characters/")
}

/// Mode tables and meshes have another dot or slash in their names.
fn names_in(folder: &str) -> Vec<&'static str> {
    let names = FILES.iter().filter_map(|(path, _)| path.strip_prefix(folder)?.strip_suffix(".toml"));
    names.filter(|name| bare_name(Path::new(name)).is_some()).collect()
}

/// Returns an embedded file. Paths may contain `..`, because embedded files refer to each other like files on disk.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let mut parts: Vec<&str> = Vec::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(part) => parts.extend(part.to_str()),
            _ => {}
        }
    }
    let path = parts.join("/");
    let file = FILES.iter().find(|(name, _)| *name == path);
    file.map(|(_, bytes)| bytes.to_vec()).ok_or_else(|| Error::from(ErrorKind::NotFound))
}

/// The help for an unknown name: what there is, and how to name a file instead.
pub(crate) fn known_names(what: &str, names: &[&str], example: &str) -> String {
    let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("built-in {what}: {}; to read a file, write its path with the ending, as in {example}", list.join(", "))
}
