//! A grid of distances that answers most queries without the collision engine.

use super::grid::Grid;
use crate::character::Capsule;
use crate::math::Vec3;

/// Resolution of the distance field. Start from [`Default`] and change fields.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DistanceFieldSettings {
    /// Side of a cell, in meters; at least 0.001. Default 0.1.
    pub cell_size: f32,
    /// Side of a cell in a flat region, which has far fewer cells, in meters; at least 0.001. Default 0.04.
    pub planar_cell_size: f32,
    /// Maximum number of cells near surfaces, 4 bytes each; at least 1. Cells are enlarged until there are no more. Default 4
    /// million.
    pub max_cells: usize,
}

impl Default for DistanceFieldSettings {
    fn default() -> Self {
        Self { cell_size: 0.1, planar_cell_size: 0.04, max_cells: 4_000_000 }
    }
}

/// For each cell of a grid, a lower bound on the signed distance from its center to the nearest obstacle.
///
/// The distance function is 1-Lipschitz, so a cell's value minus the distance from its center is a lower bound at any point.
/// Cells are stored in blocks; a block far from all surfaces has one value, so memory grows with the area of the surfaces, not
/// with the volume of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceField {
    /// The cells.
    pub(super) grid: Grid,
    /// The number of blocks along x, y and z.
    pub(super) blocks: [usize; 3],
    /// For each block, the signed distance at its middle, or the index of its first cell in `values`.
    pub(super) block: Vec<Block>,
    pub(super) values: Vec<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Block {
    Far(f32),
    Near(u32),
}

/// Number of cells along a side of a block.
pub(super) const BLOCK: usize = 8;

impl DistanceField {
    pub(super) fn empty() -> Self {
        let grid = Grid { origin: Vec3::ZERO, cell_size: 1.0, cell_counts: [0; 3] };
        Self { grid, blocks: [0; 3], block: Vec::new(), values: Vec::new() }
    }

    /// Returns whether another field has the same cells, whatever their values.
    pub fn has_same_cells(&self, other: &Self) -> bool {
        self.grid == other.grid
    }

    /// Beyond this distance from a point, in meters, a change of obstacles changes its [estimate](Self::estimate) only where the estimate
    /// is greater than `distance`.
    pub fn range_of_estimate(&self, distance: f32) -> f32 {
        // A far block tells the distance at its middle. The point may be in a corner of it, or in a cell beside it.
        distance + (BLOCK + 2) as f32 * 3f32.sqrt() * self.grid.cell_size
    }

    #[inline]
    pub(super) fn middle_of_block(&self, block: [usize; 3]) -> Vec3 {
        let half = 0.5 * BLOCK as f32;
        let [x, y, z] = block.map(|block| (block * BLOCK) as f32 + half);
        let z = if self.grid.cell_counts[2] == 1 { 0.5 } else { z };
        self.grid.origin + Vec3::new(x, y, z) * self.grid.cell_size
    }

    #[inline]
    pub(super) fn block_of(&self, cell: [usize; 3]) -> ([usize; 3], Block) {
        let block = cell.map(|cell| cell / BLOCK);
        (block, self.block[(block[2] * self.blocks[1] + block[1]) * self.blocks[0] + block[0]])
    }

    /// Returns a lower bound on the signed distance at a point of a cell.
    #[inline]
    fn bound_in(&self, cell: [usize; 3], point: Vec3) -> f32 {
        match self.block_of(cell) {
            (block, Block::Far(distance)) => distance - (point - self.middle_of_block(block)).length(),
            (_, Block::Near(start)) => {
                self.values[start as usize + in_block(cell)] - (point - self.grid.cell_center(cell)).length()
            }
        }
    }

    /// Returns a lower bound on the signed distance at a cell's center.
    #[inline]
    fn value(&self, cell: [usize; 3]) -> f32 {
        match self.block_of(cell) {
            (_, Block::Near(start)) => self.values[start as usize + in_block(cell)],
            _ => self.bound_in(cell, self.grid.cell_center(cell)),
        }
    }

    /// Returns a lower bound on the signed distance from a point to the nearest obstacle; minus infinity outside the grid.
    #[inline]
    pub fn lower_bound(&self, point: Vec3) -> f32 {
        match self.grid.cell_containing(point) {
            None => f32::NEG_INFINITY,
            Some(cell) => self.bound_in(cell, point),
        }
    }

    /// Returns an upper bound on the signed distance from a point to the nearest obstacle; infinity outside the grid.
    #[inline]
    pub fn upper_bound(&self, point: Vec3) -> f32 {
        let Some(cell) = self.grid.cell_containing(point) else { return f32::INFINITY };
        let (distance, center) = match self.block_of(cell) {
            (block, Block::Far(distance)) => (distance, self.middle_of_block(block)),
            (_, Block::Near(start)) => (self.values[start as usize + in_block(cell)], self.grid.cell_center(cell)),
        };
        distance + (point - center).length()
    }

    /// Returns an estimate of the signed distance from a point to the nearest obstacle: interpolated between the centers of the
    /// surrounding cells, so that it is continuous, and extrapolated beyond the grid. It may be too large or too small, and
    /// hardly sees obstacles thinner than a cell.
    #[inline]
    pub fn estimate(&self, point: Vec3) -> f32 {
        let Grid { origin, cell_size: cell, cell_counts: size } = self.grid;
        let position = (point - origin) * (1.0 / cell) - Vec3::splat(0.5);
        // The lower cell, the interpolation weight of the upper one, and the offset to it: 0 in a single layer.
        let along = |at: f32, size: usize| {
            let low = (at.max(0.0) as u32 as usize).min(size.saturating_sub(2));
            (low, if size == 1 { 0.0 } else { at - low as f32 }, usize::from(size > 1))
        };
        let ((x, u, right), (y, v, up)) = (along(position.x, size[0]), along(position.y, size[1]));
        let (z, w, deep) = along(position.z, size[2]);
        if let (block, Block::Far(distance)) = self.block_of([x, y, z]) {
            let off = (point - self.middle_of_block(block)).length();
            return if distance > 0.0 { distance - off } else { distance + off };
        }
        let layer = |z: usize| {
            let [a, b, c, d] = self.square([x, y, z], right, up);
            let (low, high) = (a + (b - a) * u, c + (d - c) * u);
            low + (high - low) * v
        };
        let low = layer(z);
        if deep == 0 { low } else { low + (layer(z + deep) - low) * w }
    }

    /// Returns the values of a cell, its right neighbor, its upper neighbor and its upper right neighbor.
    #[inline]
    fn square(&self, [x, y, z]: [usize; 3], right: usize, up: usize) -> [f32; 4] {
        if let (_, Block::Near(start)) = self.block_of([x, y, z])
            && x % BLOCK + right < BLOCK
            && y % BLOCK + up < BLOCK
        {
            let here = start as usize + in_block([x, y, z]);
            let above = here + up * BLOCK;
            let values = &self.values;
            return [values[here], values[here + right], values[above], values[above + right]];
        }
        let value = |x: usize, y: usize| self.value([x, y, z]);
        [value(x, y), value(x + right, y), value(x, y + up), value(x + right, y + up)]
    }

    /// Returns the gradient of [`Self::estimate`] by central differences over half a cell; the exact gradient would jump between
    /// cells.
    pub fn estimate_gradient(&self, point: Vec3) -> Vec3 {
        let step = 0.25 * self.grid.cell_size;
        let along =
            |axis: Vec3| (self.estimate(point + axis * step) - self.estimate(point - axis * step)) / (2.0 * step);
        let depth = if self.grid.cell_counts[2] == 1 { 0.0 } else { along(Vec3::Z) };
        Vec3::new(along(Vec3::X), along(Vec3::Y), depth)
    }

    /// Returns whether the field proves that a capsule is at least this far from all obstacles.
    #[inline]
    pub fn proves_clearance(&self, capsule: &Capsule, distance: f32) -> bool {
        let half_length = 0.5 * (capsule.b - capsule.a).length();
        let middle = 0.5 * (capsule.a + capsule.b);
        // One lookup clears most capsules far from obstacles; three clear most of the others.
        self.lower_bound(middle) - half_length - capsule.radius >= distance
            || self.capsule_lower_bound(capsule) >= distance
    }

    /// Returns a lower bound on the distance from a capsule to the nearest obstacle.
    #[inline]
    pub fn capsule_lower_bound(&self, capsule: &Capsule) -> f32 {
        // Three points, each the middle of a third of the axis: every point of the axis is within a sixth of its length of
        // one of them.
        let along = capsule.b - capsule.a;
        let middle = capsule.a + 0.5 * along;
        let offset = along / 3.0;
        let sixth = along.length() / 6.0;
        let mut bound = self.lower_bound(middle);
        bound = bound.min(self.lower_bound(middle - offset));
        bound = bound.min(self.lower_bound(middle + offset));
        bound - sixth - capsule.radius
    }
}

/// Returns the index of a cell in its block.
#[inline]
fn in_block(cell: [usize; 3]) -> usize {
    let [x, y, z] = cell.map(|cell| cell % BLOCK);
    (z * BLOCK + y) * BLOCK + x
}
