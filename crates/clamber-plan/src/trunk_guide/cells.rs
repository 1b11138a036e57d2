//! Cells of space and their tiles. Both extend without end, so worlds of any size need no memory for what no path comes near.

use clamber_model::math::Vec3;

use super::tuning::{TILE_BITS, TILE_CELLS};

/// A cube of space, counted from the origin of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell(pub [i32; 3]);

/// A cube of [`TILE_CELLS`]³ cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TileKey(pub [i32; 3]);

/// The number of cells of a tile.
pub(super) const CELLS_PER_TILE: usize = (TILE_CELLS * TILE_CELLS * TILE_CELLS) as usize;
/// The number of tiles around one, with itself.
pub(super) const NEIGHBORS: usize = 27;

impl Cell {
    pub fn containing(point: Vec3, side: f32) -> Self {
        Self((point / side).floor().to_array().map(|at| at as i32))
    }

    #[inline]
    pub fn center(self, side: f32) -> Vec3 {
        let [x, y, z] = self.0;
        Vec3::new(x as f32 + 0.5, y as f32 + 0.5, z as f32 + 0.5) * side
    }

    /// Saturates at the ends of the integers, where no world is.
    #[inline]
    pub fn offset(self, by: [i32; 3]) -> Self {
        let [x, y, z] = self.0;
        Self([x.saturating_add(by[0]), y.saturating_add(by[1]), z.saturating_add(by[2])])
    }

    #[inline]
    pub fn tile(self) -> TileKey {
        let [x, y, z] = self.0;
        TileKey([x >> TILE_BITS, y >> TILE_BITS, z >> TILE_BITS])
    }

    /// The index of the cell in its tile.
    #[inline]
    pub fn index_in_tile(self) -> usize {
        let [x, y, z] = self.0;
        let in_tile = |at: i32| (at & (TILE_CELLS - 1)) as usize;
        (in_tile(y) << (2 * TILE_BITS)) | (in_tile(z) << TILE_BITS) | in_tile(x)
    }
}

impl TileKey {
    /// The cell of the tile with this index.
    pub fn cell(self, index: usize) -> Cell {
        let in_tile = |shift: u32| (index >> shift) as i32 & (TILE_CELLS - 1);
        self.first_cell().offset([in_tile(0), in_tile(2 * TILE_BITS), in_tile(TILE_BITS)])
    }

    /// The tile with a number of those around this one; the middle number is that of the tile itself.
    pub fn neighbor(self, number: usize) -> Self {
        let by = [number / 9, number / 3 % 3, number % 3].map(|along| along as i32 - 1);
        Self(std::array::from_fn(|axis| self.0[axis].saturating_add(by[axis])))
    }

    /// The number of a tile among those around this one; `None` if it is farther away.
    #[inline]
    pub fn number_of_neighbor(self, to: Self) -> Option<usize> {
        let mut number = 0;
        for axis in 0..3 {
            let along = to.0[axis].wrapping_sub(self.0[axis]).wrapping_add(1);
            if !(0..3).contains(&along) {
                return None;
            }
            number = 3 * number + along as usize;
        }
        Some(number)
    }

    /// The first cell of the tile.
    pub fn first_cell(self) -> Cell {
        Cell(self.0.map(|at| at.saturating_mul(TILE_CELLS)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_on_both_sides_of_the_origin_have_their_own_place_in_their_tiles() {
        for x in [-17, -16, -1, 0, 15, 16] {
            let cell = Cell([x, -3, 40]);
            let first = cell.tile().first_cell();
            let [dx, dy, dz] = [0, 1, 2].map(|axis| (cell.0[axis] - first.0[axis]) as usize);
            assert!(dx < 16 && dy < 16 && dz < 16, "{cell:?}");
            assert_eq!(cell.index_in_tile(), (dy * 16 + dz) * 16 + dx);
            assert_eq!(cell.tile().cell(cell.index_in_tile()), cell);
            assert_eq!(Cell::containing(cell.center(0.1), 0.1), cell);
        }
    }
}
