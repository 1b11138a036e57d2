//! Short paths of the trunk to the goal (weighted A*, from the goal to the start and a little beyond).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f32::consts::FRAC_PI_4;

use clamber_model::Problem;
use clamber_model::math::{Vec3, atan2};
use clamber_model::world::UP;

use super::mode_change::{ModeChange, TrunkOffset};
use super::mode_shape::{AXES, HEADINGS, ModeShape, heading};
use super::place::{Place, PlaceId, Status};
use super::places::{PlaceBall, Places};
use super::tiles::TileIndex;
use super::tuning;
use crate::ordered_f32::OrderedF32;
use crate::resumable_search::checkpoint;

/// A step from one cell to another.
struct CellStep {
    offset: [i32; 3],
    /// In cells.
    length: f32,
    is_vertical: bool,
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
                let is_vertical = [x, z] == [0, 0];
                steps.push(CellStep { offset: [x, y, z], length, is_vertical, heading_costs: heading_costs(x, z) });
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
    /// The places from which steps may be penalized.
    pub fn reach(&self, side: f32) -> PlaceBall {
        PlaceBall { center: self.center, radius: self.radius + tuning::PENALTY_MARGIN * side, shape: self.shape }
    }

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
    /// Where the paths begin; `None` for paths from everywhere.
    pub start: Option<PlaceId>,
    pub penalties: &'a [Penalty],
    /// For each shape, the changes to its mode.
    pub changes: &'a [Vec<ModeChange>],
    /// For each shape, whether changes of modes lead there from the start.
    pub is_entered: &'a [bool],
    pub body_size: f32,
    /// Most places that are evaluated.
    pub max_places: usize,
    /// Costs-to-go below this are known already.
    pub unchanged_below: f32,
}

/// A search for shortest paths in progress.
///
/// Most of its time would go into evaluating places, so a place is evaluated only when it is the next on the shortest path: until then it
/// has the least cost that it could have.
struct Search<'a> {
    places: &'a mut Places,
    query: PathQuery<'a>,
    steps: Vec<CellStep>,
    /// What a step or a change of modes costs at most, but for very few.
    greatest_step: f32,
    open: BinaryHeap<(Reverse<OrderedF32>, PlaceId)>,
}

/// Computes the cost-to-go of the places on all paths from the start that are not much longer than the shortest. Returns whether the
/// start is among them.
pub(super) async fn search(places: &mut Places, query: PathQuery<'_>) -> bool {
    places.clear_costs(query.unchanged_below);
    let greatest_step = tuning::GREATEST_STEP * query.body_size;
    let mut search = Search { places, query, steps: cell_steps(), greatest_step, open: BinaryHeap::new() };
    search.run().await
}

impl Search<'_> {
    async fn run(&mut self) -> bool {
        for &goal in self.query.goals {
            self.places.evaluate(self.query.problem, goal).cost = 0.0;
            self.push(goal);
        }
        for id in self.places.border(self.query.unchanged_below, self.greatest_step) {
            self.push(id);
        }
        let near_start = tuning::NEAR_START * self.places.side;
        // Finite if the start keeps its cost.
        let start_cost = self.query.start.map_or(f32::INFINITY, |start| self.places.known(start).cost);
        let mut priority_limit = start_cost + tuning::DETOUR * self.query.body_size;
        let mut popped = 0;
        while let Some((Reverse(OrderedF32(priority)), id)) = self.open.pop() {
            popped += 1;
            if popped % tuning::PLACES_PER_CHECKPOINT == 0 {
                checkpoint().await;
            }
            let place = self.places.known(id);
            if priority > place.cost + self.estimate(id) + tuning::SAME_COST {
                continue;
            }
            if priority > priority_limit || self.places.evaluated > self.query.max_places {
                break;
            }
            if place.status == Status::Unknown {
                self.evaluate(id);
                continue;
            }
            let is_near = |start: PlaceId| start.shape == id.shape && self.distance(start, id) <= near_start;
            let is_near_start = self.query.start.is_some_and(is_near);
            if is_near_start && priority_limit == f32::INFINITY {
                priority_limit = priority + tuning::DETOUR * self.query.body_size;
            }
            self.places.relaxed += 1;
            self.places.entry(id).is_relaxed = true;
            self.relax_neighbors(id);
        }
        priority_limit.is_finite()
    }

    fn distance(&self, from: PlaceId, to: PlaceId) -> f32 {
        (self.places.position(to) - self.places.position(from)).length()
    }

    /// The cost of a straight path from the start to a place: first in the fastest mode, then some way in the mode of the place. With a
    /// change of modes sooner it may cost less, but by a bounded amount: slow modes are considered only where a path in fast ones
    /// is longer by more than that. Weighted, so that fewer places beside the path are evaluated.
    fn estimate(&self, id: PlaceId) -> f32 {
        let Some(start) = self.query.start else { return 0.0 };
        let slowness = self.places.shapes[id.shape].slowness;
        let change = if id.shape == start.shape { 0.0 } else { self.mode_change_cost(0.0) };
        let distance = self.distance(start, id);
        let slow = distance.min(tuning::SLOW_DISTANCE * self.query.body_size);
        tuning::ESTIMATE_WEIGHT * (slowness * slow + (distance - slow)) + change
    }

    fn push(&mut self, id: PlaceId) {
        let priority = self.places.known(id).cost + self.estimate(id);
        self.open.push((Reverse(OrderedF32(priority)), id));
    }

    /// Evaluates a place that had the least cost it could have, and gives it the cost that it has.
    fn evaluate(&mut self, id: PlaceId) {
        let place = self.places.evaluate(self.query.problem, id);
        place.forget_path();
        if place.status != Status::Open {
            return;
        }
        let Some(tile) = self.places.tile_of(id.cell) else { return };
        for index in 0..self.steps.len() {
            let to = PlaceId { cell: id.cell.offset(self.steps[index].offset.map(|at| -at)), ..id };
            let [place, next] = [id, to].map(|id| self.places.known_from(tile, id));
            self.offer_step([id, to], [place, next], index);
        }
        for (shape, changes) in self.query.changes.iter().enumerate() {
            for change in changes.iter().filter(|change| change.from == id.shape) {
                self.offer_after_change((id, tile), shape, change);
            }
        }
    }

    /// Offers a place paths through the places to which a change of modes leads.
    fn offer_after_change(&mut self, (from, tile): (PlaceId, TileIndex), shape: usize, change: &ModeChange) {
        let faced = self.faced(from, tile);
        for number in headings(change, faced) {
            let heading = heading(number);
            for &offset in offsets(change, number, faced) {
                let to = PlaceId { cell: from.cell.offset(offset.cells(heading).map(|at| -at)), shape };
                let is_faced = offset.ahead == 0 || faced.or_else(|| self.faced(to, tile)) == Some(number);
                if is_faced {
                    self.offer_mode_change([from, to], tile, change, offset);
                }
            }
        }
    }

    /// Offers the places from which a change of modes leads to a place a path through it.
    fn offer_before_change(&mut self, (to, tile): (PlaceId, TileIndex), change: &ModeChange) {
        if !self.query.is_entered[change.from] {
            return;
        }
        let faced = self.faced(to, tile);
        for number in headings(change, faced) {
            let heading = heading(number);
            for &offset in offsets(change, number, faced) {
                let from = PlaceId { cell: to.cell.offset(offset.cells(heading)), shape: change.from };
                // A place that is not evaluated yet may face any way.
                let is_turned = || self.faced(from, tile).is_some_and(|faced| faced != number);
                if offset.ahead == 0 || faced.is_some() || !is_turned() {
                    self.offer_mode_change([from, to], tile, change, offset);
                }
            }
        }
    }

    /// The number of the heading of a body that faces what carries it at a place in a tile or beside it; `None` if it does not, or if that is
    /// not known.
    fn faced(&self, id: PlaceId, tile: TileIndex) -> Option<usize> {
        if !self.places.shapes[id.shape].faces_surfaces() {
            return None;
        }
        let place = self.places.known_from(tile, id);
        (place.status == Status::Open).then_some(usize::from(place.facing))
    }

    /// Offers the places from which a step or a change of modes leads to a place a path through it.
    fn relax_neighbors(&mut self, to: PlaceId) {
        let Some(tile) = self.places.tile_of(to.cell) else { return };
        let next = self.places.known(to);
        for index in 0..self.steps.len() {
            let from = PlaceId { cell: to.cell.offset(self.steps[index].offset), ..to };
            let place = self.places.known_from(tile, from);
            self.offer_step([from, to], [place, next], index);
        }
        let changes = self.query.changes;
        for change in &changes[to.shape] {
            self.offer_before_change((to, tile), change);
        }
    }

    fn mode_change_cost(&self, cells: f32) -> f32 {
        tuning::MODE_CHANGE_COST * self.query.body_size + cells * self.places.side
    }

    /// Offers a place the path that begins with a step to another. A place that is not evaluated yet may be as easy as open ground.
    fn offer_step(&mut self, [from, to]: [PlaceId; 2], [place, next]: [Place; 2], step: usize) {
        if place.status == Status::Closed || next.status != Status::Open || next.cost >= place.cost {
            return;
        }
        let step = &self.steps[step];
        let factor_at = |axis: usize| if place.status == Status::Open { place.factors[axis] } else { 1.0 };
        let factor = (0..AXES)
            .map(|axis| 0.5 * (next.factors[axis] + factor_at(axis)) * step.heading_costs[axis])
            .fold(f32::INFINITY, f32::min);
        let [begins, ends] = [from, to].map(|id| self.places.position(id));
        let ModeShape { slowness, .. } = self.places.shapes[to.shape];
        let is_ladder = step.is_vertical && self.places.shapes[to.shape].only_stands();
        let length = if is_ladder { tuning::LADDER_COST * step.length } else { step.length };
        let cost = next.cost + length * self.places.side * slowness * factor;
        self.note_costly(to, cost - next.cost);
        if cost >= place.cost {
            return;
        }
        let penalty = |penalty: &Penalty| penalty.of_step(begins, ends, to.shape);
        let cost = cost + self.query.penalties.iter().map(penalty).sum::<f32>();
        self.note_costly(to, cost - next.cost);
        if cost < place.cost && is_passable(&self.query, begins, ends) {
            self.offer(from, to, cost);
        }
    }

    /// Offers a place the path that begins with a change of modes. Both places are in a tile or beside it.
    fn offer_mode_change(
        &mut self,
        [from, to]: [PlaceId; 2],
        tile: TileIndex,
        change: &ModeChange,
        offset: TrunkOffset,
    ) {
        if !self.query.is_entered[from.shape] {
            return;
        }
        let [place, next] = [from, to].map(|id| self.places.known_from(tile, id));
        // A change takes longer where the body is slow afterward, or stands badly before, as where it is half over an edge. A place that is not
        // evaluated yet may be as easy as open ground.
        let factor_at = |at: &Place| if at.status == Status::Open { at.least_factor() } else { 1.0 };
        let begins = if self.places.shapes[from.shape].only_stands() { factor_at(&place) } else { 1.0 };
        let factor = factor_at(&next).max(begins);
        let cost = next.cost + factor * self.mode_change_cost(change.slowness * offset.length());
        if place.status == Status::Closed || next.status != Status::Open || cost >= place.cost {
            return;
        }
        // A place that is not evaluated yet may have room.
        let cost = if place.status == Status::Open { cost + self.change_room_cost(to, change) } else { cost };
        self.note_costly(to, cost - next.cost);
        if cost < place.cost && self.may_enter(to, change) {
            self.offer(from, to, cost);
        }
    }

    /// Notes whether a step or a change of modes to a place costs unusually much.
    fn note_costly(&mut self, to: PlaceId, cost: f32) {
        if cost > self.greatest_step {
            self.places.entry(to).has_costly_step = true;
        }
    }

    /// Whether a limb reaches a hold with which a change of modes to a place begins. Where the body is carried by such holds alone, it does.
    fn may_enter(&mut self, to: PlaceId, change: &ModeChange) -> bool {
        let is_known =
            change.entry_types == 0 || !self.places.shapes[to.shape].is_carried_by_more_than(change.entry_types);
        is_known || self.places.reaches_types(self.query.problem, to, change.entry_types)
    }

    /// What a change of modes to a place costs because of obstacles, for a body that faces along the path.
    fn change_room_cost(&self, to: PlaceId, change: &ModeChange) -> f32 {
        let here = self.places.position(to);
        let horizontal = |id: PlaceId| {
            let offset = self.places.position(id) - here;
            offset - UP * UP.dot(offset)
        };
        let mut path = std::iter::successors(Some(to), |&id| self.places.known(id).next(id));
        let lookahead = self.places.shapes[to.shape].heading_lookahead;
        let is_ahead = |id: &PlaceId| horizontal(*id).length() >= lookahead;
        let heading = path.find(is_ahead).and_then(|id| horizontal(id).try_normalize());
        let missing = heading.map_or(0.0, |heading| change.missing_room(&self.query.problem.world, here, heading));
        tuning::TIGHT_CHANGE_COST * self.query.body_size * missing
    }

    /// Offers a place a path through another. Where others went on from it already, one that is hardly shorter does not replace it.
    fn offer(&mut self, from: PlaceId, to: PlaceId, cost: f32) {
        let place = self.places.known(from);
        let slowness = self.places.shapes[from.shape].slowness;
        if place.is_relaxed && cost > place.cost - slowness * tuning::WORTHWHILE_GAIN * self.query.body_size {
            return;
        }
        self.places.entry(from).set_path(cost, from, to);
        self.push(from);
    }
}

/// Whether no thin obstacle is between two places.
fn is_passable(query: &PathQuery, from: Vec3, to: Vec3) -> bool {
    query.problem.world.distance_field.estimate(from.midpoint(to)) > 0.0
}

/// The numbers of the headings for which a change of modes is looked at, given that of a body that faces what carries it.
fn headings(change: &ModeChange, faced: Option<usize>) -> std::ops::Range<usize> {
    match faced {
        Some(number) => number..number + 1,
        None if change.depends_on_heading => 0..HEADINGS,
        None => 0..1,
    }
}

/// Where the trunk may be before a change of modes with a heading. Without a step ahead, all headings that are looked at are alike.
fn offsets(change: &ModeChange, number: usize, faced: Option<usize>) -> impl Iterator<Item = &TrunkOffset> {
    let is_first = number == 0 || faced.is_some();
    change.offsets.iter().filter(move |offset| offset.ahead != 0 || is_first)
}
