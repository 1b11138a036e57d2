//! Built-in scenes and characters can be read without any file on disk.

use std::io;
use std::path::{Path, PathBuf};

use clamber_io::{FileError, Scene, builtin, parse_scene, read_scene};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn no_disk(_: &Path) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::NotFound.into())
}

fn scene_with_character(character: &str) -> String {
    format!(
        "version = 1\nname = \"open\"\ncharacter = \"{character}\"\nbounds = {{ min = [0, 0], max = [8, 4] }}\n\
         [start]\nposition = [1.5, 1.5]\n[goal]\nposition = [6.5, 1.5]\n"
    )
}

fn message(error: &FileError) -> String {
    format!("{error} | {}", error.help.as_deref().unwrap_or(""))
}

#[test]
fn every_shipped_file_is_built_in() {
    let names = |folder: &str| {
        let files = std::fs::read_dir(root().join(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names
            .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
            .filter(|name| !name.contains('.'))
            .collect();
        names.sort();
        names
    };
    assert_eq!(builtin::scene_names(), names("scenes"));
    assert_eq!(builtin::character_names(), names("characters"));
}

#[test]
fn built_in_scenes_equal_the_shipped_files() {
    for name in builtin::scene_names() {
        let embedded = Scene::builtin(name).unwrap().problem;
        let shipped = read_scene(&root().join("scenes").join(format!("{name}.toml"))).unwrap().problem;
        assert_eq!(embedded.start, shipped.start, "{name}");
        assert_eq!(embedded.goal, shipped.goal, "{name}");
        assert_eq!(format!("{:?}", embedded.character), format!("{:?}", shipped.character), "{name}");
        assert_eq!(embedded.modes, shipped.modes, "{name}");
        assert_eq!(embedded.world.holds, shipped.world.holds, "{name}");
        assert_eq!(embedded.world.obstacles.len(), shipped.world.obstacles.len(), "{name}");
    }
}

#[test]
fn a_bare_name_reads_a_built_in_scene() {
    assert_eq!(read_scene(Path::new("climb")).unwrap().problem.name, Scene::builtin("climb").unwrap().problem.name);
}

#[test]
fn a_name_with_an_ending_or_a_separator_is_a_path() {
    for path in ["climb.toml", "./climb"] {
        let error = read_scene(Path::new(path)).unwrap_err();
        assert_eq!(error.to_string(), format!("{path}: cannot read the scene: there is no such file"));
    }
}

#[test]
fn an_unknown_scene_lists_the_built_in_ones() {
    let error = message(&read_scene(Path::new("clmb")).unwrap_err());
    assert!(
        error.starts_with("clmb: there is no built-in scene of this name | built-in scenes: `cave`, `climb`,"),
        "{error}"
    );
    assert!(
        error.ends_with("`walk-human`; to read a file, write its path with the ending, as in my-scene.toml"),
        "{error}"
    );
}

#[test]
fn a_scene_can_use_a_built_in_character_with_its_mode_table() {
    let file = Path::new("open.toml");
    let problem = parse_scene(file, scene_with_character("figure").as_bytes(), &no_disk).unwrap().problem;
    assert_eq!(format!("{:?}", problem.character), format!("{:?}", builtin::character("figure").unwrap()));
    assert!(problem.modes.is_some_and(|table| table.find_mode("climbing").is_some()));
}

#[test]
fn an_unknown_character_lists_the_built_in_ones() {
    let error = parse_scene(Path::new("open.toml"), scene_with_character("figur").as_bytes(), &no_disk).unwrap_err();
    assert_eq!(
        message(&error),
        "open.toml:3:13: there is no built-in character `figur` | built-in characters: `dog`, `figure`, `human`, \
         `insect`, `spider`; to read a file, write its path with the ending, as in my-character.toml"
    );
    let error = builtin::character("figur").unwrap_err();
    assert_eq!(error.to_string(), "figur: there is no built-in character of this name");
}
