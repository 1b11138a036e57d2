//! Regular grids of cubic cells.

use crate::math::Vec3;

/// Cubic cells that cover a box. A flat box gets one layer of cells around its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The least corner of the first cell.
    pub origin: Vec3,
    /// The side of a cell.
    pub cell: f32,
    /// The number of cells along x, y and z.
    pub size: [usize; 3],
}

impl Grid {
    /// A grid over the box with cells of at least this side: doubled until there are at most `max_cells`, so that
    /// memory is bounded whatever the box. A cell has a side of at least a millimetre, and a grid at least one cell.
    pub fn covering(min: Vec3, max: Vec3, cell: f32, max_cells: usize) -> Self {
        let extent = max - min;
        let max_cells = max_cells.max(1);
        // Not-a-number becomes a millimetre, too.
        let mut cell = cell.max(0.001);
        loop {
            let count = |length: f32| ((length / cell).ceil() as usize).max(1);
            let size = extent.to_array().map(count);
            let cells = size.iter().try_fold(1usize, |product, &n| product.checked_mul(n));
            if cells.is_some_and(|cells| cells <= max_cells) {
                // Centred on the box, so that a flat box lies in the middle of its one layer.
                let covered = Vec3::new(size[0] as f32, size[1] as f32, size[2] as f32) * cell;
                return Self { origin: 0.5 * (min + max) - 0.5 * covered, cell, size };
            }
            cell *= 2.0;
        }
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.size.iter().product()
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The place of a cell in a list of all.
    #[inline]
    pub fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.size[1] + y) * self.size[0] + x
    }

    /// The cell at this place of the list.
    pub fn cell_of_index(&self, index: usize) -> [usize; 3] {
        let [nx, ny, _] = self.size;
        [index % nx, index / nx % ny, index / (nx * ny)]
    }

    /// The middle of a cell.
    #[inline]
    pub fn center(&self, [x, y, z]: [usize; 3]) -> Vec3 {
        self.origin + Vec3::new(x as f32 + 0.5, y as f32 + 0.5, z as f32 + 0.5) * self.cell
    }

    /// The cell that a point is in, if it is in the grid.
    #[inline]
    pub fn cell_containing(&self, point: Vec3) -> Option<[usize; 3]> {
        let place = (point - self.origin) / self.cell;
        // Written so that not-a-number is outside.
        if !(place.x >= 0.0 && place.y >= 0.0 && place.z >= 0.0) {
            return None;
        }
        // Through 32 bits, which is quicker; a grid has far fewer cells along an axis.
        let cell = place.to_array().map(|x| x as i32 as u32 as usize);
        let [nx, ny, nz] = self.size;
        (cell[0] < nx && cell[1] < ny && cell[2] < nz).then_some(cell)
    }

    /// The cells that share a face with a cell, in a fixed order.
    pub fn face_neighbors(&self, cell: [usize; 3]) -> impl Iterator<Item = [usize; 3]> + '_ {
        (0..3).flat_map(move |axis| {
            let below = (cell[axis] > 0).then(|| {
                let mut next = cell;
                next[axis] -= 1;
                next
            });
            let above = (cell[axis] + 1 < self.size[axis]).then(|| {
                let mut next = cell;
                next[axis] += 1;
                next
            });
            below.into_iter().chain(above)
        })
    }
}
