//! Which cells in and around a tile contain surfaces that effectors may touch.

use clamber_model::World;
use clamber_model::id::HoldId;
use clamber_model::math::Vec3;
use clamber_model::world::{Hold, HoldType};

use super::cells::{Cell, TileKey};
use super::tuning::{COVER_HEIGHT, COVERED_ROOM, TILE_CELLS};

/// The types of hold in a cell, one bit each.
pub(super) type TypeBits = u8;

/// The bits of types of hold.
pub(super) fn type_bits(types: &[HoldType]) -> TypeBits {
    let bit =
        |wanted: &HoldType| HoldType::ALL.iter().position(|hold_type| hold_type == wanted).map_or(0, |at| 1 << at);
    types.iter().map(bit).fold(0, |bits, bit| bits | bit)
}

/// The surfaces in a tile and in the cells around it that limbs reach from there.
#[derive(Clone)]
pub(super) struct SurfaceWindow {
    first: Cell,
    /// Cells along a side.
    count: i32,
    bits: Vec<TypeBits>,
}

impl SurfaceWindow {
    /// The surfaces of the allowed holds, up to `margin` cells around a tile.
    pub fn around(
        world: &World,
        side: f32,
        (tile, margin): (TileKey, i32),
        is_allowed: impl Fn(HoldId) -> bool,
        near: &mut Vec<HoldId>,
    ) -> Self {
        let first = tile.first_cell().offset([-margin; 3]);
        let count = TILE_CELLS + 2 * margin;
        let mut window = Self { first, count, bits: vec![0; (count * count * count) as usize] };
        let half = 0.5 * count as f32 * side;
        let middle = first.center(side) + Vec3::splat(half - 0.5 * side);
        world.holds_near(middle, half * 3f32.sqrt(), near);
        for &hold in near.iter().filter(|hold| is_allowed(**hold)) {
            window.mark(world, &world.holds[hold], side);
        }
        window
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

    /// Marks the cells that a hold passes through, but for where other obstacles cover it, as walls cover the floor that they stand on.
    fn mark(&mut self, world: &World, hold: &Hold, side: f32) {
        let bit = type_bits(&[hold.hold_type]);
        let [low, high] = hold.bounds().map(|corner| Cell::containing(corner, side).0);
        let range = |axis: usize| {
            let begin = self.first.0[axis];
            low[axis].max(begin)..=high[axis].min(begin.saturating_add(self.count - 1))
        };
        let ranges = [range(0), range(1), range(2)];
        for x in ranges[0].clone() {
            for y in ranges[1].clone() {
                for z in ranges[2].clone() {
                    let cell = Cell([x, y, z]);
                    let center = cell.center(side);
                    let point = hold.nearest_point(center);
                    let room = world.distance_field.estimate(point + hold.normal * (COVER_HEIGHT * side));
                    // Rounding must not leave a surface between two cells in neither.
                    if (point - center).abs().max_element() <= 0.501 * side && room >= COVERED_ROOM * side {
                        let index = self.index(cell);
                        self.bits[index] |= bit;
                    }
                }
            }
        }
    }
}
