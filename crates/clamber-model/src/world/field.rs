//! A grid of distances that answers most questions before the collision engine is asked.

use super::{Grid, World};
use crate::character::Capsule;
use crate::math::Vec3;

/// How fine the field is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldSettings {
    /// The side of a cell, in metres; less than 0.001 is taken as that. Default 0.1.
    pub cell: f32,
    /// The cells are made coarser until there are at most this many, 4 bytes each; 0 is taken as 1.
    /// Default 4 million.
    pub max_cells: usize,
}

impl Default for FieldSettings {
    fn default() -> Self {
        Self { cell: 0.1, max_cells: 4_000_000 }
    }
}

/// For each cell of a grid, at most the signed distance from its centre to the nearest obstacle.
///
/// Distances change by at most as much as the point moves, so a cell's value less the way from its centre is a lower
/// bound at any point of the cell.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceField {
    /// The cells.
    pub grid: Grid,
    values: Vec<f32>,
}

impl DistanceField {
    pub(super) fn empty() -> Self {
        Self { grid: Grid { origin: Vec3::ZERO, cell: 1.0, size: [0; 3] }, values: Vec::new() }
    }

    /// Asks the engine for distances: once for a block of cells that is far from everything, once a cell near
    /// surfaces. So the work follows the area of the surfaces, not the volume of the world.
    pub(super) fn build(world: &World, settings: &FieldSettings) -> Self {
        let grid = Grid::covering(world.min, world.max, settings.cell, settings.max_cells);
        let mut field = Self { grid, values: vec![0.0; grid.len()] };
        const BLOCK: usize = 16;
        let [nx, ny, nz] = grid.size;
        for z in (0..nz).step_by(BLOCK) {
            for y in (0..ny).step_by(BLOCK) {
                for x in (0..nx).step_by(BLOCK) {
                    field.fill(world, [x, y, z], BLOCK, None);
                }
            }
        }
        field
    }

    /// Fills a block of cells; `around` is the middle of the block around it and the distance there.
    fn fill(&mut self, world: &World, low: [usize; 3], side: usize, around: Option<(Vec3, f32)>) {
        let grid = self.grid;
        let high: [usize; 3] = std::array::from_fn(|k| (low[k] + side).min(grid.size[k]));
        if (0..3).any(|k| low[k] >= high[k]) {
            return;
        }
        let last = high.map(|h| h - 1);
        let center = 0.5 * (grid.center(low) + grid.center(last));
        let half_diagonal = (grid.center(last) - center).length();
        // From outside, nothing that matters here is farther than what is nearest there, and the way from there. Inside
        // of several solids at once that does not hold: the distance there need not be that of the deepest.
        let bound = match around {
            Some((middle, distance)) if distance > 0.0 => 1.001 * (distance + (middle - center).length()) + 1e-4,
            _ => f32::MAX,
        };
        let distance = world.point_distance_within(center, bound).distance;
        // Within this of a surface the exact value of each cell is worth a query.
        let near = 2.0 * grid.cell;
        if low == last || distance.abs() > half_diagonal + near {
            for z in low[2]..high[2] {
                for y in low[1]..high[1] {
                    for x in low[0]..high[0] {
                        let way = (grid.center([x, y, z]) - center).length();
                        self.values[grid.index([x, y, z])] = distance - way;
                    }
                }
            }
            return;
        }
        let half = side / 2;
        for corner in 0..8usize {
            let child = std::array::from_fn(|k| low[k] + if corner >> k & 1 == 1 { half } else { 0 });
            self.fill(world, child, half, Some((center, distance)));
        }
    }

    /// At most the signed distance from a point to the nearest obstacle; minus infinity outside the grid, where
    /// nothing is known.
    #[inline]
    pub fn lower_bound(&self, point: Vec3) -> f32 {
        match self.grid.containing(point) {
            None => f32::NEG_INFINITY,
            Some(cell) => self.values[self.grid.index(cell)] - (point - self.grid.center(cell)).length(),
        }
    }

    /// About the signed distance from a point to the nearest obstacle: interpolated between the middles of the cells
    /// around it, so that it changes smoothly, and extrapolated beyond the grid. It may be wrong on either side; what is
    /// thinner than a cell it hardly sees.
    #[inline]
    pub fn estimate(&self, point: Vec3) -> f32 {
        let Grid { origin, cell, size } = self.grid;
        let place = (point - origin) / cell - Vec3::splat(0.5);
        let along = |at: f32, size: usize| {
            let low = (at.max(0.0) as u32 as usize).min(size.saturating_sub(2));
            (low, if size == 1 { 0.0 } else { at - low as f32 })
        };
        let ((x, u), (y, v), (z, w)) = (along(place.x, size[0]), along(place.y, size[1]), along(place.z, size[2]));
        let layer = |z: usize| {
            let row = |y: usize| {
                let index = self.grid.index([x, y, z]);
                let next = index + usize::from(x + 1 < size[0]);
                self.values[index] + (self.values[next] - self.values[index]) * u
            };
            let low = row(y);
            low + (row((y + 1).min(size[1] - 1)) - low) * v
        };
        let low = layer(z);
        if size[2] == 1 { low } else { low + (layer((z + 1).min(size[2] - 1)) - low) * w }
    }

    /// About how [`Self::estimate`] changes with the point.
    pub fn estimate_gradient(&self, point: Vec3) -> Vec3 {
        let step = 0.25 * self.grid.cell;
        let along =
            |axis: Vec3| (self.estimate(point + axis * step) - self.estimate(point - axis * step)) / (2.0 * step);
        let depth = if self.grid.size[2] == 1 { 0.0 } else { along(Vec3::Z) };
        Vec3::new(along(Vec3::X), along(Vec3::Y), depth)
    }

    /// Whether a capsule is surely at least this far from every obstacle.
    #[inline]
    pub fn clears(&self, capsule: &Capsule, distance: f32) -> bool {
        let half_length = 0.5 * (capsule.b - capsule.a).length();
        let middle = 0.5 * (capsule.a + capsule.b);
        // One look is enough for most capsules that are far from everything, two more for most of the others.
        self.rough_lower_bound(middle) - half_length - capsule.radius >= distance
            || self.capsule_lower_bound(capsule) >= distance
    }

    /// As [`Self::lower_bound`], a little lower and quicker: without the way to the cell's centre.
    #[inline]
    fn rough_lower_bound(&self, point: Vec3) -> f32 {
        const HALF_DIAGONAL: f32 = 0.866_026;
        let value = self.grid.containing(point).map_or(f32::NEG_INFINITY, |cell| self.values[self.grid.index(cell)]);
        value - HALF_DIAGONAL * self.grid.cell
    }

    /// At most the distance from a capsule to the nearest obstacle.
    #[inline]
    pub fn capsule_lower_bound(&self, capsule: &Capsule) -> f32 {
        // Three points, each the middle of a third of the axis: no point of the axis is farther than a sixth of it
        // from the nearest.
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
