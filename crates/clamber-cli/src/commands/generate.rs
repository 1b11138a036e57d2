//! `clamber generate`: makes a course and writes it as a scene.

use std::path::{Component, Path, PathBuf};

use clamber::course::{Course, CourseSettings, Kind, generate};
use clamber::io::{Scene, builtin, parse_scene};
use miette::Diagnostic;

use crate::Status;
use crate::args::GenerateArgs;
use crate::output::OutputError;

#[derive(Debug, thiserror::Error, Diagnostic)]
enum GenerateError {
    #[error("{}: cannot find the character: {reason}", .file.display())]
    #[diagnostic(help("give the path of a character file, or leave --character out for the built-in figure"))]
    NoCharacter { file: PathBuf, reason: std::io::Error },
    #[error("{}: the path is not text in UTF-8, so a scene cannot name it", .file.display())]
    #[diagnostic(help("move the character's file elsewhere"))]
    NotText { file: PathBuf },
    #[error("{}: a scene cannot end in this", .file.display())]
    #[diagnostic(help("it ends in .toml"))]
    UnknownEnding { file: PathBuf },
}

pub fn run(args: &GenerateArgs) -> miette::Result<Status> {
    let file = &args.output;
    if file.extension().is_none_or(|ending| ending != "toml") {
        return Err(GenerateError::UnknownEnding { file: file.clone() }.into());
    }
    let folder = folder_of(file);
    if !folder.is_dir() {
        return Err(OutputError::NoFolder { file: file.clone(), folder: folder.to_owned() }.into());
    }
    let settings = CourseSettings {
        segments: args.segments as usize,
        difficulty: args.difficulty,
        impossible: args.impossible,
        kinds: args.kinds.clone(),
        character: character_from(folder, &args.character)?,
    };
    let course = generate(args.seed, &settings);
    // What another character cannot stand on is refused here, not when somebody plans.
    scene_of(&course, file)?;
    std::fs::write(file, &course.text).map_err(|source| OutputError::Unwritable { file: file.clone(), source })?;
    let words: Vec<&str> = course.kinds.iter().copied().map(Kind::word).collect();
    println!("course {}: {}", args.seed, words.join(", "));
    if let Some(broken) = &course.broken {
        println!("it cannot be passed at segment {}, {}: {}", broken.segment, broken.kind, broken.why);
    }
    Ok(Status::Done)
}

/// A course as a scene, as if it were in this file.
pub fn scene_of(course: &Course, file: &Path) -> miette::Result<Scene> {
    Ok(parse_scene(file, course.text.as_bytes(), &|path| std::fs::read(path))?)
}

/// The folder of a file that is to be written.
fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// How a scene in this folder refers to the character: by its built-in name, or by a path. A relative path stays
/// relative, so that both files can be moved together.
pub fn character_from(folder: &Path, character: &Path) -> miette::Result<String> {
    if let Some(name) = character.to_str().filter(|name| builtin::characters().contains(name)) {
        return Ok(name.to_owned());
    }
    let missing = |reason| GenerateError::NoCharacter { file: character.to_owned(), reason };
    let found = character.canonicalize().map_err(missing)?;
    let path = if character.is_absolute() {
        character.to_owned()
    } else {
        relative(&folder.canonicalize().map_err(missing)?, &found)
    };
    // Scenes are the same on every system.
    let text = path.to_str().map(|text| text.replace(std::path::MAIN_SEPARATOR, "/"));
    Ok(text.ok_or_else(|| GenerateError::NotText { file: character.to_owned() })?)
}

/// The way from a folder to a file, both absolute.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let (from, to): (Vec<Component>, Vec<Component>) = (folder.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - shared);
    up.chain(to[shared..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_a_folder_to_a_file_goes_up_and_down_again() {
        let way = |folder: &str, file: &str| relative(Path::new(folder), Path::new(file)).display().to_string();
        assert_eq!(way("/a/scenes", "/a/characters/figure.toml"), "../characters/figure.toml");
        assert_eq!(way("/a", "/a/characters/figure.toml"), "characters/figure.toml");
        assert_eq!(way("/a/b/c", "/d.toml"), "../../../d.toml");
    }
}
