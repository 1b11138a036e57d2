//! The guide: how far it is to the goal from anywhere, around the obstacles (thesis 3.4, 3.5 and 5.4.1).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use clamber_model::math::Vec3;
use clamber_model::world::Grid;
use clamber_model::{Contact, World};

use crate::guide::Guide;
use crate::settings::Occupancy;

/// The distance from each cell to the goal's cell through free cells, by steps between cells that share a face.
#[derive(Clone, Debug)]
pub struct DistanceMap {
    /// The cells.
    pub grid: Grid,
    goal: Vec3,
    /// How many steps it counts to enter a cell: 1, more in dead ends, [`OCCUPIED`] in rock.
    cost: Vec<u32>,
    /// The least sum of costs on a path to the goal; [`UNREACHED`] where there is no path.
    steps: Vec<u32>,
}

const OCCUPIED: u32 = 0;
const UNREACHED: u32 = u32::MAX;

/// Tolls double each time a dead end is met again, up to this.
const MAX_COST: u32 = 1 << 12;

impl DistanceMap {
    /// Grows a wave of equal distance from the goal through the free cells.
    ///
    /// Start and goal count as free: a bent body's center of mass may lie outside the body, and so in a cell of rock.
    pub fn new(world: &World, grid: Grid, occupancy: Occupancy, start: Vec3, goal: Vec3) -> Self {
        let cost = costs(world, &grid, occupancy);
        let mut map = Self { grid, goal, cost, steps: Vec::new() };
        map.goal = map.in_map(goal);
        for place in [map.in_map(start), map.goal] {
            map.open_around(place);
        }
        map.spread();
        map
    }

    /// Makes the cells around a place dearer to cross, twice as dear each time, so that the guide comes to prefer
    /// another path if there is one. It never closes a path altogether: if there is no other, the guide still leads here.
    ///
    /// The published planner has no such memory and meets the same dead end for ever when the path around it is long
    /// (Kalisiak and van de Panne 2001 name it as a limit).
    pub fn mark_dead_end(&mut self, place: Vec3, radius: f32) {
        let place = self.in_map(place);
        for index in 0..self.grid.len() {
            let path = (self.grid.center(self.grid.cell_at(index)) - place).length();
            if path <= radius && self.cost[index] != OCCUPIED {
                self.cost[index] = (2 * self.cost[index]).min(MAX_COST);
            }
        }
        self.spread();
    }

    /// Where all costs are 1 this is the thesis' wavefront.
    fn spread(&mut self) {
        let Self { grid, cost, steps, .. } = self;
        steps.clear();
        steps.resize(grid.len(), UNREACHED);
        let mut wave = BinaryHeap::new();
        if let Some(cell) = grid.containing(self.goal) {
            steps[grid.index(cell)] = 0;
            wave.push(Reverse((0, grid.index(cell))));
        }
        while let Some(Reverse((reached, index))) = wave.pop() {
            if reached > steps[index] {
                continue;
            }
            // The cost of the cell that is left, so that the sum is the same in both directions but for the ends.
            let next = reached + cost[index].max(1);
            for neighbor in grid.neighbours(grid.cell_at(index)) {
                let neighbor = grid.index(neighbor);
                if cost[neighbor] != OCCUPIED && next < steps[neighbor] {
                    steps[neighbor] = next;
                    wave.push(Reverse((next, neighbor)));
                }
            }
        }
    }

    /// Opens an occupied cell and those around it, ring by ring, until a free one is met; no farther than two rings.
    fn open_around(&mut self, place: Vec3) {
        let Some(cell) = self.grid.containing(place) else { return };
        let mut opened = Vec::new();
        let mut ring = vec![cell];
        for _ in 0..3 {
            if ring.iter().any(|&cell| self.cost[self.grid.index(cell)] != OCCUPIED) {
                return;
            }
            for &cell in &ring {
                self.cost[self.grid.index(cell)] = 1;
            }
            let around: Vec<[usize; 3]> = ring.iter().flat_map(|&cell| self.grid.neighbours(cell)).collect();
            opened.append(&mut ring);
            ring = around.into_iter().filter(|cell| !opened.contains(cell)).collect();
        }
    }

    /// A flat map says nothing about depth.
    fn in_map(&self, point: Vec3) -> Vec3 {
        if self.grid.size[2] == 1 { point.with_z(self.grid.center([0; 3]).z) } else { point }
    }

    /// The distance from a point to the goal in meters, interpolated between the middles of the cells around it;
    /// infinite where there is no path.
    ///
    /// Without the interpolation, all neighbors of a configuration have their center of mass in one cell and nothing
    /// to choose between (thesis 5.4.1). A corner without a path counts as one cell farther than the farthest of the
    /// others, so that the guide leads away from walls.
    pub fn distance(&self, point: Vec3) -> f32 {
        let point = self.in_map(point);
        let place = (point - self.grid.origin) / self.grid.cell - Vec3::splat(0.5);
        if self.grid.containing(point).is_none() {
            return f32::INFINITY;
        }
        let mut low = [0usize; 3];
        let mut part = [0.0f32; 3];
        for axis in 0..3 {
            let last = (self.grid.size[axis] - 1) as f32;
            let at = place[axis].clamp(0.0, last);
            low[axis] = (at as usize).min(self.grid.size[axis].saturating_sub(2));
            part[axis] = if last == 0.0 { 0.0 } else { at - low[axis] as f32 };
        }
        let corner = |bits: usize| -> (u32, f32) {
            let mut cell = low;
            let mut weight = 1.0;
            for axis in 0..3 {
                if bits >> axis & 1 == 1 {
                    cell[axis] = (cell[axis] + 1).min(self.grid.size[axis] - 1);
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
        steps * self.grid.cell
    }
}

impl Guide for DistanceMap {
    /// The surface may be in a cell that counts as rock, so the first cell along the normal with a path counts.
    fn cost_to_go(&self, contact: &Contact) -> f32 {
        let offsets = [0.5, 1.0, 1.5, 2.0, 3.0].into_iter();
        let found = offsets.map(|cells| self.distance(contact.point + contact.normal * (cells * self.grid.cell)));
        found.into_iter().find(|distance| distance.is_finite()).unwrap_or(f32::INFINITY)
    }

    /// Cell by cell.
    fn follow(&self, from: Vec3, path: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
        let Some(mut cell) = self.grid.containing(self.in_map(from)) else { return };
        for _ in 0..(path / self.grid.cell) as usize {
            let steps = |cell: &[usize; 3]| self.steps[self.grid.index(*cell)];
            let Some(next) = self.grid.neighbours(cell).min_by_key(steps) else { return };
            if steps(&next) >= steps(&cell) || !visit(self.grid.center(next)) {
                return;
            }
            cell = next;
        }
    }
}

/// The costs of a map without dead ends: which cells are occupied.
fn costs(world: &World, grid: &Grid, occupancy: Occupancy) -> Vec<u32> {
    let half = Vec3::splat(0.5 * grid.cell);
    let half_diagonal = half.length();
    let is_occupied = |center: Vec3| {
        if world.field.lower_bound(center) > half_diagonal {
            return false;
        }
        let distance = world.point_distance(center).distance;
        if distance.abs() > half_diagonal {
            return distance < 0.0;
        }
        match occupancy {
            Occupancy::Conservative => world.box_touches(center, half),
            Occupancy::Area => covered_share(world, grid, center) > 0.5,
        }
    };
    let cost = |index| if is_occupied(grid.center(grid.cell_at(index))) { OCCUPIED } else { 1 };
    (0..grid.len()).map(cost).collect()
}

/// The share of a cell inside obstacles, at a regular sample of its points; in the plane alone for a flat grid.
fn covered_share(world: &World, grid: &Grid, center: Vec3) -> f32 {
    // Sixteen points in the plane, eight in space, where there are far more cells.
    let (across, layers) = if grid.size[2] == 1 { (4, 1) } else { (2, 2) };
    let offset = |i: usize, count: usize| ((i as f32 + 0.5) / count as f32 - 0.5) * grid.cell;
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
    use clamber_model::math::Pose;
    use clamber_model::world::{FieldSettings, Obstacle, Space};

    /// A room of 4 m by 2 m with a wall in the middle that leaves the upper 0.5 m open.
    fn room() -> World {
        let wall = Obstacle::cuboid("wall", Pose::translation(2.0, 0.75, 0.0), Vec3::new(0.2, 1.5, 2.0)).unwrap();
        World::new(Space::Planar, vec![wall], Vec3::ZERO, Vec3::new(4.0, 2.0, 0.0), &FieldSettings::default())
    }

    fn map(occupancy: Occupancy) -> DistanceMap {
        let world = room();
        let grid = Grid::covering(world.min, world.max, 0.1, 10_000);
        DistanceMap::new(&world, grid, occupancy, Vec3::new(0.5, 0.5, 0.0), Vec3::new(3.5, 0.5, 0.0))
    }

    #[test]
    fn the_way_leads_around_the_wall_by_whole_cells() {
        for occupancy in [Occupancy::Area, Occupancy::Conservative] {
            let map = map(occupancy);
            let around = map.distance(Vec3::new(0.55, 0.55, 0.0));
            // 3 m across and at least 1 m up and down again, in steps along the axes.
            assert!((4.9..5.4).contains(&around), "{occupancy:?}: {around}");
            assert_eq!(map.distance(Vec3::new(2.0, 0.5, 0.0)), f32::INFINITY);
            assert_eq!(map.distance(Vec3::new(9.0, 0.5, 0.0)), f32::INFINITY);
        }
    }

    #[test]
    fn a_dead_end_is_avoided_once_there_is_another_way() {
        let world = room();
        let grid = Grid::covering(world.min, world.max, 0.1, 10_000);
        let (start, goal) = (Vec3::new(0.5, 1.8, 0.0), Vec3::new(1.5, 1.8, 0.0));
        let mut map = DistanceMap::new(&world, grid, Occupancy::Area, start, goal);
        let before = map.distance(start);
        map.mark_dead_end(Vec3::new(1.0, 1.8, 0.0), 0.25);
        let once = map.distance(start);
        for _ in 0..20 {
            map.mark_dead_end(Vec3::new(1.0, 1.8, 0.0), 0.25);
        }
        let often = map.distance(start);
        assert!(before < once && once < often, "{before} {once} {often}");
        // The path around the dead end is about half a meter longer, however dear the dead end becomes.
        assert!(often < before + 1.2, "{before} {often}");
    }

    #[test]
    fn the_distance_changes_within_a_cell() {
        let map = map(Occupancy::Area);
        let near = map.distance(Vec3::new(3.01, 0.55, 0.0));
        let nearer = map.distance(Vec3::new(3.03, 0.55, 0.0));
        assert!(nearer < near, "{nearer} {near}");
    }
}
