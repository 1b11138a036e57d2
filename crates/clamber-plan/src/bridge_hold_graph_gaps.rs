//! Connects start and goal over gaps where the hold graph does not.
//!
//! The guide then leads up to the first gap, and the search ends there. The gap explains what the scene lacks.

use clamber_model::{Contact, ModeTable, World};

use crate::hold_graph::{Gap, HoldGraph, Vertex, is_open, is_open_around_edge};
use crate::max_contact_distances::Reach;
use crate::resumable_search::checkpoint;

/// Tuning of the gaps. Lengths are in body sizes, written as meters of the reference body.
mod tuning {
    use clamber_model::character::REFERENCE_BODY_SIZE;

    /// Largest length of the gaps that are considered first; doubled until start and goal are connected.
    pub const FIRST_RANGE: f32 = 4.0 / REFERENCE_BODY_SIZE;
    /// Extra cost of a gap that an obstacle closes.
    pub const OBSTRUCTION_COST: f32 = 1.5 / REFERENCE_BODY_SIZE;
    /// Cost per length of a closed gap that is within reach. Of two closed gaps, the shorter one explains more.
    pub const OBSTRUCTED_WEIGHT: f32 = 0.1;
    /// Distance from a surface at which a hand or a foot needs [`MIN_CLEARANCE`].
    pub const EFFECTOR_OFFSET: f32 = 0.06 / REFERENCE_BODY_SIZE;
    /// Pairs of vertices that are compared; beyond, longer gaps are not looked for. A hundred times those of a long course.
    pub const MAX_PAIRS: usize = 30_000_000;
    /// Least clearance there; with less, the vertex is inside an obstacle.
    pub const MIN_CLEARANCE: f32 = 0.02 / REFERENCE_BODY_SIZE;
}

/// Adds the cheapest gaps that connect two stances. A gap that an obstacle closes costs more than an open one.
pub(crate) async fn bridge_gaps(
    graph: &mut HoldGraph,
    world: &World,
    table: &ModeTable,
    reach: &Reach,
    ends: [&[Contact]; 2],
) {
    let mut components = Components::new(graph, world, reach.body_size);
    let [start, goal] = ends.map(|stance| {
        let vertices = stance.iter().filter_map(|contact| graph.nearest_vertex(contact));
        vertices.collect::<Vec<_>>()
    });
    let (Some(&start), false) = (start.first(), goal.is_empty()) else { return };
    let extent = (world.max - world.min).length();
    let mut chosen = Vec::new();
    let mut compared_pairs = 0;
    let mut range = tuning::FIRST_RANGE * reach.body_size;
    // Short gaps first: long ones are many.
    loop {
        for (_, gap) in gaps_within(graph, world, table, reach, &components, range, &mut compared_pairs).await {
            if goal.iter().any(|&goal| components.are_connected(start, goal)) {
                break;
            }
            if components.connect(gap.from, gap.to) {
                chosen.push(gap);
            }
        }
        let is_connected = goal.iter().any(|&goal| components.are_connected(start, goal));
        if is_connected || range > extent || compared_pairs > tuning::MAX_PAIRS {
            break;
        }
        range *= 2.0;
    }
    graph.add_gaps(&chosen);
}

/// The gaps between different components up to a length, with their costs, the cheapest first.
async fn gaps_within(
    graph: &HoldGraph,
    world: &World,
    table: &ModeTable,
    reach: &Reach,
    components: &Components,
    range: f32,
    compared_pairs: &mut usize,
) -> Vec<(f32, Gap)> {
    let obstruction_cost = tuning::OBSTRUCTION_COST * reach.body_size;
    let hold_type = |vertex: &Vertex| world.holds[vertex.hold].hold_type;
    let reaches = reach.type_table(table);
    let mut gaps = Vec::new();
    for (a, from) in graph.vertices.iter().enumerate() {
        let near = graph.near_x(from.point.x, range);
        *compared_pairs += near.len();
        if *compared_pairs > tuning::MAX_PAIRS {
            break;
        }
        checkpoint().await;
        for &b in near {
            let to = graph.vertices[b];
            let distance = (to.point - from.point).length();
            let is_gap = a < b && distance <= range && !components.are_connected(a, b);
            let within = reaches.between(hold_type(from), hold_type(&to));
            // Where no edge leads from one type to the other, a nearer hold would not help.
            if !is_gap || within == 0.0 || components.is_buried[a] || components.is_buried[b] {
                continue;
            }
            let is_too_far = reach.min_center_distance([from.point, from.normal], [to.point, to.normal]) > within;
            let is_clear =
                is_open(world, &graph.lengths, from, &to) || is_open_around_edge(world, &graph.lengths, from, &to);
            let cost = match (is_too_far, is_clear) {
                (false, _) => within + obstruction_cost + tuning::OBSTRUCTED_WEIGHT * (distance - within),
                (true, true) => distance,
                (true, false) => distance + obstruction_cost,
            };
            gaps.push((cost, Gap { from: a, to: b, distance, is_too_far }));
        }
    }
    gaps.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1.from, a.1.to).cmp(&(b.1.from, b.1.to))));
    gaps
}

/// The connected components of a hold graph, as a union-find forest.
struct Components {
    /// A root is its own parent.
    parents: Vec<usize>,
    /// Whether a vertex is inside an obstacle, so that nothing can hold it.
    is_buried: Vec<bool>,
}

impl Components {
    fn new(graph: &HoldGraph, world: &World, body_size: f32) -> Self {
        let (offset, clearance) = (tuning::EFFECTOR_OFFSET * body_size, tuning::MIN_CLEARANCE * body_size);
        let is_buried =
            |vertex: &Vertex| world.distance_field.estimate(vertex.point + vertex.normal * offset) < clearance;
        let mut components = Self {
            parents: (0..graph.vertices.len()).collect(),
            is_buried: graph.vertices.iter().map(is_buried).collect(),
        };
        for vertex in 0..graph.vertices.len() {
            for neighbor in graph.neighbors(vertex) {
                components.connect(vertex, neighbor);
            }
        }
        components
    }

    fn root(&self, mut vertex: usize) -> usize {
        while self.parents[vertex] != vertex {
            vertex = self.parents[vertex];
        }
        vertex
    }

    fn are_connected(&self, a: usize, b: usize) -> bool {
        self.root(a) == self.root(b)
    }

    /// Connects two vertices; false when they are connected already.
    fn connect(&mut self, a: usize, b: usize) -> bool {
        let (root_a, root_b) = (self.root(a), self.root(b));
        // Path compression.
        let mut vertex = a;
        while self.parents[vertex] != root_a {
            vertex = std::mem::replace(&mut self.parents[vertex], root_a);
        }
        self.parents[root_a.max(root_b)] = root_a.min(root_b);
        root_a != root_b
    }
}
