//! Where hands can grip a surface: near its sharp edges.

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode};

use super::faces_between_sharp_edges::SHARP_EDGE_COSINE;
use super::hold::{Hold, HoldShape};
use crate::math::Vec3;
use crate::segment_distance::nearest_points;

/// The sides of surface holds where the surface ends or bends sharply, in a tree.
#[derive(Clone, Debug)]
pub(super) struct SharpEdges {
    /// The ends of each, and the normal of the surface.
    edges: Vec<([Vec3; 2], Vec3)>,
    bvh: Bvh,
}

/// A side of a hold: its ends in the order of their bits, the hold, and the number of the side.
type Side = ([[u32; 3]; 2], u32, u8);

impl SharpEdges {
    pub fn none() -> Self {
        Self { edges: Vec::new(), bvh: Bvh::new() }
    }

    /// Finds the sharp edges of all surface holds. Sides of two triangles are one edge if their ends are equal.
    pub fn of(holds: &[Hold]) -> Self {
        let mut sides: Vec<Side> = Vec::new();
        for (index, hold) in holds.iter().enumerate() {
            for (number, ends) in sides_of(&hold.shape).into_iter().flatten().enumerate() {
                let [from, to] = ends.map(bits);
                sides.push(([from.min(to), from.max(to)], index as u32, number as u8));
            }
        }
        sides.sort_unstable();
        let normal = |side: &Side| holds[side.1 as usize].normal;
        let mut edges = Vec::new();
        for shared in sides.chunk_by(|one, other| one.0 == other.0) {
            for side in shared {
                let goes_on = |other: &Side| other.1 != side.1 && normal(side).dot(normal(other)) > SHARP_EDGE_COSINE;
                let ends = sides_of(&holds[side.1 as usize].shape).map(|sides| sides[usize::from(side.2)]);
                edges.extend(ends.filter(|_| !shared.iter().any(goes_on)).map(|ends| (ends, normal(side))));
            }
        }
        let boxes: Vec<Aabb> = edges.iter().map(|(ends, _)| Aabb::from_points(ends.iter().copied())).collect();
        Self { bvh: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes), edges }
    }

    /// Whether a surface with this normal has a sharp edge within a distance of a point.
    pub fn has_near(&self, point: Vec3, normal: Vec3, distance: f32) -> bool {
        let query = BvhNode::leaf(Aabb::from_half_extents(point, Vec3::splat(distance)), 0);
        self.bvh.leaves(|node| node.intersects(&query)).any(|edge| {
            let (ends, edge_normal) = self.edges[edge as usize];
            let [nearest, _] = nearest_points(ends, [point; 2]);
            edge_normal.dot(normal) > SHARP_EDGE_COSINE && (nearest - point).length() <= distance
        })
    }
}

/// The sides of a triangle, from each corner to the next.
fn sides_of(shape: &HoldShape) -> Option<[[Vec3; 2]; 3]> {
    let HoldShape::Triangle([a, b, c]) = *shape else { return None };
    Some([[a, b], [b, c], [c, a]])
}

/// The bits of a point; those of both zeros are the same.
fn bits(point: Vec3) -> [u32; 3] {
    (point + Vec3::ZERO).to_array().map(f32::to_bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::HoldId;
    use crate::math::Pose;
    use crate::world::World;

    #[test]
    fn hands_grip_boxes_at_their_edges_and_claws_grip_their_sides_anywhere() {
        let world = World::spatial_builder(Vec3::splat(-2.0), Vec3::splat(2.0))
            .cuboid("box", Pose::IDENTITY, Vec3::ONE)
            .hold_everywhere("box")
            .build()
            .unwrap();
        let grips = |edge_reach, point: [f32; 3], normal: Vec3| {
            let point = Vec3::from_array(point);
            let distance = |hold: &Hold| (hold.nearest_point(point) - point).length();
            let hold = world.holds.iter().position(|hold| hold.normal == normal && distance(hold) < 1e-6).unwrap();
            world.can_grip(HoldId::from(hold), point, edge_reach)
        };
        let hand = Some(0.1);
        // Two triangles meet in the diagonal of a side, which is not sharp.
        assert!(!grips(hand, [0.0, 0.5, 0.0], Vec3::Y) && !grips(hand, [0.5, 0.0, 0.0], Vec3::X));
        assert!(grips(hand, [0.45, 0.5, 0.0], Vec3::Y) && grips(hand, [0.5, 0.2, -0.45], Vec3::X));
        assert!(grips(hand, [0.45, 0.5, 0.45], Vec3::Y) && grips(hand, [-0.45, 0.5, -0.45], Vec3::Y));
        assert!(grips(None, [0.5, 0.0, 0.0], Vec3::X) && !grips(None, [0.45, 0.5, 0.0], Vec3::Y));
    }
}
