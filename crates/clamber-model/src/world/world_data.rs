//! The world: obstacles, holds, and the bounding volume trees that index them.

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode};
use typed_index_collections::TiVec;

use super::distance_field::{DistanceField, DistanceFieldSettings};
use super::hold::{Hold, HoldShape};
use super::obstacle::{Obstacle, ObstacleShape};
use super::sharp_edges::SharpEdges;
use crate::id::{HoldId, ObstacleId};
use crate::math::Vec3;

/// Dimension of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Motions stay in z = 0; the region has no depth.
    Planar,
    /// Motions may go anywhere in the region.
    Spatial,
}

/// Obstacles in a bounded region of space. Immutable, so any number of threads can plan in it at once.
#[derive(Clone, Debug)]
pub struct World {
    /// Whether motions stay in the plane z = 0.
    pub space: Space,
    /// The obstacles, in the order of the scene.
    pub obstacles: TiVec<ObstacleId, Obstacle>,
    /// The holds, in the order of the scene.
    pub holds: TiVec<HoldId, Hold>,
    /// The minimum corner of the region.
    pub min: Vec3,
    /// The maximum corner of the region.
    pub max: Vec3,
    /// How deep a body may enter surfaces besides what touching them takes, in meters; 0 for exact surfaces. Scans, whose
    /// triangles are some millimeters off, need more. Planners and checks use the same value.
    pub contact_tolerance: f32,
    /// The distance field, which answers most queries without the engine.
    pub distance_field: DistanceField,
    /// The settings of the field.
    pub(super) field_settings: DistanceFieldSettings,
    /// The obstacle and the index of its shape for each leaf of the tree.
    pub(super) leaves: Vec<(u32, u32)>,
    pub(super) bvh: Bvh,
    pub(super) hold_bvh: Bvh,
    pub(super) sharp_edges: SharpEdges,
}

/// The greatest contact tolerance, in body sizes: more would let feet sink visibly.
pub const MAX_CONTACT_TOLERANCE: f32 = 0.02;

impl World {
    /// Returns the world with these holds.
    pub fn with_holds(mut self, holds: Vec<Hold>) -> Self {
        let boxes: Vec<Aabb> = holds.iter().map(Hold::aabb).collect();
        self.hold_bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        self.sharp_edges = SharpEdges::of(&holds);
        self.holds = holds.into();
        self
    }

    /// Returns the world with this [contact tolerance](Self::contact_tolerance), in meters.
    pub fn with_contact_tolerance(mut self, contact_tolerance: f32) -> Self {
        self.contact_tolerance = contact_tolerance;
        self
    }

    /// Returns whether a grip can close around a hold at a point of it.
    ///
    /// The type of a point or a line tells. A surface has no bars: a grip with an [edge reach](crate::character::Grip::edge_reach) needs a
    /// sharp edge that near, on a surface of any type. A grip without one needs a surface of a type that allows grips.
    pub fn can_grip(&self, hold: HoldId, point: Vec3, edge_reach: Option<f32>) -> bool {
        let Some(hold) = self.holds.get(hold) else { return false };
        match (hold.shape, edge_reach) {
            (HoldShape::Triangle(_), Some(reach)) => self.sharp_edges.has_near(point, hold.normal, reach),
            _ => hold.hold_type.allows_grip(),
        }
    }

    /// Fills `found` with the holds within `radius` of a point, in the order of the scene.
    pub fn holds_near(&self, point: Vec3, radius: f32, found: &mut Vec<HoldId>) {
        found.clear();
        let query = BvhNode::leaf(Aabb::from_half_extents(point, Vec3::splat(radius)), 0);
        let leaves = self.hold_bvh.leaves(|node| node.intersects(&query)).map(|leaf| HoldId::from(leaf as usize));
        found.extend(leaves.filter(|&hold| (self.holds[hold].nearest_point(point) - point).length() <= radius));
        found.sort_unstable();
    }

    /// Returns whether any hold within `radius` of a point is wanted. Faster than [`Self::holds_near`] where there are many.
    pub fn has_hold_near(&self, point: Vec3, radius: f32, is_wanted: impl Fn(HoldId) -> bool) -> bool {
        let query = BvhNode::leaf(Aabb::from_half_extents(point, Vec3::splat(radius)), 0);
        let mut leaves = self.hold_bvh.leaves(|node| node.intersects(&query)).map(|leaf| HoldId::from(leaf as usize));
        leaves.any(|hold| is_wanted(hold) && (self.holds[hold].nearest_point(point) - point).length() <= radius)
    }

    /// Returns the hold nearest to a point; the first of equals.
    pub fn nearest_hold(&self, point: Vec3) -> Option<HoldId> {
        let distance = |hold: &Hold| (hold.nearest_point(point) - point).length();
        let nearest = self.holds.iter_enumerated().min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
        nearest.map(|(id, _)| id)
    }

    /// Iterates over the collision shapes whose bounding boxes intersect a box, each with its obstacle.
    pub(super) fn shapes_near<'a>(
        &'a self,
        aabb: &Aabb,
    ) -> impl Iterator<Item = (ObstacleId, &'a ObstacleShape)> + use<'a> {
        // The tree compares nodes faster with nodes than with boxes.
        let query = BvhNode::leaf(*aabb, 0);
        self.bvh.leaves(move |node| node.intersects(&query)).map(|leaf| self.leaf(leaf))
    }

    /// Returns the collision shape of a leaf of the tree, and its obstacle.
    pub(super) fn leaf(&self, leaf: u32) -> (ObstacleId, &ObstacleShape) {
        let (obstacle, shape) = self.leaves[leaf as usize];
        let obstacle = ObstacleId::from(obstacle as usize);
        (obstacle, &self.obstacles[obstacle].shapes[shape as usize])
    }

    /// Returns whether holds, obstacles and bounds are still those that the world was built with. Only their counts are compared.
    pub(crate) fn is_consistent(&self) -> bool {
        let shapes: usize = self.obstacles.iter().map(|obstacle| obstacle.shapes.len()).sum();
        shapes == self.leaves.len()
            && self.hold_bvh.leaf_count() as usize == self.holds.len()
            && self.leaves.iter().all(|&(obstacle, shape)| {
                let obstacle = self.obstacles.get(ObstacleId::from(obstacle as usize));
                obstacle.is_some_and(|obstacle| (shape as usize) < obstacle.shapes.len())
            })
            && self.min.is_finite()
            && self.max.is_finite()
            && self.min.cmple(self.max).all()
            && self.holds.iter().all(Hold::is_valid)
    }

    /// The greatest coordinate of the bounds and the holds, without its sign, in meters.
    pub(crate) fn greatest_coordinate(&self) -> f32 {
        let corners = self.holds.iter().flat_map(Hold::corners);
        corners.chain([&self.min, &self.max]).map(|point| point.abs().max_element()).fold(0.0, f32::max)
    }

    /// Returns whether a point is in the region. The depth is ignored in a planar region.
    pub fn contains(&self, point: Vec3) -> bool {
        let point = if self.space == Space::Planar { point.with_z(self.min.z) } else { point };
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }
}
