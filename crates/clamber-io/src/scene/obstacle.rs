//! Obstacles: boxes, polygons and meshes.

use std::collections::BTreeSet;

use clamber_model::math::Vec3;
use clamber_model::world::{DEFAULT_FRICTION, MAX_FRICTION, Obstacle, ShapeError};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::mesh_files::{MeshFiles, place_vertices};
use super::obstacle_holds_key::{HoldsOnSurface, SpreadEntry, spread};
use crate::common_field_types::{Number, Numbers, Orientation, Point, coefficient_of_friction};
use crate::error::{FileError, Source};
use crate::mesh::{Markers, MeshPart, TriangleMesh};
use crate::suggest_name::abbreviate;

/// Most vertices of a polygon: validation compares all pairs of sides.
const MAX_VERTICES: usize = 1000;

/// Longest name of an obstacle with holds or with several parts, in bytes: each of them repeats it.
const LONGEST_NAME: usize = 200;

/// Default half depth of planar obstacles, in meters: from z = -1 to z = 1.
const PLANAR_DEPTH: f32 = 1.0;

/// A named obstacle: exactly one of `box`, `polygon` and `mesh`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of an obstacle")]
#[schemars(extend("oneOf" = [{ "required": ["box"] }, { "required": ["polygon"] }, { "required": ["mesh"] }]))]
pub(super) struct ObstacleEntry {
    /// Name for reports, unique in the scene.
    #[schemars(with = "String")]
    name: Spanned<String>,
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
    holds: Option<Spanned<SpreadEntry>>,
    /// The coefficient of static friction of its surface. Default 0.8.
    #[schemars(with = "Option<Number>", extend("minimum" = 0, "maximum" = MAX_FRICTION))]
    friction: Option<Spanned<Number>>,
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

impl ObstacleEntry {
    /// The corners of a box that is not turned, and the vertices of a polygon.
    pub(super) fn corners(&self) -> Vec<Vec3> {
        let polygon = self.polygon.iter().flat_map(|polygon| polygon.get_ref());
        let mut corners: Vec<Vec3> = polygon.map(|Numbers([x, y])| Vec3::new(*x, *y, 0.0)).collect();
        if let Some(cuboid) = self.cuboid.as_ref().filter(|cuboid| cuboid.is_upright()) {
            let half = 0.5 * cuboid.size.get_ref().xyz;
            corners.extend([cuboid.center.xyz - half, cuboid.center.xyz + half]);
        }
        corners
    }

    /// Moves all points.
    pub(super) fn map_points(&mut self, map: &dyn Fn(&mut Vec3)) {
        for Numbers([x, y]) in self.polygon.iter_mut().flat_map(|polygon| polygon.get_mut()) {
            let mut point = Vec3::new(*x, *y, 0.0);
            map(&mut point);
            (*x, *y) = (point.x, point.y);
        }
        if let Some(cuboid) = &mut self.cuboid {
            cuboid.map_points(map);
        }
        if let Some(mesh) = &mut self.mesh {
            map(&mut mesh.position.xyz);
        }
    }
}

impl BoxEntry {
    fn is_upright(&self) -> bool {
        self.turn.rotation() == Orientation::default().rotation()
    }

    /// A box that is turned keeps its size.
    fn map_points(&mut self, map: &dyn Fn(&mut Vec3)) {
        if !self.is_upright() {
            map(&mut self.center.xyz);
            return;
        }
        let size = &mut self.size.get_mut().xyz;
        let [mut min, mut max] = [self.center.xyz - 0.5 * *size, self.center.xyz + 0.5 * *size];
        map(&mut min);
        map(&mut max);
        (self.center.xyz, *size) = (0.5 * (min + max), max - min);
    }
}

pub(super) fn origin() -> Point {
    Point { xyz: Vec3::ZERO, is_planar: false }
}

/// An obstacle of the world, and which holds its surface has.
pub(super) struct ObstacleAndHolds {
    pub obstacle: Obstacle,
    pub holds: Option<HoldsOnSurface>,
}

/// Returns the obstacles of a scene in the order of the file.
pub(super) fn obstacles(
    source: &Source,
    entries: &[ObstacleEntry],
    files: &mut MeshFiles,
) -> Result<Vec<ObstacleAndHolds>, FileError> {
    let mut names = BTreeSet::new();
    for entry in entries {
        let name = entry.name.get_ref();
        if !names.insert(name.clone()) {
            return Err(name_in_use(source, entry, name));
        }
        // Counted before the meshes are placed, which is the expensive step.
        if let Some(mesh) = &entry.mesh {
            files.read(source, &mesh.file, Markers::Ignored)?;
        }
    }
    let mut obstacles = Vec::new();
    for entry in entries {
        let friction = entry.friction.as_ref().map(|given| coefficient_of_friction(source, given)).transpose()?;
        let friction = friction.unwrap_or(DEFAULT_FRICTION);
        let holds = entry.holds.as_ref().map(|holds| spread(source, holds)).transpose()?;
        if holds.is_some() && entry.name.get_ref().len() > LONGEST_NAME {
            let message = format!("the name of an obstacle with holds exceeds {LONGEST_NAME} bytes");
            return Err(source.error(entry.name.span(), message).with_help("shorten it: each of its holds repeats it"));
        }
        for obstacle in of_entry(source, entry, files)? {
            // A part of a mesh may have the name of another obstacle.
            if obstacle.name != *entry.name.get_ref() && !names.insert(obstacle.name.clone()) {
                return Err(name_in_use(source, entry, &obstacle.name));
            }
            obstacles.push(ObstacleAndHolds { obstacle: obstacle.with_friction(friction), holds: holds.clone() });
        }
    }
    Ok(obstacles)
}

fn name_in_use(source: &Source, entry: &ObstacleEntry, name: &str) -> FileError {
    let message = format!("the name `{}` is already in use", abbreviate(name));
    source.error(entry.name.span(), message).with_help("give each obstacle a unique name")
}

/// Returns the obstacle of an entry, or those of the parts of its mesh.
fn of_entry(source: &Source, entry: &ObstacleEntry, files: &MeshFiles) -> Result<Vec<Obstacle>, FileError> {
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
            let cuboid_obstacle = Obstacle::cuboid(name, cuboid.turn.at(cuboid.center.xyz), size.xyz.with_z(depth));
            cuboid_obstacle.map(|obstacle| vec![obstacle]).map_err(|error| {
                source.error(cuboid.size.span(), error.to_string()).with_help("write positive lengths")
            })
        }
        (None, Some(polygon), None) => {
            polygon_obstacle(source, name, polygon, entry.depth.as_ref()).map(|obstacle| vec![obstacle])
        }
        (None, None, Some(mesh)) => {
            mesh_obstacles(source, &entry.name, mesh, files.get(source, &mesh.file, Markers::Ignored))
        }
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

/// Returns the obstacles of a mesh file: one per part, named after the entry and the part, or one with the plain name for a file
/// with a single part.
///
/// Parts that have a border may be closed together, such as the sides of a box in groups of their own. They stay together, since
/// only a closed mesh is solid.
fn mesh_obstacles(
    source: &Source,
    name: &Spanned<String>,
    entry: &MeshEntry,
    mesh: &TriangleMesh,
) -> Result<Vec<Obstacle>, FileError> {
    let mut mesh = mesh.clone();
    let world_from_mesh = entry.turn.at(entry.position.xyz);
    place_vertices(source, &entry.file, (world_from_mesh, entry.scale.as_ref()), &mut mesh.vertices)?;
    let parts = mesh.split();
    let name = match name.get_ref() {
        long if parts.len() > 1 && long.len() > LONGEST_NAME => {
            let message = format!("the name of an obstacle with several parts exceeds {LONGEST_NAME} bytes");
            return Err(source.error(name.span(), message).with_help("shorten it: each part repeats it"));
        }
        name => name,
    };
    let mut obstacles = Vec::new();
    let mut open: Vec<(MeshPart, Obstacle)> = Vec::new();
    let has_parts = parts.len() > 1;
    for part in parts {
        let is_plain = !has_parts || part.name.is_empty();
        let full_name = if is_plain { name.clone() } else { format!("{name}/{}", part.name) };
        match Obstacle::mesh(&full_name, part.vertices.clone(), part.triangles.clone()) {
            Ok(obstacle) if obstacle.is_solid() => obstacles.push(obstacle),
            Ok(obstacle) => open.push((part, obstacle)),
            // Other parts may have triangles.
            Err(ShapeError::EmptyMesh) => {}
            Err(error) => {
                return Err(FileError::without_location(&source.beside(entry.file.get_ref()), error.to_string()));
            }
        }
    }
    let has_solids = !obstacles.is_empty();
    obstacles.extend(join_if_closed(open, (!has_solids).then_some(name)));
    if obstacles.is_empty() {
        let message = "with this placement no triangle of the mesh has three distinct vertices";
        return Err(source.error(entry.file.span(), message).with_help("check `scale` and the mesh file"));
    }
    Ok(obstacles)
}

/// Returns parts with a border as one obstacle if some of them bound a solid together, otherwise as they are. Without a name, it
/// has that of the first part.
fn join_if_closed(parts: Vec<(MeshPart, Obstacle)>, name: Option<&String>) -> Vec<Obstacle> {
    let apart: usize = parts.iter().map(|(_, obstacle)| obstacle.open_triangle_count()).sum();
    if parts.len() > 1 {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for (part, _) in &parts {
            let first = vertices.len() as u32;
            vertices.extend(&part.vertices);
            triangles.extend(part.triangles.iter().map(|triangle| triangle.map(|vertex| first + vertex)));
        }
        match Obstacle::mesh(name.unwrap_or(&parts[0].1.name), vertices, triangles) {
            Ok(together) if together.open_triangle_count() < apart => return vec![together],
            _ => {}
        }
    }
    parts.into_iter().map(|(_, obstacle)| obstacle).collect()
}
