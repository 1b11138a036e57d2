//! Which cells of a tile contain surfaces that effectors may touch.

use clamber_model::World;
use clamber_model::id::HoldId;
use clamber_model::math::Vec3;
use clamber_model::world::{Hold, HoldType, UP};

use super::cells::{CELLS_PER_TILE, Cell, TileKey};
use super::tuning::{
    CELL_RADIUS, COVER_HEIGHT, COVERED_ROOM, LEDGE_DROP, LEG_HEIGHT, LEG_ROOM, TILE_CELLS, WIDE_DISTANCE,
};

/// The types of hold in a cell, one bit each.
pub(super) type TypeBits = u8;

/// The bit of load-bearing surfaces with room for a leg above them: a foot may stand on a ledge of a wall, but nobody does so without hands.
pub(super) const ROOMY: TypeBits = 1 << 7;

/// The bit of load-bearing surfaces that go on all around: what is in the middle of a limb, such as a knee, does not rest on an edge.
pub(super) const WIDE: TypeBits = 1 << 6;

/// The bits of types of hold.
pub(super) fn type_bits(types: &[HoldType]) -> TypeBits {
    let bit =
        |wanted: &HoldType| HoldType::ALL.iter().position(|hold_type| hold_type == wanted).map_or(0, |at| 1 << at);
    types.iter().map(bit).fold(0, |bits, bit| bits | bit)
}

/// The surfaces in the cells of a tile.
#[derive(Clone)]
pub(super) struct TileSurfaces {
    tile: TileKey,
    /// By the index of the cell in the tile; empty where there are none.
    bits: Vec<TypeBits>,
}

impl TileSurfaces {
    /// The surfaces of the allowed holds.
    pub fn of_tile(
        world: &World,
        side: f32,
        tile: TileKey,
        is_allowed: impl Fn(HoldId) -> bool,
        near: &mut Vec<HoldId>,
    ) -> Self {
        let mut surfaces = Self { tile, bits: Vec::new() };
        let half = 0.5 * TILE_CELLS as f32 * side;
        let middle = tile.first_cell().center(side) + Vec3::splat(half - 0.5 * side);
        world.holds_near(middle, half * 3f32.sqrt(), near);
        for &hold in near.iter().filter(|hold| is_allowed(**hold)) {
            surfaces.mark(world, &world.holds[hold], side);
        }
        surfaces
    }

    /// The types in a row of cells along x, from one of the tile on; `None` if there are none in the tile.
    #[inline]
    pub fn row(&self, first: Cell, count: usize) -> Option<&[TypeBits]> {
        let begin = first.index_in_tile();
        self.bits.get(begin..begin + count)
    }

    /// Marks the cells that a hold passes through, but for where other obstacles cover it, as walls cover the floor that they stand on.
    fn mark(&mut self, world: &World, hold: &Hold, side: f32) {
        let bit = type_bits(&[hold.hold_type]);
        let field = &world.distance_field;
        let is_wide = |point: Vec3| {
            let [width, drop] = [WIDE_DISTANCE, LEDGE_DROP].map(|length| length * side);
            let across = hold.normal.any_orthonormal_vector() * width;
            let along = hold.normal.cross(across);
            let goes_on = |direction: Vec3| field.estimate(point + direction) < drop;
            hold.hold_type == HoldType::LoadBearing && [across, along, -across, -along].into_iter().all(goes_on)
        };
        let [low, high] = hold.bounds().map(|corner| Cell::containing(corner, side).0);
        let first = self.tile.first_cell().0;
        let range =
            |axis: usize| low[axis].max(first[axis])..=high[axis].min(first[axis].saturating_add(TILE_CELLS - 1));
        let ranges = [range(0), range(1), range(2)];
        for x in ranges[0].clone() {
            for y in ranges[1].clone() {
                for z in ranges[2].clone() {
                    let cell = Cell([x, y, z]);
                    let center = cell.center(side);
                    let point = hold.nearest_point(center);
                    let room = field.estimate(point + hold.normal * (COVER_HEIGHT * side));
                    // Rounding must not leave a surface between two cells in neither.
                    if (point - center).abs().max_element() <= 0.501 * side && room >= COVERED_ROOM * side {
                        self.bits.resize(CELLS_PER_TILE, 0);
                        let bits = &mut self.bits[cell.index_in_tile()];
                        *bits |= bit;
                        if *bits & ROOMY == 0 && is_roomy(world, hold, point, side) {
                            *bits |= ROOMY;
                        }
                        if *bits & WIDE == 0 && is_wide(point) {
                            *bits |= WIDE;
                        }
                    }
                }
            }
        }
    }
}

/// Whether there is room for a leg above a point of a hold.
fn is_roomy(world: &World, hold: &Hold, point: Vec3, side: f32) -> bool {
    let field = &world.distance_field;
    let [height, room] = [LEG_HEIGHT, LEG_ROOM].map(|length| length * side);
    let above = point + UP * height;
    let distance = field.estimate(above);
    if hold.hold_type != HoldType::LoadBearing || distance < room {
        return false;
    }
    // Beside a wall, there has to be something to stand on farther away from it.
    let away = field.estimate_gradient(above);
    let beside = point + (away - UP * UP.dot(away)).normalize_or_zero() * room;
    distance > 2.0 * room || field.estimate(beside) < LEDGE_DROP * side
}

/// Whether there is room for a leg above a hold in a cell. What a search has asked for before does not count: plans must not depend on it.
pub(super) fn is_roomy_in(world: &World, cell: Cell, side: f32) -> bool {
    let center = cell.center(side);
    world.has_hold_near(center, CELL_RADIUS * side, |id| {
        let hold = &world.holds[id];
        is_roomy(world, hold, hold.nearest_point(center), side)
    })
}
