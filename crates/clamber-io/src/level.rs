//! The world's obstacles as surfaces to look at.

use clamber_model::math::Vec3;
use clamber_model::world::Obstacle;

/// The colour of all obstacles: red, green and blue from 0 to 1, linear.
pub(crate) const COLOR: [f32; 3] = [0.42, 0.41, 0.39];

/// An obstacle's triangles, each with its normal.
pub(crate) fn faces(obstacle: &Obstacle) -> Vec<([Vec3; 3], Vec3)> {
    let face = |corners: [Vec3; 3]| {
        // In double precision: a mesh may have slivers. What has no area has no normal, and is not seen.
        let [a, b, c] = corners.map(|corner| corner.as_dvec3());
        let normal = (b - a).cross(c - a).try_normalize()?;
        Some((corners, normal.as_vec3()))
    };
    obstacle.triangles().into_iter().filter_map(face).collect()
}
