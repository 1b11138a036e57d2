//! What is missing between the two sides of a gap: where the holds of the start and those of the goal are not connected, the
//! leaps that would connect them, the easiest to provide for first.

use clamber_model::world::HoldType;
use clamber_model::{Contact, ModeTable, World};

use crate::hold_graph::{HoldGraph, Leap, Place, is_open, is_open_around};
use crate::reach::Reach;

/// Makes a map lead from one stance to another, over leaps where it has to. A leap that something closes is dearer than a gap.
pub(crate) fn bridge(map: &mut HoldGraph, world: &World, table: &ModeTable, reach: &Reach, ends: [&[Contact]; 2]) {
    let mut sides = Sides::new(map, world);
    let [start, goal] =
        ends.map(|stance| stance.iter().filter_map(|contact| map.place_of(contact)).collect::<Vec<_>>());
    let (Some(&start), false) = (start.first(), goal.is_empty()) else { return };
    let extent = (world.max - world.min).length();
    let mut found = Vec::new();
    let mut far = 4.0;
    // Near ones first: far ones are many.
    loop {
        for (_, leap) in candidates(map, world, table, reach, &sides, far) {
            if goal.iter().any(|&goal| sides.are_joined(start, goal)) {
                break;
            }
            if sides.join(leap.from, leap.to) {
                found.push(leap);
            }
        }
        if goal.iter().any(|&goal| sides.are_joined(start, goal)) || far > extent {
            break;
        }
        far *= 2.0;
    }
    map.add_leaps(&found);
}

/// The leaps between places of different sides, up to so far, the easiest first.
fn candidates(
    map: &HoldGraph,
    world: &World,
    table: &ModeTable,
    reach: &Reach,
    sides: &Sides,
    far: f32,
) -> Vec<(f32, Leap)> {
    // What is closed costs as much as so many metres more of a gap.
    const CLOSED: f32 = 1.5;
    // Of two that are closed, the one that is within reach says better what is wrong.
    const NEARER: f32 = 0.1;
    let hold_type = |place: &Place| world.holds[place.hold].hold_type;
    let types = HoldType::ALL;
    let index = |wanted: HoldType| types.iter().position(|other| *other == wanted).unwrap_or(0);
    let reaches = types
        .map(|from| types.map(|to| reach.between_types(table, from, to).max(reach.between_types(table, to, from))));
    let mut found = Vec::new();
    for (a, from) in map.places.iter().enumerate() {
        for &b in map.beside(from.point.x, far) {
            let to = map.places[b];
            let distance = (to.point - from.point).length();
            let is_one = a < b && distance <= far && !sides.are_joined(a, b);
            let within = reaches[index(hold_type(from))][index(hold_type(&to))];
            // Where no edge leads from the one type to the other, a nearer hold would not help.
            if !is_one || within == 0.0 || sides.is_buried(a) || sides.is_buried(b) {
                continue;
            }
            let is_too_far = reach.least_span([from.point, from.normal], [to.point, to.normal]) > within;
            let cost = match (is_too_far, is_open(world, from, &to) || is_open_around(world, from, &to)) {
                (false, _) => within + CLOSED + NEARER * (distance - within),
                (true, true) => distance,
                (true, false) => distance + CLOSED,
            };
            found.push((cost, Leap { from: a, to: b, distance, is_too_far }));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1.from, a.1.to).cmp(&(b.1.from, b.1.to))));
    found
}

/// Which places are connected.
struct Sides {
    /// For each place, one that it is connected to; the last in line stands for all.
    parents: Vec<usize>,
    /// Whether a place is inside of an obstacle, so that nobody holds on there.
    is_buried: Vec<bool>,
}

impl Sides {
    fn new(map: &HoldGraph, world: &World) -> Self {
        // So far off a surface there is room for a hand or a foot.
        const OFF: f32 = 0.06;
        const ROOM: f32 = 0.02;
        let is_buried = |place: &Place| world.field.estimate(place.point + place.normal * OFF) < ROOM;
        let mut sides =
            Self { parents: (0..map.places.len()).collect(), is_buried: map.places.iter().map(is_buried).collect() };
        for place in 0..map.places.len() {
            for neighbour in map.near(place) {
                sides.join(place, neighbour);
            }
        }
        sides
    }

    fn is_buried(&self, place: usize) -> bool {
        self.is_buried[place]
    }

    fn stands_for(&self, mut place: usize) -> usize {
        while self.parents[place] != place {
            place = self.parents[place];
        }
        place
    }

    fn are_joined(&self, a: usize, b: usize) -> bool {
        self.stands_for(a) == self.stands_for(b)
    }

    /// Connects two places; false when they are connected already.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (root_a, root_b) = (self.stands_for(a), self.stands_for(b));
        // Ways that were gone are made short.
        let mut place = a;
        while self.parents[place] != root_a {
            place = std::mem::replace(&mut self.parents[place], root_a);
        }
        self.parents[root_a.max(root_b)] = root_a.min(root_b);
        root_a != root_b
    }
}
