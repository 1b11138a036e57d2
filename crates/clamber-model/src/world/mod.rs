//! Worlds: named obstacles, how near they are, and where they may be held on to.
//!
//! Every answer comes from the collision engine (parry). In front of it stands a coarse grid of distances, built
//! once, that answers most questions of the kind "is this far from everything?" without asking the engine.

mod outline;
mod polygon;
mod shell;
mod obstacle;
mod grid;
mod distance;
mod field;
mod hold;
mod surface;
mod spread;
mod builder;

pub use builder::{WorldBuilder, WorldError};
pub use distance::{Nearest, SolidDistance};
pub use field::{DistanceField, FieldSettings};
pub use grid::Grid;
pub use hold::{Hold, HoldShape, HoldType, UP};
pub use obstacle::{Obstacle, Part, ShapeError};
pub use polygon::PolygonError;
pub use spread::{Spread, spread_at_most, spread_holds};
pub use surface::SurfacePoint;

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode};

use typed_index_collections::TiVec;

use crate::id::{HoldId, ObstacleId};
use crate::math::Vec3;
use crate::scale::{Scale, ScaleError};

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
    field_settings: FieldSettings,
    /// The obstacle and the part of it that each leaf of the tree is.
    leaves: Vec<(u32, u32)>,
    bvh: Bvh,
    hold_bvh: Bvh,
}

impl World {
    /// A world of these obstacles, in which motions are looked for between `min` and `max`.
    ///
    /// The field of distances covers the region; a flat region (planar scenes) gets one layer at its middle.
    pub fn new(space: Space, obstacles: Vec<Obstacle>, min: Vec3, max: Vec3, settings: &FieldSettings) -> Self {
        let parts = |(index, obstacle): (usize, &Obstacle)| (0..obstacle.parts.len()).map(move |part| (index, part));
        let leaves: Vec<(usize, usize)> = obstacles.iter().enumerate().flat_map(parts).collect();
        let boxes: Vec<Aabb> = leaves.iter().map(|&(obstacle, part)| obstacles[obstacle].parts[part].aabb()).collect();
        let bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let leaves = leaves.into_iter().map(|(obstacle, part)| (obstacle as u32, part as u32)).collect();
        let field = DistanceField::empty();
        let (holds, hold_bvh) = (TiVec::new(), Bvh::new());
        let obstacles = obstacles.into();
        let field_settings = *settings;
        let mut world = Self { space, obstacles, holds, min, max, field, field_settings, leaves, bvh, hold_bvh };
        world.field = DistanceField::build(&world, settings);
        world
    }

    /// The same world with these holds.
    pub fn with_holds(mut self, holds: Vec<Hold>) -> Self {
        let boxes: Vec<Aabb> = holds.iter().map(Hold::aabb).collect();
        self.hold_bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        self.holds = holds.into();
        self
    }

    /// Returns the world at another size: obstacles, holds, region and the cells of the distance field grow by `factor`.
    pub fn scaled(&self, factor: f32) -> Result<Self, ScaleError> {
        let by = Scale::new(factor)?.length;
        let FieldSettings { cell, flat_cell, max_cells } = self.field_settings;
        let settings = FieldSettings { cell: cell * by, flat_cell: flat_cell * by, max_cells };
        let obstacles = self.obstacles.iter().map(|obstacle| obstacle.scaled(by)).collect();
        let holds = self.holds.iter().map(|hold| hold.scaled(by)).collect();
        Ok(Self::new(self.space, obstacles, self.min * by, self.max * by, &settings).with_holds(holds))
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

    /// The parts whose boxes touch a box, each with its obstacle's index.
    pub fn parts_near<'a>(&'a self, aabb: &Aabb) -> impl Iterator<Item = (ObstacleId, &'a Part)> + use<'a> {
        // As a node: the tree compares nodes with each other quicker than with boxes.
        let asked = BvhNode::leaf(*aabb, 0);
        self.bvh.leaves(move |node| node.intersects(&asked)).map(|leaf| self.leaf(leaf))
    }

    /// The part that a leaf of the tree is, and its obstacle's index.
    fn leaf(&self, leaf: u32) -> (ObstacleId, &Part) {
        let (obstacle, part) = self.leaves[leaf as usize];
        let obstacle = ObstacleId::from(obstacle as usize);
        (obstacle, &self.obstacles[obstacle].parts[part as usize])
    }

    /// Whether a point is in the region. A planar region has no depth to be outside of.
    pub fn contains(&self, point: Vec3) -> bool {
        let point = if self.space == Space::Planar { point.with_z(self.min.z) } else { point };
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }
}
