//! Finds where the widest path is too narrow for a ball.
//!
//! A path of maximum clearance through a grid proves that a ball of larger radius cannot pass, up to the sampling error.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use clamber_model::World;
use clamber_model::math::Vec3;
use clamber_model::world::Grid;

use crate::ordered_f32::OrderedF32;
use crate::resumable_search::checkpoint;

/// Tuning of the grid. Lengths are in body sizes, written as meters of the reference body.
mod tuning {
    use clamber_model::character::REFERENCE_BODY_SIZE;

    /// Side of a cell.
    pub const CELL: f32 = 0.05 / REFERENCE_BODY_SIZE;
    /// Most cells; beyond, they are made larger.
    pub const MAX_CELLS: usize = 600_000;
    /// Distance from the ends up to which paths are considered: longer detours do not help.
    pub const DETOUR: f32 = 8.0 / REFERENCE_BODY_SIZE;
    /// Cells between two checkpoints.
    pub const CELLS_PER_CHECKPOINT: usize = 64;
    /// Samples along each axis of a cell.
    pub const SAMPLES: usize = 3;
}

/// Where a ball does not fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bottleneck {
    /// The first position on the path that is too narrow.
    pub position: Vec3,
    /// The least distance to an obstacle on the path, in meters; negative inside.
    pub clearance: f32,
}

/// A ball that is to move from one point to within `tolerance` of another. In meters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BallMotion {
    pub radius: f32,
    pub from: Vec3,
    pub to: Vec3,
    pub tolerance: f32,
}

/// Follows the widest path of a ball through positions that are allowed. None when the ball fits, or when there is no path at
/// all.
pub(crate) async fn find_bottleneck(
    world: &World,
    body_size: f32,
    motion: BallMotion,
    is_allowed: impl Fn(Vec3) -> bool + Send,
) -> Option<Bottleneck> {
    let BallMotion { radius, from, to, tolerance } = motion;
    let detour = Vec3::splat(tuning::DETOUR * body_size);
    let (min, max) = ((from.min(to) - detour).max(world.min), (from.max(to) + detour).min(world.max));
    let grid = Grid::covering(min, max, tuning::CELL * body_size, tuning::MAX_CELLS);
    let sampler = ClearanceSampler::new(world, &grid, radius);
    let first = grid.index(grid.cell_containing(from)?);
    let mut parents: Vec<Option<usize>> = vec![None; grid.len()];
    let mut clearances: Vec<f32> = vec![f32::NAN; grid.len()];
    let mut open = BinaryHeap::new();
    parents[first] = Some(first);
    clearances[first] = radius;
    open.push((OrderedF32(radius), Reverse(first)));
    let mut popped = 0;
    while let Some((_, Reverse(index))) = open.pop() {
        popped += 1;
        if popped % tuning::CELLS_PER_CHECKPOINT == 0 {
            checkpoint().await;
        }
        let cell = grid.cell_of_index(index);
        if (grid.cell_center(cell) - to).length() < tolerance.max(grid.cell_size) {
            return narrowest_on_path(&grid, &parents, &clearances, index, radius - sampler.error);
        }
        for neighbor in grid.face_neighbors(cell) {
            let next = grid.index(neighbor);
            let center = grid.cell_center(neighbor);
            if parents[next].is_some() || !is_allowed(center) {
                continue;
            }
            parents[next] = Some(index);
            clearances[next] = sampler.clearance(center);
            open.push((OrderedF32(clearances[next]), Reverse(next)));
        }
    }
    None
}

/// Traces the path back from its end. None when its clearance is nowhere below `required`.
fn narrowest_on_path(
    grid: &Grid,
    parents: &[Option<usize>],
    clearances: &[f32],
    end: usize,
    required: f32,
) -> Option<Bottleneck> {
    let mut bottleneck: Option<Bottleneck> = None;
    let mut here = end;
    while let Some(parent) = parents[here].filter(|parent| *parent != here) {
        if clearances[here] < required {
            let least = bottleneck.map_or(f32::INFINITY, |bottleneck| bottleneck.clearance);
            let clearance = least.min(clearances[here]);
            bottleneck = Some(Bottleneck { position: grid.cell_center(grid.cell_of_index(here)), clearance });
        }
        here = parent;
    }
    bottleneck
}

/// Samples several points of a cell, so that a path as narrow as the ball is not missed between cell centers.
struct ClearanceSampler<'a> {
    world: &'a World,
    radius: f32,
    cell: f32,
    /// Upper bound on how much more clearance the best point of a cell has than the best sample.
    error: f32,
    is_flat: bool,
}

impl<'a> ClearanceSampler<'a> {
    fn new(world: &'a World, grid: &Grid, radius: f32) -> Self {
        let is_flat = grid.cell_counts[2] == 1;
        let half = 0.5 * grid.cell_size / tuning::SAMPLES as f32;
        let axes: f32 = if is_flat { 2.0 } else { 3.0 };
        Self { world, radius, cell: grid.cell_size, error: half * axes.sqrt(), is_flat }
    }

    /// The largest distance to the nearest obstacle in a cell, at most the ball's radius.
    fn clearance(&self, center: Vec3) -> f32 {
        use tuning::SAMPLES;
        if self.world.distance_field.lower_bound(center) >= self.radius {
            return self.radius;
        }
        let offset = |sample: usize| self.cell * ((sample as f32 + 0.5) / SAMPLES as f32 - 0.5);
        let layers = if self.is_flat { 1 } else { SAMPLES };
        let mut largest = f32::NEG_INFINITY;
        for sample in 0..SAMPLES * SAMPLES * layers {
            let [x, y, z] = [sample % SAMPLES, sample / SAMPLES % SAMPLES, sample / SAMPLES / SAMPLES];
            let depth = if self.is_flat { 0.0 } else { offset(z) };
            let distance = self.world.point_distance(center + Vec3::new(offset(x), offset(y), depth)).distance;
            largest = largest.max(distance);
            if largest >= self.radius {
                return self.radius;
            }
        }
        largest
    }
}
