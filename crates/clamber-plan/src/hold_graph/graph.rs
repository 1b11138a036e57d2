//! The graph and its shortest paths to the goal.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use clamber_model::id::{HoldId, TiVec};
use clamber_model::math::Vec3;
use clamber_model::{Contact, ModeTable, World};

use super::edge_cost::{edge_cost, is_open};
use super::tuning::{GAP_WEIGHT, Lengths, VERTICES_PER_CHECKPOINT};
use super::vertex::{Vertex, bounded_spacing, sample_hold};
use crate::cost_to_go_guide::Guide;
use crate::max_contact_distances::Reach;
use crate::ordered_f32::OrderedF32;
use crate::resumable_search::checkpoint;

/// Points of holds, the steps between them, and the cost-to-go of each.
#[derive(Clone)]
pub(crate) struct HoldGraph {
    pub lengths: Lengths,
    /// In the order of the holds.
    pub vertices: Vec<Vertex>,
    /// The vertices of each hold; those after the last hold of the graph are left out.
    of_hold: TiVec<HoldId, Range<usize>>,
    /// For each vertex, the index of its first edge; one more at the end.
    first_edge: Vec<usize>,
    /// The other vertex and the cost of each edge, in meters.
    edges: Vec<(usize, f32)>,
    /// The vertices sorted by x.
    by_x: Vec<usize>,
    paths: ShortestPaths,
    /// The same without penalties.
    unpenalized_paths: ShortestPaths,
    /// The penalized edges, with their costs before the penalty.
    penalized: Vec<(usize, f32)>,
    /// Edges that no body can take, which connect separate components.
    gaps: Vec<Gap>,
}

/// Shortest paths from every vertex to the goal.
#[derive(Clone, Default)]
struct ShortestPaths {
    /// The cost-to-go of each vertex, in meters; infinite where there is no path.
    costs: Vec<f32>,
    /// The next vertex on the path.
    next: Vec<Option<usize>>,
}

/// The guide without dead-end penalties.
pub(crate) struct UnpenalizedGuide<'g>(&'g HoldGraph);

/// An edge to a vertex that is out of reach or behind an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gap {
    pub from: usize,
    pub to: usize,
    /// In meters.
    pub distance: f32,
    /// Whether it is farther than the body can reach; otherwise an obstacle is between.
    pub is_too_far: bool,
}

impl HoldGraph {
    /// A graph without vertices.
    pub fn empty(body_size: f32) -> Self {
        Self::of_vertices(Lengths::new(body_size), Vec::new(), TiVec::new())
    }

    /// The graph of the given holds of a world, which are in order. Leaves out the points of surfaces that are not `wanted`.
    pub async fn new(
        world: &World,
        table: &ModeTable,
        reach: &Reach,
        holds: &[HoldId],
        is_wanted: impl Fn(Vec3) -> bool + Send,
    ) -> Self {
        let mut lengths = Lengths::new(reach.body_size);
        lengths.spacing = bounded_spacing(holds.iter().map(|hold| &world.holds[*hold]), lengths.spacing);
        let mut vertices = Vec::new();
        let mut of_hold: TiVec<HoldId, Range<usize>> = TiVec::new();
        for &index in holds {
            of_hold.resize(index.index(), 0..0);
            let (first, hold) = (vertices.len(), &world.holds[index]);
            sample_hold(hold, lengths.spacing, &mut |point| {
                if is_wanted(point) {
                    vertices.push(Vertex { hold: index, point, normal: hold.normal });
                }
            });
            of_hold.push(first..vertices.len());
        }
        let mut graph = Self::of_vertices(lengths, vertices, of_hold);
        graph.connect(world, table, reach).await;
        graph
    }

    /// A graph without edges.
    fn of_vertices(lengths: Lengths, vertices: Vec<Vertex>, of_hold: TiVec<HoldId, Range<usize>>) -> Self {
        let mut by_x: Vec<usize> = (0..vertices.len()).collect();
        by_x.sort_by(|&a, &b| vertices[a].point.x.total_cmp(&vertices[b].point.x).then(a.cmp(&b)));
        let paths = ShortestPaths { costs: vec![f32::INFINITY; vertices.len()], next: vec![None; vertices.len()] };
        Self {
            lengths,
            first_edge: vec![0; vertices.len() + 1],
            vertices,
            of_hold,
            edges: Vec::new(),
            by_x,
            paths,
            unpenalized_paths: ShortestPaths::default(),
            penalized: Vec::new(),
            gaps: Vec::new(),
        }
    }

    fn vertices_of(&self, hold: HoldId) -> Range<usize> {
        self.of_hold.get(hold).cloned().unwrap_or(0..0)
    }

    /// Finds the edges.
    async fn connect(&mut self, world: &World, table: &ModeTable, reach: &Reach) {
        let reaches = reach.type_table(table);
        let max_distance = reaches.max();
        let range = max_distance + self.lengths.neighbor_margin;
        let hold_type = |vertex: &Vertex| world.holds[vertex.hold].hold_type;
        let cells = cells(&self.vertices, range);
        let mut pairs: Vec<(usize, usize, f32)> = Vec::new();
        for (a, &from) in self.vertices.iter().enumerate() {
            checkpoint().await;
            for b in neighboring_cells(cell_of(&from, range)).filter_map(|cell| cells.get(&cell)).flatten().copied() {
                if b <= a {
                    continue;
                }
                let to = self.vertices[b];
                let distance = reach.min_center_distance([from.point, from.normal], [to.point, to.normal]);
                if distance <= reaches.between(hold_type(&from), hold_type(&to))
                    && is_open(world, &self.lengths, &from, &to)
                {
                    let cost = edge_cost(world, &self.lengths, [&from, &to], max_distance) + self.lengths.edge_cost;
                    pairs.push((a, b, cost));
                    pairs.push((b, a, cost));
                }
            }
        }
        pairs.sort_by_key(|pair| (pair.0, pair.1));
        self.first_edge = Vec::with_capacity(self.vertices.len() + 1);
        let mut next = 0;
        for vertex in 0..=self.vertices.len() {
            while next < pairs.len() && pairs[next].0 < vertex {
                next += 1;
            }
            self.first_edge.push(next);
        }
        self.edges = pairs.into_iter().map(|(_, to, cost)| (to, cost)).collect();
    }

    /// Computes the costs-to-go to a goal's contacts (Dijkstra's algorithm).
    pub async fn set_goal(&mut self, goal: &[Contact]) {
        self.paths.costs.fill(f32::INFINITY);
        self.paths.next.fill(None);
        let mut open = BinaryHeap::new();
        for contact in goal {
            for vertex in self.vertices_of(contact.hold) {
                let distance = (self.vertices[vertex].point - contact.point).length();
                if distance < self.paths.costs[vertex] {
                    self.paths.costs[vertex] = distance;
                    open.push((Reverse(OrderedF32(distance)), vertex));
                }
            }
        }
        let mut popped = 0;
        while let Some((Reverse(OrderedF32(cost)), vertex)) = open.pop() {
            popped += 1;
            if popped % VERTICES_PER_CHECKPOINT == 0 {
                checkpoint().await;
            }
            if cost > self.paths.costs[vertex] {
                continue;
            }
            let gaps = self.gaps.iter().filter(|gap| gap.to == vertex);
            let gaps = gaps.map(|gap| (gap.from, GAP_WEIGHT * gap.distance));
            let edges = self.edges[self.first_edge[vertex]..self.first_edge[vertex + 1]].iter().copied();
            for (neighbor, edge_cost) in edges.chain(gaps) {
                let through = cost + edge_cost;
                if through < self.paths.costs[neighbor] {
                    self.paths.costs[neighbor] = through;
                    self.paths.next[neighbor] = Some(vertex);
                    open.push((Reverse(OrderedF32(through)), neighbor));
                }
            }
        }
        if self.penalized.is_empty() {
            self.unpenalized_paths.clone_from(&self.paths);
        }
    }

    /// Adds a penalty to every edge through a ball. Call [`set_goal`](Self::set_goal) afterwards.
    pub fn penalize_around(&mut self, center: Vec3, radius: f32, penalty: f32) {
        self.penalize(center, penalty, |from, to| {
            let edge = to - from;
            let t = ((center - from).dot(edge) / edge.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            (from + edge * t - center).length() < radius
        });
    }

    /// Adds a penalty to every edge from one ball into another, and back. Call [`set_goal`](Self::set_goal) afterwards.
    pub fn penalize_between(&mut self, centers: [Vec3; 2], radius: f32, penalty: f32) {
        let is_in = |point: Vec3, center: Vec3| (point - center).length() < radius;
        let [a, b] = centers;
        self.penalize(a.midpoint(b), penalty, |from, to| {
            is_in(from, a) && is_in(to, b) || is_in(from, b) && is_in(to, a)
        });
    }

    /// Adds a penalty to some of the edges near a point.
    fn penalize(&mut self, near: Vec3, penalty: f32, is_penalized: impl Fn(Vec3, Vec3) -> bool) {
        let vertices = self.near_x(near.x, self.lengths.max_edge).to_vec();
        for vertex in vertices {
            for index in self.first_edge[vertex]..self.first_edge[vertex + 1] {
                let (neighbor, cost) = self.edges[index];
                if is_penalized(self.vertices[vertex].point, self.vertices[neighbor].point) {
                    self.penalized.push((index, cost));
                    self.edges[index].1 += penalty;
                }
            }
        }
    }

    /// Removes all penalties. Returns whether there were any; then call [`set_goal`](Self::set_goal).
    pub fn remove_penalties(&mut self) -> bool {
        let is_changed = !self.penalized.is_empty();
        while let Some((index, cost)) = self.penalized.pop() {
            self.edges[index].1 = cost;
        }
        is_changed
    }

    /// The guide without penalties.
    pub fn unpenalized(&self) -> UnpenalizedGuide<'_> {
        UnpenalizedGuide(self)
    }

    /// The cost-to-go of a vertex, in meters.
    pub fn vertex_cost_to_go(&self, vertex: usize) -> f32 {
        self.paths.costs[vertex]
    }

    /// The distance between two vertices, in meters.
    pub fn distance_between(&self, from: usize, to: usize) -> f32 {
        (self.vertices[to].point - self.vertices[from].point).length()
    }

    /// The vertex of a contact's hold that is nearest to the contact.
    pub fn nearest_vertex(&self, contact: &Contact) -> Option<usize> {
        let distance = |vertex: &usize| (self.vertices[*vertex].point - contact.point).length_squared();
        self.vertices_of(contact.hold).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// The next vertex on the path to the goal.
    pub fn next(&self, vertex: usize) -> Option<usize> {
        self.paths.next[vertex]
    }

    /// The gap between two vertices, if there is one.
    pub fn gap(&self, from: usize, to: usize) -> Option<Gap> {
        self.gaps.iter().find(|gap| gap.from == from && gap.to == to).copied()
    }

    /// Lets paths lead over gaps, in both directions. Call [`set_goal`](Self::set_goal) afterwards.
    pub fn add_gaps(&mut self, gaps: &[Gap]) {
        for gap in gaps {
            self.gaps.extend([*gap, Gap { from: gap.to, to: gap.from, ..*gap }]);
        }
    }

    pub fn neighbors(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        self.edges[self.first_edge[vertex]..self.first_edge[vertex + 1]].iter().map(|(neighbor, _)| *neighbor)
    }

    /// The vertices whose x is within a range around a value.
    pub fn near_x(&self, x: f32, range: f32) -> &[usize] {
        let first = self.by_x.partition_point(|&vertex| self.vertices[vertex].point.x < x - range);
        let last = self.by_x.partition_point(|&vertex| self.vertices[vertex].point.x <= x + range);
        &self.by_x[first..last]
    }

    fn contact_cost_to_go(&self, paths: &ShortestPaths, contact: &Contact) -> f32 {
        let cost = |vertex: usize| paths.costs[vertex] + (self.vertices[vertex].point - contact.point).length();
        self.vertices_of(contact.hold).map(cost).fold(f32::INFINITY, f32::min)
    }

    fn follow_path(&self, paths: &ShortestPaths, from: Vec3, length: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
        let distance = |vertex: &usize| (self.vertices[*vertex].point - from).length_squared();
        let is_reached = |vertex: &&usize| paths.costs[**vertex].is_finite();
        let vertices = self.near_x(from.x, self.lengths.nearest_range).iter().filter(is_reached);
        let Some(&first) = vertices.min_by(|a, b| distance(a).total_cmp(&distance(b))) else { return };
        if !visit(self.vertices[first].point) {
            return;
        }
        let covered = |vertex: usize| paths.costs[first] - paths.costs[vertex];
        let mut vertex = first;
        while let Some(next) = paths.next[vertex] {
            let [here, there] = [vertex, next].map(|vertex| self.vertices[vertex].point);
            if covered(next) > length {
                visit(here.lerp(there, (length - covered(vertex)) / (covered(next) - covered(vertex))));
                return;
            }
            if !visit(there) {
                return;
            }
            vertex = next;
        }
    }
}

impl Guide for HoldGraph {
    fn cost_to_go(&self, contact: &Contact) -> f32 {
        self.contact_cost_to_go(&self.paths, contact)
    }

    fn follow(&self, from: Vec3, length: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
        self.follow_path(&self.paths, from, length, visit);
    }
}

impl Guide for UnpenalizedGuide<'_> {
    fn cost_to_go(&self, contact: &Contact) -> f32 {
        self.0.contact_cost_to_go(&self.0.unpenalized_paths, contact)
    }

    fn follow(&self, from: Vec3, length: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
        self.0.follow_path(&self.0.unpenalized_paths, from, length, visit);
    }
}

/// A cube of space, by its number along each axis.
type Cell = [i32; 3];

/// The cell of a vertex among cells of this size.
fn cell_of(vertex: &Vertex, size: f32) -> Cell {
    vertex.point.to_array().map(|coordinate| (coordinate / size).floor() as i32)
}

/// The vertices of every cell, in order.
fn cells(vertices: &[Vertex], size: f32) -> BTreeMap<Cell, Vec<usize>> {
    let mut cells: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
    for (index, vertex) in vertices.iter().enumerate() {
        cells.entry(cell_of(vertex, size)).or_default().push(index);
    }
    cells
}

/// A cell and those around it.
fn neighboring_cells([x, y, z]: Cell) -> impl Iterator<Item = Cell> {
    let around = |number: i32| number.saturating_sub(1)..=number.saturating_add(1);
    around(x).flat_map(move |x| around(y).flat_map(move |y| around(z).map(move |z| [x, y, z])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resumable_search::run_to_end;
    use clamber_model::Character;
    use clamber_model::id::EffectorId;
    use clamber_model::world::{DistanceFieldSettings, HoldType, Obstacle, Space, UP};
    use clamber_testing::{character, hold, table};

    /// A ditch 1.3 m wide and 1 m deep, with a wall of 1 m behind it.
    fn ditch() -> World {
        let block = |name: &str, [left, bottom]: [f32; 2], [right, top]: [f32; 2]| {
            let corners = [[left, bottom], [right, bottom], [right, top], [left, top]];
            Obstacle::polygon(name, &corners, -1.0, 1.0).unwrap()
        };
        let obstacles = vec![
            block("before", [-2.0, -2.0], [0.0, 0.0]),
            block("ditch", [0.0, -2.0], [1.3, -1.0]),
            block("behind", [1.3, -2.0], [3.3, 1.0]),
        ];
        let floors = [[-0.15, 0.0], [0.2, -1.0], [0.5, -1.0], [0.8, -1.0], [1.1, -1.0], [1.45, 1.0]];
        let floors = floors.map(|at| hold("floor", at, UP, HoldType::LoadBearing));
        let wall = |x: f32, normal: Vec3, steps: Range<i32>| {
            steps.map(move |step| hold("wall", [x, 0.25 * step as f32], normal, HoldType::Hybrid))
        };
        let walls = wall(0.0, Vec3::X, -3..0).chain(wall(1.3, Vec3::NEG_X, -3..4));
        let (min, max) = (Vec3::new(-2.0, -1.2, 0.0), Vec3::new(3.3, 3.0, 0.0));
        let world = World::from_obstacles(Space::Planar, obstacles, min, max, &DistanceFieldSettings::default());
        world.with_holds(floors.into_iter().chain(walls).collect())
    }

    async fn all_holds(world: &World, table: &ModeTable, figure: &Character) -> HoldGraph {
        let holds: Vec<HoldId> = world.holds.keys().collect();
        HoldGraph::new(world, table, &Reach::new(figure), &holds, |_| true).await
    }

    #[test]
    fn the_guide_leads_through_a_ditch_rather_than_over_it_to_the_wall_behind() {
        let world = ditch();
        let figure = character("figure");
        let mut graph = run_to_end(all_holds(&world, &table(&figure), &figure));
        let (start, goal) = (graph.vertices[0], graph.vertices[5]);
        run_to_end(graph.set_goal(&[Contact {
            effector: EffectorId::new(0),
            hold: goal.hold,
            point: goal.point,
            normal: goal.normal,
        }]));
        let mut lowest: f32 = 0.0;
        graph.follow(start.point, 9.0, &mut |position| {
            lowest = lowest.min(position.y);
            true
        });
        assert!(lowest < -0.7, "the lowest position is {lowest}");
    }

    #[test]
    fn costs_to_go_scale_exactly_with_the_problem() {
        let (world, figure) = (ditch(), character("figure"));
        let table = table(&figure);
        let costs = |factor: f32| {
            let (world, figure) = (world.scaled(factor).unwrap(), figure.scaled(factor).unwrap());
            let table = table.scaled(factor).unwrap();
            let mut graph = run_to_end(all_holds(&world, &table, &figure));
            let goal = graph.vertices[5];
            let effector = EffectorId::new(0);
            run_to_end(graph.set_goal(&[Contact {
                effector,
                hold: goal.hold,
                point: goal.point,
                normal: goal.normal,
            }]));
            (0..graph.vertices.len()).map(|vertex| graph.vertex_cost_to_go(vertex) / factor).collect::<Vec<_>>()
        };
        assert_eq!(costs(2.0), costs(1.0));
    }
}
