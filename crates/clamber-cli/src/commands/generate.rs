//! `clamber generate`: generates a course and writes it as a scene.

use std::path::{Component, Path, PathBuf};

use clamber::course::{Course, CourseSettings, SegmentKind, generate};
use clamber::io::{Scene, builtin, parse_scene};
use miette::Diagnostic;

use crate::args::GenerateArgs;
use crate::exit_status::Status;
use crate::file_format::{OutputError, write_bytes};

#[derive(Debug, thiserror::Error, Diagnostic)]
enum GenerateError {
    #[error("cannot find the character `{}`: {reason}", .file.display())]
    #[diagnostic(help("give the path of a character file, or leave out --character for the built-in figure"))]
    NoCharacter { file: PathBuf, reason: std::io::Error },
    #[error("the path `{}` is not UTF-8, so a scene cannot refer to it", .file.display())]
    #[diagnostic(help("move the character's file"))]
    NotUtf8 { file: PathBuf },
    #[error("`{}` is not a scene file", .file.display())]
    #[diagnostic(help("use the extension .toml"))]
    UnsupportedExtension { file: PathBuf },
}

pub fn run(args: &GenerateArgs) -> miette::Result<Status> {
    let file = &args.output;
    if file.extension().is_none_or(|extension| extension != "toml") {
        return Err(GenerateError::UnsupportedExtension { file: file.clone() }.into());
    }
    let folder = folder_of(file);
    if !folder.is_dir() {
        return Err(OutputError::NoFolder { file: file.clone(), folder: folder.to_owned() }.into());
    }
    let mut settings = CourseSettings::default();
    settings.segment_count = args.segments as usize;
    settings.difficulty = args.difficulty;
    settings.impossible = args.impossible;
    settings.allowed_kinds = args.kinds.clone();
    settings.character = character_reference(folder, &args.character)?;
    let course = generate(args.seed, &settings);
    // Report a character that does not fit the course now, not when somebody plans.
    scene_of(&course, file)?;
    write_bytes(file, course.scene_text.as_bytes())?;
    let kinds: Vec<&str> = course.segment_kinds.iter().copied().map(SegmentKind::keyword).collect();
    println!("course {}: {}", args.seed, kinds.join(", "));
    if let Some(broken) = &course.infeasible_segment {
        println!("segment {}, {}, is impassable: {}", broken.segment_number, broken.kind, broken.description);
    }
    Ok(Status::Success)
}

/// Parses a course as a scene, as if it were stored in `file`.
pub fn scene_of(course: &Course, file: &Path) -> miette::Result<Scene> {
    Ok(parse_scene(file, course.scene_text.as_bytes(), &|path| std::fs::read(path))?)
}

/// The folder of a file.
fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// How a scene in `folder` refers to the character: by its built-in name, or by a path. A relative path stays relative, so that
/// both files can be moved together.
pub fn character_reference(folder: &Path, character: &Path) -> miette::Result<String> {
    if let Some(name) = character.to_str().filter(|name| builtin::character_names().contains(name)) {
        return Ok(name.to_owned());
    }
    let missing = |reason| GenerateError::NoCharacter { file: character.to_owned(), reason };
    let found = character.canonicalize().map_err(missing)?;
    let path = if character.is_absolute() {
        character.to_owned()
    } else {
        relative_path(&folder.canonicalize().map_err(missing)?, &found)
    };
    // Scene files use the same separator on every system.
    let text = path.to_str().map(|text| text.replace(std::path::MAIN_SEPARATOR, "/"));
    Ok(text.ok_or_else(|| GenerateError::NotUtf8 { file: character.to_owned() })?)
}

/// The relative path from a folder to a file, both absolute.
fn relative_path(folder: &Path, file: &Path) -> PathBuf {
    let (from, to): (Vec<Component>, Vec<Component>) = (folder.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - shared);
    up.chain(to[shared..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_path_goes_up_to_the_common_folder() {
        let path = |folder: &str, file: &str| relative_path(Path::new(folder), Path::new(file)).display().to_string();
        assert_eq!(path("/a/scenes", "/a/characters/figure.toml"), "../characters/figure.toml");
        assert_eq!(path("/a", "/a/characters/figure.toml"), "characters/figure.toml");
        assert_eq!(path("/a/b/c", "/d.toml"), "../../../d.toml");
    }
}
