//! Finds the path of one free limb past obstacles while the body moves, by A* over its two angles and the body's keyframes.
//!
//! Once the path of the body is given, a limb of two hinges has three coordinates, few enough for a grid. The search finds
//! what a simple arc misses, up to the resolution of the grid.

mod tuning;
mod two_hinge_limb;
mod limb_state_grid;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use clamber_model::kinematics::link_pose;
use clamber_model::math::Pose;
use clamber_model::world::{DistanceField, World};
use clamber_model::{Character, Configuration};

pub(crate) use self::two_hinge_limb::TwoHingeLimb;

use crate::resumable_search::checkpoint;

use self::limb_state_grid::{AngleGrid, NEIGHBORS, turn_cost};
use self::tuning::{
    ANGLE_STEP, END_TURN, HEURISTIC_WEIGHT, KEYFRAME_COST, MAX_EXPANSIONS, MAX_EXPANSIONS_TO_CONTACT,
    STATES_PER_CHECKPOINT, STRAIGHTENING_ROUNDS, TIGHT_COST,
};
use self::two_hinge_limb::LimbMount;

/// A state of a limb's path: the index of the body's keyframe, and the two angles.
pub(crate) type LimbState = (usize, [f32; 2]);

/// Where a limb's path ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LimbGoal {
    /// At these angles.
    At([f32; 2]),
    /// As near to these angles as there is room.
    Near([f32; 2]),
}

impl LimbGoal {
    fn angles(self) -> [f32; 2] {
        let (Self::At(angles) | Self::Near(angles)) = self;
        angles
    }
}

/// How far a path stays away from obstacles, between its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Distance {
    /// So far that the field proves the path free.
    Clear,
    /// The limb may slide along what it touches at the ends.
    Touching,
}

/// Workspace of the search.
#[derive(Default)]
pub(crate) struct LimbSearch {
    /// Where the limb is mounted at each keyframe of the body and half-way between two.
    mounts: Vec<LimbMount>,
    /// For each state, its clearance (NaN: unknown), cost and parent.
    clearances: Vec<f32>,
    costs: Vec<f32>,
    parents: Vec<u32>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

/// One search: what stays the same while states are expanded.
struct Query<'a> {
    limb: &'a TwoHingeLimb,
    field: &'a DistanceField,
    grid: AngleGrid,
    begins: [f32; 2],
    goal: LimbGoal,
    /// The last keyframe.
    last: usize,
    /// Least clearance that the path keeps near its ends, in meters; negative, since a limb that touches is free and the field is
    /// approximate.
    min_clearance_at_ends: f32,
    /// Least clearance that it keeps elsewhere.
    min_clearance_between: f32,
}

impl Query<'_> {
    /// The least clearance that the path keeps at these angles.
    fn min_clearance(&self, angles: [f32; 2]) -> f32 {
        let is_near = |end: [f32; 2]| (0..2).all(|hinge| (end[hinge] - angles[hinge]).abs() <= END_TURN);
        if is_near(self.begins) || is_near(self.goal.angles()) {
            self.min_clearance_at_ends
        } else {
            self.min_clearance_between
        }
    }

    /// Weighted estimate of the cost to the goal.
    fn cost_to_go(&self, keyframe: usize, angles: [f32; 2]) -> f32 {
        let wanted = self.goal.angles();
        let turns = [wanted[0] - angles[0], wanted[1] - angles[1]];
        HEURISTIC_WEIGHT * (turn_cost(turns) + KEYFRAME_COST * (self.last - keyframe) as f32)
    }
}

impl LimbSearch {
    /// Sets where the limb is at each keyframe of the body.
    pub fn set_keyframes(&mut self, character: &Character, limb: &TwoHingeLimb, keyframes: &[Configuration]) {
        self.mounts.clear();
        for keyframe in keyframes {
            let mount = limb.mount(link_pose(character, keyframe, limb.parent), keyframe);
            if let Some(last) = self.mounts.last() {
                let place = 0.5 * (last.joint.translation + mount.joint.translation);
                let rotation = last.joint.rotation.lerp(mount.joint.rotation, 0.5);
                let tip_angle = 0.5 * (last.tip_angle + mount.tip_angle);
                self.mounts.push(LimbMount { joint: Pose::from_parts(place, rotation), tip_angle });
            }
            self.mounts.push(mount);
        }
    }

    /// Reverses the keyframes.
    pub fn reverse(&mut self) {
        self.mounts.reverse();
    }

    /// Whether a path of the limb is free, as far as the distance field shows.
    pub fn is_free(&self, limb: &TwoHingeLimb, field: &DistanceField, path: &[LimbState]) -> bool {
        let min_clearance = -limb.lengths.field_error;
        let middle = path.get(1..path.len().max(2) - 1).unwrap_or_default();
        let has_clearance = |&(keyframe, angles): &LimbState| {
            limb.clearance(field, &self.mounts[2 * keyframe], angles) >= min_clearance
        };
        middle.iter().all(has_clearance)
            && path.windows(2).all(|pair| self.is_between_free(limb, field, pair[0], pair[1], min_clearance))
    }

    /// Whether the limb keeps a clearance between two states, without the states themselves.
    fn is_between_free(
        &self,
        limb: &TwoHingeLimb,
        field: &DistanceField,
        from: LimbState,
        to: LimbState,
        min_clearance: f32,
    ) -> bool {
        let turn = turn_cost([to.1[0] - from.1[0], to.1[1] - from.1[1]]);
        let count = (1.4 * turn / ANGLE_STEP).ceil().max(2.0);
        (1..count as usize).all(|index| {
            let t = index as f32 / count;
            let angles = [0, 1].map(|hinge| from.1[hinge] + (to.1[hinge] - from.1[hinge]) * t);
            // The nearest of the keyframes and half-way poses.
            let at = (2.0 * (from.0 as f32 + (to.0 as f32 - from.0 as f32) * t)).round() as usize;
            limb.clearance(field, &self.mounts[at], angles) >= min_clearance
        })
    }

    /// Finds a path of the limb from these angles at the first keyframe to the goal at the last. Also returns the number of
    /// expanded states. The body may wait: several states of the path may share a keyframe.
    pub async fn find(
        &mut self,
        limb: &TwoHingeLimb,
        world: &World,
        begins: [f32; 2],
        goal: LimbGoal,
    ) -> (Option<Vec<LimbState>>, usize) {
        let mut expansions = 0;
        for distance in [Distance::Clear, Distance::Touching] {
            let query = self.begin(limb, &world.distance_field, (begins, goal), distance);
            // A path to a contact decides whether the body gets on. Other limbs find another place.
            let most = match (goal, distance) {
                (LimbGoal::At(_), Distance::Clear) => MAX_EXPANSIONS_TO_CONTACT,
                _ => MAX_EXPANSIONS,
            };
            let (path, expanded) = self.search(&query, most).await;
            expansions += expanded;
            if path.is_some() {
                return (path, expansions);
            }
        }
        (None, expansions)
    }

    async fn search(&mut self, query: &Query<'_>, max_expansions: usize) -> (Option<Vec<LimbState>>, usize) {
        let mut expansions = 0;
        while let Some(Reverse((priority, state))) = self.open.pop() {
            let state = state as usize;
            let (keyframe, cell) = query.grid.cell(state);
            let angles = query.grid.angles(cell);
            if f32::from_bits(priority) > self.costs[state] + query.cost_to_go(keyframe, angles) + 1e-4 {
                continue;
            }
            expansions += 1;
            if expansions % STATES_PER_CHECKPOINT == 0 {
                checkpoint().await;
            }
            if expansions > max_expansions {
                break;
            }
            if keyframe == query.last && self.reaches_goal(query, angles) {
                let mut path = self.trace(&query.grid, state);
                if let LimbGoal::At(wanted) = query.goal {
                    path.push((query.last, wanted));
                }
                self.straighten(query.limb, query.field, &mut path);
                return (Some(path), expansions);
            }
            self.expand(query, state);
        }
        (None, expansions)
    }

    /// Prepares the workspace and opens the first state.
    fn begin<'a>(
        &mut self,
        limb: &'a TwoHingeLimb,
        field: &'a DistanceField,
        (begins, goal): ([f32; 2], LimbGoal),
        distance: Distance,
    ) -> Query<'a> {
        let last = self.mounts.len() / 2;
        let grid = AngleGrid::new(limb, begins);
        let count = (last + 1) * grid.size[0] * grid.size[1];
        for (values, unknown) in [(&mut self.clearances, f32::NAN), (&mut self.costs, f32::INFINITY)] {
            values.clear();
            values.resize(count, unknown);
        }
        self.parents.clear();
        self.parents.resize(count, u32::MAX);
        self.open.clear();
        let at_goal = match goal {
            LimbGoal::At(wanted) => limb.clearance(field, &self.mounts[2 * last], wanted),
            LimbGoal::Near(_) => 0.0,
        };
        let field_error = limb.lengths.field_error;
        let at_ends = limb.clearance(field, &self.mounts[0], begins).min(at_goal);
        let min_clearance_at_ends = at_ends.clamp(-4.0 * field_error, 0.0) - field_error;
        let min_clearance_between = match distance {
            Distance::Clear => field_error,
            Distance::Touching => min_clearance_at_ends,
        };
        let query = Query { limb, field, grid, begins, goal, last, min_clearance_at_ends, min_clearance_between };
        let start = query.grid.state(0, query.grid.origin);
        self.costs[start] = 0.0;
        self.clearances[start] = 0.0;
        self.open.push(Reverse((query.cost_to_go(0, begins).to_bits(), start as u32)));
        query
    }

    /// Whether a state at the last keyframe ends the search.
    fn reaches_goal(&self, query: &Query, angles: [f32; 2]) -> bool {
        let LimbGoal::At(wanted) = query.goal else { return true };
        let is_adjacent = (0..2).all(|hinge| (wanted[hinge] - angles[hinge]).abs() <= 1.01 * ANGLE_STEP);
        let [here, there] = [(query.last, angles), (query.last, wanted)];
        is_adjacent && self.is_between_free(query.limb, query.field, here, there, query.min_clearance_at_ends)
    }

    /// Opens the successors of a state: at the next keyframe, and at the same one while the body waits.
    fn expand(&mut self, query: &Query, state: usize) {
        let Query { limb, field, grid, .. } = query;
        let (keyframe, cell) = grid.cell(state);
        let angles = grid.angles(cell);
        let min_clearance_here = query.min_clearance(angles);
        for waits in [false, true] {
            if !waits && keyframe == query.last {
                continue;
            }
            let next_keyframe = if waits { keyframe } else { keyframe + 1 };
            for step in NEIGHBORS {
                let next = [cell[0] + step.0, cell[1] + step.1];
                if (waits && step == (0, 0)) || !grid.contains(next) {
                    continue;
                }
                let (next_state, next_angles) = (grid.state(next_keyframe, next), grid.angles(next));
                if self.clearances[next_state].is_nan() {
                    self.clearances[next_state] = limb.clearance(field, &self.mounts[2 * next_keyframe], next_angles);
                }
                let clearance = self.clearances[next_state];
                let min_clearance = query.min_clearance(next_angles);
                if clearance < min_clearance {
                    continue;
                }
                let turns = [step.0 as f32 * ANGLE_STEP, step.1 as f32 * ANGLE_STEP];
                let move_cost = turn_cost(turns) + if waits { KEYFRAME_COST } else { 0.0 };
                let tightness = (1.0 - clearance.max(0.0) / limb.lengths.comfortable_clearance).max(0.0);
                let cost = self.costs[state] + KEYFRAME_COST + move_cost + tightness * TIGHT_COST;
                if cost >= self.costs[next_state] {
                    continue;
                }
                let is_tight = clearance.min(self.clearances[state]) < limb.lengths.safe_clearance;
                let [here, there] = [(keyframe, angles), (next_keyframe, next_angles)];
                if is_tight && !self.is_between_free(limb, field, here, there, min_clearance.min(min_clearance_here)) {
                    continue;
                }
                self.costs[next_state] = cost;
                self.parents[next_state] = state as u32;
                let priority = cost + query.cost_to_go(next_keyframe, next_angles);
                self.open.push(Reverse((priority.to_bits(), next_state as u32)));
            }
        }
    }

    /// The path from the first state to this one.
    fn trace(&self, grid: &AngleGrid, state: usize) -> Vec<LimbState> {
        let parent = |&state: &usize| self.parents.get(state).map(|&parent| parent as usize);
        let states = std::iter::successors(Some(state), parent).take_while(|&state| state != u32::MAX as usize);
        let mut path: Vec<LimbState> = states
            .map(|state| {
                let (keyframe, cell) = grid.cell(state);
                (keyframe, grid.angles(cell))
            })
            .collect();
        path.reverse();
        path
    }

    /// Removes the corners of a path where that keeps its clearance.
    fn straighten(&self, limb: &TwoHingeLimb, field: &DistanceField, path: &mut Vec<LimbState>) {
        for round in 0..STRAIGHTENING_ROUNDS {
            let mut index = 1;
            while index + 1 < path.len() {
                let [before, here, after] = [path[index - 1], path[index], path[index + 1]];
                let mount = &self.mounts[2 * here.0];
                let clearance = limb.clearance(field, mount, here.1).min(0.5 * limb.lengths.comfortable_clearance);
                let is_waiting = here.0 == before.0 || here.0 == after.0;
                if round == 0 && is_waiting && self.is_between_free(limb, field, before, after, clearance) {
                    path.remove(index);
                    continue;
                }
                let middle = (here.0, [0, 1].map(|hinge| 0.5 * (before.1[hinge] + after.1[hinge])));
                if limb.clearance(field, mount, middle.1) >= clearance
                    && self.is_between_free(limb, field, before, middle, clearance)
                    && self.is_between_free(limb, field, middle, after, clearance)
                {
                    path[index] = middle;
                }
                index += 1;
            }
        }
    }
}
