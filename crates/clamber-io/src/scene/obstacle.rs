//! Obstacles: boxes, polygons and meshes.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clamber_model::math::Vec3;
use clamber_model::world::{Obstacle, ShapeError};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::referenced_file::read_referenced;
use super::spread_holds::SpreadEntry;
use crate::error::{FileError, Source};
use crate::mesh::{MAX_TRIANGLES, MeshFormat, TriangleMesh, is_sensible, parse_mesh};
use crate::read_from_disk::ReadFile;
use crate::shared_values::{Number, Numbers, Orientation, Point};
use crate::suggest_name::abbreviate;

/// Most vertices of a polygon: validation compares all pairs of sides.
const MAX_VERTICES: usize = 1000;

/// Default half depth of planar obstacles, in meters: from z = -1 to z = 1.
const PLANAR_DEPTH: f32 = 1.0;

/// A named obstacle: exactly one of `box`, `polygon` and `mesh`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of an obstacle")]
#[schemars(extend("oneOf" = [{ "required": ["box"] }, { "required": ["polygon"] }, { "required": ["mesh"] }]))]
pub(super) struct ObstacleEntry {
    /// Name for reports, unique in the scene.
    #[schemars(with = "String")]
    pub(super) name: Spanned<String>,
    /// A box.
    #[serde(rename = "box")]
    cuboid: Option<BoxEntry>,
    /// Vertices of a simple polygon in the plane, in either winding order.
    #[schemars(with = "Option<Vec<Numbers<2>>>", extend("minItems" = 3, "maxItems" = MAX_VERTICES))]
    polygon: Option<Spanned<Vec<Numbers<2>>>>,
    /// The z range of the extruded polygon. Default [-1, 1].
    #[schemars(with = "Option<Numbers<2>>")]
    depth: Option<Spanned<Numbers<2>>>,
    /// A triangle mesh from a file.
    mesh: Option<MeshEntry>,
    /// Turns its surface into holds.
    #[schemars(with = "Option<SpreadEntry>")]
    pub(super) holds: Option<Spanned<SpreadEntry>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { center = [0, 1], size = [2, 1] }")]
struct BoxEntry {
    /// Center of the box, in meters.
    center: Point,
    /// Side lengths, in meters; with two numbers the depth is 2 m.
    #[schemars(with = "Point")]
    size: Spanned<Point>,
    /// Orientation.
    #[serde(default)]
    turn: Orientation,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { file = \"meshes/rocks.obj\" }")]
struct MeshEntry {
    /// The path of an .obj, .gltf or .glb file, relative to this file.
    #[schemars(with = "String")]
    file: Spanned<String>,
    /// Position of the mesh's origin, in meters.
    #[serde(default = "origin")]
    position: Point,
    /// Orientation.
    #[serde(default)]
    turn: Orientation,
    /// Scale factor. Default 1.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    scale: Option<Spanned<Number>>,
}

fn origin() -> Point {
    Point { xyz: Vec3::ZERO, is_planar: false }
}

/// Meshes by path: a scene may use one many times.
type Meshes = BTreeMap<PathBuf, TriangleMesh>;

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
            let message = format!("the name `{}` is already in use", abbreviate(name));
            return Err(source.error(entry.name.span(), message).with_help("give each obstacle a unique name"));
        }
        let Some(mesh) = &entry.mesh else { continue };
        let TriangleMesh { vertices, triangles: of_this } = read_mesh(source, mesh, read, &mut meshes)?;
        // Counted before the meshes are placed, which is the expensive step. Vertices count too: some may have no
        // triangle.
        triangles += of_this.len().max(vertices.len() / 3);
        if triangles > MAX_TRIANGLES {
            let message = format!("with this mesh the scene has more than {MAX_TRIANGLES} triangles");
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
) -> Result<&'a TriangleMesh, FileError> {
    let Some(kind) = MeshFormat::of(Path::new(entry.file.get_ref())) else {
        let message = format!("`{}` is not a supported mesh format", abbreviate(entry.file.get_ref()));
        return Err(source.error(entry.file.span(), message).with_help("use an .obj, .gltf or .glb file"));
    };
    match meshes.entry(source.beside(entry.file.get_ref())) {
        Entry::Occupied(known) => Ok(known.into_mut()),
        Entry::Vacant(place) => {
            let bytes = read_referenced(source, &entry.file, read)?;
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
        return Err(source.error(depth.span(), "only polygons have a `depth`").with_help("remove `depth`"));
    }
    match (&entry.cuboid, &entry.polygon, &entry.mesh) {
        (Some(cuboid), None, None) => {
            let size = cuboid.size.get_ref();
            let depth = if size.is_planar { 2.0 * PLANAR_DEPTH } else { size.xyz.z };
            Obstacle::cuboid(name, cuboid.turn.at(cuboid.center.xyz), size.xyz.with_z(depth)).map_err(|error| {
                source.error(cuboid.size.span(), error.to_string()).with_help("write positive lengths")
            })
        }
        (None, Some(polygon), None) => polygon_obstacle(source, name, polygon, entry.depth.as_ref()),
        (None, None, Some(mesh)) => mesh_obstacle(source, name, mesh, meshes),
        _ => {
            let message = format!("obstacle `{}` needs exactly one of `box`, `polygon` and `mesh`", abbreviate(name));
            Err(source.error(entry.name.span(), message).with_help("keep one of the three keys"))
        }
    }
}

fn polygon_obstacle(
    source: &Source,
    name: &str,
    polygon: &Spanned<Vec<Numbers<2>>>,
    depth: Option<&Spanned<Numbers<2>>>,
) -> Result<Obstacle, FileError> {
    let vertices: Vec<[f32; 2]> = polygon.get_ref().iter().map(|Numbers(vertex)| *vertex).collect();
    let count = vertices.len();
    if count > MAX_VERTICES {
        let message = format!("the polygon has {count} vertices; at most {MAX_VERTICES} are allowed");
        return Err(source.error(polygon.span(), message).with_help("use a mesh"));
    }
    if let Some(first) = (0..count).find(|&i| count > 1 && vertices[i] == vertices[(i + 1) % count]) {
        let message = format!("vertices {} and {} of the polygon coincide", first + 1, (first + 1) % count + 1);
        let help = "remove one of them; the polygon closes without repeating its first vertex";
        return Err(source.error(polygon.span(), message).with_help(help));
    }
    let [low, high] = depth.map_or([-PLANAR_DEPTH, PLANAR_DEPTH], |depth| depth.get_ref().0);
    Obstacle::polygon(name, &vertices, low, high).map_err(|error| {
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
        return Err(source.error(given.span(), "a scale must be greater than 0").with_help("write a positive number"));
    }
    let path = source.beside(mesh.file.get_ref());
    let TriangleMesh { mut vertices, triangles } = meshes[&path].clone();
    let world_from_mesh = mesh.turn.at(mesh.position.xyz);
    for vertex in &mut vertices {
        *vertex = world_from_mesh * (*vertex * scale);
        if !is_sensible(*vertex) {
            let message = "with this placement the mesh extends more than 100 km from the origin";
            return Err(source.error(mesh.file.span(), message).with_help("check `position` and `scale`"));
        }
    }
    Obstacle::mesh(name, vertices, triangles).map_err(|error| match error {
        ShapeError::EmptyMesh => {
            let message = "with this placement no triangle of the mesh has three distinct vertices";
            source.error(mesh.file.span(), message).with_help("check `scale` and the mesh file")
        }
        _ => FileError::without_location(&path, error.to_string()),
    })
}
