//! The nearest surface point and its normal.

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::BvhNode;
use parry3d::query::PointQuery;
use parry3d::shape::Triangle;

use super::hold::UP;
use super::obstacle::ObstacleShape;
use super::world_data::World;
use crate::id::ObstacleId;
use crate::math::{Pose, Vec3};

/// A point of an obstacle's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Its position.
    pub point: Vec3,
    /// The outer unit normal of the face it is on.
    pub normal: Vec3,
    /// The obstacle.
    pub obstacle: ObstacleId,
}

/// Faces whose distances differ by less than this, in meters, are equally near: they meet at the nearest edge.
const EQUALLY_NEAR: f32 = 1e-4;

impl World {
    /// Returns the surface point nearest to a point, if it is at most `within` away.
    ///
    /// The normal is that of a face, also at an edge, where the direction from the surface to the point is ambiguous: of the faces
    /// that meet there, the one that faces up the most.
    pub fn nearest_surface_point(&self, point: Vec3, within: f32) -> Option<SurfacePoint> {
        let mut faces: Vec<(f32, SurfacePoint)> = Vec::new();
        let query = Aabb::from_half_extents(point, Vec3::splat(within));
        for (obstacle, shape) in self.shapes_near(&query) {
            for_triangles_near(shape, &query, |[a, b, c]| {
                let Some(normal) = (b - a).cross(c - a).try_normalize() else { return };
                let nearest = Triangle::new(a, b, c).project_local_point(point, true).point;
                let distance = (nearest - point).length();
                if distance <= within {
                    faces.push((distance, SurfacePoint { point: nearest, normal, obstacle }));
                }
            });
        }
        let least = faces.iter().map(|(distance, _)| *distance).fold(f32::INFINITY, f32::min);
        let rise = |face: &SurfacePoint| UP.dot(face.normal);
        let nearest = faces.into_iter().filter(|(distance, _)| *distance <= least + EQUALLY_NEAR);
        // Of equals, the first in the order of the scene.
        nearest.map(|(_, face)| face).reduce(|best, face| if rise(&face) > rise(&best) { face } else { best })
    }
}

/// Calls `visit` with the triangles of a shape, in the world and facing outward, that may intersect a box.
fn for_triangles_near(shape: &ObstacleShape, query: &Aabb, mut visit: impl FnMut([Vec3; 3])) {
    match shape.geometry.as_trimesh() {
        // Meshes are stored in world coordinates.
        Some(mesh) if shape.world_from_shape == Pose::IDENTITY => {
            let query = BvhNode::leaf(*query, 0);
            let mut near: Vec<u32> = mesh.bvh().leaves(|node| node.intersects(&query)).collect();
            near.sort_unstable();
            near.into_iter().map(|index| mesh.triangle(index)).for_each(|t| visit([t.a, t.b, t.c]));
        }
        _ => shape.triangles().into_iter().for_each(visit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation_about;
    use crate::world::Space;
    use crate::world::{DistanceFieldSettings, Obstacle};

    fn world(obstacles: Vec<Obstacle>) -> World {
        World::from_obstacles(
            Space::Spatial,
            obstacles,
            Vec3::ZERO,
            Vec3::splat(4.0),
            &DistanceFieldSettings::default(),
        )
    }

    /// A box from (1, 0) to (3, 1) and a hill beside it.
    fn yard() -> World {
        let block = Obstacle::cuboid("block", Pose::translation(2.0, 0.5, 0.0), Vec3::new(2.0, 1.0, 2.0));
        let hill = Obstacle::polygon("hill", &[[5.0, 0.0], [9.0, 0.0], [7.0, 2.0]], -1.0, 1.0);
        world(vec![block.unwrap(), hill.unwrap()])
    }

    fn found(world: &World, x: f32, y: f32) -> ([f32; 2], [f32; 2]) {
        let SurfacePoint { point, normal, .. } = world.nearest_surface_point(Vec3::new(x, y, 0.0), 0.02).unwrap();
        let round = |v: f32| (v * 1e3).round() / 1e3 + 0.0;
        ([round(point.x), round(point.y)], [round(normal.x), round(normal.y)])
    }

    #[test]
    fn a_point_near_a_face_has_its_normal() {
        let yard = yard();
        for y in [1.0, 1.015, 0.985] {
            assert_eq!(found(&yard, 2.0, y), ([2.0, 1.0], [0.0, 1.0]), "{y}");
        }
        assert_eq!(found(&yard, 3.0, 0.5), ([3.0, 0.5], [1.0, 0.0]));
        assert_eq!(found(&yard, 0.99, 0.5), ([1.0, 0.5], [-1.0, 0.0]));
        assert_eq!(found(&yard, 2.0, 0.01), ([2.0, 0.0], [0.0, -1.0]));
        assert_eq!(found(&yard, 6.0, 1.0), ([6.0, 1.0], [-0.707, 0.707]));
        assert_eq!(found(&yard, 7.0, -0.001), ([7.0, 0.0], [0.0, -1.0]));
    }

    #[test]
    fn at_an_edge_the_normal_is_that_of_the_face_that_faces_up_most() {
        let yard = yard();
        // On the edge, off it along both axes, and beside it.
        for (x, y) in [(3.0, 1.0), (3.005, 1.005), (3.01, 1.0), (2.995, 1.001)] {
            assert_eq!(found(&yard, x, y).1, [0.0, 1.0], "{x} {y}");
        }
        assert_eq!(found(&yard, 3.001, 0.99).1, [1.0, 0.0]);
        // The wall rather than the underside.
        assert_eq!(found(&yard, 3.0, 0.0).1, [1.0, 0.0]);
        // At the top of the hill, both sides face up equally.
        let (point, normal) = found(&yard, 7.0, 2.0);
        assert_eq!((point, normal[1]), ([7.0, 2.0], 0.707));
    }

    #[test]
    fn rotated_boxes_have_rotated_normals() {
        let pose = Pose::from_parts(Vec3::ZERO, rotation_about(Vec3::Z, 30f32.to_radians()));
        let plank = world(vec![Obstacle::cuboid("plank", pose, Vec3::new(4.0, 0.2, 1.0)).unwrap()]);
        let over = pose * Vec3::new(1.2, 0.11, 0.3);
        let SurfacePoint { point, normal, obstacle } = plank.nearest_surface_point(over, 0.02).unwrap();
        assert!((normal - pose.rotation * Vec3::Y).length() < 1e-5);
        assert!((point - pose * Vec3::new(1.2, 0.1, 0.3)).length() < 1e-5);
        assert_eq!(obstacle, ObstacleId::from(0));
    }

    #[test]
    fn far_from_all_surfaces_there_is_no_surface_point() {
        assert_eq!(yard().nearest_surface_point(Vec3::new(2.0, 1.03, 0.0), 0.02), None);
        // Deep inside is far from the surface too.
        assert_eq!(yard().nearest_surface_point(Vec3::new(2.0, 0.5, 0.0), 0.02), None);
    }
}
