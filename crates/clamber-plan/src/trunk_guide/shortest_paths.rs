//! Shortest paths of the trunk to the goal (A*, from the goal to the start and a little beyond).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f32::consts::FRAC_PI_4;

use clamber_model::Problem;
use clamber_model::math::{Vec3, atan2};

use super::mode_shape::AXES;
use super::places::{PlaceId, Places, Status};
use super::tuning;
use crate::ordered_f32::OrderedF32;
use crate::resumable_search::checkpoint;

/// A step from one cell to another.
struct CellStep {
    offset: [i32; 3],
    /// In cells.
    length: f32,
    /// How much slower the body moves along it when it faces along each axis.
    heading_costs: [f32; AXES],
}

/// The steps to the cells around one, and to those a knight's move away, so that paths are at most 3% too long.
fn cell_steps() -> Vec<CellStep> {
    let mut steps = Vec::new();
    for x in -2i32..=2 {
        for y in -1..=1 {
            for z in -2i32..=2 {
                let far = x.abs().max(z.abs());
                let is_knight = far == 2 && x.abs() + z.abs() == 3 && y == 0;
                if (far == 2 && !is_knight) || [x, y, z] == [0; 3] {
                    continue;
                }
                let length = ((x * x + y * y + z * z) as f32).sqrt();
                steps.push(CellStep { offset: [x, y, z], length, heading_costs: heading_costs(x, z) });
            }
        }
    }
    steps
}

/// How much slower the body moves along a horizontal direction when it faces along each axis, forward or backward.
fn heading_costs(x: i32, z: i32) -> [f32; AXES] {
    if [x, z] == [0, 0] {
        return [1.0; AXES];
    }
    // The axes turn from +x to -z.
    let direction = atan2(-z as f32, x as f32);
    std::array::from_fn(|axis| heading_cost(direction - axis as f32 * FRAC_PI_4))
}

/// How much slower the body moves at an angle to the axis that it faces along, whichever way along it.
pub(super) fn heading_cost(angle: f32) -> f32 {
    let half_turns = (angle / std::f32::consts::PI).round();
    let steps = (angle - half_turns * std::f32::consts::PI).abs() / FRAC_PI_4;
    let low = (steps as usize).min(1);
    let [from, to] = [tuning::HEADING_COST[low], tuning::HEADING_COST[low + 1]];
    from + (to - from) * (steps - low as f32)
}

/// A penalty on the paths through a ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Penalty {
    pub center: Vec3,
    pub radius: f32,
    pub shape: usize,
    /// The direction of the paths; others are not penalized.
    pub direction: Vec3,
    /// Cost per meter.
    pub cost: f32,
}

impl Penalty {
    fn of_step(&self, from: Vec3, to: Vec3, shape: usize) -> f32 {
        let along = to - from;
        let applies = shape == self.shape
            && (from.midpoint(to) - self.center).length() < self.radius
            && along.dot(self.direction) >= 0.0;
        if applies { self.cost * along.length() } else { 0.0 }
    }
}

/// What paths are searched for.
pub(super) struct PathQuery<'a> {
    pub problem: &'a Problem,
    pub goals: &'a [PlaceId],
    pub start: Vec3,
    pub penalties: &'a [Penalty],
    /// For each shape, the shapes of the modes from which an edge leads to its mode.
    pub predecessors: &'a [Vec<usize>],
    pub body_size: f32,
}

/// Computes the cost-to-go of the places on all paths from the start that are not much longer than the shortest. Returns whether the
/// start is among them.
pub(super) async fn search(places: &mut Places, query: PathQuery<'_>) -> bool {
    places.clear_costs();
    let steps = cell_steps();
    let mut open = BinaryHeap::new();
    let mut priority_limit = f32::INFINITY;
    let estimate = |places: &Places, id: PlaceId| (places.position(id) - query.start).length();
    for &goal in query.goals {
        let place = places.get(query.problem, goal);
        place.cost = 0.0;
        open.push((Reverse(OrderedF32(estimate(places, goal))), goal));
    }
    let near_start = 1.8 * places.side;
    let mut popped = 0;
    while let Some((Reverse(OrderedF32(priority)), id)) = open.pop() {
        popped += 1;
        if popped % tuning::PLACES_PER_CHECKPOINT == 0 {
            checkpoint().await;
        }
        let place = places.known(id);
        let remaining = estimate(places, id);
        if priority > place.cost + remaining + 1e-4 {
            continue;
        }
        if priority > priority_limit || places.evaluated > tuning::MAX_PLACES {
            break;
        }
        if remaining <= near_start && priority_limit == f32::INFINITY {
            priority_limit = priority + tuning::DETOUR * query.body_size;
        }
        relax_neighbors(places, &query, id, &steps, |places, next| {
            let priority = places.known(next).cost + estimate(places, next);
            open.push((Reverse(OrderedF32(priority)), next));
        });
    }
    priority_limit.is_finite()
}

/// Offers the places from which a step leads to a place a path through it.
fn relax_neighbors(
    places: &mut Places,
    query: &PathQuery,
    to: PlaceId,
    steps: &[CellStep],
    mut improved: impl FnMut(&Places, PlaceId),
) {
    let here = places.known(to);
    let position = places.position(to);
    let slowness = places.shapes[to.shape].slowness;
    for step in steps {
        let from = PlaceId { cell: to.cell.offset(step.offset), ..to };
        let place = *places.get(query.problem, from);
        if place.status != Status::Open {
            continue;
        }
        let factor = (0..AXES)
            .map(|axis| 0.5 * (here.factors[axis] + place.factors[axis]) * step.heading_costs[axis])
            .fold(f32::INFINITY, f32::min);
        let from_position = places.position(from);
        let penalties = query.penalties.iter().map(|penalty| penalty.of_step(from_position, position, to.shape));
        let cost = here.cost + step.length * places.side * slowness * factor + penalties.sum::<f32>();
        if cost < place.cost && is_passable(query, from_position, position) {
            offer(places, query, from, to, cost);
            improved(places, from);
        }
    }
    for &shape in &query.predecessors[to.shape] {
        let rise = (places.shapes[shape].height - places.shapes[to.shape].height) / places.side;
        for change in -1..=1 {
            let levels = rise.round() as i32 + change;
            let from = PlaceId { cell: to.cell.offset([0, levels, 0]), shape };
            let place = *places.get(query.problem, from);
            let cost =
                here.cost + tuning::MODE_CHANGE_COST * query.body_size + levels.unsigned_abs() as f32 * places.side;
            if place.status == Status::Open && cost < place.cost {
                offer(places, query, from, to, cost);
                improved(places, from);
            }
        }
    }
}

fn offer(places: &mut Places, query: &PathQuery, from: PlaceId, to: PlaceId, cost: f32) {
    let place = places.get(query.problem, from);
    (place.cost, place.next) = (cost, Some(to));
}

/// Whether no thin obstacle is between two places.
fn is_passable(query: &PathQuery, from: Vec3, to: Vec3) -> bool {
    query.problem.world.distance_field.estimate(from.midpoint(to)) > 0.0
}
