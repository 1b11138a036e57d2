//! Places of a surface that no effector can touch, because another obstacle is there.

use super::hold::HoldShape;
use super::world_data::World;
use crate::math::Vec3;

/// Radius, in meters, of the smallest effector. Points where an obstacle leaves no room for it are covered.
const SMALLEST_EFFECTOR: f32 = 0.03;

/// Solids that overlap less than this, in meters, merely touch.
const OVERLAP: f32 = 0.002;

/// Factor on the distance of a point from the surface below it, so that the surface is within reach.
const ROUNDING: f32 = 1.01;

/// Most samples of a surface. A larger one is taken to be uncovered.
const MAX_SAMPLES: usize = 2000;

impl World {
    /// Returns whether a point of a surface with this outer normal is inside a solid: that of another obstacle, or its own if the
    /// normal points inward.
    pub fn is_buried(&self, point: Vec3, normal: Vec3) -> bool {
        let above = point + normal * OVERLAP;
        // On the surface of another solid, such as at the foot of a wall, is not inside.
        self.is_inside_solid(above, ROUNDING * OVERLAP) && self.point_distance(above).distance < -0.5 * OVERLAP
    }

    /// Returns whether a point of a surface is inside a solid, or too close to another surface for any effector.
    pub(super) fn is_covered(&self, point: Vec3, normal: Vec3) -> bool {
        let above = 1.5 * SMALLEST_EFFECTOR;
        self.is_within(point + normal * above, SMALLEST_EFFECTOR, ROUNDING * above) || self.is_buried(point, normal)
    }

    /// Returns whether every point of a surface is covered, as far as samples tell that are an effector's radius apart.
    pub(super) fn is_wholly_covered(&self, shape: &HoldShape, normal: Vec3) -> bool {
        let count = |from: Vec3, to: Vec3| ((to - from).length() / SMALLEST_EFFECTOR).ceil().max(1.0) as usize;
        // In the middle of equal parts, so that the edges, where neighbors touch, do not count.
        let part = |index: usize, count: usize| (index as f32 + 0.5) / count as f32;
        match *shape {
            HoldShape::Point(at) => self.is_covered(at, normal),
            HoldShape::Segment([a, b]) => {
                let n = count(a, b);
                n <= MAX_SAMPLES && (0..n).all(|i| self.is_covered(a.lerp(b, part(i, n)), normal))
            }
            HoldShape::Triangle([a, b, c]) => {
                let (n, m) = (count(a, b), count(a, c));
                // Rows from one corner to the opposite side; together they have samples at least as close as intended.
                let row = |i: usize| (a.lerp(b, part(i, n)), a.lerp(c, part(i, n)));
                n.saturating_mul(m.max(count(b, c))) <= MAX_SAMPLES
                    && (0..n).all(|i| {
                        let (from, to) = row(i);
                        let m = count(from, to);
                        (0..m).all(|j| self.is_covered(from.lerp(to, part(j, m)), normal))
                    })
            }
        }
    }
}
