//! What is in the way: boxes, polygons and meshes.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clamber_model::math::Vec3;
use clamber_model::world::{Obstacle, ShapeError};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::hold::SpreadEntry;
use super::read_named;
use crate::error::{FileError, Source};
use crate::fields::{Number, Numbers, Place, Turn};
use crate::mesh::{MAX_TRIANGLES, Mesh, MeshKind, ReadFile, is_sensible, parse_mesh};
use crate::parse::brief;

/// Polygons are checked pair of sides by pair of sides; more corners than this belong into a mesh.
const MAX_CORNERS: usize = 1000;

/// How deep planar obstacles are, where the scene does not say: from -1 m to 1 m.
const PLANAR_DEPTH: f32 = 1.0;

/// A named obstacle: exactly one of `box`, `polygon` and `mesh`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of an obstacle")]
#[schemars(extend("oneOf" = [{ "required": ["box"] }, { "required": ["polygon"] }, { "required": ["mesh"] }]))]
pub(super) struct ObstacleEntry {
    /// As reports name it; unique in the scene.
    #[schemars(with = "String")]
    pub(super) name: Spanned<String>,
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
    /// Makes its surface into holds.
    #[schemars(with = "Option<SpreadEntry>")]
    pub(super) holds: Option<Spanned<SpreadEntry>>,
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

/// Meshes by their paths: a scene may name one many times.
type Meshes = BTreeMap<PathBuf, Mesh>;

pub(super) fn obstacles(
    source: &Source,
    entries: &[ObstacleEntry],
    read: &ReadFile,
) -> Result<Vec<Obstacle>, FileError> {
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
