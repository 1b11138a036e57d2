//! The plain geometry of obstacles, before any collision shape is derived from it.

use crate::math::{Pose, Vec3};

/// An obstacle as it was described. Whoever wants to check the collision shapes of the world derives their own from it.
#[derive(Clone, Debug, PartialEq)]
pub enum ObstacleGeometry {
    /// A box centered on a pose.
    Cuboid {
        /// The pose of its center; its faces are perpendicular to the axes of this frame.
        world_from_box: Pose,
        /// Its size along the axes of the frame.
        size: Vec3,
    },
    /// A simple polygon in the plane z = 0, extruded along z.
    ExtrudedPolygon {
        /// Its corners (x, y), clockwise or counterclockwise.
        corners: Vec<[f32; 2]>,
        /// The least z.
        depth_min: f32,
        /// The greatest z.
        depth_max: f32,
    },
    /// A triangle mesh, see [`Obstacle::mesh`](super::Obstacle::mesh).
    Mesh {
        /// The vertices in the world.
        vertices: Vec<Vec3>,
        /// The vertices of each triangle.
        triangles: Vec<[u32; 3]>,
    },
}

impl ObstacleGeometry {
    pub(super) fn scaled(&self, by: f32) -> Self {
        match self {
            Self::Cuboid { world_from_box, size } => {
                let world_from_box = Pose::from_parts(world_from_box.translation * by, world_from_box.rotation);
                Self::Cuboid { world_from_box, size: *size * by }
            }
            Self::ExtrudedPolygon { corners, depth_min: low, depth_max: high } => {
                let corners = corners.iter().map(|corner| corner.map(|coordinate| coordinate * by)).collect();
                Self::ExtrudedPolygon { corners, depth_min: low * by, depth_max: high * by }
            }
            Self::Mesh { vertices, triangles } => {
                let vertices = vertices.iter().map(|vertex| *vertex * by).collect();
                Self::Mesh { vertices, triangles: triangles.clone() }
            }
        }
    }
}
