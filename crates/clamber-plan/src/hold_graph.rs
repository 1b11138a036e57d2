//! The guide over holds: how far it is to the goal from each hold, from hold to hold, none farther from the next than a body
//! reaches.
//!
//! The published guide leads through free space, and so through the air, where nothing is to be held on to (thesis 5.6.4). This
//! one knows only places that a limb can hold on to, and leads along surfaces.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use clamber_model::id::{HoldId, TiVec};
use clamber_model::math::Vec3;
use clamber_model::world::{Hold, HoldShape, HoldType, UP};
use clamber_model::{Contact, ModeTable, World};

use crate::guide::Guide;
use crate::reach::Reach;

/// How far apart the places of a hold surface are, in metres.
const SPACING: f32 = 0.3;

/// Counted for every step from hold to hold, in metres: of two ways of one length, the one with fewer holds is easier.
const STEP: f32 = 0.02;

/// How far off the surfaces a limb gets from one place to another, in metres.
const OFF: f32 = 0.1;

/// How much more a metre over a leap counts: a way with less of them is better, however long.
const LEAP: f32 = 20.0;

/// A point that may be held on to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub hold: HoldId,
    pub point: Vec3,
    pub normal: Vec3,
}

/// The places that may be held on to, which are near which, and how far each is from the goal.
pub(crate) struct HoldGraph {
    /// In the order of the holds.
    pub places: Vec<Place>,
    /// The places of each hold.
    of_hold: TiVec<HoldId, Range<usize>>,
    /// For each place, where its neighbours begin; one more at the end.
    begins: Vec<usize>,
    /// Neighbours, and how far they are.
    neighbours: Vec<(usize, f32)>,
    /// The places in the order of their x.
    along: Vec<usize>,
    ways: Ways,
    /// The same as they were before anything was raised.
    plain: Ways,
    /// What was raised: which of the neighbours, and how far they were before.
    raised: Vec<(usize, f32)>,
    /// Ways from place to place that no body has: what is missing between two sides that are not connected.
    leaps: Vec<Leap>,
}

/// The ways to the goal.
#[derive(Clone, Default)]
struct Ways {
    /// How far they are from each place; infinite where there is no way.
    distances: Vec<f32>,
    /// The next place on them.
    next: Vec<Option<usize>>,
}

/// The guide as it was before anything was raised.
pub(crate) struct Plain<'m>(&'m HoldGraph);

/// A way from a place to another one that is out of reach, or behind something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leap {
    pub from: usize,
    pub to: usize,
    pub distance: f32,
    /// Whether it is farther than any body reaches; otherwise something is between.
    pub is_too_far: bool,
}

impl HoldGraph {
    /// The map of a world without the holds that are forbidden.
    pub fn new(world: &World, table: &ModeTable, reach: &Reach, is_allowed: impl Fn(HoldId) -> bool) -> Self {
        let mut places = Vec::new();
        let mut of_hold = TiVec::with_capacity(world.holds.len());
        for (index, hold) in world.holds.iter_enumerated() {
            let first = places.len();
            if is_allowed(index) {
                points_of(hold, &mut |point| places.push(Place { hold: index, point, normal: hold.normal }));
            }
            of_hold.push(first..places.len());
        }
        let mut along: Vec<usize> = (0..places.len()).collect();
        along.sort_by(|&a, &b| places[a].point.x.total_cmp(&places[b].point.x).then(a.cmp(&b)));
        let mut map = Self {
            ways: Ways { distances: vec![f32::INFINITY; places.len()], next: vec![None; places.len()] },
            plain: Ways::default(),
            raised: Vec::new(),
            places,
            of_hold,
            begins: Vec::new(),
            neighbours: Vec::new(),
            along,
            leaps: Vec::new(),
        };
        map.join(world, table, reach);
        map
    }

    /// Finds the neighbours of every place.
    fn join(&mut self, world: &World, table: &ModeTable, reach: &Reach) {
        // More than two effectors are thick, in metres.
        const ROOM: f32 = 0.5;
        let types = HoldType::ALL;
        let place_of = |wanted: HoldType| types.iter().position(|other| *other == wanted).unwrap_or(0);
        // Either may be held while the other is taken.
        let reaches = types
            .map(|from| types.map(|to| reach.between_types(table, from, to).max(reach.between_types(table, to, from))));
        let farthest = reaches.iter().flatten().copied().fold(0.0, f32::max) + ROOM;
        let mut pairs: Vec<(usize, usize, f32)> = Vec::new();
        for (order, &a) in self.along.iter().enumerate() {
            let from = self.places[a];
            let row = reaches[place_of(world.holds[from.hold].hold_type)];
            for &b in &self.along[order + 1..] {
                let to = self.places[b];
                if to.point.x - from.point.x > farthest {
                    break;
                }
                let distance = (to.point - from.point).length()
                    + climb_between(&from, &to)
                    + stretch_between(world, &from, &to, farthest - ROOM);
                let span = reach.least_span([from.point, from.normal], [to.point, to.normal]);
                if span <= row[place_of(world.holds[to.hold].hold_type)] && is_open(world, &from, &to) {
                    pairs.push((a, b, distance + STEP));
                    pairs.push((b, a, distance + STEP));
                }
            }
        }
        pairs.sort_by_key(|pair| (pair.0, pair.1));
        self.begins = Vec::with_capacity(self.places.len() + 1);
        let mut next = 0;
        for place in 0..=self.places.len() {
            while next < pairs.len() && pairs[next].0 < place {
                next += 1;
            }
            self.begins.push(next);
        }
        self.neighbours = pairs.into_iter().map(|(_, to, distance)| (to, distance)).collect();
    }

    /// Measures the distances to a goal's contacts.
    pub fn aim(&mut self, goal: &[Contact]) {
        self.ways.distances.fill(f32::INFINITY);
        self.ways.next.fill(None);
        let mut wave = BinaryHeap::new();
        for contact in goal {
            for place in self.of_hold[contact.hold].clone() {
                let distance = (self.places[place].point - contact.point).length();
                if distance < self.ways.distances[place] {
                    self.ways.distances[place] = distance;
                    wave.push((Reverse(Metres(distance)), place));
                }
            }
        }
        while let Some((Reverse(Metres(reached)), place)) = wave.pop() {
            if reached > self.ways.distances[place] {
                continue;
            }
            let leaps = self.leaps.iter().filter(|leap| leap.to == place);
            let leaps = leaps.map(|leap| (leap.from, LEAP * leap.distance));
            let near = self.neighbours[self.begins[place]..self.begins[place + 1]].iter().copied();
            for (neighbour, distance) in near.chain(leaps) {
                let there = reached + distance;
                if there < self.ways.distances[neighbour] {
                    self.ways.distances[neighbour] = there;
                    self.ways.next[neighbour] = Some(place);
                    wave.push((Reverse(Metres(there)), neighbour));
                }
            }
        }
        if self.raised.is_empty() {
            self.plain.clone_from(&self.ways);
        }
    }

    /// Makes every way from place to place that leads through a ball longer by `toll`; it has to be aimed again.
    pub fn raise_around(&mut self, center: Vec3, radius: f32, toll: f32) {
        self.raise(center, toll, |from, to| {
            let way = to - from;
            let t = ((center - from).dot(way) / way.length_squared().max(1e-9)).clamp(0.0, 1.0);
            (from + way * t - center).length() < radius
        });
    }

    /// The same for every way that leads from one ball into another, or back.
    pub fn raise_between(&mut self, centers: [Vec3; 2], radius: f32, toll: f32) {
        let is_at = |place: Vec3, center: Vec3| (place - center).length() < radius;
        let [a, b] = centers;
        self.raise(a.midpoint(b), toll, |from, to| is_at(from, a) && is_at(to, b) || is_at(from, b) && is_at(to, a));
    }

    /// Makes ways from place to place near a point longer.
    fn raise(&mut self, near: Vec3, toll: f32, is_raised: impl Fn(Vec3, Vec3) -> bool) {
        // No two neighbours are farther apart, in metres.
        const FAR: f32 = 3.0;
        let beside = self.beside(near.x, FAR).to_vec();
        for place in beside {
            for index in self.begins[place]..self.begins[place + 1] {
                let (neighbour, distance) = self.neighbours[index];
                if is_raised(self.places[place].point, self.places[neighbour].point) {
                    self.raised.push((index, distance));
                    self.neighbours[index].1 += toll;
                }
            }
        }
    }

    /// Forgets all that was raised; whether anything was, and it has to be aimed again.
    pub fn lower(&mut self) -> bool {
        let was_raised = !self.raised.is_empty();
        while let Some((index, distance)) = self.raised.pop() {
            self.neighbours[index].1 = distance;
        }
        was_raised
    }

    /// The guide as it was before anything was raised.
    pub fn plain(&self) -> Plain<'_> {
        Plain(self)
    }

    fn at_by(&self, ways: &Ways, contact: &Contact) -> f32 {
        let from = |place: usize| ways.distances[place] + (self.places[place].point - contact.point).length();
        self.of_hold[contact.hold].clone().map(from).fold(f32::INFINITY, f32::min)
    }

    /// The distance to the goal from a place.
    pub fn distance(&self, place: usize) -> f32 {
        self.ways.distances[place]
    }

    /// The place of a contact.
    pub fn place_of(&self, contact: &Contact) -> Option<usize> {
        let off = |place: &usize| (self.places[*place].point - contact.point).length_squared();
        self.of_hold[contact.hold].clone().min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// The next place on the way from a place to the goal.
    pub fn next(&self, place: usize) -> Option<usize> {
        self.ways.next[place]
    }

    /// The leap between two places, if the way from the one to the other is one.
    pub fn leap(&self, from: usize, to: usize) -> Option<Leap> {
        self.leaps.iter().find(|leap| leap.from == from && leap.to == to).copied()
    }

    /// Lets the map lead over these, in both directions; it has to be aimed again.
    pub fn add_leaps(&mut self, leaps: &[Leap]) {
        for leap in leaps {
            self.leaps.extend([*leap, Leap { from: leap.to, to: leap.from, ..*leap }]);
        }
    }

    /// The neighbours of a place.
    pub fn near(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        self.neighbours[self.begins[place]..self.begins[place + 1]].iter().map(|(place, _)| *place)
    }

    /// The places no farther than this from a point, along x alone.
    pub fn beside(&self, x: f32, far: f32) -> &[usize] {
        let first = self.along.partition_point(|&place| self.places[place].point.x < x - far);
        let last = self.along.partition_point(|&place| self.places[place].point.x <= x + far);
        &self.along[first..last]
    }

    fn follow_by(&self, ways: &Ways, from: Vec3, way: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
        const FAR: f32 = 1.5;
        let off = |place: &usize| (self.places[*place].point - from).length_squared();
        let reached = |place: &&usize| ways.distances[**place].is_finite();
        let nearest = self.beside(from.x, FAR).iter().filter(reached).min_by(|a, b| off(a).total_cmp(&off(b)));
        let Some(&first) = nearest else { return };
        if !visit(self.places[first].point) {
            return;
        }
        let gone = |place: usize| ways.distances[first] - ways.distances[place];
        let mut place = first;
        while let Some(next) = ways.next[place] {
            let [here, there] = [place, next].map(|place| self.places[place].point);
            if gone(next) > way {
                visit(here.lerp(there, (way - gone(place)) / (gone(next) - gone(place))));
                return;
            }
            if !visit(there) {
                return;
            }
            place = next;
        }
    }
}

impl Guide for HoldGraph {
    fn at(&self, contact: &Contact) -> f32 {
        self.at_by(&self.ways, contact)
    }

    fn follow(&self, from: Vec3, way: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
        self.follow_by(&self.ways, from, way, visit);
    }
}

impl Guide for Plain<'_> {
    fn at(&self, contact: &Contact) -> f32 {
        self.0.at_by(&self.0.plain, contact)
    }

    fn follow(&self, from: Vec3, way: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
        self.0.follow_by(&self.0.plain, from, way, visit);
    }
}

/// A distance that can be ordered.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Metres(pub f32);

impl Eq for Metres {}

impl Ord for Metres {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Metres {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Points of a hold, a surface's evenly spread.
fn points_of(hold: &Hold, tell: &mut dyn FnMut(Vec3)) {
    let parts = |length: f32| (length / SPACING).ceil().max(1.0) as usize;
    match hold.shape {
        HoldShape::Point(at) => tell(at),
        HoldShape::Segment([a, b]) => {
            let count = parts((b - a).length());
            (0..=count).for_each(|i| tell(a.lerp(b, i as f32 / count as f32)));
        }
        HoldShape::Triangle([a, b, c]) => {
            let count = parts((b - a).length().max((c - a).length()).max((c - b).length()));
            for i in 0..=count {
                for j in 0..=count - i {
                    tell(a + (b - a) * (i as f32 / count as f32) + (c - a) * (j as f32 / count as f32));
                }
            }
        }
    }
}

fn is_floor(place: &Place) -> bool {
    const FLAT: f32 = 0.7;
    UP.dot(place.normal) > FLAT
}

/// What it counts more, in metres, to get from one floor to another far above or below it at once: that is done where
/// there is nothing else to hold on to between them.
fn climb_between(from: &Place, to: &Place) -> f32 {
    const STEP: f32 = 0.5;
    const WEIGHT: f32 = 2.0;
    let height = UP.dot(to.point - from.point).abs();
    if is_floor(from) && is_floor(to) { WEIGHT * (height - STEP).max(0.0) } else { 0.0 }
}

/// What it counts more, in metres, to get far to a side at once, unless along a floor: a body reaches farther up than it does
/// across. From the edge of a ditch to the wall behind it is shorter than through the ditch, but hardly ever a way.
fn stretch_between(world: &World, from: &Place, to: &Place, farthest: f32) -> f32 {
    // A share of what a body reaches.
    const EASY: f32 = 0.45;
    // Everything is farther than this from the middle of a way that is not along a floor, in metres.
    const ALOFT: f32 = 0.3;
    const WEIGHT: f32 = 6.0;
    let way = to.point - from.point;
    let beyond = (way - UP * UP.dot(way)).length() - EASY * farthest;
    let is_along_floor =
        || is_floor(from) && is_floor(to) && world.field.estimate(from.point.midpoint(to.point)) <= ALOFT;
    if beyond > 0.0 && !is_along_floor() { WEIGHT * beyond } else { 0.0 }
}

/// Whether a limb may get from one place to another: straight, or with a bow around what is between, through free space as
/// the field sees it. Generous: what is judged open may still turn out to be impassable.
pub(crate) fn is_open(world: &World, from: &Place, to: &Place) -> bool {
    const BOWS: [f32; 3] = [0.0, 0.4, 0.9];
    let [a, b] = [from, to].map(|place| place.point + place.normal * OFF);
    let outwards = (from.normal + to.normal).try_normalize().unwrap_or(from.normal);
    BOWS.iter().any(|bow| {
        let middle = 0.5 * (a + b) + outwards * *bow;
        is_line_open(world, a, middle) && is_line_open(world, middle, b)
    })
}

/// Whether the way from one place to another is free along the two surfaces that they are on, around the edge where these meet:
/// farther than a bow leads, as up a wall and onto what is on top.
pub(crate) fn is_open_around(world: &World, from: &Place, to: &Place) -> bool {
    let [a, b] = [from, to].map(|place| place.point + place.normal * OFF);
    let edge = a + to.normal * to.normal.dot(b - a);
    is_line_open(world, a, edge) && is_line_open(world, edge, b)
}

fn is_line_open(world: &World, a: Vec3, b: Vec3) -> bool {
    const STEP: f32 = 0.15;
    const INSIDE: f32 = -0.02;
    let count = ((b - a).length() / STEP).ceil().max(1.0) as usize;
    (0..=count).all(|i| world.field.estimate(a.lerp(b, i as f32 / count as f32)) > INSIDE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::EffectorId;
    use clamber_model::world::{FieldSettings, Obstacle};
    use clamber_testing::{character, hold, table};

    #[test]
    fn the_guide_leads_through_a_ditch_and_not_over_it_to_the_wall_behind() {
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
        let world = World::new(obstacles, min, max, &FieldSettings::default());
        let world = world.with_holds(floors.into_iter().chain(walls).collect());
        let figure = character("figure");
        let mut map = HoldGraph::new(&world, &table(&figure), &Reach::new(&figure), |_| true);
        let (begins, goal) = (map.places[0], map.places[5]);
        map.aim(&[Contact { effector: EffectorId::new(0), hold: goal.hold, point: goal.point, normal: goal.normal }]);
        let mut lowest: f32 = 0.0;
        map.follow(begins.point, 9.0, &mut |place| {
            lowest = lowest.min(place.y);
            true
        });
        assert!(lowest < -0.7, "it leads no lower than {lowest}");
    }
}
