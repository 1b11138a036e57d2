//! The path of one free limb past obstacles while the body moves: a search over its two angles and over time.
//!
//! Once the body's path is given, a limb of two hinges has three coordinates, few enough for a grid. What an arc does not find
//! is found here, or is not there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use clamber_model::Character;
use clamber_model::id::{HingeId, LimbId, LinkId};
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::world::{DistanceField, World};

/// A limb of two links with a hinge each.
#[derive(Clone, Debug)]
pub(crate) struct TwoHingeLimb {
    /// The link that it hangs on, and where.
    pub parent: LinkId,
    parent_from_joint: Pose,
    upper_from_lower: Pose,
    pub hinges: [HingeId; 2],
    axes: [Vec3; 2],
    /// The least and the most angle of each hinge.
    limits: [[f32; 2]; 2],
    /// Spheres that cover each link.
    spheres: [Vec<Sphere>; 2],
}

/// A sphere of a link.
#[derive(Clone, Copy, Debug)]
struct Sphere {
    /// In the link's frame.
    at: Vec3,
    radius: f32,
    /// How far the next one is, in meters; infinitely far where that is on another capsule.
    next: f32,
}

/// A keyframe of a limb's path: which of the body's keyframes it is, and the two angles.
pub(crate) type LimbState = (usize, [f32; 2]);

/// Where a limb's path ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LimbGoal {
    /// At these angles.
    At([f32; 2]),
    /// Near to these angles, as far as there is room.
    Near([f32; 2]),
}

/// The memory that the search needs.
#[derive(Default)]
pub(crate) struct LimbSearch {
    /// Where the limb hangs at each of the body's keyframes and half-path between them.
    joints: Vec<Pose>,
    /// For each state, how much room there is, what it costs to come to, and from where.
    rooms: Vec<f32>,
    costs: Vec<f32>,
    parents: Vec<u32>,
    line: BinaryHeap<Reverse<(u32, u32)>>,
}

/// How far apart the angles are that are looked at, in radians.
const CELL: f32 = 0.15;
/// How much a radian of each hinge costs.
const WEIGHTS: [f32; 2] = [1.0, 0.6];
/// No more room than this is asked for, in meters.
const ENOUGH: f32 = 0.08;
/// Room that is worth a detour, in meters.
const ROOM: f32 = 0.03;
/// How deep the field may see a limb inside of an obstacle that it only touches, in meters.
pub(crate) const BLUR: f32 = 0.005;

impl TwoHingeLimb {
    /// A limb of a character, if it is of this kind.
    pub fn of(character: &Character, limb: LimbId) -> Option<Self> {
        // In meters: so far apart, spheres cover their capsule but for a few millimeters.
        const SPACING: f32 = 0.09;
        let limb = &character.limbs[limb];
        let &[upper, lower] = limb.links.as_slice() else { return None };
        let &[first, second] = limb.hinges.as_slice() else { return None };
        if character.hinges[first].link != upper || character.hinges[second].link != lower {
            return None;
        }
        let spheres = [upper, lower].map(|link| {
            let capsules = character.links[link].capsules.clone().map(|index| character.capsules[index]);
            let along = |capsule: clamber_model::character::Capsule| {
                let length = (capsule.b - capsule.a).length();
                let count = (length / SPACING).ceil().max(1.0) as usize;
                (0..=count).map(move |index| Sphere {
                    at: capsule.a.lerp(capsule.b, index as f32 / count as f32),
                    radius: capsule.radius,
                    next: if index < count { length / count as f32 } else { f32::INFINITY },
                })
            };
            capsules.flat_map(along).collect()
        });
        Some(Self {
            parent: character.links[upper].parent?,
            parent_from_joint: character.links[upper].parent_from_joint,
            upper_from_lower: character.links[lower].parent_from_joint,
            hinges: [first, second],
            axes: [first, second].map(|hinge| character.hinges[hinge].axis),
            limits: [first, second].map(|hinge| [character.hinges[hinge].min, character.hinges[hinge].max]),
            spheres,
        })
    }

    /// About how far the limb is from obstacles; at most [`ENOUGH`].
    fn room(&self, field: &DistanceField, joint: &Pose, angles: [f32; 2]) -> f32 {
        let upper = Pose::from_parts(joint.translation, joint.rotation * rotation_about(self.axes[0], angles[0]));
        let mut lower = upper * self.upper_from_lower;
        lower.rotation *= rotation_about(self.axes[1], angles[1]);
        let mut room = ENOUGH;
        for (frame, spheres) in [lower, upper].iter().zip([&self.spheres[1], &self.spheres[0]]) {
            // What there is to spare at one sphere is enough for the next ones, too.
            let mut spare = 0.0;
            for &Sphere { at, radius, next } in spheres {
                if spare <= 0.0 {
                    let here = field.estimate(*frame * at) - radius;
                    room = room.min(here);
                    spare = here - ENOUGH;
                }
                spare -= next;
            }
        }
        room
    }
}

impl LimbSearch {
    /// Says where the limb hangs at each of the body's keyframes, by the frames of the link that it hangs on.
    pub fn hang(&mut self, limb: &TwoHingeLimb, parents: impl Iterator<Item = Pose>) {
        self.joints.clear();
        for parent in parents {
            let joint = parent * limb.parent_from_joint;
            if let Some(last) = self.joints.last() {
                let place = 0.5 * (last.translation + joint.translation);
                self.joints.push(Pose::from_parts(place, last.rotation.lerp(joint.rotation, 0.5)));
            }
            self.joints.push(joint);
        }
    }

    /// From the last keyframe to the first.
    pub fn turn_back(&mut self) {
        self.joints.reverse();
    }

    /// Whether the limb has at least so much room on the path between two keyframes, without its ends.
    fn has_room_between(
        &self,
        limb: &TwoHingeLimb,
        field: &DistanceField,
        from: LimbState,
        to: LimbState,
        least: f32,
    ) -> bool {
        let off = length([to.1[0] - from.1[0], to.1[1] - from.1[1]]);
        let count = (1.4 * off / CELL).ceil().max(2.0);
        (1..count as usize).all(|index| {
            let t = index as f32 / count;
            let angles = [0, 1].map(|hinge| from.1[hinge] + (to.1[hinge] - from.1[hinge]) * t);
            // The nearest of the keyframes and half-keyframes.
            let at = (2.0 * (from.0 as f32 + (to.0 as f32 - from.0 as f32) * t)).round() as usize;
            limb.room(field, &self.joints[at], angles) >= least
        })
    }

    /// Whether the limb can go so, as far as the field sees.
    pub fn is_clear(&self, limb: &TwoHingeLimb, field: &DistanceField, path: &[LimbState]) -> bool {
        let middle = path.get(1..path.len().max(2) - 1).unwrap_or_default();
        middle.iter().all(|&(keyframe, angles)| limb.room(field, &self.joints[2 * keyframe], angles) >= -BLUR)
            && path.windows(2).all(|pair| self.has_room_between(limb, field, pair[0], pair[1], -BLUR))
    }

    /// A path for the limb from these angles at the body's first keyframe to its last, if there is one, and how many states were
    /// looked at. The body may wait: then several of the path's keyframes are the same one of the body.
    pub fn find(
        &mut self,
        limb: &TwoHingeLimb,
        world: &World,
        begins: [f32; 2],
        end: LimbGoal,
    ) -> (Option<Vec<LimbState>>, usize) {
        const MOST: usize = 800;
        // No point of a limb of usual length moves farther from one cell to half-path to the next, in meters.
        const HALF_WAY: f32 = 0.07;
        // What a keyframe costs, in radians.
        const MOMENT: f32 = 0.02;
        // More finds a path sooner, less a better one.
        const GREED: f32 = 1.5;
        let field = &world.field;
        let last = self.joints.len() / 2;
        let grid = Grid::new(limb, begins);
        let (LimbGoal::At(wanted) | LimbGoal::Near(wanted)) = end;
        let count = (last + 1) * grid.size[0] * grid.size[1];
        for (values, unknown) in [(&mut self.rooms, f32::NAN), (&mut self.costs, f32::INFINITY)] {
            values.clear();
            values.resize(count, unknown);
        }
        self.parents.clear();
        self.parents.resize(count, u32::MAX);
        self.line.clear();
        let least = {
            let at_end =
                if matches!(end, LimbGoal::At(_)) { limb.room(field, &self.joints[2 * last], wanted) } else { 0.0 };
            limb.room(field, &self.joints[0], begins).min(at_end).clamp(-4.0 * BLUR, 0.0) - BLUR
        };
        let to_go = |layer: usize, angles: [f32; 2]| {
            let off = [wanted[0] - angles[0], wanted[1] - angles[1]];
            GREED * (length(off) + MOMENT * (last - layer) as f32)
        };
        let start = grid.state(0, grid.origin);
        self.costs[start] = 0.0;
        self.rooms[start] = 0.0;
        self.line.push(Reverse((to_go(0, begins).to_bits(), start as u32)));
        let mut looked_at = 0;
        while let Some(Reverse((priority, state))) = self.line.pop() {
            let state = state as usize;
            let (layer, cell) = grid.cell(state);
            let angles = grid.angles(cell);
            if f32::from_bits(priority) > self.costs[state] + to_go(layer, angles) + 1e-4 {
                continue;
            }
            looked_at += 1;
            if looked_at > MOST {
                break;
            }
            if layer == last {
                let is_end = match end {
                    LimbGoal::Near(_) => true,
                    LimbGoal::At(wanted) => {
                        let is_next = (0..2).all(|hinge| (wanted[hinge] - angles[hinge]).abs() <= 1.01 * CELL);
                        is_next && self.has_room_between(limb, field, (last, angles), (last, wanted), least)
                    }
                };
                if is_end {
                    let mut path = self.trace(&grid, state);
                    if let LimbGoal::At(wanted) = end {
                        path.push((last, wanted));
                    }
                    self.straighten(limb, field, &mut path);
                    return (Some(path), looked_at);
                }
            }
            for wait in [false, true] {
                if !wait && layer == last {
                    continue;
                }
                let there = if wait { layer } else { layer + 1 };
                for (along, across) in NEIGHBORS {
                    if wait && (along, across) == (0, 0) {
                        continue;
                    }
                    let next = [cell[0] + along, cell[1] + across];
                    if !grid.has(next) {
                        continue;
                    }
                    let next_state = grid.state(there, next);
                    let next_angles = grid.angles(next);
                    if self.rooms[next_state].is_nan() {
                        self.rooms[next_state] = limb.room(field, &self.joints[2 * there], next_angles);
                    }
                    let room = self.rooms[next_state];
                    if room < least {
                        continue;
                    }
                    let path = length([along as f32 * CELL, across as f32 * CELL]) + if wait { MOMENT } else { 0.0 };
                    let cost = self.costs[state] + MOMENT + path + (1.0 - room.max(0.0) / ROOM).max(0.0) * 0.2;
                    if cost >= self.costs[next_state] {
                        continue;
                    }
                    if room.min(self.rooms[state]) < HALF_WAY
                        && !self.has_room_between(limb, field, (layer, angles), (there, next_angles), least)
                    {
                        continue;
                    }
                    self.costs[next_state] = cost;
                    self.parents[next_state] = state as u32;
                    self.line.push(Reverse(((cost + to_go(there, next_angles)).to_bits(), next_state as u32)));
                }
            }
        }
        (None, looked_at)
    }

    fn trace(&self, grid: &Grid, state: usize) -> Vec<LimbState> {
        let parent = |&state: &usize| self.parents.get(state).map(|&parent| parent as usize);
        let states = std::iter::successors(Some(state), parent).take_while(|&state| state != u32::MAX as usize);
        let mut path: Vec<LimbState> = states
            .map(|state| {
                let (layer, cell) = grid.cell(state);
                (layer, grid.angles(cell))
            })
            .collect();
        path.reverse();
        path
    }

    /// Takes out the corners of a path, where that leaves room.
    fn straighten(&self, limb: &TwoHingeLimb, field: &DistanceField, path: &mut Vec<LimbState>) {
        const ROUNDS: usize = 4;
        for round in 0..ROUNDS {
            let mut index = 1;
            while index + 1 < path.len() {
                let [before, here, after] = [path[index - 1], path[index], path[index + 1]];
                let room_here = limb.room(field, &self.joints[2 * here.0], here.1).min(0.5 * ROOM);
                let is_waiting = here.0 == before.0 || here.0 == after.0;
                if round == 0 && is_waiting && self.has_room_between(limb, field, before, after, room_here) {
                    path.remove(index);
                    continue;
                }
                let middle = (here.0, [0, 1].map(|hinge| 0.5 * (before.1[hinge] + after.1[hinge])));
                if limb.room(field, &self.joints[2 * here.0], middle.1) >= room_here
                    && self.has_room_between(limb, field, before, middle, room_here)
                    && self.has_room_between(limb, field, middle, after, room_here)
                {
                    path[index] = middle;
                }
                index += 1;
            }
        }
    }
}

/// How one goes on from a cell.
const NEIGHBORS: [(i32, i32); 9] = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

fn length(off: [f32; 2]) -> f32 {
    let [first, second] = [WEIGHTS[0] * off[0], WEIGHTS[1] * off[1]];
    (first * first + second * second).sqrt()
}

/// The angles that are looked at: those where the limb is, and whole cells from there.
struct Grid {
    begins: [f32; 2],
    /// The cell of the angles where it begins.
    origin: [i32; 2],
    size: [usize; 2],
}

impl Grid {
    fn new(limb: &TwoHingeLimb, begins: [f32; 2]) -> Self {
        let cells = |path: f32| (path / CELL).max(0.0) as i32;
        let origin = [0, 1].map(|hinge| cells(begins[hinge] - limb.limits[hinge][0]));
        let size = [0, 1].map(|hinge| (origin[hinge] + cells(limb.limits[hinge][1] - begins[hinge]) + 1) as usize);
        Self { begins, origin, size }
    }

    fn has(&self, cell: [i32; 2]) -> bool {
        (0..2).all(|hinge| (0..self.size[hinge] as i32).contains(&cell[hinge]))
    }

    fn state(&self, layer: usize, cell: [i32; 2]) -> usize {
        (layer * self.size[0] + cell[0] as usize) * self.size[1] + cell[1] as usize
    }

    fn cell(&self, state: usize) -> (usize, [i32; 2]) {
        let (rows, second) = (state / self.size[1], state % self.size[1]);
        (rows / self.size[0], [(rows % self.size[0]) as i32, second as i32])
    }

    fn angles(&self, cell: [i32; 2]) -> [f32; 2] {
        [0, 1].map(|hinge| self.begins[hinge] + (cell[hinge] - self.origin[hinge]) as f32 * CELL)
    }
}
