//! Obstacles as triangle lists for export.

use clamber_model::math::Vec3;
use clamber_model::world::Obstacle;

/// Color of all obstacles: linear RGB from 0 to 1.
pub(crate) const COLOR: [f32; 3] = [0.42, 0.41, 0.39];

/// Returns an obstacle's triangles with their normals.
pub(crate) fn faces(obstacle: &Obstacle) -> Vec<([Vec3; 3], Vec3)> {
    let face = |corners: [Vec3; 3]| {
        // In double precision, because a mesh may have slivers. Triangles without area have no normal and are dropped.
        let [a, b, c] = corners.map(|corner| corner.as_dvec3());
        let normal = (b - a).cross(c - a).try_normalize()?;
        Some((corners, normal.as_vec3()))
    };
    obstacle.triangles().into_iter().filter_map(face).collect()
}
