//! Scenes as TOML: a world, who moves in it, from where to where.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clamber_model::character::{Character, Root};
use clamber_model::math::{Pose, Vec3};
use clamber_model::problem::Posture;
use clamber_model::world::{FieldSettings, Obstacle, ShapeError};
use clamber_model::{Configuration, Problem, World};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::character::parse_character;
use crate::error::{FileError, Source, reason};
use crate::fields::{Number, Numbers, Place, Turn};
use crate::file::read_file;
use crate::mesh::{MAX_TRIANGLES, Mesh, MeshKind, ReadFile, is_sensible, parse_mesh};
use crate::parse::{brief, parse_toml, suggest};

const VERSION: u32 = 1;

/// Polygons are checked pair of sides by pair of sides; more corners than this belong into a mesh.
const MAX_CORNERS: usize = 1000;

/// How deep planar obstacles are, where the scene does not say: from -1 m to 1 m.
const PLANAR_DEPTH: f32 = 1.0;

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
    /// The region in which a motion is looked for.
    bounds: BoundsEntry,
    /// What is in the way.
    #[serde(default)]
    obstacle: Vec<ObstacleEntry>,
    /// From here.
    start: PostureEntry,
    /// To here.
    goal: PostureEntry,
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

/// A named obstacle: exactly one of `box`, `polygon` and `mesh`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of an obstacle")]
#[schemars(extend("oneOf" = [{ "required": ["box"] }, { "required": ["polygon"] }, { "required": ["mesh"] }]))]
struct ObstacleEntry {
    /// As reports name it; unique in the scene.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// A box.
    #[serde(rename = "box")]
    cuboid: Option<BoxEntry>,
    /// The corners of a simple polygon in the plane, in either order.
    #[schemars(with = "Option<Vec<Numbers<2>>>", extend("minItems" = 3, "maxItems" = MAX_CORNERS))]
    polygon: Option<Spanned<Vec<Numbers<2>>>>,
    /// From which z to which z the polygon is extruded; [-1, 1] when not given.
    #[schemars(with = "Option<Numbers<2>>")]
    depth: Option<Spanned<Numbers<2>>>,
    /// A triangle mesh from a file.
    mesh: Option<MeshEntry>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { center = [0, 1], size = [2, 1] }")]
struct BoxEntry {
    /// The middle of the box.
    center: Place,
    /// Its sides; with two numbers it is 2 m deep.
    #[schemars(with = "Place")]
    size: Spanned<Place>,
    /// How it is turned.
    #[serde(default)]
    turn: Turn,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { file = \"meshes/rocks.obj\" }")]
struct MeshEntry {
    /// An .obj, .gltf or .glb file, as seen from this file.
    #[schemars(with = "String")]
    file: Spanned<String>,
    /// Where its origin is.
    #[serde(default = "origin")]
    position: Place,
    /// How it is turned.
    #[serde(default)]
    turn: Turn,
    /// How much larger than the file says; 1 when not given.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    scale: Option<Spanned<Number>>,
}

fn origin() -> Place {
    Place { xyz: Vec3::ZERO, is_planar: false }
}

/// Where the character is and how it is bent. Hinges that are not named are at rest.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a posture")]
struct PostureEntry {
    /// Where the first link's joint is.
    #[schemars(with = "Place")]
    position: Spanned<Place>,
    /// Which way a planar character looks.
    #[schemars(with = "Option<FacingEntry>")]
    facing: Option<Spanned<FacingEntry>>,
    /// How far it leans back, in degrees.
    #[serde(default)]
    pitch: Number,
    /// Which way a free character looks: from +x counter-clockwise seen from above, in degrees.
    #[schemars(with = "Option<Number>")]
    heading: Option<Spanned<Number>>,
    /// How far a free character leans to its right, in degrees.
    #[schemars(with = "Option<Number>")]
    roll: Option<Spanned<Number>>,
    /// Hinge angles by name, in degrees.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Number>")]
    angles: BTreeMap<Spanned<String>, Spanned<Number>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum FacingEntry {
    /// Along -x.
    Left,
    /// Along +x.
    Right,
}

/// A scene that was read.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The scene's file, as it was named.
    pub file: PathBuf,
    /// The question it asks.
    pub problem: Problem,
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
    let character = parse_character(&source.beside(entries.character.get_ref()), &character_bytes)?;
    let (min, max) = bounds(&source, &entries.bounds, character.root)?;
    let obstacles = obstacles(&source, &entries.obstacle, read)?;
    let start = posture(&source, &entries.start, &character)?;
    let goal = posture(&source, &entries.goal, &character)?;
    refuse_turning_around(&source, &entries)?;
    let world = World::new(obstacles, min, max, &FieldSettings::default());
    let problem = Problem {
        name: entries.name,
        world: Arc::new(world),
        character: Arc::new(character),
        modes: None,
        start: Posture::flying(start),
        passages: Vec::new(),
        goal: Posture::flying(goal),
    };
    Ok(Scene { file: file.to_owned(), problem })
}

fn refuse_turning_around(source: &Source, SceneFile { start, goal, .. }: &SceneFile) -> Result<(), FileError> {
    match goal.facing.as_ref().or(start.facing.as_ref()) {
        Some(facing) if start.facing_or_right() != goal.facing_or_right() => {
            let help = "a flying planar character cannot turn around; give both the same `facing`";
            Err(source.error(facing.span(), "the goal looks the other way than the start").with_help(help))
        }
        _ => Ok(()),
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

/// Meshes by their paths: a scene may name one many times.
type Meshes = BTreeMap<PathBuf, Mesh>;

fn obstacles(source: &Source, entries: &[ObstacleEntry], read: &ReadFile) -> Result<Vec<Obstacle>, FileError> {
    let mut names = BTreeSet::new();
    let mut meshes = Meshes::new();
    let mut triangles = 0;
    for entry in entries {
        let name = entry.name.get_ref();
        if !names.insert(name) {
            let message = format!("the name `{}` is taken already", brief(name));
            return Err(source.error(entry.name.span(), message).with_help("give each obstacle a name of its own"));
        }
        let Some(mesh) = &entry.mesh else { continue };
        let Mesh { vertices, triangles: of_this } = read_mesh(source, mesh, read, &mut meshes)?;
        // Counted before any is placed, which is what takes time and memory; vertices too, as some may have no triangle.
        triangles += of_this.len().max(vertices.len() / 3);
        if triangles > MAX_TRIANGLES {
            let message = format!("up to here the scene's meshes have more than {MAX_TRIANGLES} triangles");
            return Err(source.error(mesh.file.span(), message).with_help("use simpler meshes"));
        }
    }
    entries.iter().map(|entry| obstacle(source, entry, &meshes)).collect()
}

fn read_mesh<'a>(
    source: &Source,
    entry: &MeshEntry,
    read: &ReadFile,
    meshes: &'a mut Meshes,
) -> Result<&'a Mesh, FileError> {
    let Some(kind) = MeshKind::of(Path::new(entry.file.get_ref())) else {
        let message = format!("`{}` is not of a kind that can be read", brief(entry.file.get_ref()));
        return Err(source.error(entry.file.span(), message).with_help("meshes end in .obj, .gltf or .glb"));
    };
    match meshes.entry(source.beside(entry.file.get_ref())) {
        Entry::Occupied(known) => Ok(known.into_mut()),
        Entry::Vacant(place) => {
            let bytes = read_named(source, &entry.file, read)?;
            let mesh = parse_mesh(kind, place.key(), &bytes, read)?;
            Ok(place.insert(mesh))
        }
    }
}

fn obstacle(source: &Source, entry: &ObstacleEntry, meshes: &Meshes) -> Result<Obstacle, FileError> {
    let name = entry.name.get_ref();
    if let Some(depth) = &entry.depth
        && entry.polygon.is_none()
    {
        return Err(source.error(depth.span(), "only polygons have a `depth`").with_help("leave it out"));
    }
    match (&entry.cuboid, &entry.polygon, &entry.mesh) {
        (Some(cuboid), None, None) => {
            let size = cuboid.size.get_ref();
            let depth = if size.is_planar { 2.0 * PLANAR_DEPTH } else { size.xyz.z };
            Obstacle::cuboid(name, cuboid.turn.at(cuboid.center.xyz), size.xyz.with_z(depth))
                .map_err(|error| source.error(cuboid.size.span(), error.to_string()))
        }
        (None, Some(polygon), None) => polygon_obstacle(source, name, polygon, entry.depth.as_ref()),
        (None, None, Some(mesh)) => mesh_obstacle(source, name, mesh, meshes),
        _ => {
            let message = format!("obstacle `{}` needs exactly one of `box`, `polygon` and `mesh`", brief(name));
            Err(source.error(entry.name.span(), message))
        }
    }
}

fn polygon_obstacle(
    source: &Source,
    name: &str,
    polygon: &Spanned<Vec<Numbers<2>>>,
    depth: Option<&Spanned<Numbers<2>>>,
) -> Result<Obstacle, FileError> {
    let corners: Vec<[f32; 2]> = polygon.get_ref().iter().map(|Numbers(corner)| *corner).collect();
    let count = corners.len();
    if count > MAX_CORNERS {
        let message = format!("the polygon has {count} corners, and {MAX_CORNERS} is the most");
        return Err(source.error(polygon.span(), message).with_help("use a mesh"));
    }
    if let Some(first) = (0..count).find(|&i| count > 1 && corners[i] == corners[(i + 1) % count]) {
        let message =
            format!("corners {} and {} of the polygon are at the same place", first + 1, (first + 1) % count + 1);
        let help = "leave one out; the last corner is joined with the first without being repeated";
        return Err(source.error(polygon.span(), message).with_help(help));
    }
    let [low, high] = depth.map_or([-PLANAR_DEPTH, PLANAR_DEPTH], |depth| depth.get_ref().0);
    Obstacle::polygon(name, &corners, low, high).map_err(|error| {
        let place = match (&error, depth) {
            (ShapeError::EmptyDepth, Some(depth)) => depth.span(),
            _ => polygon.span(),
        };
        source.error(place, error.to_string())
    })
}

fn mesh_obstacle(source: &Source, name: &str, mesh: &MeshEntry, meshes: &Meshes) -> Result<Obstacle, FileError> {
    let scale = mesh.scale.as_ref().map_or(1.0, |scale| scale.get_ref().0);
    if let Some(given) = &mesh.scale
        && scale <= 0.0
    {
        return Err(source.error(given.span(), "a scale must be greater than 0"));
    }
    let path = source.beside(mesh.file.get_ref());
    let Mesh { mut vertices, triangles } = meshes[&path].clone();
    let world_from_mesh = mesh.turn.at(mesh.position.xyz);
    for vertex in &mut vertices {
        *vertex = world_from_mesh * (*vertex * scale);
        if !is_sensible(*vertex) {
            let message = "placed here, the mesh reaches farther than 100 km from the origin";
            return Err(source.error(mesh.file.span(), message).with_help("look at `position` and `scale`"));
        }
    }
    Obstacle::mesh(name, vertices, triangles).map_err(|error| match error {
        ShapeError::EmptyMesh => {
            let message = "placed here, no triangle of the mesh has three different corners";
            source.error(mesh.file.span(), message).with_help("look at `scale`, and at the file")
        }
        _ => FileError::whole(&path, error.to_string()),
    })
}

impl PostureEntry {
    fn facing_or_right(&self) -> FacingEntry {
        self.facing.as_ref().map_or(FacingEntry::Right, |facing| *facing.get_ref())
    }
}

fn posture(source: &Source, posture: &PostureEntry, character: &Character) -> Result<Configuration, FileError> {
    let place = posture.position.get_ref().xyz;
    let root = match character.root {
        Root::Planar => {
            if let Some(given) = posture.heading.as_ref().or(posture.roll.as_ref()) {
                let message = "a planar character has no heading and no roll";
                return Err(source.error(given.span(), message).with_help("use `facing` and `pitch`"));
            }
            if place.z != 0.0 {
                let message = "a planar character stays in the plane z = 0";
                return Err(source.error(posture.position.span(), message).with_help("give `position` two numbers"));
            }
            let looks_right = posture.facing_or_right() == FacingEntry::Right;
            Configuration::planar_root(place.x, place.y, posture.pitch.radians(), looks_right)
        }
        Root::Free => {
            if let Some(facing) = &posture.facing {
                let message = "only planar characters have a `facing`";
                return Err(source.error(facing.span(), message).with_help("use `heading`, in degrees"));
            }
            let number = |given: &Option<Spanned<Number>>| given.as_ref().map_or(Number(0.0), |n| *n.get_ref());
            let turn = Turn { heading: number(&posture.heading), pitch: posture.pitch, roll: number(&posture.roll) };
            Pose::from_parts(place, turn.rotation())
        }
    };
    let mut configuration = Configuration { root, ..Configuration::rest(character) };
    for (name, angle) in &posture.angles {
        let Some(index) = character.hinge(name.get_ref()) else {
            let known: Vec<&String> = character.hinges.iter().map(|hinge| &hinge.name).collect();
            let message = format!("the character has no hinge `{}`", brief(name.get_ref()));
            return Err(source.error(name.span(), message).with_help(suggest(name.get_ref(), &known)));
        };
        let hinge = &character.hinges[index];
        let radians = angle.get_ref().radians();
        // Degrees and back may round by a hair.
        if radians < hinge.min - 1e-4 || radians > hinge.max + 1e-4 {
            let limits =
                format!("it turns from {:.1} to {:.1} degrees", hinge.min.to_degrees(), hinge.max.to_degrees());
            let message = format!("hinge `{}` does not reach {} degrees", brief(&hinge.name), angle.get_ref().0);
            return Err(source.error(angle.span(), message).with_help(limits));
        }
        configuration.angles[index] = radians.clamp(hinge.min, hinge.max);
    }
    Ok(configuration)
}
