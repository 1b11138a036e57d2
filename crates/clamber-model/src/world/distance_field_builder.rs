//! Samples the distance field from the collision engine.

use super::distance_field::{BLOCK, Block, DistanceField, DistanceFieldSettings};
use super::grid::Grid;
use super::world_data::{Space, World};
use crate::math::Vec3;

impl DistanceField {
    /// Queries the engine for distances: once per block of cells far from all surfaces, once per cell near surfaces.
    pub(super) fn build(world: &World, settings: &DistanceFieldSettings) -> Self {
        let is_flat = world.space == Space::Planar;
        let mut cell = if is_flat { settings.planar_cell_size } else { settings.cell_size };
        // One block is the least that a field near a surface can have; with less, no cell would be large enough.
        let max_cells = settings.max_cells.max(BLOCK * BLOCK * BLOCK);
        loop {
            let grid = Grid::covering(world.min, world.max, cell, max_cells.saturating_mul(BLOCK * BLOCK));
            if let Some(field) = Self::fill(world, grid, max_cells) {
                return field;
            }
            cell = 2.0 * grid.cell_size;
        }
    }

    /// Returns the field over a grid, if at most `max_cells` cells are near surfaces.
    fn fill(world: &World, grid: Grid, max_cells: usize) -> Option<Self> {
        let blocks = grid.cell_counts.map(|count| count.div_ceil(BLOCK));
        let mut field = Self { grid, blocks, block: Vec::with_capacity(blocks.iter().product()), values: Vec::new() };
        for z in 0..blocks[2] {
            for y in 0..blocks[1] {
                for x in 0..blocks[0] {
                    let low = [x, y, z].map(|block| block * BLOCK);
                    let middle = field.middle_of_block([x, y, z]);
                    // A block at the border may extend beyond the grid; clipping it there only increases distances.
                    let half_diagonal = (grid.cell_center(low) - middle).length();
                    let distance = world.point_distance(middle).distance;
                    // Each cell within this distance of a surface gets its own query.
                    let near = 2.0 * grid.cell_size;
                    if distance.abs() > half_diagonal + near {
                        field.block.push(Block::Far(distance));
                        continue;
                    }
                    field.block.push(Block::Near(field.values.len() as u32));
                    field.fill_block(world, low, (middle, distance));
                    if field.values.len() > max_cells {
                        return None;
                    }
                }
            }
        }
        Some(field)
    }

    /// Appends the values of a block's cells.
    fn fill_block(&mut self, world: &World, low: [usize; 3], (middle, around): (Vec3, f32)) {
        let depth = if self.grid.cell_counts[2] == 1 { 1 } else { BLOCK };
        for z in low[2]..low[2] + depth {
            for y in low[1]..low[1] + BLOCK {
                for x in low[0]..low[0] + BLOCK {
                    let center = self.grid.cell_center([x, y, z]);
                    // From outside, the nearest surface is at most as far as the nearest one at the middle plus the distance
                    // to the middle. This fails inside overlapping solids, where the distance need not be that of the
                    // deepest.
                    let bound =
                        if around > 0.0 { 1.001 * (around + (middle - center).length()) + 1e-4 } else { f32::MAX };
                    self.values.push(world.point_distance_within(center, bound).distance);
                }
            }
        }
    }
}
