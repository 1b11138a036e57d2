//! Builds the trees and the distance field of a world.

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use typed_index_collections::TiVec;

use super::distance_field::{DistanceField, DistanceFieldSettings};
use super::obstacle::Obstacle;
use super::sharp_edges::SharpEdges;
use super::world_data::{Space, World};
use crate::math::Vec3;
use crate::scaling::{Scale, ScaleError};

impl World {
    /// Returns a world of these obstacles, without holds, in which motions stay between the corners `min` and `max`. Does not
    /// validate; [`World::planar_builder`] and [`World::spatial_builder`] do.
    ///
    /// The distance field covers the region; a flat region (planar scenes) gets one layer of cells.
    pub fn from_obstacles(
        space: Space,
        obstacles: Vec<Obstacle>,
        min: Vec3,
        max: Vec3,
        settings: &DistanceFieldSettings,
    ) -> Self {
        let shapes =
            |(index, obstacle): (usize, &Obstacle)| (0..obstacle.shapes.len()).map(move |shape| (index, shape));
        let leaves: Vec<(usize, usize)> = obstacles.iter().enumerate().flat_map(shapes).collect();
        let boxes: Vec<Aabb> =
            leaves.iter().map(|&(obstacle, shape)| obstacles[obstacle].shapes[shape].aabb()).collect();
        let bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let leaves = leaves.into_iter().map(|(obstacle, shape)| (obstacle as u32, shape as u32)).collect();
        let field = DistanceField::empty();
        let (holds, hold_bvh, sharp_edges) = (TiVec::new(), Bvh::new(), SharpEdges::none());
        let obstacles = obstacles.into();
        let field_settings = *settings;
        let contact_tolerance = 0.0;
        let mut world = Self {
            space,
            obstacles,
            holds,
            min,
            max,
            contact_tolerance,
            distance_field: field,
            field_settings,
            leaves,
            bvh,
            hold_bvh,
            sharp_edges,
        };
        world.distance_field = DistanceField::build(&world, settings);
        world
    }

    /// Returns the world at another size: obstacles, holds, region, contact tolerance and the cells of the distance field are
    /// multiplied by `factor`.
    pub fn scaled(&self, factor: f32) -> Result<Self, ScaleError> {
        let by = Scale::new(factor)?.length;
        let DistanceFieldSettings { cell_size: cell, planar_cell_size, max_cells } = self.field_settings;
        let settings =
            DistanceFieldSettings { cell_size: cell * by, planar_cell_size: planar_cell_size * by, max_cells };
        let obstacles = self.obstacles.iter().map(|obstacle| obstacle.scaled(by)).collect();
        let holds = self.holds.iter().map(|hold| hold.scaled(by)).collect();
        let world = Self::from_obstacles(self.space, obstacles, self.min * by, self.max * by, &settings);
        Ok(world.with_holds(holds).with_contact_tolerance(self.contact_tolerance * by))
    }
}
