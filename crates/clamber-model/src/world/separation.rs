//! A lower bound on the distance of a line segment from a box or a triangle, which spares most exact queries on fine meshes.

use parry3d::partitioning::BvhNode;
use parry3d::shape::{Segment, Triangle};

use crate::math::Vec3;

/// Relative room for rounding, of lengths and of coordinates.
const ROUNDING: [f32; 2] = [1e-3, 1e-6];

/// A segment from which distances are bounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeparatedSegment {
    segment: Segment,
    rounding: f32,
}

impl SeparatedSegment {
    pub fn new(segment: Segment) -> Self {
        let coordinate = segment.a.abs().max(segment.b.abs()).max_element();
        Self { segment, rounding: ROUNDING[1] * coordinate }
    }

    /// Returns a lower bound on the distance to anything in the box of a node.
    #[inline]
    pub fn gap_to_box(&self, node: &BvhNode) -> f32 {
        let half = 0.5 * (node.maxs() - node.mins());
        self.along(node.center(), |_, axis, center| center - half.dot(axis.abs()))
    }

    /// Returns a lower bound on the distance to a triangle.
    #[inline]
    pub fn gap_to_triangle(&self, triangle: &Triangle) -> f32 {
        let corners = [triangle.a, triangle.b, triangle.c];
        let center = (triangle.a + triangle.b + triangle.c) * (1.0 / 3.0);
        let least = |from: Vec3, axis: Vec3, _: f32| {
            corners.iter().map(|corner| (corner - from).dot(axis)).fold(f32::INFINITY, f32::min)
        };
        self.along(center, least)
    }

    /// Returns the gap along the axis from the nearest point of the segment to the center of a shape. `least` returns the least
    /// coordinate of the shape along it, given that point, the axis and the coordinate of the center.
    #[inline]
    fn along(&self, center: Vec3, least: impl Fn(Vec3, Vec3, f32) -> f32) -> f32 {
        let Segment { a, b } = self.segment;
        let ab = b - a;
        let share = ((center - a).dot(ab) / ab.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        let from = a + ab * share;
        let offset = center - from;
        let length = offset.length();
        let axis = offset * (1.0 / length.max(f32::MIN_POSITIVE));
        let gap = least(from, axis, length) - (a - from).dot(axis).max((b - from).dot(axis));
        gap - ROUNDING[0] * gap.abs() - self.rounding
    }
}

#[cfg(test)]
mod tests {
    use parry3d::bounding_volume::Aabb;
    use parry3d::query;

    use super::*;
    use crate::math::Pose;
    use crate::rng::Stream;

    #[test]
    fn distances_are_never_less_than_their_bounds() {
        let mut stream = Stream::new(1, "separation");
        let mut useful = 0;
        for _ in 0..10_000 {
            let mut draw = |by: f32| Vec3::from_array(std::array::from_fn(|_| stream.between(-by, by)));
            let center = draw(1.0);
            let [a, b, c] = std::array::from_fn(|_| center + draw(0.2));
            let segment = Segment::new(draw(1.0), draw(1.0));
            let separated = SeparatedSegment::new(segment);
            let triangle = Triangle::new(a, b, c);
            let exact = query::distance(&Pose::IDENTITY, &segment, &Pose::IDENTITY, &triangle).unwrap().distance;
            let bound = separated.gap_to_triangle(&triangle);
            assert!(bound <= exact, "{segment:?} {triangle:?}: {bound} > {exact}");
            useful += usize::from(bound > 0.9 * exact);
            let of_box = separated.gap_to_box(&BvhNode::leaf(Aabb::from_points([a, b, c]), 0));
            assert!(of_box <= exact, "{segment:?} {triangle:?}: {of_box} > {exact}");
        }
        assert!(useful > 5000, "{useful}");
    }
}
