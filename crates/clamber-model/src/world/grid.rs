//! Regular grids of cubic cells.

use crate::math::Vec3;

/// Cubic cells that cover a box. A flat box gets one layer of cells, centered on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The minimum corner of the first cell.
    pub origin: Vec3,
    /// Side of a cell, in meters.
    pub cell_size: f32,
    /// The number of cells along x, y and z.
    pub cell_counts: [usize; 3],
}

impl Grid {
    /// Returns a grid over the box with cells of at least this side, doubled until there are at most `max_cells`, which bounds
    /// memory. A cell has a side of at least a millimeter, and a grid has at least one cell.
    pub fn covering(min: Vec3, max: Vec3, cell: f32, max_cells: usize) -> Self {
        let extent = max - min;
        let max_cells = max_cells.max(1);
        // NaN becomes a millimeter, too.
        let mut cell = cell.max(0.001);
        loop {
            let count = |length: f32| ((length / cell).ceil() as usize).max(1);
            let size = extent.to_array().map(count);
            let cells = size.iter().try_fold(1usize, |product, &n| product.checked_mul(n));
            if cells.is_some_and(|cells| cells <= max_cells) {
                // Centered on the box, so that a flat box lies in the middle of its one layer.
                let covered = Vec3::new(size[0] as f32, size[1] as f32, size[2] as f32) * cell;
                return Self { origin: 0.5 * (min + max) - 0.5 * covered, cell_size: cell, cell_counts: size };
            }
            cell *= 2.0;
        }
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.cell_counts.iter().product()
    }

    /// Returns whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the linear index of a cell.
    #[inline]
    pub fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.cell_counts[1] + y) * self.cell_counts[0] + x
    }

    /// Returns the cell with this linear index.
    pub fn cell_of_index(&self, index: usize) -> [usize; 3] {
        let [nx, ny, _] = self.cell_counts;
        [index % nx, index / nx % ny, index / (nx * ny)]
    }

    /// Returns the center of a cell.
    #[inline]
    pub fn cell_center(&self, [x, y, z]: [usize; 3]) -> Vec3 {
        self.origin + Vec3::new(x as f32 + 0.5, y as f32 + 0.5, z as f32 + 0.5) * self.cell_size
    }

    /// Returns the cell that contains a point; `None` outside the grid.
    #[inline]
    pub fn cell_containing(&self, point: Vec3) -> Option<[usize; 3]> {
        let position = (point - self.origin) / self.cell_size;
        // Written so that NaN is outside.
        if !(position.x >= 0.0 && position.y >= 0.0 && position.z >= 0.0) {
            return None;
        }
        // Conversion through 32 bits is faster, and a grid has far fewer cells along an axis.
        let cell = position.to_array().map(|x| x as i32 as u32 as usize);
        let [nx, ny, nz] = self.cell_counts;
        (cell[0] < nx && cell[1] < ny && cell[2] < nz).then_some(cell)
    }

    /// Iterates over the up to six cells that share a face with a cell, in a fixed order.
    pub fn face_neighbors(&self, cell: [usize; 3]) -> impl Iterator<Item = [usize; 3]> + '_ {
        (0..3).flat_map(move |axis| {
            let below = (cell[axis] > 0).then(|| {
                let mut next = cell;
                next[axis] -= 1;
                next
            });
            let above = (cell[axis] + 1 < self.cell_counts[axis]).then(|| {
                let mut next = cell;
                next[axis] += 1;
                next
            });
            below.into_iter().chain(above)
        })
    }
}
