//! One named obstacle and its shape.

use std::collections::BTreeMap;

use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::shape::{Cuboid, SharedShape, TriMesh, TriMeshFlags};

use super::polygon::{PolygonError, extrude};
use crate::math::{Pose, Vec3};

/// Something solid, or a surface, that the character may not pass through.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// The obstacle's name, as reports say it.
    pub name: String,
    /// What it is made of; boxes and polygons have one part.
    pub parts: Vec<Part>,
}

/// A piece of an obstacle.
#[derive(Clone)]
pub struct Part {
    /// The engine's shape.
    pub shape: SharedShape,
    /// Where the shape is.
    pub world_from_shape: Pose,
    /// Whether it has an inside: boxes, polygons and closed meshes do, open meshes are surfaces.
    pub is_solid: bool,
}

impl std::fmt::Debug for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let solidity = if self.is_solid { "solid" } else { "surface" };
        write!(f, "Part({:?}, {solidity})", self.shape.shape_type())
    }
}

/// Why a shape cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A box needs a size in every direction.
    #[error("a box needs a size greater than zero in every direction")]
    EmptyBox,
    /// The base is not a simple polygon.
    #[error(transparent)]
    Polygon(#[from] PolygonError),
    /// An extrusion needs a depth.
    #[error("the polygon's depth must go from a lesser to a greater z")]
    EmptyDepth,
    /// A mesh needs triangles.
    #[error("the mesh has no triangles")]
    EmptyMesh,
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names a vertex that is not there (the first is 1)")]
    MissingVertex {
        /// The triangle, counted from 1.
        triangle: usize,
    },
}

impl Obstacle {
    /// A box of this size around a pose.
    pub fn cuboid(name: &str, world_from_box: Pose, size: Vec3) -> Result<Self, ShapeError> {
        if size.is_nan() || size.min_element() <= 0.0 {
            return Err(ShapeError::EmptyBox);
        }
        let shape = SharedShape::new(Cuboid::new(0.5 * size));
        let part = Part { shape, world_from_shape: world_from_box, is_solid: true };
        Ok(Self { name: name.to_owned(), parts: vec![part] })
    }

    /// A simple polygon in the plane, extruded from `low` to `high` along z.
    pub fn polygon(name: &str, corners: &[[f32; 2]], low: f32, high: f32) -> Result<Self, ShapeError> {
        if low.is_nan() || high.is_nan() || low >= high {
            return Err(ShapeError::EmptyDepth);
        }
        let (vertices, triangles) = extrude(corners, low, high)?;
        Self::mesh(name, vertices, triangles)
    }

    /// A triangle mesh, in world coordinates, taken apart into shells that hang together.
    ///
    /// A shell is solid when it is closed: when every side of a triangle is the side of exactly one other, run the other
    /// way. Shells may overlap, as boulders in a heap do; a point is inside the obstacle when it is inside any of them.
    /// A closed shell that faces inwards is the wall of a hollow when it lies in another one, and is turned outwards
    /// when it does not.
    pub fn mesh(name: &str, vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        let outside = |t: &[u32; 3]| t.iter().any(|&vertex| vertex as usize >= vertices.len());
        if let Some(bad) = triangles.iter().position(outside) {
            return Err(ShapeError::MissingVertex { triangle: bad + 1 });
        }
        let (vertices, triangles) = merge_vertices(&vertices, &triangles);
        let shells = shells(&vertices, triangles);
        let parts = shells.into_iter().map(|shell| shell.part(&vertices)).collect::<Result<Vec<_>, _>>()?;
        if parts.is_empty() {
            return Err(ShapeError::EmptyMesh);
        }
        Ok(Self { name: name.to_owned(), parts })
    }

    /// Whether all of it has an inside.
    pub fn is_solid(&self) -> bool {
        self.parts.iter().all(|part| part.is_solid)
    }

    /// Its surface in the world as triangles, facing outwards where it is solid: for drawing and export.
    pub fn triangles(&self) -> Vec<[Vec3; 3]> {
        self.parts.iter().flat_map(Part::triangles).collect()
    }
}

impl Part {
    /// The box along the world's axes that contains it.
    pub fn aabb(&self) -> Aabb {
        self.shape.compute_aabb(&self.world_from_shape)
    }

    fn triangles(&self) -> Vec<[Vec3; 3]> {
        let place = |corners: [Vec3; 3]| corners.map(|corner| self.world_from_shape * corner);
        if let Some(mesh) = self.shape.as_trimesh() {
            return mesh.triangles().map(|t| place([t.a, t.b, t.c])).collect();
        }
        let cuboid = self.shape.as_cuboid().expect("parts are boxes or meshes");
        let (vertices, triangles) = cuboid.to_trimesh();
        triangles.iter().map(|t| place(t.map(|index| vertices[index as usize]))).collect()
    }
}

/// Triangles that hang together.
struct Shell {
    triangles: Vec<[u32; 3]>,
    is_closed: bool,
    /// Negative when it faces inwards; meaningless when it is open.
    volume: f64,
    aabb: Aabb,
}

impl Shell {
    fn new(vertices: &[Vec3], triangles: Vec<[u32; 3]>) -> Self {
        let points = triangles.iter().flatten().map(|&index| vertices[index as usize]);
        let aabb = Aabb::from_points(points);
        Self { is_closed: is_closed(&triangles), volume: volume(vertices, &triangles), aabb, triangles }
    }

    fn part(mut self, vertices: &[Vec3]) -> Result<Part, ShapeError> {
        if self.is_closed && self.volume < 0.0 {
            self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let flags = if self.is_closed { TriMeshFlags::ORIENTED } else { TriMeshFlags::empty() };
        // Each part keeps the vertices that it names, and no others.
        let own: Vec<Vec3> = self.triangles.iter().flatten().map(|&index| vertices[index as usize]).collect();
        let apart: Vec<[u32; 3]> = (0..self.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let (own, triangles) = merge_vertices(&own, &apart);
        // Without a request for topology, no triangles is all that can be wrong.
        let mesh = TriMesh::with_flags(own, triangles, flags).map_err(|_| ShapeError::EmptyMesh)?;
        Ok(Part { shape: SharedShape::new(mesh), world_from_shape: Pose::IDENTITY, is_solid: self.is_closed })
    }
}

/// Takes a mesh apart into shells; hollows stay with the shell around them, and all open shells stay together, since
/// what has no inside need not be told apart.
fn shells(vertices: &[Vec3], triangles: Vec<[u32; 3]>) -> Vec<Shell> {
    let mut groups: BTreeMap<u32, Vec<[u32; 3]>> = BTreeMap::new();
    let mut leader: Vec<u32> = (0..vertices.len() as u32).collect();
    for &[a, b, c] in &triangles {
        for (from, to) in [(a, b), (b, c)] {
            let (from, to) = (find_leader(&mut leader, from), find_leader(&mut leader, to));
            leader[from.max(to) as usize] = from.min(to);
        }
    }
    for triangle in triangles {
        groups.entry(find_leader(&mut leader, triangle[0])).or_default().push(triangle);
    }
    let all = groups.into_values().map(|triangles| Shell::new(vertices, triangles));
    let (closed, open): (Vec<Shell>, Vec<Shell>) = all.partition(|shell| shell.is_closed);
    let (mut outer, inward): (Vec<Shell>, Vec<Shell>) = closed.into_iter().partition(|shell| shell.volume >= 0.0);
    let mut loose = Vec::new();
    // A heap of gravel may be a hundred thousand shells: too many to compare pair by pair.
    let boxes: Vec<Aabb> = outer.iter().map(|shell| shell.aabb).collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    for shell in inward {
        let near = tree.intersect_aabb(&shell.aabb).map(|index| index as usize);
        let around = near.filter(|&index| boxes[index].contains(&shell.aabb));
        match around.min_by(|&a, &b| outer[a].volume.total_cmp(&outer[b].volume).then(a.cmp(&b))) {
            Some(around) => outer[around].triangles.extend(&shell.triangles),
            None => loose.push(shell),
        }
    }
    outer.extend(loose);
    if !open.is_empty() {
        let triangles = open.into_iter().flat_map(|shell| shell.triangles).collect();
        outer.push(Shell { is_closed: false, ..Shell::new(vertices, triangles) });
    }
    outer
}

fn find_leader(leader: &mut [u32], mut vertex: u32) -> u32 {
    while leader[vertex as usize] != vertex {
        // Halving the way keeps all later look-ups short.
        leader[vertex as usize] = leader[leader[vertex as usize] as usize];
        vertex = leader[vertex as usize];
    }
    vertex
}

/// Joins vertices at the same place, and leaves out triangles that this flattens and vertices no one names: files
/// often give each triangle corners of its own, which would make every mesh look open.
fn merge_vertices(vertices: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut index_at: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let mut merged = Vec::new();
    let mut kept = Vec::with_capacity(triangles.len());
    for triangle in triangles {
        let corners = triangle.map(|index| {
            let vertex = vertices[index as usize];
            // Adding zero makes -0 and 0 the same place.
            *index_at.entry(vertex.to_array().map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                merged.push(vertex);
                merged.len() as u32 - 1
            })
        });
        if corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0] {
            kept.push(corners);
        }
    }
    (merged, kept)
}

fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let mut sides: Vec<(u32, u32)> = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    sides.sort_unstable();
    let repeated = sides.windows(2).any(|pair| pair[0] == pair[1]);
    !repeated && sides.iter().all(|&(a, b)| sides.binary_search(&(b, a)).is_ok())
}

fn volume(vertices: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let corner = |index: u32| vertices[index as usize].to_array().map(f64::from);
    let six: f64 = triangles
        .iter()
        .map(|t| t.map(corner))
        .map(|[a, b, c]| {
            a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
        })
        .sum();
    six / 6.0
}
