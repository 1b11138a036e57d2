//! Worlds: named obstacles, and how near they are.
//!
//! Every answer comes from the collision engine (parry). In front of it stands a coarse grid of distances, built
//! once, that answers most questions of the kind "is this far from everything?" without asking the engine.

mod polygon;
mod obstacle;
mod grid;
mod distance;
mod field;

pub use distance::{Nearest, SolidDistance};
pub use field::{DistanceField, FieldSettings};
pub use grid::Grid;
pub use obstacle::{Obstacle, ShapeError};
pub use polygon::PolygonError;

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};

use crate::math::Vec3;

/// Obstacles in a bounded region of space. Immutable, so that any number of threads may plan in it at once.
#[derive(Clone, Debug)]
pub struct World {
    /// The obstacles, in the order of the scene.
    pub obstacles: Vec<Obstacle>,
    /// The corner of the region with the least coordinates.
    pub min: Vec3,
    /// The corner of the region with the greatest coordinates.
    pub max: Vec3,
    /// The grid of distances in front of the engine.
    pub field: DistanceField,
    bvh: Bvh,
}

impl World {
    /// A world of these obstacles, in which motions are looked for between `min` and `max`.
    ///
    /// The field of distances covers the region; a flat region (planar scenes) gets one layer at its middle.
    pub fn new(obstacles: Vec<Obstacle>, min: Vec3, max: Vec3, settings: &FieldSettings) -> Self {
        let leaves: Vec<Aabb> = obstacles.iter().map(Obstacle::aabb).collect();
        let bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        let mut world = Self { obstacles, min, max, field: DistanceField::empty(), bvh };
        world.field = DistanceField::build(&world, settings);
        world
    }

    /// Whether a point is in the region. A flat region has no depth to be outside of.
    pub fn contains(&self, point: Vec3) -> bool {
        let point = if self.min.z == self.max.z { point.with_z(self.min.z) } else { point };
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }
}
