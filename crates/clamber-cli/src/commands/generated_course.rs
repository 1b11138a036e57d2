//! Generated courses in the plane and in space, as `generate` and `bench` use them.

use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use clamber::course::spatial::{
    SpatialCourse, SpatialCourseSettings, SpatialSegmentKind, SurroundingsSettings, generate_spatial,
};
use clamber::course::{Course, CourseSettings, SegmentKind, generate};
use clamber::io::{InfeasibleSegment, Scene, builtin, parse_character, parse_modes, parse_scene};
use clamber::model::character::RootJoint;
use clamber::model::{Character, ModeTable};
use miette::Diagnostic;

use crate::file_format::write_bytes;

#[derive(Debug, thiserror::Error, Diagnostic)]
enum CourseError {
    #[error("cannot find the character `{}`: {reason}", .file.display())]
    #[diagnostic(help("give the path of a character file, or leave out --character for the built-in one"))]
    NoCharacter { file: PathBuf, reason: std::io::Error },
    #[error("the path `{}` is not UTF-8, so a scene cannot refer to it", .file.display())]
    #[diagnostic(help("move the file"))]
    NotUtf8 { file: PathBuf },
    #[error("the character `{name}` moves in a plane, but the course is in space")]
    #[diagnostic(help("leave out --space, or give --character one whose root is free, such as human"))]
    PlanarCharacter { name: String },
    #[error("{message}")]
    #[diagnostic(help("--kinds takes a list such as {example}; leave it out for all kinds"))]
    UnknownKind { message: String, example: &'static str },
}

/// Makes courses of one character.
pub struct CourseMaker {
    /// How the scenes refer to the character.
    character: String,
    space: Space,
}

enum Space {
    Planar { kinds: Vec<SegmentKind> },
    Spatial { kinds: Vec<SpatialSegmentKind>, body: Box<Character>, modes: Option<ModeTable> },
}

/// What differs between the courses of one maker.
#[derive(Clone, Debug)]
pub struct CourseShape {
    pub segment_count: usize,
    /// Courses in space have none.
    pub difficulty: f32,
    pub impossible: bool,
    /// Land around a course in space.
    pub surroundings: Option<SurroundingsSettings>,
}

/// A course, and the files that belong to it.
pub struct GeneratedCourse {
    pub scene_text: String,
    pub kinds: Vec<&'static str>,
    pub infeasible_segment: Option<InfeasibleSegment>,
    /// A mesh beside the scene: its file name, and its text.
    pub mesh: Option<(String, String)>,
}

impl CourseMaker {
    /// Makes courses whose scenes are in `folder`. No `kinds` means all.
    pub fn new(folder: &Path, character: &Path, kinds: &[String], is_spatial: bool) -> miette::Result<Self> {
        let reference = character_reference(folder, character)?;
        if !is_spatial {
            return Ok(Self { character: reference, space: Space::Planar { kinds: parse_kinds(kinds, "gap,bars")? } });
        }
        let kinds = parse_spatial_kinds(kinds)?;
        let (body, modes) = read_character(character)?;
        if body.root_joint == RootJoint::Planar {
            return Err(CourseError::PlanarCharacter { name: body.name }.into());
        }
        Ok(Self { character: reference, space: Space::Spatial { kinds, body: Box::new(body), modes } })
    }

    /// Makes the course of a seed.
    pub fn make(&self, seed: u64, shape: &CourseShape) -> GeneratedCourse {
        match &self.space {
            Space::Planar { kinds } => {
                let mut settings = CourseSettings::default();
                settings.segment_count = shape.segment_count;
                settings.difficulty = shape.difficulty;
                settings.impossible = shape.impossible;
                settings.allowed_kinds = kinds.clone();
                settings.character = self.character.clone();
                generate(seed, &settings).into()
            }
            Space::Spatial { kinds, body, modes } => {
                let mut settings = SpatialCourseSettings::default();
                settings.segment_count = shape.segment_count;
                settings.impossible = shape.impossible;
                settings.allowed_kinds = kinds.clone();
                settings.character = self.character.clone();
                settings.surroundings = shape.surroundings.clone();
                let course = generate_spatial(seed, &settings, body, modes.as_ref());
                let file = shape.surroundings.as_ref().map(|surroundings| surroundings.file.clone());
                GeneratedCourse::from_spatial(course, file)
            }
        }
    }
}

impl From<Course> for GeneratedCourse {
    fn from(course: Course) -> Self {
        Self {
            scene_text: course.scene_text,
            kinds: course.segment_kinds.into_iter().map(SegmentKind::keyword).collect(),
            infeasible_segment: course.infeasible_segment,
            mesh: None,
        }
    }
}

impl GeneratedCourse {
    fn from_spatial(course: SpatialCourse, mesh_file: Option<String>) -> Self {
        Self {
            scene_text: course.scene_text,
            kinds: course.segment_kinds.into_iter().map(SpatialSegmentKind::keyword).collect(),
            infeasible_segment: course.infeasible_segment,
            mesh: mesh_file.zip(course.surroundings_obj),
        }
    }

    /// Parses the course as a scene, as if it were stored in `file`.
    pub fn scene(&self, file: &Path) -> miette::Result<Scene> {
        let mesh = self.mesh.as_ref().map(|(name, text)| (file.with_file_name(name), text));
        let read = |path: &Path| match &mesh {
            Some((mesh, text)) if mesh == path => Ok(text.as_bytes().to_vec()),
            _ => std::fs::read(path),
        };
        Ok(parse_scene(file, self.scene_text.as_bytes(), &read)?)
    }

    /// Writes the scene, and the mesh beside it.
    pub fn write(&self, file: &Path) -> miette::Result<()> {
        if let Some((name, text)) = &self.mesh {
            write_bytes(&file.with_file_name(name), text.as_bytes())?;
        }
        Ok(write_bytes(file, self.scene_text.as_bytes())?)
    }
}

/// Parses kinds of segments.
fn parse_kinds<Kind: FromStr<Err = String>>(kinds: &[String], example: &'static str) -> miette::Result<Vec<Kind>> {
    let parse = |kind: &String| kind.parse().map_err(|message| CourseError::UnknownKind { message, example }.into());
    kinds.iter().map(parse).collect()
}

/// Parses kinds of segments in space. `walking` and `climbing` stand for all of theirs.
fn parse_spatial_kinds(words: &[String]) -> miette::Result<Vec<SpatialSegmentKind>> {
    let mut kinds = Vec::new();
    for word in words {
        match word.as_str() {
            "walking" => kinds.extend_from_slice(SpatialSegmentKind::WALKING),
            "climbing" => kinds.extend_from_slice(SpatialSegmentKind::CLIMBING),
            _ => kinds.extend(parse_kinds::<SpatialSegmentKind>(
                std::slice::from_ref(word),
                "beam,stones or walking,ladder-up",
            )?),
        }
    }
    Ok(kinds)
}

/// The name of the mesh file beside a scene file.
pub fn surroundings_file(scene: &Path) -> miette::Result<String> {
    let name = scene.file_stem().and_then(|stem| stem.to_str());
    let name = name.ok_or_else(|| CourseError::NotUtf8 { file: scene.to_owned() })?;
    Ok(format!("{name}-surroundings.obj"))
}

/// Reads a character, and its modes if it has any: those of a built-in one, or the table beside its file.
fn read_character(character: &Path) -> miette::Result<(Character, Option<ModeTable>)> {
    if let Some(name) = builtin_name(character) {
        let body = builtin::character(name)?;
        let modes = builtin::mode_table(name, &body)?;
        return Ok((body, Some(modes)));
    }
    let read = |file: &Path| std::fs::read(file);
    let missing = |reason| CourseError::NoCharacter { file: character.to_owned(), reason };
    let body = parse_character(character, &read(character).map_err(missing)?)?;
    let table = character.with_extension("modes.toml");
    let modes = match read(&table) {
        Ok(bytes) => Some(parse_modes(&table, &bytes, &body, character)?),
        Err(_) => None,
    };
    Ok((body, modes))
}

fn builtin_name(character: &Path) -> Option<&str> {
    character.to_str().filter(|name| builtin::character_names().contains(name))
}

/// How a scene in `folder` refers to the character: by its built-in name, or by a path. A relative path stays relative, so that
/// both files can be moved together.
fn character_reference(folder: &Path, character: &Path) -> miette::Result<String> {
    if let Some(name) = builtin_name(character) {
        return Ok(name.to_owned());
    }
    let missing = |reason| CourseError::NoCharacter { file: character.to_owned(), reason };
    let found = character.canonicalize().map_err(missing)?;
    let path = if character.is_absolute() {
        character.to_owned()
    } else {
        relative_path(&folder.canonicalize().map_err(missing)?, &found)
    };
    // Scene files use the same separator on every system.
    let text = path.to_str().map(|text| text.replace(std::path::MAIN_SEPARATOR, "/"));
    Ok(text.ok_or_else(|| CourseError::NotUtf8 { file: character.to_owned() })?)
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
