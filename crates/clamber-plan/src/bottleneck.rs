//! How wide the widest way for a body is, and where it is narrowest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use clamber_model::World;
use clamber_model::math::Vec3;
use clamber_model::world::Grid;

use crate::hold_graph::Metres;

/// Where a ball does not get through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Narrow {
    /// The first place on the way that is too narrow.
    pub place: Vec3,
    /// The distance to the nearest obstacle at the narrowest place of the way, in metres; negative inside.
    pub clearance: f32,
}

/// Follows the widest way of a ball from one point to within `near` of another, in metres, as far as `may_be` lets it. Nothing
/// when the ball gets through, or when there is no such way at all.
pub(crate) fn narrowest(
    world: &World,
    radius: f32,
    from: Vec3,
    to: Vec3,
    near: f32,
    may_be: impl Fn(Vec3) -> bool,
) -> Option<Narrow> {
    const CELL: f32 = 0.05;
    const MAX_CELLS: usize = 600_000;
    // How far from the ends it is looked for, in metres: a way that leads farther around is none that helps.
    const AROUND: f32 = 8.0;
    let around = Vec3::splat(AROUND);
    let (min, max) = ((from.min(to) - around).max(world.min), (from.max(to) + around).min(world.max));
    let grid = Grid::covering(min, max, CELL, MAX_CELLS);
    let looks = Looks::new(world, &grid, radius);
    let first = grid.index(grid.containing(from)?);
    let mut before: Vec<Option<usize>> = vec![None; grid.len()];
    let mut widths: Vec<f32> = vec![f32::NAN; grid.len()];
    let mut wave = BinaryHeap::new();
    before[first] = Some(first);
    widths[first] = radius;
    wave.push((Metres(radius), Reverse(first)));
    while let Some((_, Reverse(index))) = wave.pop() {
        let cell = grid.cell_at(index);
        if (grid.center(cell) - to).length() < near.max(grid.cell) {
            return back(&grid, &before, &widths, index, radius - looks.error);
        }
        for neighbour in grid.neighbours(cell) {
            let next = grid.index(neighbour);
            let center = grid.center(neighbour);
            if before[next].is_some() || !may_be(center) {
                continue;
            }
            before[next] = Some(index);
            widths[next] = looks.width(center);
            wave.push((Metres(widths[next]), Reverse(next)));
        }
    }
    None
}

/// Goes back over the way that was found.
fn back(grid: &Grid, before: &[Option<usize>], widths: &[f32], end: usize, enough: f32) -> Option<Narrow> {
    let mut narrow: Option<Narrow> = None;
    let mut here = end;
    while let Some(earlier) = before[here].filter(|earlier| *earlier != here) {
        if widths[here] < enough {
            let clearance = narrow.map_or(widths[here], |narrow| narrow.clearance.min(widths[here]));
            narrow = Some(Narrow { place: grid.center(grid.cell_at(here)), clearance });
        }
        here = earlier;
    }
    narrow
}

/// Looks at several places of a cell, so that a way as narrow as the ball is not missed between the middles of cells.
struct Looks<'a> {
    world: &'a World,
    radius: f32,
    cell: f32,
    /// By how much the best place of a cell is better than any that was looked at, at most.
    error: f32,
    is_flat: bool,
}

/// Places looked at along each axis of a cell.
const LOOKS: usize = 3;

impl<'a> Looks<'a> {
    fn new(world: &'a World, grid: &Grid, radius: f32) -> Self {
        let is_flat = grid.size[2] == 1;
        let half = 0.5 * grid.cell / LOOKS as f32;
        let axes: f32 = if is_flat { 2.0 } else { 3.0 };
        Self { world, radius, cell: grid.cell, error: half * axes.sqrt(), is_flat }
    }

    /// The distance to the nearest obstacle at the best place of a cell; the ball's radius where it is at least that.
    fn width(&self, center: Vec3) -> f32 {
        if self.world.field.lower_bound(center) >= self.radius {
            return self.radius;
        }
        let offset = |look: usize| self.cell * ((look as f32 + 0.5) / LOOKS as f32 - 0.5);
        let layers = if self.is_flat { 1 } else { LOOKS };
        let mut widest = f32::NEG_INFINITY;
        for (x, y, z) in
            (0..LOOKS * LOOKS * layers).map(|look| (look % LOOKS, look / LOOKS % LOOKS, look / LOOKS / LOOKS))
        {
            let depth = if self.is_flat { 0.0 } else { offset(z) };
            let distance = self.world.point_distance(center + Vec3::new(offset(x), offset(y), depth)).distance;
            widest = widest.max(distance);
            if widest >= self.radius {
                return self.radius;
            }
        }
        widest
    }
}
