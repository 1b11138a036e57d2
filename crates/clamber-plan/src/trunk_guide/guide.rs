//! The guide: costs-to-go, headings and paths of the trunk.

use std::f32::consts::{FRAC_PI_4, TAU};
use std::sync::Arc;

use clamber_model::id::{EffectorId, ModeId, TiVec};
use clamber_model::math::{Vec3, atan2};
use clamber_model::world::{HoldType, UP};
use clamber_model::{Contact, ModeTable, Problem};

use super::bridge::shortest_bridge;
use super::memory::GuideMemory;
use super::mode_change::ModeChange;
use super::mode_shape::{AXES, ModeShape};
use super::place::{PlaceId, Status};
use super::places::Places;
use super::shortest_paths::{PathQuery, Penalty, search};
use super::tile_surfaces::type_bits;
use super::tuning;
use crate::cost_to_go_guide::Guide;
use crate::max_contact_distances::Reach;

/// A guide for the trunk of a character in space.
#[derive(Clone)]
pub(crate) struct TrunkGuide {
    pub(super) problem: Arc<Problem>,
    pub(super) places: Places,
    /// For each mode with contacts, its index in [`Places::shapes`].
    pub(super) shape_of_mode: TiVec<ModeId, Option<usize>>,
    /// For each shape, the changes to its mode.
    changes: Vec<Vec<ModeChange>>,
    /// For each shape, whether changes of modes lead there from the start.
    is_entered: Vec<bool>,
    goals: Vec<PlaceId>,
    start: Option<PlaceId>,
    penalties: Vec<Penalty>,
    /// Costs-to-go below this stay as they are when the paths are computed anew.
    unchanged_below: f32,
    /// A goal, and the direction that the body faces there.
    pub(super) goal_heading: Option<(Vec3, Vec3)>,
    bridge: Option<Bridge>,
    pub(super) body_size: f32,
}

/// What separates start and goal, where no path connects them: from a place that can be reached to one beyond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bridge {
    pub from: GuidePoint,
    pub to: GuidePoint,
}

/// A point of a path of the trunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GuidePoint {
    pub position: Vec3,
    pub mode: ModeId,
}

impl TrunkGuide {
    /// A guide that begins with what the memory knows about the world.
    pub fn new(problem: Arc<Problem>, table: &ModeTable, reach: &Reach, memory: &GuideMemory) -> Self {
        let body_size = reach.body_size;
        let side = tuning::CELL * body_size;
        let shapes = ModeShape::of_table(&problem.character, table, reach, side);
        let shape_of_mode = table.modes.keys().map(|mode| shapes.iter().position(|shape| shape.mode == mode));
        let shape_of_mode: TiVec<ModeId, Option<usize>> = shape_of_mode.collect();
        let types = problem.world.holds.iter().fold(0, |bits, hold| bits | type_bits(&[hold.hold_type]));
        let leads_to = |from: &ModeShape, to: &ModeShape| {
            let has_edge = || table.edges.iter().any(|edge| edge.from == from.mode && edge.to == to.mode);
            // Where there is nothing but ground, no body does more than stand.
            let is_supported = |shape: &&ModeShape| {
                shape.is_supported_by(types) && (shape.only_stands() || types != type_bits(&[HoldType::LoadBearing]))
            };
            from.mode != to.mode && [from, to].iter().all(is_supported) && has_edge()
        };
        let changes_to = |to: &ModeShape| {
            let from = shapes.iter().enumerate().filter(|(_, from)| leads_to(from, to));
            let changes = from.map(|from| ModeChange::new(&problem.character, table, from, to, side));
            changes.filter(|change| change.may_begin_on(types)).collect()
        };
        let changes = shapes.iter().map(changes_to).collect();
        let is_entered = vec![true; shapes.len()];
        let places = memory.take(&problem, &shapes);
        let places =
            places.unwrap_or_else(|| Places::new(shapes, ModeShape::window_margin(reach, side), side, body_size));
        let (goals, penalties, start) = (Vec::new(), Vec::new(), None);
        let goal_heading = None;
        let (bridge, unchanged_below) = (None, 0.0);
        Self {
            problem,
            places,
            shape_of_mode,
            changes,
            is_entered,
            goals,
            start,
            penalties,
            unchanged_below,
            goal_heading,
            bridge,
            body_size,
        }
    }

    /// Leaves what is known about the world to a memory.
    pub fn remember(self, memory: &GuideMemory) {
        memory.put(self.problem, self.places);
    }

    /// What separates start and goal; `None` if there is a path.
    pub fn bridge(&self) -> Option<Bridge> {
        self.bridge
    }

    /// The number of places that were evaluated so far.
    pub fn evaluated_places(&self) -> usize {
        self.places.evaluated
    }

    /// The number of those that no memory knew.
    #[cfg(test)]
    pub fn computed_places(&self) -> usize {
        self.places.computed
    }

    #[cfg(test)]
    pub fn shapes(&self) -> &[ModeShape] {
        &self.places.shapes
    }

    /// The number of places whose neighbors were offered paths so far.
    pub fn relaxed_places(&self) -> usize {
        self.places.relaxed
    }

    /// The shape of a mode with contacts.
    pub fn shape(&self, mode: ModeId) -> Option<&ModeShape> {
        self.shape_of_mode[mode].map(|shape| &self.places.shapes[shape])
    }

    /// The place of the trunk in the reference posture on a stance: the mean over its contacts. Where a body only stands, those that carry in
    /// another mode say less about where it stands: a body on a knee is above that, and not above the foot ahead, and one that gets off a wall
    /// is above the foot that stands.
    pub fn trunk_place(&self, stance: &[Contact], heading: Vec3, mode: ModeId) -> Option<Vec3> {
        let shape = self.shape(mode)?;
        let up = shape.up_on(stance, heading);
        // Of contacts that carry in this mode, in another one in which the body stands, and of all.
        let mut means = [(Vec3::ZERO, 0); 3];
        for contact in stance {
            let own = self.own_shape(shape, contact.effector, stance);
            let place = own.trunk_place(contact.point, heading, up, contact.effector) + UP * height_change(own, shape);
            for (_, (sum, count)) in means.iter_mut().enumerate().filter(|(number, _)| match number {
                0 => shape.is_carried_by(contact.effector),
                1 => own.only_stands(),
                _ => true,
            }) {
                (*sum, *count) = (*sum + place, *count + 1);
            }
        }
        let first = if shape.only_stands() { 0 } else { 2 };
        means[first..].iter().find(|(_, count)| *count > 0).map(|(sum, count)| *sum / *count as f32)
    }

    /// The place of an effector in the reference posture of a body with its trunk at a place, which also has a stance.
    pub fn effector_place(
        &self,
        at: GuidePoint,
        heading: Vec3,
        effector: EffectorId,
        stance: &[Contact],
    ) -> Option<Vec3> {
        let shape = self.shape(at.mode)?;
        let own = self.own_shape(shape, effector, stance);
        let up = self.up_toward(stance, at, heading);
        Some(own.effector_place(at.position + UP * height_change(shape, own), heading, up, effector))
    }

    /// The shape that tells where an effector is in a mode. Between two modes, some effectors are those of the other: where they would be in
    /// this one says nothing about the trunk.
    pub(super) fn own_shape<'s>(
        &'s self,
        shape: &'s ModeShape,
        effector: EffectorId,
        stance: &[Contact],
    ) -> &'s ModeShape {
        if shape.is_carried_by(effector) {
            return shape;
        }
        self.most_alike(stance, |shape| shape.is_carried_by(effector)).unwrap_or(shape)
    }

    /// How long strides are in a mode, as a share of those in the highest one: like the speed of legs of different lengths, as the square root of
    /// the height of the trunk.
    pub fn stride_share(&self, shape: &ModeShape) -> f32 {
        let highest = self.places.shapes.iter().map(|shape| shape.height).fold(0.0, f32::max);
        if highest > 0.0 { (shape.height / highest).sqrt() } else { 1.0 }
    }

    /// Computes the paths from a start to any of several goals, and removes all penalties. Returns whether there is one. Where there is
    /// none, paths lead to the beginning of a [`Bridge`]. Near the goal, the body faces as it does there, if a heading is given.
    pub async fn set_goal(&mut self, start: GuidePoint, goals: &[GuidePoint], heading: Option<Vec3>) -> bool {
        self.penalties.clear();
        self.unchanged_below = 0.0;
        self.goal_heading = heading.and_then(|heading| Some((goals.first()?.position, heading)));
        let place_of = |at: &GuidePoint| {
            let cell = self.places.cell_at(at.position);
            self.shape_of_mode[at.mode].map(|shape| PlaceId { cell, shape })
        };
        (self.start, self.goals) = (place_of(&start), goals.iter().filter_map(place_of).collect());
        for id in self.goals.iter().chain(&self.start) {
            self.places.force_open(&self.problem, *id);
        }
        self.is_entered = self.shapes_entered_from_start();
        self.bridge = None;
        let is_connected = self.update().await;
        if !is_connected {
            self.lead_to_bridge().await;
        }
        self.places.keep_unpenalized();
        is_connected
    }

    /// For each shape, whether changes of modes lead there from the start.
    fn shapes_entered_from_start(&self) -> Vec<bool> {
        let mut is_entered = vec![false; self.changes.len()];
        let mut open: Vec<usize> = self.start.iter().map(|start| start.shape).collect();
        while let Some(shape) = open.pop() {
            if !std::mem::replace(&mut is_entered[shape], true) {
                let leads_on = |to: &usize| self.changes[*to].iter().any(|change| change.from == shape);
                open.extend((0..self.changes.len()).filter(leads_on));
            }
        }
        is_entered
    }

    /// Makes paths lead to the shortest bridge between what can be reached from the start and from the goal.
    async fn lead_to_bridge(&mut self) {
        let Some(start) = self.start else { return };
        let from_goal = self.places.reached();
        let goals = std::mem::replace(&mut self.goals, vec![start]);
        self.unchanged_below = 0.0;
        self.search_paths(None, self.places.evaluated.saturating_add(tuning::MAX_BRIDGED_PLACES)).await;
        match shortest_bridge(&self.places, &self.places.reached(), &from_goal, self.body_size) {
            Some(bridge) => {
                let ends = [bridge.from, bridge.to].map(|id| self.point_of(id));
                self.bridge = Some(Bridge { from: ends[0], to: ends[1] });
                self.goals = vec![bridge.from];
            }
            None => self.goals = goals,
        }
        self.unchanged_below = 0.0;
        self.update().await;
    }

    /// Computes the paths anew.
    pub async fn update(&mut self) -> bool {
        match self.start {
            Some(start) => self.search_paths(Some(start), tuning::MAX_PLACES).await,
            None => false,
        }
    }

    async fn search_paths(&mut self, start: Option<PlaceId>, max_places: usize) -> bool {
        let query = PathQuery {
            problem: &self.problem,
            goals: &self.goals,
            start,
            penalties: &self.penalties,
            changes: &self.changes,
            is_entered: &self.is_entered,
            body_size: self.body_size,
            max_places,
            unchanged_below: std::mem::replace(&mut self.unchanged_below, f32::INFINITY),
        };
        search(&mut self.places, query).await
    }

    fn point_of(&self, id: PlaceId) -> GuidePoint {
        GuidePoint { position: self.places.position(id), mode: self.places.shapes[id.shape].mode }
    }

    /// The cost of the way over the bridge.
    fn bridge_cost(&self) -> f32 {
        let length = |bridge: Bridge| (bridge.to.position - bridge.from.position).length();
        self.bridge.map_or(0.0, |bridge| tuning::BRIDGE_COST * length(bridge))
    }

    /// Adds a penalty in meters to the paths that lead on from a place. Call [`Self::update`] afterward.
    pub fn penalize(&mut self, at: GuidePoint, radius: f32, penalty: f32) {
        let Some(shape) = self.shape_of_mode[at.mode] else { return };
        let ahead = self.point_ahead(at, radius).unwrap_or(at.position);
        let direction = (ahead - at.position).normalize_or_zero();
        let cost = penalty / (2.0 * radius);
        let penalty = Penalty { center: at.position.midpoint(ahead), radius, shape, direction, cost };
        self.unchanged_below = self.unchanged_below.min(self.places.least_cost_near(&penalty.reach(self.places.side)));
        self.penalties.push(penalty);
    }

    /// Removes all penalties. Returns whether there were any; then call [`Self::update`].
    pub fn remove_penalties(&mut self) -> bool {
        let is_changed = !self.penalties.is_empty();
        self.penalties.clear();
        self.unchanged_below = 0.0;
        is_changed
    }

    /// The cost-to-go of a place, in meters; infinite where no path leads that is not much longer than the shortest.
    pub fn cost_to_go_at(&self, at: GuidePoint) -> f32 {
        self.least(at, |cost, _| cost).map_or(f32::INFINITY, |(_, cost)| cost + self.bridge_cost())
    }

    /// The same without penalties.
    pub fn unpenalized_cost_to_go_at(&self, at: GuidePoint) -> f32 {
        self.least(at, |_, unpenalized| unpenalized).map_or(f32::INFINITY, |(_, cost)| cost + self.bridge_cost())
    }

    /// How many times as long a way takes in a mode as in the fastest one.
    pub fn slowness(&self, mode: ModeId) -> f32 {
        self.shape(mode).map_or(1.0, |shape| shape.slowness)
    }

    /// What a way costs per length at a place: more where the body is slow, unless its path soon leads on in a faster mode.
    pub fn cost_per_length_at(&self, at: GuidePoint) -> f32 {
        let cost = |id: PlaceId| self.places.shapes[id.shape].slowness * self.places.known(id).least_factor();
        let Some((first, _)) = self.least(at, |cost, _| cost) else { return 1.0 };
        let here = cost(first);
        let near = tuning::SOON * self.body_size;
        let path = std::iter::successors(Some(first), |&id| self.places.known(id).next(id));
        let mut soon = path.take_while(|id| (self.places.position(*id) - at.position).length() <= near);
        let is_faster = |id: &PlaceId| self.places.shapes[id.shape].slowness < self.places.shapes[first.shape].slowness;
        soon.find(is_faster).map_or(here, |id| cost(id).min(here))
    }

    /// How many times slower a body is at a place because of the direction that it faces, compared with the best one: 0 if it fits as well.
    pub fn misfit_at(&self, at: GuidePoint, heading: Vec3) -> f32 {
        let Some((id, _)) = self.least(at, |cost, _| cost) else { return 0.0 };
        let place = self.places.known(id);
        let steps = atan2(-heading.z, heading.x).rem_euclid(0.5 * TAU) / FRAC_PI_4;
        let (low, share) = (steps.floor(), steps.fract());
        let factor = |axis: usize| place.factors[axis % AXES].min(tuning::MAX_MISFIT);
        let factor = (1.0 - share) * factor(low as usize) + share * factor(low as usize + 1);
        (factor - place.least_factor()).max(0.0)
    }

    /// The place around a point from which the path is the shortest, and its length with the way there.
    pub(super) fn least(&self, at: GuidePoint, pick: impl Fn(f32, f32) -> f32) -> Option<(PlaceId, f32)> {
        tuning::NEAR_CELLS.into_iter().find_map(|near| self.least_within(at, near, &pick))
    }

    fn least_within(&self, at: GuidePoint, near: i32, pick: impl Fn(f32, f32) -> f32) -> Option<(PlaceId, f32)> {
        let shape = self.shape_of_mode[at.mode]?;
        let cell = self.places.cell_at(at.position);
        let tile = self.places.tile_of(cell);
        let slowness = self.places.shapes[shape].slowness;
        let mut best: Option<(PlaceId, f32)> = None;
        for x in -near..=near {
            for y in -near..=near {
                for z in -near..=near {
                    let id = PlaceId { cell: cell.offset([x, y, z]), shape };
                    let place = tile.map_or_else(|| self.places.known(id), |tile| self.places.known_from(tile, id));
                    let cost = pick(place.cost, place.unpenalized);
                    if place.status != Status::Open || !cost.is_finite() {
                        continue;
                    }
                    let cost = cost + slowness * (self.places.position(id) - at.position).length();
                    if best.is_none_or(|(_, least)| cost < least) {
                        best = Some((id, cost));
                    }
                }
            }
        }
        best
    }

    /// The path from a place to the goal.
    pub fn path(&self, from: GuidePoint) -> impl Iterator<Item = GuidePoint> + '_ {
        let first = self.least(from, |cost, _| cost).map(|(id, _)| id);
        let ids = std::iter::successors(first, |&id| self.places.known(id).next(id));
        ids.map(|id| self.point_of(id))
    }

    /// The point of the path that is this far from its beginning, or the goal; where the path has changed modes, at the height of the first.
    /// A body that does not only stand moves up and down too, and its path ends where it changes modes.
    pub fn point_ahead(&self, from: GuidePoint, distance: f32) -> Option<Vec3> {
        if !self.only_stands(from.mode) {
            let mut last = None;
            for point in self.path(from).take_while(|point| point.mode == from.mode) {
                last = Some(point.position);
                if (point.position - from.position).length() >= distance {
                    break;
                }
            }
            return last;
        }
        let horizontal = |point: GuidePoint| {
            let offset = point.position - from.position;
            (offset - UP * UP.dot(offset)).length()
        };
        let mut last = None;
        for point in self.path(from) {
            last = Some(point);
            if horizontal(point) >= distance {
                break;
            }
        }
        let height = |mode: ModeId| self.shape(mode).map_or(0.0, |shape| shape.height);
        last.map(|last| last.position + UP * (height(from.mode) - height(last.mode)))
    }

    /// How the trunk moves from a place when it follows the path for a distance, horizontal where the body only stands. A path through cells
    /// is a little off to a side of where the trunk is: a body that stands does not follow that, unless obstacles are close.
    pub fn displacement_ahead(&self, from: GuidePoint, distance: f32) -> Vec3 {
        let mut path = self.path(from);
        let (Some(first), Some(ahead)) = (path.next(), self.point_ahead(from, distance)) else { return Vec3::ZERO };
        if !self.only_stands(from.mode) {
            return (ahead - from.position).clamp_length_max(distance);
        }
        let horizontal = |vector: Vec3| vector - UP * UP.dot(vector);
        let direction = horizontal(ahead - first.position).try_normalize().unwrap_or(Vec3::ZERO);
        let (ahead, closeness) = self.centered(GuidePoint { position: ahead, ..from }, direction);
        let offset = ahead - from.position;
        let along = direction * direction.dot(offset);
        let aside = horizontal(offset) - along;
        let off_path = tuning::OFF_PATH * self.places.side * (1.0 - closeness.min(1.0));
        let followed = (aside.length() - off_path).max(0.0);
        let displacement = along + aside.clamp_length_max(followed);
        displacement.clamp_length_max(distance) + UP * UP.dot(offset)
    }

    /// The point across a path, within half a cell, that is the farthest from obstacles, and how close they are there, from 0 to 1: cells
    /// are coarse where it is narrow.
    fn centered(&self, at: GuidePoint, direction: Vec3) -> (Vec3, f32) {
        let Some(shape) = self.shape(at.mode) else { return (at.position, 0.0) };
        let point = |step: f32| at.position + direction.cross(UP) * (step * self.places.side);
        let closeness = |step: &f32| self.places.closeness(&self.problem.world, shape, point(*step));
        let rated = tuning::CENTERING.map(|step| (closeness(&step), step));
        let best = rated.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or((at.position, 0.0), |(closeness, step)| (point(step), closeness))
    }
}

impl Guide for TrunkGuide {
    /// The least over the modes, with the trunk upright above the contact.
    fn cost_to_go(&self, contact: &Contact) -> f32 {
        let cost = |shape: &ModeShape| {
            let up = shape.up_on(std::slice::from_ref(contact), Vec3::X);
            self.cost_to_go_at(GuidePoint { position: contact.point + up * shape.height, mode: shape.mode })
        };
        self.places.shapes.iter().map(cost).fold(f32::INFINITY, f32::min)
    }

    fn follow(&self, from: Vec3, length: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
        let starts = self.places.shapes.iter().map(|shape| GuidePoint { position: from, mode: shape.mode });
        let cost = |at: &GuidePoint| self.cost_to_go_at(*at);
        let Some(start) = starts.min_by(|a, b| cost(a).total_cmp(&cost(b))) else { return };
        let mut followed = 0.0;
        let mut here = from;
        for point in self.path(start) {
            followed += (point.position - here).length();
            here = point.position;
            if followed > length || !visit(here) {
                return;
            }
        }
    }
}

/// How much higher the trunk of a body that stands is in a mode than in another. A body that climbs begins and ends where it stands.
fn height_change(from: &ModeShape, to: &ModeShape) -> f32 {
    if from.only_stands() && to.only_stands() { to.height - from.height } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::test_world::{TestBox, problem_with};
    use super::*;
    use crate::resumable_search::run_to_end;

    const HIPS: f32 = 0.92;

    /// The guide of the human on 8 meters of level ground with boxes on it.
    fn guide(boxes: &[TestBox]) -> (TrunkGuide, ModeId) {
        let boxes: Vec<_> = boxes.iter().copied().enumerate().map(|(index, solid)| (index + 1, solid)).collect();
        let (problem, table) = problem_with(8.0, &boxes);
        let reach = Reach::new(&problem.character);
        (TrunkGuide::new(problem, &table, &reach, &GuideMemory::default()), table.find_mode("walking").unwrap())
    }

    fn points(mode: ModeId) -> [GuidePoint; 2] {
        [1.0, 7.0].map(|x| GuidePoint { position: Vec3::new(x, HIPS, 0.0), mode })
    }

    #[test]
    fn on_open_ground_the_way_is_straight_and_faced() {
        let (mut guide, walking) = guide(&[]);
        let [start, goal] = points(walking);
        assert!(run_to_end(guide.set_goal(start, &[goal], None)));
        let cost = guide.cost_to_go_at(start);
        assert!((5.8..7.0).contains(&cost), "{cost}");
        assert!(guide.heading(start, Vec3::X).unwrap().dot(Vec3::X) > 0.99);
        assert!(guide.path(start).all(|point| point.position.z.abs() < 0.2 && point.mode == walking));
    }

    #[test]
    fn the_way_leads_around_a_wall_and_not_through_the_bounds() {
        let wall = (Vec3::new(4.0, 1.0, -0.5), Vec3::new(0.2, 2.2, 5.0));
        let (mut guide, walking) = guide(&[wall]);
        let [start, goal] = points(walking);
        assert!(run_to_end(guide.set_goal(start, &[goal], None)));
        let farthest = guide.path(start).map(|point| point.position.z).fold(0.0, f32::max);
        assert!((2.1..2.9).contains(&farthest), "{farthest}");
        // A wall from end to end leaves no way.
        let wall = (Vec3::new(4.0, 1.0, 0.0), Vec3::new(0.2, 4.2, 6.2));
        let (mut guide, walking) = self::guide(&[wall]);
        let [start, goal] = points(walking);
        assert!(!run_to_end(guide.set_goal(start, &[goal], None)));
    }

    #[test]
    fn a_crawler_beside_the_axis_of_a_duct_faces_along_it() {
        let roof = (Vec3::new(4.0, 1.6, 0.0), Vec3::new(2.0, 1.5, 6.0));
        let sides = [-1.8, 1.8].map(|z| (Vec3::new(4.0, 0.42, z), Vec3::new(2.0, 0.85, 2.6)));
        let (mut guide, walking) = guide(&[roof, sides[0], sides[1]]);
        let [start, goal] = points(walking);
        assert!(run_to_end(guide.set_goal(start, &[goal], None)));
        let crawling = guide.path(start).find(|point| point.position.x > 3.5).unwrap();
        assert_ne!(crawling.mode, walking);
        let beside = GuidePoint { position: Vec3::new(2.3, crawling.position.y, 0.35), ..crawling };
        let heading = guide.heading(beside, Vec3::X).unwrap();
        assert!(heading.dot(Vec3::X) > 0.9, "{heading:?}");
    }

    #[test]
    fn a_body_goes_around_a_chair_and_sideways_through_a_gap() {
        let seat = (Vec3::new(4.0, 0.44, 0.0), Vec3::new(0.42, 0.04, 0.42));
        let back = (Vec3::new(4.19, 0.7, 0.0), Vec3::new(0.04, 0.5, 0.42));
        let (mut guide, walking) = guide(&[seat, back]);
        let [start, goal] = points(walking);
        assert!(run_to_end(guide.set_goal(start, &[goal], None)));
        let beside = guide.path(start).filter(|point| (point.position.x - 4.0).abs() < 0.2);
        let nearest = beside.map(|point| point.position.z.abs()).fold(f32::INFINITY, f32::min);
        assert!(nearest > 0.15, "{nearest}");
        let half = Vec3::new(0.3, 2.2, 2.8);
        let walls = [-1.6, 1.6].map(|z| (Vec3::new(4.0, 1.1, z), half));
        let (mut guide, walking) = self::guide(&walls);
        let [start, goal] = points(walking);
        assert!(run_to_end(guide.set_goal(start, &[goal], None)));
        let inside = GuidePoint { position: Vec3::new(4.0, HIPS, 0.0), mode: walking };
        let heading = guide.heading(inside, Vec3::X).unwrap();
        assert!(heading.dot(Vec3::X).abs() < 0.8, "{heading}");
        let misfits = [Vec3::X, heading].map(|heading| guide.misfit_at(inside, heading));
        assert!(misfits[0] > misfits[1] + 1.0, "{misfits:?}");
        // It does not turn around on the way.
        let through = guide.path(start).filter(|point| (point.position.x - 4.0).abs() < 0.3);
        let sidled: Vec<GuidePoint> = through.collect();
        for facing in [Vec3::Z, Vec3::NEG_Z] {
            let heading = |at: &GuidePoint| guide.heading(*at, facing).unwrap();
            assert!(sidled.iter().any(|at| heading(at).dot(facing) > 0.9));
            assert!(sidled.iter().all(|at| heading(at).dot(facing) > -0.9));
        }
    }

    /// The guide for 22 meters of ground with a slab across them that is 0.95 m above it, and a place far before and one behind it.
    fn guide_under_slab() -> (TrunkGuide, GuidePoint, ModeId) {
        let slab = (Vec3::new(4.0, 1.7, 0.0), Vec3::new(1.5, 1.5, 6.0));
        let (problem, table) = problem_with(22.0, &[(1, slab)]);
        let reach = Reach::new(&problem.character);
        let mut guide = TrunkGuide::new(problem, &table, &reach, &GuideMemory::default());
        let mode = table.find_mode("walking").unwrap();
        let [goal, start] = [1.5, 20.5].map(|x| GuidePoint { position: Vec3::new(x, HIPS, 0.0), mode });
        assert!(run_to_end(guide.set_goal(start, &[goal], None)));
        (guide, start, table.find_mode("crawling").unwrap())
    }

    #[test]
    fn a_body_crawls_under_a_slab_however_far_away_it_starts() {
        let (guide, start, crawling) = guide_under_slab();
        let mut under = guide.path(start).filter(|point| (point.position.x - 4.0).abs() < 0.7);
        assert!(under.all(|point| point.mode == crawling));
        // On open ground it walks.
        assert!(guide.path(start).filter(|point| point.position.x > 7.0).all(|point| point.mode == start.mode));
    }

    #[test]
    fn a_body_faces_the_way_on_before_it_kneels_down() {
        let (guide, start, _) = guide_under_slab();
        let mut path = guide.path(start);
        let kneels = path.find(|point| point.mode != start.mode).unwrap();
        let beside = GuidePoint { position: kneels.position + Vec3::new(0.05, HIPS - kneels.position.y, 0.3), ..start };
        assert!(guide.heading(beside, Vec3::X).unwrap().dot(Vec3::NEG_X) > 0.95);
    }

    #[test]
    fn modes_that_begin_on_holds_that_the_world_lacks_are_never_entered() {
        let (problem, table) = problem_with(8.0, &[]);
        let reach = Reach::new(&problem.character);
        let guide = TrunkGuide::new(problem, &table, &reach, &GuideMemory::default());
        let ways_into = |name: &str| {
            let shape = guide.shape_of_mode[table.find_mode(name).unwrap()].unwrap();
            guide.changes[shape].len()
        };
        // A climber holds on to load-bearing surfaces too, but begins on others.
        assert_eq!([ways_into("climbing"), ways_into("swinging")], [0, 0]);
        assert_ne!(ways_into("kneeling"), 0);
    }

    #[test]
    fn modes_that_cannot_be_entered_lead_nowhere() {
        // Under a ceiling so low, only climbers would get, but nothing here makes walkers climb.
        let ceiling = (Vec3::new(4.0, 1.2, 0.0), Vec3::new(1.5, 2.0, 6.4));
        let (mut guide, walking) = guide(&[ceiling]);
        let [start, goal] = points(walking);
        assert!(!run_to_end(guide.set_goal(start, &[goal], None)));
        let bridge = guide.bridge().unwrap();
        assert!(bridge.from.position.x < 4.0 && bridge.to.position.x > 4.0, "{bridge:?}");
        assert!(guide.cost_to_go_at(start).is_finite());
    }

    #[test]
    fn after_penalties_no_cost_is_greater_than_in_a_new_search() {
        let (mut guide, start, walking) = guide_under_slab();
        let under_slab: Vec<GuidePoint> = guide.path(start).filter(|point| point.mode != walking).collect();
        for at in [under_slab[0], under_slab[under_slab.len() / 2], start] {
            guide.penalize(at, 0.7, 8.0);
            run_to_end(guide.update());
            let mut anew = guide.clone();
            anew.unchanged_below = 0.0;
            run_to_end(anew.update());
            let relaxed_by_both = |id: &PlaceId| [&guide, &anew].iter().all(|guide| guide.places.known(*id).is_relaxed);
            let mut common = anew.places.reached();
            common.retain(relaxed_by_both);
            assert!(common.len() > 1000);
            for id in common {
                let [updated, computed] = [&guide, &anew].map(|guide| guide.places.known(id).cost);
                // The update knows more detours, so it may find shorter paths. Weighted estimates make either a little longer than the shortest.
                let tolerance = tuning::WORTHWHILE_GAIN * guide.body_size + 0.002 * computed;
                assert!(updated <= computed + tolerance, "{:?}: {updated} > {computed}", anew.point_of(id));
            }
        }
    }

    #[test]
    fn a_penalty_leads_to_another_way_until_it_is_removed() {
        // One way around the wall is shorter.
        let wall = (Vec3::new(4.0, 1.1, 0.2), Vec3::new(0.2, 2.2, 2.0));
        let (mut guide, walking) = guide(&[wall]);
        let [start, goal] = points(walking);
        assert!(run_to_end(guide.set_goal(start, &[goal], None)));
        let side = |guide: &TrunkGuide| {
            let beside = guide.path(start).find(|point| point.position.x > 3.9).unwrap();
            beside.position.z.signum()
        };
        let before = side(&guide);
        assert_eq!(before, -1.0);
        let at = GuidePoint { position: Vec3::new(4.0, HIPS, -1.1), mode: walking };
        guide.penalize(at, 0.7, 8.0);
        run_to_end(guide.update());
        assert_eq!(side(&guide), -before);
        assert!(guide.remove_penalties());
        run_to_end(guide.update());
        assert_eq!(side(&guide), before);
    }
}
