//! Scenes as TOML: a world, who moves in it, from where to where.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clamber_model::character::{Character, Root};
use clamber_model::math::{Pose, Vec3};
use clamber_model::world::{FieldSettings, Obstacle};
use clamber_model::{Configuration, Problem, World};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::character::{check_version, parse_character};
use crate::error::{FileError, Source};
use crate::fields::{Number, Place, Turn};
use crate::mesh::{ReadFile, parse_mesh};
use crate::parse::{parse_toml, suggest};

const VERSION: u32 = 1;

/// Polygons are checked pair of sides by pair of sides; more corners than this belong into a mesh.
const MAX_CORNERS: usize = 1000;

/// How deep planar obstacles are, where the scene does not say: from -1 m to 1 m.
const PLANAR_DEPTH: f32 = 1.0;

/// A world, a character, where it starts and where it should end.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SceneFile {
    /// The version of this format: 1.
    #[schemars(with = "u32")]
    version: Spanned<u32>,
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
    #[schemars(with = "PostureEntry")]
    start: Spanned<PostureEntry>,
    /// To here.
    #[schemars(with = "PostureEntry")]
    goal: Spanned<PostureEntry>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
struct ObstacleEntry {
    /// As reports name it; unique in the scene.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// A box.
    #[serde(rename = "box")]
    cuboid: Option<BoxEntry>,
    /// The corners of a simple polygon in the plane, in either order.
    #[schemars(with = "Option<Vec<[Number; 2]>>")]
    polygon: Option<Spanned<Vec<[Number; 2]>>>,
    /// From which z to which z the polygon is extruded; [-1, 1] when not given.
    depth: Option<[Number; 2]>,
    /// A triangle mesh from a file.
    mesh: Option<MeshEntry>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
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
    #[serde(default = "one")]
    scale: Number,
}

fn origin() -> Place {
    Place { xyz: Vec3::ZERO, is_planar: false }
}

fn one() -> Number {
    Number(1.0)
}

/// Where the character is and how it is bent. Hinges that are not named are at rest.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PostureEntry {
    /// Where the first link's joint is.
    position: Place,
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
    let bytes =
        std::fs::read(file).map_err(|error| FileError::whole(file, format!("cannot read the scene: {error}")))?;
    parse_scene(file, &bytes, &|path| std::fs::read(path))
}

/// Reads a scene from the bytes of a file; `read` brings the bytes of the files it names. No disk is needed.
pub fn parse_scene(
    file: &Path,
    bytes: &[u8],
    read: &dyn Fn(&Path) -> std::io::Result<Vec<u8>>,
) -> Result<Scene, FileError> {
    let source = Source::new(file, bytes)?;
    let entries: SceneFile = parse_toml(&source)?;
    check_version(&source, &entries.version, VERSION)?;

    let (path, character_bytes) = read_named(&source, &entries.character, read)?;
    let character = parse_character(&path, &character_bytes)?;
    let (min, max) = bounds(&source, &entries.bounds, character.root)?;
    let mut obstacles: Vec<Obstacle> = Vec::new();
    for entry in &entries.obstacle {
        if obstacles.iter().any(|obstacle| obstacle.name == *entry.name.get_ref()) {
            let message = format!("the name `{}` is taken already", entry.name.get_ref());
            return Err(source.error(entry.name.span(), message));
        }
        obstacles.push(obstacle(&source, entry, read)?);
    }
    let start = posture(&source, &entries.start, &character)?;
    let goal = posture(&source, &entries.goal, &character)?;
    if entries.start.get_ref().facing_or_right() != entries.goal.get_ref().facing_or_right() {
        return Err(source
            .error(entries.goal.span(), "the goal looks the other way than the start")
            .with_help("a flying planar character cannot turn around; give both the same `facing`"));
    }
    let world = World::new(obstacles, min, max, &FieldSettings::default());
    let problem = Problem { name: entries.name, world: Arc::new(world), character: Arc::new(character), start, goal };
    Ok(Scene { file: file.to_owned(), problem })
}

fn read_named(source: &Source, name: &Spanned<String>, read: &ReadFile) -> Result<(PathBuf, Vec<u8>), FileError> {
    let path = source.file.parent().unwrap_or(Path::new("")).join(name.get_ref());
    match read(&path) {
        Ok(bytes) => Ok((path, bytes)),
        Err(error) => {
            let message = format!("cannot read {}: {error}", path.display());
            Err(source.error(name.span(), message).with_help("paths are relative to the scene's folder"))
        }
    }
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

fn obstacle(source: &Source, entry: &ObstacleEntry, read: &ReadFile) -> Result<Obstacle, FileError> {
    let name = entry.name.get_ref();
    let shapes = [entry.cuboid.is_some(), entry.polygon.is_some(), entry.mesh.is_some()];
    if shapes.into_iter().filter(|&given| given).count() != 1 {
        let message = format!("obstacle `{name}` needs exactly one of `box`, `polygon` and `mesh`");
        return Err(source.error(entry.name.span(), message));
    }
    if entry.depth.is_some() && entry.polygon.is_none() {
        let message = format!("obstacle `{name}` has a `depth`, which only polygons have");
        return Err(source.error(entry.name.span(), message));
    }
    if let Some(cuboid) = &entry.cuboid {
        let size = cuboid.size.get_ref();
        let depth = if size.is_planar { 2.0 * PLANAR_DEPTH } else { size.xyz.z };
        return Obstacle::cuboid(name, cuboid.turn.at(cuboid.center.xyz), size.xyz.with_z(depth))
            .map_err(|error| source.error(cuboid.size.span(), error.to_string()));
    }
    if let Some(polygon) = &entry.polygon {
        let corners: Vec<[f32; 2]> = polygon.get_ref().iter().map(|corner| corner.map(|Number(x)| x)).collect();
        if corners.len() > MAX_CORNERS {
            let message = format!("the polygon has {} corners, and {MAX_CORNERS} is the most", corners.len());
            return Err(source.error(polygon.span(), message).with_help("use a mesh"));
        }
        let [low, high] = entry.depth.map_or([-PLANAR_DEPTH, PLANAR_DEPTH], |depth| depth.map(|Number(z)| z));
        return Obstacle::polygon(name, &corners, low, high)
            .map_err(|error| source.error(polygon.span(), error.to_string()));
    }
    let Some(mesh) = &entry.mesh else { unreachable!("exactly one shape is given") };
    let (path, bytes) = read_named(source, &mesh.file, read)?;
    let mut triangles = parse_mesh(&path, &bytes, read)?;
    let world_from_mesh = mesh.turn.at(mesh.position.xyz);
    let Number(scale) = mesh.scale;
    if scale <= 0.0 {
        return Err(source.error(mesh.file.span(), "the mesh's scale must be greater than 0"));
    }
    for vertex in &mut triangles.vertices {
        *vertex = world_from_mesh * (*vertex * scale);
        if !crate::mesh::is_sensible(*vertex) {
            return Err(source.error(mesh.file.span(), "the mesh reaches farther than 100 km from the origin"));
        }
    }
    Obstacle::mesh(name, triangles.vertices, triangles.triangles)
        .map_err(|error| FileError::whole(&path, error.to_string()))
}

impl PostureEntry {
    fn facing_or_right(&self) -> FacingEntry {
        self.facing.as_ref().map_or(FacingEntry::Right, |facing| *facing.get_ref())
    }
}

fn posture(source: &Source, entry: &Spanned<PostureEntry>, character: &Character) -> Result<Configuration, FileError> {
    let posture = entry.get_ref();
    let place = posture.position.xyz;
    let root = match character.root {
        Root::Planar => {
            if let Some(given) = posture.heading.as_ref().or(posture.roll.as_ref()) {
                let message = "a planar character has no heading and no roll";
                return Err(source.error(given.span(), message).with_help("use `facing` and `pitch`"));
            }
            if place.z != 0.0 {
                return Err(source.error(entry.span(), "a planar character stays in the plane z = 0"));
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
            let message = format!("the character has no hinge `{}`", name.get_ref());
            return Err(source.error(name.span(), message).with_help(suggest(name.get_ref(), &known)));
        };
        let hinge = &character.hinges[index];
        let radians = angle.get_ref().radians();
        // Degrees and back may round by a hair.
        if radians < hinge.min - 1e-4 || radians > hinge.max + 1e-4 {
            let limits =
                format!("it turns from {:.1} to {:.1} degrees", hinge.min.to_degrees(), hinge.max.to_degrees());
            let message = format!("hinge `{}` does not reach {} degrees", hinge.name, angle.get_ref().0);
            return Err(source.error(angle.span(), message).with_help(limits));
        }
        configuration.angles[index] = radians.clamp(hinge.min, hinge.max);
    }
    Ok(configuration)
}
