//! Proves that there is no way.
//!
//! Guides guess: coarse cells, reference postures and samples of holds may miss a way that a body finds. A proof may rule out only what
//! no body can do. It follows a ball inside the trunk from cell to cell, wherever both of these may be true: the ball fits somewhere in
//! the cell, by exact distances, and a hold that some mode allows is no farther than the straightened links from the ball to an effector
//! of that mode. A cell whose corner touches both sides counts for both. Where these cells do not connect start and goal, no motion does
//! in which every mode holds on to something. Equilibrium, joint limits and collisions of the rest of the body only make it harder.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use clamber_model::character::RootJoint;
use clamber_model::id::{EffectorId, LinkId};
use clamber_model::math::Vec3;
use clamber_model::world::HoldType;
use clamber_model::{Character, Configuration, ModeTable, Problem};

use crate::ordered_f32::OrderedF32;
use crate::resumable_search::checkpoint;
use crate::trunk_ball::TrunkBall;

/// Tuning of the proof. Lengths are in body sizes, written as meters of the reference body.
mod tuning {
    use clamber_model::character::REFERENCE_BODY_SIZE;

    /// Side of a cell.
    pub const CELL: f32 = 0.08 / REFERENCE_BODY_SIZE;
    /// How often a cell is halved to find a part of it in which the ball fits.
    pub const HALVINGS: u32 = 2;
    /// Share of the ball's radius that has to fit: distances and contacts are not exact.
    pub const RADIUS_SHARE: f32 = 0.9;
    /// Most cells that are looked at; beyond, nothing is proved.
    pub const MAX_CELLS: usize = 400_000;
    /// Cells between two checkpoints.
    pub const CELLS_PER_CHECKPOINT: usize = 16;
}

/// The faces of a cell; those along z come last.
const FACES: [[i32; 3]; 6] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/// An effector that may carry, the holds that it may be on, and how far these are from the ball at most.
struct Carrier {
    types: Vec<HoldType>,
    reach: f32,
}

/// What no body can do.
struct Limits<'a> {
    problem: &'a Problem,
    carriers: Vec<Carrier>,
    /// Less distance than this the center of the ball never has from obstacles.
    clearance: f32,
    side: f32,
}

/// Whether no motion in the modes of a table leads from one configuration to another. False means that nothing is proved.
pub(crate) async fn is_no_way_proved(
    problem: &Problem,
    table: &ModeTable,
    ends: [&Configuration; 2],
    is_cancelled: impl Fn() -> bool + Send,
) -> bool {
    let character = &*problem.character;
    let Some(ball) = TrunkBall::new(character, table.trunk_link) else { return false };
    // A body that holds on to nothing may be anywhere.
    if table.edges.iter().any(|edge| table.modes[edge.to].supporting_groups.is_empty()) {
        return false;
    }
    let clearance = tuning::RADIUS_SHARE * ball.radius - problem.world.contact_tolerance;
    let side = tuning::CELL * character.body_size();
    let limits = Limits { problem, carriers: carriers(character, table, &ball), clearance, side };
    let [start, goal] = ends.map(|configuration| ball.center(character, configuration));
    let [start, goal] = [start, goal].map(|at| (at / side).floor().to_array().map(|at| at as i32));
    // A planar body stays in its layer of cells.
    let faces = if character.root_joint == RootJoint::Planar { &FACES[..4] } else { &FACES[..] };
    let distance = |cell: [i32; 3]| OrderedF32((limits.center(cell) - limits.center(goal)).length());
    let mut seen = BTreeSet::from([start]);
    let mut open = BinaryHeap::from([(Reverse(distance(start)), start)]);
    // The cells nearest to the goal first: where there is a way, it is found soon.
    while let Some((_, cell)) = open.pop() {
        if cell == goal || seen.len() > tuning::MAX_CELLS {
            return false;
        }
        if seen.len() % tuning::CELLS_PER_CHECKPOINT == 0 {
            checkpoint().await;
            if is_cancelled() {
                return false;
            }
        }
        for face in faces {
            let next: [i32; 3] = std::array::from_fn(|axis| cell[axis].saturating_add(face[axis]));
            if seen.insert(next) && (next == goal || limits.may_contain_ball(next)) {
                open.push((Reverse(distance(next)), next));
            }
        }
    }
    true
}

impl Limits<'_> {
    fn center(&self, [x, y, z]: [i32; 3]) -> Vec3 {
        Vec3::new(x as f32 + 0.5, y as f32 + 0.5, z as f32 + 0.5) * self.side
    }

    fn may_contain_ball(&self, cell: [i32; 3]) -> bool {
        let center = self.center(cell);
        self.is_hold_in_reach(center) && self.may_fit(center, 0.5 * self.side, tuning::HALVINGS)
    }

    /// Whether a hold is in reach from any point of a cell.
    fn is_hold_in_reach(&self, center: Vec3) -> bool {
        let to_corner = 0.5 * 3f32.sqrt() * self.side;
        let world = &self.problem.world;
        self.carriers.iter().any(|carrier| {
            world.has_hold_near(center, carrier.reach + to_corner, |hold| {
                carrier.types.contains(&world.holds[hold].hold_type) && self.problem.may_hold(hold)
            })
        })
    }

    /// Whether the ball may fit with its center anywhere in a cube, given by its center and half its side.
    fn may_fit(&self, center: Vec3, half: f32, halvings: u32) -> bool {
        let to_corner = 3f32.sqrt() * half;
        let world = &self.problem.world;
        if world.distance_field.lower_bound(center) >= self.clearance {
            return true;
        }
        if world.point_distance(center).distance < self.clearance - to_corner {
            return false;
        }
        let quarter = 0.5 * half;
        let part = |index: u32| {
            let along = |axis: u32| if index >> axis & 1 == 0 { -quarter } else { quarter };
            center + Vec3::new(along(0), along(1), along(2))
        };
        halvings == 0 || (0..8).any(|index| self.may_fit(part(index), quarter, halvings - 1))
    }
}

/// The effectors that carry in any mode; of those on the same holds, the one that reaches farthest.
fn carriers(character: &Character, table: &ModeTable, ball: &TrunkBall) -> Vec<Carrier> {
    let mut carriers: Vec<Carrier> = Vec::new();
    for group in table.modes.iter().flat_map(|mode| &mode.supporting_groups) {
        for &effector in &table.effector_groups[group.group].effectors {
            let reach = reach_from_ball(character, ball, effector);
            match carriers.iter_mut().find(|carrier| carrier.types == group.types) {
                Some(carrier) => carrier.reach = carrier.reach.max(reach),
                None => carriers.push(Carrier { types: group.types.clone(), reach }),
            }
        }
    }
    carriers
}

/// The length of the straightened links from the center of the ball to the far side of an effector.
fn reach_from_ball(character: &Character, ball: &TrunkBall, id: EffectorId) -> f32 {
    let effector = &character.effectors[id];
    let chain = |link: LinkId| -> Vec<LinkId> {
        std::iter::successors(Some(link), |link| character.links[*link].parent).collect()
    };
    let (down, up) = (chain(effector.link), chain(ball.link));
    let length_beside = |chain: &[LinkId], other: &[LinkId]| -> f32 {
        let own = chain.iter().filter(|link| !other.contains(link));
        own.map(|link| character.links[*link].parent_from_joint.translation.length()).sum()
    };
    let joints = length_beside(&down, &up) + length_beside(&up, &down);
    ball.center_in_link.length() + joints + effector.center.length() + effector.radius
}
