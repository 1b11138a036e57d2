//! Obstacles and their collision shapes.

use std::sync::Arc;

use parry3d::bounding_volume::Aabb;
use parry3d::shape::{Cuboid, SharedShape};

use super::extrude_polygon::{PolygonError, extrude};
use super::hold::DEFAULT_FRICTION;
use super::mesh_components::{Component, components, merge_vertices};
use super::obstacle_geometry::ObstacleGeometry;
use super::polygon_distance::Outline;
use crate::math::{Pose, Vec3};

/// A solid or a surface that the character must not pass through.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// The obstacle's name in reports.
    pub name: String,
    /// The coefficient of static friction of its surface.
    pub friction: f32,
    /// What its collision shapes are derived from. Shared: meshes may be large.
    geometry: Arc<ObstacleGeometry>,
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
    /// The outline of an extruded polygon.
    pub(super) outline: Option<Outline>,
}

impl std::fmt::Debug for ObstacleShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let solidity = if self.is_solid { "solid" } else { "surface" };
        write!(f, "ObstacleShape({:?}, {solidity})", self.geometry.shape_type())
    }
}

/// Why a shape is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A box has no size in some direction.
    #[error("a box needs a size greater than zero in every direction")]
    EmptyBox,
    /// A coordinate or a size is not finite.
    #[error("a coordinate or a size is not finite")]
    NotFinite,
    /// The base is not a simple polygon.
    #[error(transparent)]
    Polygon(#[from] PolygonError),
    /// An extrusion has no depth.
    #[error("the polygon's depth must go from a lesser to a greater z")]
    EmptyDepth,
    /// A mesh has no triangles.
    #[error("the mesh has no triangles")]
    EmptyMesh,
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} refers to a vertex that does not exist (the first triangle is 1)")]
    MissingVertex {
        /// The triangle, counted from 1.
        triangle: usize,
    },
}

impl Obstacle {
    /// Returns a box of this size centered on a pose.
    pub fn cuboid(name: &str, world_from_box: Pose, size: Vec3) -> Result<Self, ShapeError> {
        if !size.is_finite() || !world_from_box.translation.is_finite() {
            return Err(ShapeError::NotFinite);
        }
        if size.min_element() <= 0.0 {
            return Err(ShapeError::EmptyBox);
        }
        let shape = SharedShape::new(Cuboid::new(0.5 * size));
        let shape = ObstacleShape { geometry: shape, world_from_shape: world_from_box, is_solid: true, outline: None };
        let geometry = Arc::new(ObstacleGeometry::Cuboid { world_from_box, size });
        Ok(Self { name: name.to_owned(), friction: DEFAULT_FRICTION, geometry, shapes: vec![shape] })
    }

    /// Returns a simple polygon in the plane, extruded from `low` to `high` along z.
    pub fn polygon(name: &str, corners: &[[f32; 2]], low: f32, high: f32) -> Result<Self, ShapeError> {
        if low.is_nan() || high.is_nan() || low >= high {
            return Err(ShapeError::EmptyDepth);
        }
        let (vertices, triangles) = extrude(corners, low, high)?;
        let mut obstacle = Self::mesh(name, vertices, triangles)?;
        obstacle.shapes[0].outline = Some(Outline::new(corners, low, high));
        obstacle.geometry =
            Arc::new(ObstacleGeometry::ExtrudedPolygon { corners: corners.to_vec(), depth_min: low, depth_max: high });
        Ok(obstacle)
    }

    /// Returns a triangle mesh, in world coordinates, split into connected components.
    ///
    /// A component is solid if it is closed: every edge of a triangle is shared with another triangle that runs along it in the
    /// opposite direction. Components may overlap, like boulders in a heap; a point is inside the obstacle if it is inside any of
    /// them. A closed component that faces inward bounds a cavity if it lies inside another one, and is flipped otherwise.
    pub fn mesh(name: &str, vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        if !vertices.iter().all(|vertex| vertex.is_finite()) {
            return Err(ShapeError::NotFinite);
        }
        let is_out_of_range = |t: &[u32; 3]| t.iter().any(|&vertex| vertex as usize >= vertices.len());
        if let Some(triangle) = triangles.iter().position(is_out_of_range) {
            return Err(ShapeError::MissingVertex { triangle: triangle + 1 });
        }
        let (merged, kept) = merge_vertices(&vertices, &triangles);
        let shape = |component: Component| {
            let mesh = component.mesh(&merged)?;
            let (geometry, world_from_shape) = (SharedShape::new(mesh), Pose::IDENTITY);
            Some(ObstacleShape { geometry, world_from_shape, is_solid: component.is_closed, outline: None })
        };
        let shapes: Vec<ObstacleShape> = components(&merged, kept).into_iter().filter_map(shape).collect();
        if shapes.is_empty() {
            return Err(ShapeError::EmptyMesh);
        }
        let geometry = Arc::new(ObstacleGeometry::Mesh { vertices, triangles });
        Ok(Self { name: name.to_owned(), friction: DEFAULT_FRICTION, geometry, shapes })
    }

    /// Returns the obstacle with this coefficient of friction.
    pub fn with_friction(mut self, friction: f32) -> Self {
        self.friction = friction;
        self
    }

    pub(super) fn scaled(&self, by: f32) -> Self {
        let geometry = Arc::new(self.geometry.scaled(by));
        let shapes = self.shapes.iter().map(|shape| shape.scaled(by)).collect();
        Self { name: self.name.clone(), friction: self.friction, geometry, shapes }
    }

    /// Returns the obstacle as it was described, in world coordinates.
    pub fn geometry(&self) -> &ObstacleGeometry {
        &self.geometry
    }

    /// Returns whether all of its shapes are solid.
    pub fn is_solid(&self) -> bool {
        self.shapes.iter().all(|shape| shape.is_solid)
    }

    /// Returns the number of triangles that bound no solid: those of surfaces with a border.
    pub fn open_triangle_count(&self) -> usize {
        let open = self.shapes.iter().filter(|shape| !shape.is_solid);
        open.filter_map(|shape| shape.geometry.as_trimesh()).map(|mesh| mesh.indices().len()).sum()
    }

    /// Returns its surface in the world as triangles, facing outward where it is solid, for drawing and export.
    pub fn triangles(&self) -> Vec<[Vec3; 3]> {
        self.shapes.iter().flat_map(ObstacleShape::triangles).collect()
    }

    /// Iterates over the axis-aligned bounding boxes of its collision shapes, as minimum and maximum corners. Boxes and
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
        let (vertices, triangles) = self.indexed_triangles();
        triangles.iter().map(|triangle| triangle.map(|index| vertices[index as usize])).collect()
    }

    /// Returns the vertices in the world, and the triangles that index them.
    pub fn indexed_triangles(&self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let (vertices, triangles) = match self.geometry.as_trimesh() {
            Some(mesh) => (mesh.vertices().to_vec(), mesh.indices().to_vec()),
            None => self.geometry.as_cuboid().expect("shapes are boxes or meshes").to_trimesh(),
        };
        (vertices.into_iter().map(|vertex| self.world_from_shape * vertex).collect(), triangles)
    }
}
