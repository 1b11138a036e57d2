//! Scenes as TOML: a world, who moves in it and how, from where to where, through what.

mod broken;
mod hold;
mod obstacle;
mod contact;
mod posture;
mod passage;
mod pin;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clamber_model::character::{Character, Root};
use clamber_model::math::Vec3;
use clamber_model::world::FieldSettings;
use clamber_model::{ModeTable, Problem, World};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

pub use self::broken::{Broken, BrokenCause};

use self::broken::BrokenEntry;
use self::contact::Surroundings;
use self::hold::HoldEntry;
use self::obstacle::ObstacleEntry;
use self::passage::PassageEntry;
use self::pin::{ForbiddenEntry, PinEntry};
use self::posture::{PostureEntry, posture};
use crate::character::parse_character;
use crate::edit::holds_by_name;
use crate::error::{FileError, Source, reason};
use crate::fields::Place;
use crate::file::read_file;
use crate::mesh::ReadFile;
use crate::modes::parse_modes;
use crate::parse::{brief, parse_toml};

const VERSION: u32 = 1;

/// A world, a character, where it starts and where it should end.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Clamber scene")]
pub(crate) struct SceneFile {
    /// The version of this format: 1.
    #[schemars(extend("const" = VERSION))]
    #[expect(dead_code, reason = "checked before the rest is read")]
    version: u32,
    /// What the scene is called.
    name: String,
    /// The character's file, as seen from this file.
    #[schemars(with = "String")]
    character: Spanned<String>,
    /// The mode table's file, as seen from this file. Without it, the file beside the character's that is called like it
    /// but ends in `.modes.toml`, if there is one.
    #[schemars(with = "Option<String>")]
    modes: Option<Spanned<String>>,
    /// The region in which a motion is looked for.
    bounds: BoundsEntry,
    /// Where the way is broken, in a scene that cannot be solved.
    broken: Option<BrokenEntry>,
    /// What is in the way.
    #[serde(default)]
    obstacle: Vec<ObstacleEntry>,
    /// Places to hold on to, besides those of the obstacles.
    #[serde(default)]
    #[schemars(with = "Vec<HoldEntry>")]
    hold: Vec<Spanned<HoldEntry>>,
    /// From here.
    start: PostureEntry,
    /// Through these, in order.
    #[serde(default)]
    passage: Vec<PassageEntry>,
    /// To here.
    goal: PostureEntry,
    /// What must be held on to on the way, in whatever order.
    #[serde(default)]
    #[schemars(with = "Vec<PinEntry>")]
    pin: Vec<Spanned<PinEntry>>,
    /// What nothing may hold on to.
    #[serde(default)]
    #[schemars(with = "Vec<ForbiddenEntry>")]
    forbidden: Vec<Spanned<ForbiddenEntry>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { min = [0, 0], max = [10, 5] }")]
struct BoundsEntry {
    /// The corner with the least coordinates.
    #[schemars(with = "Place")]
    min: Spanned<Place>,
    /// The corner with the greatest coordinates.
    #[schemars(with = "Place")]
    max: Spanned<Place>,
}

/// A scene that was read.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The scene's file, as it was named.
    pub file: PathBuf,
    /// The question it asks.
    pub problem: Problem,
    /// Why it has no answer, if it was made so; not part of the problem, so that no planner sees it.
    pub broken: Option<Broken>,
}

/// Reads a scene and the files it names from disk.
pub fn read_scene(file: &Path) -> Result<Scene, FileError> {
    let bytes = read_file(file).map_err(|error| FileError::unreadable(file, "the scene", &error))?;
    parse_scene(file, &bytes, &read_file)
}

/// Reads a scene from the bytes of a file; `read` brings the bytes of the files it names. No disk is needed.
pub fn parse_scene(
    file: &Path,
    bytes: &[u8],
    read: &dyn Fn(&Path) -> std::io::Result<Vec<u8>>,
) -> Result<Scene, FileError> {
    let source = Source::new(file, bytes)?;
    let entries: SceneFile = parse_toml(&source, VERSION)?;

    let character_bytes = read_named(&source, &entries.character, read)?;
    let character_file = source.beside(entries.character.get_ref());
    let character = parse_character(&character_file, &character_bytes)?;
    let modes = modes(&source, &entries, &character_file, &character, read)?;
    let (min, max) = bounds(&source, &entries.bounds, character.root)?;
    let broken = entries.broken.as_ref().map(|entry| broken::broken(&source, entry, character.root)).transpose()?;
    let obstacles = obstacle::obstacles(&source, &entries.obstacle, read)?;
    let world = World::new(obstacles, min, max, &FieldSettings::default());
    let holds = hold::holds(&source, &entries.obstacle, &entries.hold, &world, character.root)?;
    let world = world.with_holds(holds);
    let around = Surroundings {
        source: &source,
        character: &character,
        world: &world,
        modes: modes.as_ref(),
        holds: holds_by_name(&world),
    };
    let start = posture(&around, &entries.start, "the start")?;
    let goal = posture(&around, &entries.goal, "the goal")?;
    let passages = passage::passages(&around, &entries.passage, read)?;
    let pins = pin::pins(&around, &entries.pin)?;
    let forbidden = pin::forbidden(&around, &entries.forbidden)?;
    let mut problem = Problem {
        name: entries.name,
        world: Arc::new(world),
        character: Arc::new(character),
        modes: modes.map(Arc::new),
        start,
        passages,
        goal,
        pins,
        forbidden: Vec::new(),
    };
    pin::forbid(&source, &mut problem, &forbidden)?;
    Ok(Scene { file: file.to_owned(), problem, broken })
}

/// The mode table that the scene names, or the one beside the character.
fn modes(
    source: &Source,
    entries: &SceneFile,
    character_file: &Path,
    character: &Character,
    read: &ReadFile,
) -> Result<Option<ModeTable>, FileError> {
    if let Some(name) = &entries.modes {
        let bytes = read_named(source, name, read)?;
        return parse_modes(&source.beside(name.get_ref()), &bytes, character, character_file).map(Some);
    }
    let Some(stem) = character_file.file_stem() else { return Ok(None) };
    let mut name = stem.to_owned();
    name.push(".modes.toml");
    let file = character_file.with_file_name(name);
    match read(&file) {
        Ok(bytes) => parse_modes(&file, &bytes, character, character_file).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let message = format!("cannot read {}: {}", brief(&file.display().to_string()), reason(&error));
            let help = "it would be the character's mode table; name another one with `modes`";
            Err(source.error(entries.character.span(), message).with_help(help))
        }
    }
}

/// The bytes of a file that this one names.
fn read_named(source: &Source, name: &Spanned<String>, read: &ReadFile) -> Result<Vec<u8>, FileError> {
    let path = source.beside(name.get_ref());
    read(&path).map_err(|error| {
        let message = format!("cannot read {}: {}", brief(&path.display().to_string()), reason(&error));
        source.error(name.span(), message).with_help("paths are relative to the folder of this file")
    })
}

fn bounds(source: &Source, entry: &BoundsEntry, root: Root) -> Result<(Vec3, Vec3), FileError> {
    let (min, max) = (entry.min.get_ref(), entry.max.get_ref());
    let empty = |k: usize| min.xyz[k] >= max.xyz[k];
    if empty(0) || empty(1) || (empty(2) && root == Root::Free) {
        let help = match root {
            Root::Planar => "each number of `max` must be greater than that of `min`",
            Root::Free => "each of the three numbers of `max` must be greater than that of `min`",
        };
        return Err(source.error(entry.max.span(), "the region is empty").with_help(help));
    }
    // A planar character's centre of mass stays in the plane: one layer of cells is all that is needed.
    let flat = |place: Vec3| if root == Root::Planar { Vec3::new(place.x, place.y, 0.0) } else { place };
    Ok((flat(min.xyz), flat(max.xyz)))
}
