//! The world as data: obstacles, holds, and the trees that find them.

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode};
use typed_index_collections::TiVec;

use super::field::{DistanceField, FieldSettings};
use super::hold::Hold;
use super::obstacle::{Obstacle, ObstacleShape};
use crate::id::{HoldId, ObstacleId};
use crate::math::Vec3;

/// Whether a world is a plane or all of space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Motions stay in z = 0; the region has no depth.
    Planar,
    /// Motions may go anywhere in the region.
    Spatial,
}

/// Obstacles in a bounded region of space. Immutable, so that any number of threads may plan in it at once.
#[derive(Clone, Debug)]
pub struct World {
    /// Whether motions stay in the plane z = 0.
    pub space: Space,
    /// The obstacles, in the order of the scene.
    pub obstacles: TiVec<ObstacleId, Obstacle>,
    /// Where effectors may attach, in the order of the scene.
    pub holds: TiVec<HoldId, Hold>,
    /// The corner of the region with the least coordinates.
    pub min: Vec3,
    /// The corner of the region with the greatest coordinates.
    pub max: Vec3,
    /// The grid of distances in front of the engine.
    pub field: DistanceField,
    /// How the field was built.
    pub(super) field_settings: FieldSettings,
    /// The obstacle and the shape of it that each leaf of the tree is.
    pub(super) leaves: Vec<(u32, u32)>,
    pub(super) bvh: Bvh,
    pub(super) hold_bvh: Bvh,
}

impl World {
    /// The same world with these holds.
    pub fn with_holds(mut self, holds: Vec<Hold>) -> Self {
        let boxes: Vec<Aabb> = holds.iter().map(Hold::aabb).collect();
        self.hold_bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        self.holds = holds.into();
        self
    }

    /// Fills `found` with the holds that have a point within `radius` of a point, in the order of the scene.
    pub fn holds_near(&self, point: Vec3, radius: f32, found: &mut Vec<HoldId>) {
        found.clear();
        let asked = BvhNode::leaf(Aabb::from_half_extents(point, Vec3::splat(radius)), 0);
        let leaves = self.hold_bvh.leaves(|node| node.intersects(&asked)).map(|leaf| HoldId::from(leaf as usize));
        found.extend(leaves.filter(|&hold| (self.holds[hold].nearest(point) - point).length() <= radius));
        found.sort_unstable();
    }

    /// The hold that is nearest to a point; the first of equals.
    pub fn nearest_hold(&self, point: Vec3) -> Option<HoldId> {
        let distance = |hold: &Hold| (hold.nearest(point) - point).length();
        let nearest = self.holds.iter_enumerated().min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
        nearest.map(|(id, _)| id)
    }

    /// The shapes whose boxes touch a box, each with its obstacle's index.
    pub(super) fn shapes_near<'a>(
        &'a self,
        aabb: &Aabb,
    ) -> impl Iterator<Item = (ObstacleId, &'a ObstacleShape)> + use<'a> {
        // As a node: the tree compares nodes with each other quicker than with boxes.
        let asked = BvhNode::leaf(*aabb, 0);
        self.bvh.leaves(move |node| node.intersects(&asked)).map(|leaf| self.leaf(leaf))
    }

    /// The shape that a leaf of the tree is, and its obstacle's index.
    pub(super) fn leaf(&self, leaf: u32) -> (ObstacleId, &ObstacleShape) {
        let (obstacle, shape) = self.leaves[leaf as usize];
        let obstacle = ObstacleId::from(obstacle as usize);
        (obstacle, &self.obstacles[obstacle].shapes[shape as usize])
    }

    /// Whether a point is in the region. A planar region has no depth to be outside of.
    pub fn contains(&self, point: Vec3) -> bool {
        let point = if self.space == Space::Planar { point.with_z(self.min.z) } else { point };
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }
}
