//! Which cells in and around a tile contain surfaces that effectors may touch.

use super::cells::{Cell, NEIGHBORS, TileKey};
use super::tile_surfaces::{TileSurfaces, TypeBits};
use super::tuning::TILE_CELLS;

/// The surfaces in a tile and in the cells around it that limbs reach from there.
#[derive(Clone)]
pub(super) struct SurfaceWindow {
    first: Cell,
    /// Cells along a side.
    count: i32,
    bits: Vec<TypeBits>,
}

impl SurfaceWindow {
    /// Up to `margin` cells around a tile, at most as many as a tile has, from the surfaces of its neighbors.
    pub fn around<'t>(tile: TileKey, margin: i32, surfaces_of: impl Fn(usize) -> Option<&'t TileSurfaces>) -> Self {
        let first = tile.first_cell().offset([-margin; 3]);
        let count = TILE_CELLS + 2 * margin;
        let mut window = Self { first, count, bits: vec![0; (count * count * count) as usize] };
        for number in 0..NEIGHBORS {
            if let Some(surfaces) = surfaces_of(number) {
                window.copy(surfaces, tile.neighbor(number));
            }
        }
        window
    }

    /// Copies the surfaces of a tile that overlaps the window.
    fn copy(&mut self, surfaces: &TileSurfaces, tile: TileKey) {
        let begin = tile.first_cell().0;
        let low: [i32; 3] = std::array::from_fn(|axis| begin[axis].max(self.first.0[axis]));
        let end =
            |axis: usize| (begin[axis].saturating_add(TILE_CELLS)).min(self.first.0[axis].saturating_add(self.count));
        let length = (end(0) - low[0]).max(0) as usize;
        for y in low[1]..end(1) {
            for z in low[2]..end(2) {
                let cell = Cell([low[0], y, z]);
                let Some(row) = surfaces.row(cell, length) else { return };
                let index = self.index(cell);
                self.bits[index..index + length].copy_from_slice(row);
            }
        }
    }

    /// The cell that is this many cells away has an index that is more by the result.
    pub fn index_offset(count: i32, [x, y, z]: [i32; 3]) -> isize {
        ((y * count + z) * count + x) as isize
    }

    /// Whether a cell whose index differs from that of another by an offset has a hold of these types.
    #[inline]
    pub fn has_types_at(&self, index: usize, offset: isize, types: TypeBits) -> bool {
        self.bits[index.wrapping_add_signed(offset)] & types != 0
    }

    pub fn index(&self, cell: Cell) -> usize {
        let [x, y, z] = [0, 1, 2].map(|axis| cell.0[axis] - self.first.0[axis]);
        ((y * self.count + z) * self.count + x) as usize
    }
}
