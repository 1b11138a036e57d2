//! The path of the end of a limb around obstacles, as of a foot that leaves the gap between two rungs: a search over cells.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use clamber_model::character::Capsule;
use clamber_model::id::{EffectorId, LinkId};
use clamber_model::kinematics::{LinkFrames, capsule_in_world, effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::world::MeshInterior;
use clamber_model::{Character, Configuration, World};

use super::tuning;
use crate::ordered_f32::OrderedF32;

type Cell = [i32; 3];

/// The end of a limb, such as a foot, around an effector.
pub(super) struct LimbTip {
    /// Its capsules relative to the effector, where a swing begins and where it ends.
    capsules: Vec<[Capsule; 2]>,
    /// Where the effector is there.
    ends: [Vec3; 2],
    body_size: f32,
}

/// How a cell was reached.
struct Reached {
    cost: f32,
    from: Cell,
    is_closed: bool,
}

impl LimbTip {
    pub fn new(
        character: &Character,
        effector: EffectorId,
        postures: [&Configuration; 2],
        frames: &mut LinkFrames,
    ) -> Self {
        let mut ends = [Vec3::ZERO; 2];
        let mut capsules = Vec::new();
        for (index, posture) in postures.into_iter().enumerate() {
            forward(character, posture, frames);
            ends[index] = effector_position(character, frames, effector);
            let links = character.links.keys().filter(|&link| is_of_tip(character, effector, link));
            for (number, capsule) in links.flat_map(|link| character.links[link].capsules.clone()).enumerate() {
                let Capsule { a, b, radius } = capsule_in_world(character, frames, capsule);
                let relative = Capsule { a: a - ends[index], b: b - ends[index], radius };
                match index {
                    0 => capsules.push([relative; 2]),
                    _ => capsules[number][1] = relative,
                }
            }
        }
        Self { capsules, ends, body_size: character.body_size() }
    }

    /// The path of the effector from end to end, and the number of cells that were looked at.
    pub fn path(&self, world: &World) -> (Option<Vec<Vec3>>, usize) {
        let mut reached: BTreeMap<Cell, Reached> = BTreeMap::new();
        let mut open = BinaryHeap::new();
        reached.insert([0; 3], Reached { cost: 0.0, from: [0; 3], is_closed: false });
        open.push((Reverse(OrderedF32(self.estimate([0; 3]))), [0; 3]));
        let side = self.side();
        while let Some((_, cell)) = open.pop() {
            let Some(Reached { cost, is_closed, .. }) = reached.get_mut(&cell) else { continue };
            if std::mem::replace(is_closed, true) {
                continue;
            }
            let cost = *cost;
            if (self.center(cell) - self.ends[1]).length() < side {
                return (Some(self.trace(&reached, cell)), reached.len());
            }
            if reached.len() > tuning::MAX_TIP_CELLS {
                break;
            }
            for next in neighbors(cell) {
                let cost = cost + (self.center(next) - self.center(cell)).length();
                let is_known = reached.get(&next).is_some_and(|known| known.cost <= cost);
                if is_known || !self.is_free(world, self.center(next)) {
                    continue;
                }
                reached.insert(next, Reached { cost, from: cell, is_closed: false });
                open.push((Reverse(OrderedF32(cost + self.estimate(next))), next));
            }
        }
        (None, reached.len())
    }

    fn side(&self) -> f32 {
        tuning::TIP_CELL * self.body_size
    }

    fn center(&self, cell: Cell) -> Vec3 {
        self.ends[0] + Vec3::from_array(cell.map(|at| at as f32)) * self.side()
    }

    fn estimate(&self, cell: Cell) -> f32 {
        tuning::TIP_ESTIMATE_WEIGHT * (self.ends[1] - self.center(cell)).length()
    }

    /// Whether the tip is free with its effector at a point, turned as far as the point is on its way. Near the ends, where it is on holds, it
    /// may be closer to obstacles.
    fn is_free(&self, world: &World, at: Vec3) -> bool {
        let [before, after] = self.ends.map(|end| (at - end).length());
        let share = before / (before + after).max(f32::MIN_POSITIVE);
        let clearance = (tuning::CURVE_CLEARANCE * self.body_size).min(tuning::TIP_LEAVING * before.min(after));
        self.capsules.iter().all(|[begins, ends]| {
            let [a, b] = [begins.a.lerp(ends.a, share), begins.b.lerp(ends.b, share)].map(|point| at + point);
            let capsule = Capsule { a, b, radius: begins.radius };
            world.capsule_distance(&capsule, clearance, MeshInterior::Solid).distance >= clearance
        })
    }

    fn trace(&self, reached: &BTreeMap<Cell, Reached>, last: Cell) -> Vec<Vec3> {
        let parent = |cell: &Cell| reached.get(cell).map(|known| known.from).filter(|from| from != cell);
        let mut points = vec![self.ends[1]];
        points.extend(std::iter::successors(Some(last), parent).map(|cell| self.center(cell)));
        points.reverse();
        points
    }
}

/// Whether a link is of the end of a limb: that of an effector, what is beyond it, and a short one before it, as a foot behind its toes.
fn is_of_tip(character: &Character, effector: EffectorId, link: LinkId) -> bool {
    let own = character.effectors[effector].link;
    let is_short =
        character.links[own].parent_from_joint.translation.length() < tuning::SHORT_LINK * character.body_size();
    let is_before = character.links[own].parent == Some(link) && is_short;
    link == own || character.links[link].parent == Some(own) || is_before
}

fn neighbors([x, y, z]: Cell) -> impl Iterator<Item = Cell> {
    let offsets = (0..27).map(|number| [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1]);
    offsets.filter(|offset| *offset != [0; 3]).map(move |[dx, dy, dz]| [x + dx, y + dy, z + dz])
}
