//! Distances to the outline of an extruded polygon.
//!
//! A query from between the ends of the extrusion, as all queries of planar characters are, is a query in the plane. The closed
//! form for two segments is an order of magnitude faster than the engine's query for a segment and triangles.

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::details::closest_points_segment_segment_with_locations_nD;
use parry3d::shape::Segment;

use crate::math::Vec3;

/// The sides of a polygon and the range of z over which it is extruded.
#[derive(Clone)]
pub(super) struct Outline {
    sides: Vec<Segment>,
    /// Index of the sides, if there are many.
    bvh: Option<Bvh>,
    low: f32,
    high: f32,
}

impl Outline {
    /// Up to so many sides, a linear search is faster.
    const FEW: usize = 12;

    pub fn new(corners: &[[f32; 2]], low: f32, high: f32) -> Self {
        let corner = |index: usize| {
            let [x, y] = corners[index % corners.len()];
            Vec3::new(x, y, 0.0)
        };
        let sides: Vec<Segment> =
            (0..corners.len()).map(|index| Segment::new(corner(index), corner(index + 1))).collect();
        let boxes: Vec<_> = sides.iter().map(Segment::local_aabb).collect();
        let bvh = (sides.len() > Self::FEW).then(|| Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes));
        Self { sides, bvh, low, high }
    }

    pub fn scaled(&self, by: f32) -> Self {
        let corners: Vec<[f32; 2]> = self.sides.iter().map(|side| [side.a.x * by, side.a.y * by]).collect();
        Self::new(&corners, self.low * by, self.high * by)
    }

    /// Returns whether the distance from a segment can be computed in the plane.
    pub fn is_beside(&self, segment: &Segment) -> bool {
        let is_between = |z: f32| self.low <= z && z <= self.high;
        is_between(segment.a.z) && is_between(segment.b.z)
    }

    /// Returns the distance from a segment beside the outline to the nearest side, if it is less than `bound`.
    pub fn distance(&self, segment: &Segment, bound: f32) -> Option<f32> {
        let flat = Segment::new(segment.a.with_z(0.0), segment.b.with_z(0.0));
        match &self.bvh {
            None => {
                let nearest = self.sides.iter().map(|side| segment_distance(&flat, side)).fold(f32::INFINITY, f32::min);
                (nearest < bound).then_some(nearest)
            }
            Some(bvh) => {
                let aabb = flat.local_aabb();
                let nearest = bvh.find_best(
                    bound,
                    |node, _| gap_between(&node.aabb(), &aabb),
                    |side, _| Some(segment_distance(&flat, &self.sides[side as usize])),
                );
                nearest.map(|(_, distance)| distance)
            }
        }
    }
}

fn segment_distance(segment: &Segment, side: &Segment) -> f32 {
    let (at, on_side) = closest_points_segment_segment_with_locations_nD((&segment.a, &segment.b), (&side.a, &side.b));
    (segment.point_at(&at) - side.point_at(&on_side)).length()
}

/// Returns the distance between two axis-aligned boxes.
pub(super) fn gap_between(a: &Aabb, b: &Aabb) -> f32 {
    (a.mins - b.maxs).max(b.mins - a.maxs).max(Vec3::ZERO).length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;
    use crate::rng::Stream;
    use crate::world::Obstacle;

    #[test]
    fn the_closed_form_agrees_with_the_engine() {
        let few = [[0.0, 0.0], [2.0, 0.2], [2.5, 2.0], [1.0, 1.0], [-0.5, 1.5]];
        let many: Vec<[f32; 2]> = (0..40)
            .map(|index| {
                let (sin, cos) = crate::math::sin_cos(index as f32 * std::f32::consts::TAU / 40.0);
                let radius = if index % 2 == 0 { 2.0 } else { 1.2 };
                [radius * cos, radius * sin]
            })
            .collect();
        for corners in [&few[..], &many] {
            let obstacle = Obstacle::polygon("rock", corners, -0.5, 0.5).unwrap();
            let shape = &obstacle.shapes[0];
            let outline = shape.outline.as_ref().unwrap();
            let mut random = Stream::new(1, "outline");
            let mut beside = 0;
            while beside < 300 {
                let mut point = || Vec3::new(random.between(-3.0, 4.0), random.between(-3.0, 4.0), 0.0);
                let segment = Segment::new(point(), point());
                let inside = |point: Vec3| shape.geometry.contains_point(&shape.world_from_shape, point);
                // Inside, the end faces are nearer.
                if inside(segment.a) || inside(segment.b) {
                    continue;
                }
                beside += 1;
                let engine = parry3d::query::distance(
                    &Pose::IDENTITY,
                    &segment,
                    &shape.world_from_shape,
                    shape.geometry.as_ref(),
                );
                let (engine, found) = (engine.unwrap().distance, outline.distance(&segment, f32::MAX).unwrap());
                assert!((engine - found).abs() < 2e-3 * engine.max(0.1), "{segment:?}: {engine} and {found}");
                assert_eq!(outline.distance(&segment, 0.5 * found), None);
            }
        }
    }
}
