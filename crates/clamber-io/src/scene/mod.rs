//! Scene files: TOML with a world, a character, its start and its goal.

mod jitter;
mod deliberately_infeasible_segment;
mod referenced_file;
mod mesh_files;
mod obstacle_holds_key;
mod obstacle;
mod level;
mod hold;
mod snapped_contact;
mod resolve_contacts;
mod snap_contacts;
mod facing;
mod at_place;
mod posture;
mod required_motion;
mod pinned_and_forbidden_holds;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clamber_model::character::{Character, RootJoint};
use clamber_model::math::Vec3;
use clamber_model::world::{DistanceFieldSettings, MAX_CONTACT_TOLERANCE, Obstacle, Space};
use clamber_model::{ModeTable, Problem, World};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

pub use self::deliberately_infeasible_segment::{InfeasibleCause, InfeasibleSegment};
pub use self::snapped_contact::SnappedContact;

use self::deliberately_infeasible_segment::{InfeasibleEntry, infeasible_segment};
use self::hold::HoldEntry;
use self::jitter::{SizeJitter, displace_holds, posture_displacement};
use self::level::LevelEntry;
use self::mesh_files::MeshFiles;
use self::obstacle::{ObstacleAndHolds, ObstacleEntry};
use self::obstacle_holds_key::HoldsOnSurface;
use self::pinned_and_forbidden_holds::{ForbiddenEntry, PinEntry};
use self::posture::{PostureEntry, posture};
use self::referenced_file::read_referenced;
use self::required_motion::PassageEntry;
use self::resolve_contacts::SceneContext;
use crate::character::parse_character;
use crate::common_field_types::{Number, Point};
use crate::embedded_files;
use crate::error::{FileError, Source, reason};
use crate::modes::parse_modes;
use crate::parse::parse_toml;
use crate::pin_or_forbid_holds::holds_by_name;
use crate::read_from_disk::{ReadFile, read_file};
use crate::suggest_name::abbreviate;

/// The version of shipped files. Version 1 states no friction.
const VERSION: u32 = 2;

/// A world, a character, its start and its goal.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Clamber scene")]
pub(crate) struct SceneFile {
    /// The version of this format: 2, or 1 for files without friction.
    #[schemars(extend("minimum" = 1, "maximum" = VERSION))]
    #[expect(dead_code, reason = "checked before the rest is read")]
    version: u32,
    /// The scene's name.
    name: String,
    /// The path of a character file, relative to this file, or the name of a built-in character, such as `figure`.
    #[schemars(with = "String")]
    character: Spanned<String>,
    /// The path of a mode table, relative to this file. Default: the file next to the character file that has its name
    /// and ends in `.modes.toml`, if it exists. A built-in character brings its own mode table.
    #[schemars(with = "Option<String>")]
    modes: Option<Spanned<String>>,
    /// The region that the motion must stay in.
    bounds: BoundsEntry,
    /// How deep the body may enter surfaces, in meters, in addition to what touching takes: about the greatest error of a scanned
    /// floor. At most 0.02 body sizes. Default 0.
    #[schemars(with = "Option<Number>", extend("minimum" = 0))]
    contact_tolerance: Option<Spanned<Number>>,
    /// For scenes that are infeasible on purpose: where and why.
    broken: Option<InfeasibleEntry>,
    /// Obstacles: boxes, polygons and meshes.
    #[serde(default)]
    obstacle: Vec<ObstacleEntry>,
    /// Levels of many obstacles, each in a mesh file.
    #[serde(default)]
    level: Vec<LevelEntry>,
    /// Individual holds, in addition to those of the obstacles.
    #[serde(default)]
    #[schemars(with = "Vec<HoldEntry>")]
    hold: Vec<Spanned<HoldEntry>>,
    /// The start posture.
    start: PostureEntry,
    /// Given pieces that the motion must contain, in order.
    #[serde(default)]
    passage: Vec<PassageEntry>,
    /// The goal posture. A scene without one is for single postures: its goal is its start.
    goal: Option<PostureEntry>,
    /// Holds that the motion must use, in any order.
    #[serde(default)]
    #[schemars(with = "Vec<PinEntry>")]
    pin: Vec<Spanned<PinEntry>>,
    /// Holds that the motion must not use.
    #[serde(default)]
    #[schemars(with = "Vec<ForbiddenEntry>")]
    forbidden: Vec<Spanned<ForbiddenEntry>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { min = [0, 0], max = [10, 5] }")]
struct BoundsEntry {
    /// The corner with the smallest coordinates, in meters.
    #[schemars(with = "Point")]
    min: Spanned<Point>,
    /// The corner with the largest coordinates, in meters.
    #[schemars(with = "Point")]
    max: Spanned<Point>,
}

/// A scene file after reading.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Scene {
    /// The path of the scene file as the caller gave it.
    pub path: PathBuf,
    /// The planning problem.
    pub problem: Problem,
    /// Whether the file states a goal. Without one, the goal of the problem is its start.
    pub has_goal: bool,
    /// Where and why the scene is infeasible on purpose. Not part of the problem, so the planner never sees it.
    pub infeasible_segment: Option<InfeasibleSegment>,
    /// Contacts that the file gives as points, and that are on holds farther away than rounding explains.
    pub snapped_contacts: Vec<SnappedContact>,
}

impl Scene {
    /// Reads a [built-in](crate::builtin) scene, such as `climb`.
    pub fn builtin(name: &str) -> Result<Self, FileError> {
        builtin_scene(name)
    }

    /// Reads a scene file: [`read_scene`].
    pub fn read(file: impl AsRef<Path>) -> Result<Self, FileError> {
        read_scene(file.as_ref())
    }
}

/// Reads a scene and the files it refers to. A bare name without a file ending, such as `climb`, is a
/// [built-in](crate::builtin) scene; everything else is a path on disk.
pub fn read_scene(file: &Path) -> Result<Scene, FileError> {
    read_with_jitter(file, None)
}

/// Reads a scene as [`read_scene`] does, with random changes that follow from a seed: sizes by up to 3 percent, the start and the
/// goal by up to 5 cm, point holds by up to 5 cm along their surface. What follows may be rejected, for example a start inside
/// an obstacle.
pub fn read_jittered_scene(file: &Path, seed: u64) -> Result<Scene, FileError> {
    read_with_jitter(file, Some(seed))
}

fn read_with_jitter(file: &Path, jitter: Option<u64>) -> Result<Scene, FileError> {
    match embedded_files::bare_name(file) {
        Some(name) => {
            let (file, bytes) = read_builtin(name)?;
            build_scene(&file, &bytes, &embedded_files::read, jitter)
        }
        None => {
            let bytes = read_file(file).map_err(|error| FileError::unreadable(file, "the scene", &error))?;
            build_scene(file, &bytes, &read_file, jitter)
        }
    }
}

/// Reads a built-in scene.
pub(crate) fn builtin_scene(name: &str) -> Result<Scene, FileError> {
    let (file, bytes) = read_builtin(name)?;
    parse_scene(&file, &bytes, &embedded_files::read)
}

fn read_builtin(name: &str) -> Result<(PathBuf, Vec<u8>), FileError> {
    let file = embedded_files::scene_path(name);
    let bytes = embedded_files::read(&file).map_err(|_| {
        let help = embedded_files::known_names("scenes", &embedded_files::scene_names(), "my-scene.toml");
        FileError::without_location(Path::new(name), "there is no built-in scene of this name").with_help(help)
    })?;
    Ok((file, bytes))
}

/// Parses a scene file. `read` returns the bytes of the files that it refers to, so no disk is needed.
pub fn parse_scene(
    file: &Path,
    bytes: &[u8],
    read: &dyn Fn(&Path) -> std::io::Result<Vec<u8>>,
) -> Result<Scene, FileError> {
    build_scene(file, bytes, read, None)
}

/// Parses a scene file, with random changes if `jitter` is a seed.
fn build_scene(file: &Path, bytes: &[u8], read: &ReadFile, jitter: Option<u64>) -> Result<Scene, FileError> {
    let source = Source::new(file, bytes)?;
    let mut entries: SceneFile = parse_toml(&source, 1..=VERSION)?;

    let (character_file, character) = character(&source, &entries.character, read)?;
    if let Some(seed) = jitter {
        jitter_entries(&mut entries, seed, &character);
    }
    let modes = modes(&source, &entries, &character_file, &character, read)?;
    let (min, max) = bounds(&source, &entries.bounds, character.root_joint)?;
    let infeasible = entries.broken.as_ref();
    let infeasible = infeasible.map(|entry| infeasible_segment(&source, entry, character.root_joint)).transpose()?;
    let mut files = MeshFiles::new(read);
    let mut obstacles = obstacle::obstacles(&source, &entries.obstacle, &mut files)?;
    level::add_obstacles(&source, &entries.level, &mut files, &mut obstacles)?;
    let split = |ObstacleAndHolds { obstacle, holds }| (obstacle, holds);
    let (obstacles, on_surfaces): (Vec<Obstacle>, Vec<Option<HoldsOnSurface>>) =
        obstacles.into_iter().map(split).unzip();
    let space = if character.root_joint == RootJoint::Planar { Space::Planar } else { Space::Spatial };
    let world = World::from_obstacles(space, obstacles, min, max, &DistanceFieldSettings::default());
    let mut holds = hold::holds(&source, &on_surfaces, &entries.hold, &world, character.root_joint)?;
    if let Some(seed) = jitter {
        displace_holds(seed, &world, character.root_joint == RootJoint::Planar, &mut holds);
    }
    let tolerance = contact_tolerance(&source, entries.contact_tolerance.as_ref(), &character)?;
    let world = world.with_holds(holds).with_contact_tolerance(tolerance);
    let context = SceneContext {
        source: &source,
        character: &character,
        world: &world,
        modes: modes.as_ref(),
        needs_modes: entries.goal.is_some() || !entries.passage.is_empty(),
        holds: holds_by_name(&world),
        snapped: RefCell::default(),
    };
    let start = posture(&context, &entries.start, "the start")?;
    let goal = entries.goal.as_ref().map(|entry| posture(&context, entry, "the goal")).transpose()?;
    let has_goal = goal.is_some();
    let goal = goal.unwrap_or_else(|| start.clone());
    let passages = required_motion::passages(&context, &entries.passage, read)?;
    let pins = pinned_and_forbidden_holds::pins(&context, &entries.pin)?;
    let forbidden = pinned_and_forbidden_holds::forbidden(&context, &entries.forbidden)?;
    let snapped_contacts = context.snapped.take();
    let mut problem = Problem {
        name: entries.name,
        world: Arc::new(world),
        character: Arc::new(character),
        modes: modes.map(Arc::new),
        start,
        passages,
        goal,
        pins,
        forbidden_holds: Vec::new(),
    };
    pinned_and_forbidden_holds::forbid(&source, &mut problem, &forbidden)?;
    Ok(Scene { path: file.to_owned(), problem, has_goal, infeasible_segment: infeasible, snapped_contacts })
}

/// Changes sizes, and then the start and the goal.
fn jitter_entries(entries: &mut SceneFile, seed: u64, character: &Character) {
    let around = Vec3::splat(character.body_size());
    let postures = entries.passage.iter().flat_map(PassageEntry::postures).map(PostureEntry::place);
    let rigid: Vec<(Vec3, Vec3)> = postures.map(|place| (place - around, place + around)).collect();
    // Motion files have their own coordinates.
    if !entries.passage.iter().any(PassageEntry::is_from_file) {
        let corners: Vec<Vec3> = entries.obstacle.iter().flat_map(ObstacleEntry::corners).collect();
        let sizes = SizeJitter::new(seed, &corners, &rigid);
        map_points(entries, &|point| sizes.apply(point));
    }
    let is_planar = character.root_joint == RootJoint::Planar;
    let goal = entries.goal.as_mut().map(|goal| (goal, "jitter of the goal"));
    for (posture, which) in std::iter::once((&mut entries.start, "jitter of the start")).chain(goal) {
        let displacement = posture_displacement(seed, which, posture.is_on_contacts(), is_planar);
        posture.map_points(&|point| *point += displacement);
    }
}

/// Moves all points of a scene.
fn map_points(entries: &mut SceneFile, map: &dyn Fn(&mut Vec3)) {
    map(&mut entries.bounds.min.get_mut().xyz);
    map(&mut entries.bounds.max.get_mut().xyz);
    entries.broken.iter_mut().for_each(|entry| entry.map_points(map));
    entries.obstacle.iter_mut().for_each(|entry| entry.map_points(map));
    entries.level.iter_mut().for_each(|entry| entry.map_points(map));
    entries.hold.iter_mut().for_each(|entry| entry.get_mut().map_points(map));
    entries.passage.iter_mut().flat_map(PassageEntry::postures_mut).for_each(|entry| entry.map_points(map));
    entries.start.map_points(map);
    entries.goal.iter_mut().for_each(|entry| entry.map_points(map));
    entries.pin.iter_mut().for_each(|entry| entry.get_mut().map_points(map));
    entries.forbidden.iter_mut().for_each(|entry| entry.get_mut().map_points(map));
}

/// Returns the scene's character and its file: a built-in one for a bare name, otherwise one that `read` returns.
fn character(source: &Source, given: &Spanned<String>, read: &ReadFile) -> Result<(PathBuf, Character), FileError> {
    let Some(name) = embedded_files::bare_name(Path::new(given.get_ref())) else {
        let bytes = read_referenced(source, given, read)?;
        let file = source.beside(given.get_ref());
        let character = parse_character(&file, &bytes)?;
        return Ok((file, character));
    };
    let file = embedded_files::character_path(name);
    let bytes = embedded_files::read(&file).map_err(|_| {
        let message = format!("there is no built-in character `{}`", abbreviate(name));
        let help = embedded_files::known_names("characters", &embedded_files::character_names(), "my-character.toml");
        source.error(given.span(), message).with_help(help)
    })?;
    let character = parse_character(&file, &bytes)?;
    Ok((file, character))
}

/// Returns the scene's mode table, or the one next to the character file.
fn modes(
    source: &Source,
    entries: &SceneFile,
    character_file: &Path,
    character: &Character,
    read: &ReadFile,
) -> Result<Option<ModeTable>, FileError> {
    if let Some(name) = &entries.modes {
        let bytes = read_referenced(source, name, read)?;
        return parse_modes(&source.beside(name.get_ref()), &bytes, character, character_file).map(Some);
    }
    let Some(stem) = character_file.file_stem() else { return Ok(None) };
    let mut name = stem.to_owned();
    name.push(".modes.toml");
    let file = character_file.with_file_name(name);
    let is_builtin = embedded_files::bare_name(Path::new(entries.character.get_ref())).is_some();
    match if is_builtin { embedded_files::read(&file) } else { read(&file) } {
        Ok(bytes) => parse_modes(&file, &bytes, character, character_file).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let message = format!("cannot read {}: {}", abbreviate(&file.display().to_string()), reason(&error));
            let help = "this is the character's default mode table; set `modes` to use another";
            Err(source.error(entries.character.span(), message).with_help(help))
        }
    }
}

/// Returns the contact tolerance of a scene, within what suits the character.
fn contact_tolerance(
    source: &Source,
    given: Option<&Spanned<Number>>,
    character: &Character,
) -> Result<f32, FileError> {
    let Some(given) = given else { return Ok(0.0) };
    let limit = MAX_CONTACT_TOLERANCE * character.body_size();
    let Number(tolerance) = *given.get_ref();
    if (0.0..=limit).contains(&tolerance) {
        return Ok(tolerance);
    }
    let message = format!("a contact tolerance of {tolerance} m does not suit `{}`", abbreviate(&character.name));
    Err(source.error(given.span(), message).with_help(format!("use 0 to {limit:.4} m")))
}

fn bounds(source: &Source, entry: &BoundsEntry, root: RootJoint) -> Result<(Vec3, Vec3), FileError> {
    let (min, max) = (entry.min.get_ref(), entry.max.get_ref());
    let empty = |k: usize| min.xyz[k] >= max.xyz[k];
    if empty(0) || empty(1) || (empty(2) && root == RootJoint::Free) {
        let help = match root {
            RootJoint::Planar => "each coordinate of `max` must exceed that of `min`",
            RootJoint::Free => "each of the three coordinates of `max` must exceed that of `min`",
        };
        return Err(source.error(entry.max.span(), "the region is empty").with_help(help));
    }
    // The center of mass of a planar character stays in the plane: one layer of cells suffices.
    let flat = |place: Vec3| if root == RootJoint::Planar { Vec3::new(place.x, place.y, 0.0) } else { place };
    Ok((flat(min.xyz), flat(max.xyz)))
}
