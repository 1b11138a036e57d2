//! One named obstacle and what it is made of.

use parry3d::bounding_volume::Aabb;
use parry3d::shape::{Cuboid, SharedShape};

use super::extrude_polygon::{PolygonError, extrude};
use super::mesh_components::{Shell, merge_vertices, shells};
use super::polygon_distance::Outline;
use crate::math::{Pose, Vec3};

/// Something solid, or a surface, that the character may not pass through.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// The obstacle's name, as reports say it.
    pub name: String,
    /// Its collision shapes: one for a box or a polygon, one per closed component of a mesh and one for all open ones.
    pub(super) shapes: Vec<ObstacleShape>,
}

/// A collision shape of an obstacle.
#[derive(Clone)]
pub(super) struct ObstacleShape {
    /// The engine's box or triangle mesh.
    pub geometry: SharedShape,
    pub world_from_shape: Pose,
    /// True for boxes, polygons and closed meshes; open meshes are surfaces.
    pub is_solid: bool,
    /// Of an extruded polygon, its outline.
    pub(super) outline: Option<Outline>,
}

impl std::fmt::Debug for ObstacleShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let solidity = if self.is_solid { "solid" } else { "surface" };
        write!(f, "ObstacleShape({:?}, {solidity})", self.geometry.shape_type())
    }
}

/// Why a shape cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A box needs a size in every direction.
    #[error("a box needs a size greater than zero in every direction")]
    EmptyBox,
    /// A coordinate or a size is not finite.
    #[error("a coordinate or a size is not finite")]
    NotFinite,
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
        if !size.is_finite() || !world_from_box.translation.is_finite() {
            return Err(ShapeError::NotFinite);
        }
        if size.min_element() <= 0.0 {
            return Err(ShapeError::EmptyBox);
        }
        let geometry = SharedShape::new(Cuboid::new(0.5 * size));
        let shape = ObstacleShape { geometry, world_from_shape: world_from_box, is_solid: true, outline: None };
        Ok(Self { name: name.to_owned(), shapes: vec![shape] })
    }

    /// A simple polygon in the plane, extruded from `low` to `high` along z.
    pub fn polygon(name: &str, corners: &[[f32; 2]], low: f32, high: f32) -> Result<Self, ShapeError> {
        if low.is_nan() || high.is_nan() || low >= high {
            return Err(ShapeError::EmptyDepth);
        }
        let (vertices, triangles) = extrude(corners, low, high)?;
        let mut obstacle = Self::mesh(name, vertices, triangles)?;
        obstacle.shapes[0].outline = Some(Outline::new(corners, low, high));
        Ok(obstacle)
    }

    /// A triangle mesh, in world coordinates, taken apart into shells that hang together.
    ///
    /// A shell is solid when it is closed: when every side of a triangle is joined to one of another that runs the other
    /// way. Shells may overlap, as boulders in a heap do; a point is inside the obstacle when it is inside any of them.
    /// A closed shell that faces inwards is the wall of a hollow when it lies in another one, and is turned outwards
    /// when it does not.
    pub fn mesh(name: &str, vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        let outside = |t: &[u32; 3]| t.iter().any(|&vertex| vertex as usize >= vertices.len());
        if let Some(bad) = triangles.iter().position(outside) {
            return Err(ShapeError::MissingVertex { triangle: bad + 1 });
        }
        let (vertices, triangles) = merge_vertices(&vertices, &triangles);
        let shape = |shell: Shell| {
            let mesh = shell.mesh(&vertices)?;
            let (geometry, world_from_shape) = (SharedShape::new(mesh), Pose::IDENTITY);
            Some(ObstacleShape { geometry, world_from_shape, is_solid: shell.is_closed, outline: None })
        };
        let shapes: Vec<ObstacleShape> = shells(&vertices, triangles).into_iter().filter_map(shape).collect();
        if shapes.is_empty() {
            return Err(ShapeError::EmptyMesh);
        }
        Ok(Self { name: name.to_owned(), shapes })
    }

    pub(super) fn scaled(&self, by: f32) -> Self {
        Self { name: self.name.clone(), shapes: self.shapes.iter().map(|shape| shape.scaled(by)).collect() }
    }

    /// Whether all of it has an inside.
    pub fn is_solid(&self) -> bool {
        self.shapes.iter().all(|shape| shape.is_solid)
    }

    /// Its surface in the world as triangles, facing outwards where it is solid: for drawing and export.
    pub fn triangles(&self) -> Vec<[Vec3; 3]> {
        self.shapes.iter().flat_map(ObstacleShape::triangles).collect()
    }

    /// The axis-aligned bounding box of each of its collision shapes, as the least and the greatest corner. Boxes and
    /// polygons have one shape, meshes one per closed component and one for all open components.
    pub fn bounding_boxes(&self) -> impl Iterator<Item = (Vec3, Vec3)> + '_ {
        self.shapes.iter().map(|shape| shape.aabb()).map(|aabb| (aabb.mins, aabb.maxs))
    }
}

impl ObstacleShape {
    fn scaled(&self, by: f32) -> Self {
        let geometry = match (self.geometry.as_cuboid(), self.geometry.as_trimesh()) {
            (Some(cuboid), _) => SharedShape::new(Cuboid::new(cuboid.half_extents * by)),
            (_, Some(mesh)) => SharedShape::new(mesh.clone().scaled(Vec3::splat(by))),
            _ => self.geometry.clone(),
        };
        let mut world_from_shape = self.world_from_shape;
        world_from_shape.translation *= by;
        let outline = self.outline.as_ref().map(|outline| outline.scaled(by));
        Self { geometry, world_from_shape, is_solid: self.is_solid, outline }
    }

    pub fn aabb(&self) -> Aabb {
        self.geometry.compute_aabb(&self.world_from_shape)
    }

    pub fn triangles(&self) -> Vec<[Vec3; 3]> {
        let place = |corners: [Vec3; 3]| corners.map(|corner| self.world_from_shape * corner);
        if let Some(mesh) = self.geometry.as_trimesh() {
            return mesh.triangles().map(|t| place([t.a, t.b, t.c])).collect();
        }
        let cuboid = self.geometry.as_cuboid().expect("shapes are boxes or meshes");
        let (vertices, triangles) = cuboid.to_trimesh();
        triangles.iter().map(|t| place(t.map(|index| vertices[index as usize]))).collect()
    }
}
