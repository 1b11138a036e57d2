//! The guide for planning: distances to the goal around obstacles (thesis 3.4, 3.5 and 5.4.1).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use clamber_model::math::Vec3;
use clamber_model::world::Grid;
use clamber_model::{Contact, World};

use crate::cost_to_go_guide::Guide;
use crate::resumable_search::checkpoint;
use crate::settings::OccupancyRule;

/// The distance from each cell to the goal through free cells, in steps between cells that share a face.
#[derive(Clone, Debug)]
pub struct DistanceMap {
    /// The cells.
    pub grid: Grid,
    goal: Vec3,
    /// Cost of crossing each cell, in steps: 1, more in dead ends, or [`OCCUPIED`].
    cost: Vec<u32>,
    /// Least cost of a path to the goal; [`UNREACHED`] where there is none.
    steps: Vec<u32>,
}

const OCCUPIED: u32 = 0;
const UNREACHED: u32 = u32::MAX;

/// Cells between two checkpoints while their costs are sampled, and while distances spread.
const SAMPLED_CELLS_PER_CHECKPOINT: usize = 16;
const POPPED_CELLS_PER_CHECKPOINT: usize = 256;

/// Largest cost of a cell. Costs double each time that a dead end is marked.
const MAX_COST: u32 = 1 << 12;

impl DistanceMap {
    /// Computes the distances from the goal through the free cells.
    ///
    /// Start and goal count as free: the center of mass of a bent body may lie outside the body, in an occupied cell.
    pub async fn new(world: &World, grid: Grid, occupancy: OccupancyRule, start: Vec3, goal: Vec3) -> Self {
        let cost = initial_costs(world, &grid, occupancy).await;
        let mut map = Self { grid, goal, cost, steps: Vec::new() };
        map.goal = map.in_map(goal);
        for place in [map.in_map(start), map.goal] {
            map.open_around(place);
        }
        map.spread().await;
        map
    }

    /// Doubles the cost of the cells within `radius` meters of a place, so that the guide prefers another route if there is one.
    /// No route is ever closed: without another, the guide still leads here.
    ///
    /// The published planner has no such memory and returns to the same dead end forever when the route around it is long
    /// (Kalisiak and van de Panne 2001 name this limitation).
    pub async fn mark_dead_end(&mut self, place: Vec3, radius: f32) {
        let place = self.in_map(place);
        for index in 0..self.grid.len() {
            let distance = (self.grid.cell_center(self.grid.cell_of_index(index)) - place).length();
            if distance <= radius && self.cost[index] != OCCUPIED {
                self.cost[index] = (2 * self.cost[index]).min(MAX_COST);
            }
            if index % POPPED_CELLS_PER_CHECKPOINT == 0 {
                checkpoint().await;
            }
        }
        self.spread().await;
    }

    /// Dijkstra's algorithm; with all costs 1, the thesis' wavefront.
    async fn spread(&mut self) {
        let Self { grid, cost, steps, .. } = self;
        steps.clear();
        steps.resize(grid.len(), UNREACHED);
        let mut wave = BinaryHeap::new();
        if let Some(cell) = grid.cell_containing(self.goal) {
            steps[grid.index(cell)] = 0;
            wave.push(Reverse((0, grid.index(cell))));
        }
        let mut popped = 0;
        while let Some(Reverse((reached, index))) = wave.pop() {
            popped += 1;
            if popped % POPPED_CELLS_PER_CHECKPOINT == 0 {
                checkpoint().await;
            }
            if reached > steps[index] {
                continue;
            }
            // The cost of the cell that the step leaves, so that sums are the same in both directions except at the ends.
            let next = reached + cost[index].max(1);
            for neighbor in grid.face_neighbors(grid.cell_of_index(index)) {
                let neighbor = grid.index(neighbor);
                if cost[neighbor] != OCCUPIED && next < steps[neighbor] {
                    steps[neighbor] = next;
                    wave.push(Reverse((next, neighbor)));
                }
            }
        }
    }

    /// Opens an occupied cell and those around it, ring by ring, until one is free; at most two rings.
    fn open_around(&mut self, place: Vec3) {
        let Some(cell) = self.grid.cell_containing(place) else { return };
        let mut opened = Vec::new();
        let mut ring = vec![cell];
        for _ in 0..3 {
            if ring.iter().any(|&cell| self.cost[self.grid.index(cell)] != OCCUPIED) {
                return;
            }
            for &cell in &ring {
                self.cost[self.grid.index(cell)] = 1;
            }
            let around: Vec<[usize; 3]> = ring.iter().flat_map(|&cell| self.grid.face_neighbors(cell)).collect();
            opened.append(&mut ring);
            ring = around.into_iter().filter(|cell| !opened.contains(cell)).collect();
        }
    }

    /// Moves a point into the plane of a flat map.
    fn in_map(&self, point: Vec3) -> Vec3 {
        if self.grid.cell_counts[2] == 1 { point.with_z(self.grid.cell_center([0; 3]).z) } else { point }
    }

    /// The distance from a point to the goal in meters, interpolated between cell centers; infinite where there is no path.
    ///
    /// Without interpolation, all neighbors of a configuration have the same distance, since their centers of mass are in one
    /// cell (thesis 5.4.1). An unreached corner counts as one cell farther than the farthest of the others, so that the guide
    /// leads away from walls.
    pub fn distance(&self, point: Vec3) -> f32 {
        let point = self.in_map(point);
        let place = (point - self.grid.origin) / self.grid.cell_size - Vec3::splat(0.5);
        if self.grid.cell_containing(point).is_none() {
            return f32::INFINITY;
        }
        let mut low = [0usize; 3];
        let mut part = [0.0f32; 3];
        for axis in 0..3 {
            let last = (self.grid.cell_counts[axis] - 1) as f32;
            let at = place[axis].clamp(0.0, last);
            low[axis] = (at as usize).min(self.grid.cell_counts[axis].saturating_sub(2));
            part[axis] = if last == 0.0 { 0.0 } else { at - low[axis] as f32 };
        }
        let corner = |bits: usize| -> (u32, f32) {
            let mut cell = low;
            let mut weight = 1.0;
            for axis in 0..3 {
                if bits >> axis & 1 == 1 {
                    cell[axis] = (cell[axis] + 1).min(self.grid.cell_counts[axis] - 1);
                    weight *= part[axis];
                } else {
                    weight *= 1.0 - part[axis];
                }
            }
            (self.steps[self.grid.index(cell)], weight)
        };
        let corners: [(u32, f32); 8] = std::array::from_fn(corner);
        let reached = corners.iter().filter(|(steps, weight)| *steps != UNREACHED && *weight > 0.0);
        let Some(farthest) = reached.map(|(steps, _)| *steps).max() else { return f32::INFINITY };
        let steps: f32 = corners
            .iter()
            .map(|&(steps, weight)| weight * if steps == UNREACHED { farthest + 1 } else { steps } as f32)
            .sum();
        steps * self.grid.cell_size
    }
}

impl Guide for DistanceMap {
    /// The surface may be in an occupied cell, so the first reached cell along the normal counts.
    fn cost_to_go(&self, contact: &Contact) -> f32 {
        let offsets = [0.5, 1.0, 1.5, 2.0, 3.0].into_iter();
        let found = offsets.map(|cells| self.distance(contact.point + contact.normal * (cells * self.grid.cell_size)));
        found.into_iter().find(|distance| distance.is_finite()).unwrap_or(f32::INFINITY)
    }

    /// Cell by cell.
    fn follow(&self, from: Vec3, length: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
        let Some(mut cell) = self.grid.cell_containing(self.in_map(from)) else { return };
        for _ in 0..(length / self.grid.cell_size) as usize {
            let steps = |cell: &[usize; 3]| self.steps[self.grid.index(*cell)];
            let Some(next) = self.grid.face_neighbors(cell).min_by_key(steps) else { return };
            if steps(&next) >= steps(&cell) || !visit(self.grid.cell_center(next)) {
                return;
            }
            cell = next;
        }
    }
}

/// The costs without dead ends: which cells are occupied.
async fn initial_costs(world: &World, grid: &Grid, occupancy: OccupancyRule) -> Vec<u32> {
    let half = Vec3::splat(0.5 * grid.cell_size);
    let half_diagonal = half.length();
    let is_occupied = |center: Vec3| {
        if world.distance_field.lower_bound(center) > half_diagonal {
            return false;
        }
        let distance = world.point_distance(center).distance;
        if distance.abs() > half_diagonal {
            return distance < 0.0;
        }
        match occupancy {
            OccupancyRule::AnyOverlap => world.box_touches(center, half),
            OccupancyRule::MajorityInside => covered_share(world, grid, center) > 0.5,
        }
    };
    let cost = |index| if is_occupied(grid.cell_center(grid.cell_of_index(index))) { OCCUPIED } else { 1 };
    let mut costs = Vec::with_capacity(grid.len());
    for index in 0..grid.len() {
        costs.push(cost(index));
        if index % SAMPLED_CELLS_PER_CHECKPOINT == 0 {
            checkpoint().await;
        }
    }
    costs
}

/// The share of a cell inside obstacles, from a regular sample of points; for a flat grid, in its plane.
fn covered_share(world: &World, grid: &Grid, center: Vec3) -> f32 {
    // Sixteen points in the plane, eight in space, where there are far more cells.
    let (across, layers) = if grid.cell_counts[2] == 1 { (4, 1) } else { (2, 2) };
    let offset = |i: usize, count: usize| ((i as f32 + 0.5) / count as f32 - 0.5) * grid.cell_size;
    let mut inside = 0;
    for x in 0..across {
        for y in 0..across {
            for z in 0..layers {
                let point = center + Vec3::new(offset(x, across), offset(y, across), offset(z, layers));
                inside += usize::from(world.point_distance(point).distance < 0.0);
            }
        }
    }
    inside as f32 / (across * across * layers) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resumable_search::run_to_end;
    use clamber_model::math::Pose;
    use clamber_model::world::{DistanceFieldSettings, Obstacle, Space};

    /// A room of 4 m by 2 m with a wall in the middle that leaves the upper 0.5 m open.
    fn room() -> World {
        let wall = Obstacle::cuboid("wall", Pose::translation(2.0, 0.75, 0.0), Vec3::new(0.2, 1.5, 2.0)).unwrap();
        World::from_obstacles(
            Space::Planar,
            vec![wall],
            Vec3::ZERO,
            Vec3::new(4.0, 2.0, 0.0),
            &DistanceFieldSettings::default(),
        )
    }

    fn map(occupancy: OccupancyRule) -> DistanceMap {
        let world = room();
        let grid = Grid::covering(world.min, world.max, 0.1, 10_000);
        run_to_end(DistanceMap::new(&world, grid, occupancy, Vec3::new(0.5, 0.5, 0.0), Vec3::new(3.5, 0.5, 0.0)))
    }

    #[test]
    fn distances_lead_around_the_wall() {
        for occupancy in [OccupancyRule::MajorityInside, OccupancyRule::AnyOverlap] {
            let map = map(occupancy);
            let around = map.distance(Vec3::new(0.55, 0.55, 0.0));
            // 3 m across and at least 1 m up and down again, in steps along the axes.
            assert!((4.9..5.4).contains(&around), "{occupancy:?}: {around}");
            assert_eq!(map.distance(Vec3::new(2.0, 0.5, 0.0)), f32::INFINITY);
            assert_eq!(map.distance(Vec3::new(9.0, 0.5, 0.0)), f32::INFINITY);
        }
    }

    #[test]
    fn a_dead_end_costs_more_each_time_up_to_the_detour() {
        let world = room();
        let grid = Grid::covering(world.min, world.max, 0.1, 10_000);
        let (start, goal) = (Vec3::new(0.5, 1.8, 0.0), Vec3::new(1.5, 1.8, 0.0));
        let mut map = run_to_end(DistanceMap::new(&world, grid, OccupancyRule::MajorityInside, start, goal));
        let before = map.distance(start);
        run_to_end(map.mark_dead_end(Vec3::new(1.0, 1.8, 0.0), 0.25));
        let once = map.distance(start);
        for _ in 0..20 {
            run_to_end(map.mark_dead_end(Vec3::new(1.0, 1.8, 0.0), 0.25));
        }
        let often = map.distance(start);
        assert!(before < once && once < often, "{before} {once} {often}");
        // The detour around the dead end is about half a meter longer, whatever the dead end costs.
        assert!(often < before + 1.2, "{before} {often}");
    }

    #[test]
    fn the_distance_changes_within_a_cell() {
        let map = map(OccupancyRule::MajorityInside);
        let near = map.distance(Vec3::new(3.01, 0.55, 0.0));
        let nearer = map.distance(Vec3::new(3.03, 0.55, 0.0));
        assert!(nearer < near, "{nearer} {near}");
    }
}
