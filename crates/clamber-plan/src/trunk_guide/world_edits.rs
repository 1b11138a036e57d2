//! Where two problems differ as far as the guide can tell.

use std::collections::BTreeMap;
use std::iter::zip;

use clamber_model::Problem;
use clamber_model::id::HoldId;
use clamber_model::math::Vec3;
use clamber_model::world::{Hold, HoldShape, HoldType, Obstacle};

/// The least and the greatest corner of a box.
pub(super) type Bounds = [Vec3; 2];

/// The boxes in which obstacles or allowed holds differ; `None` if the worlds cannot be compared.
pub(super) fn changed_bounds(before: &Problem, after: &Problem) -> Option<Vec<Bounds>> {
    let [old, new] = [&*before.world, &*after.world];
    if [old.min, old.max] != [new.min, new.max] || !old.distance_field.has_same_cells(&new.distance_field) {
        return None;
    }
    let mut changed = changed_obstacles(old.obstacles.iter(), new.obstacles.iter());
    changed_holds(before, after, &mut changed);
    Some(changed)
}

/// The bounds of the obstacles that were added, removed, or moved: where they were, and where they are.
fn changed_obstacles<'w>(
    before: impl Iterator<Item = &'w Obstacle>,
    after: impl Iterator<Item = &'w Obstacle>,
) -> Vec<Bounds> {
    let mut known: BTreeMap<&str, &Obstacle> = before.map(|obstacle| (obstacle.name.as_str(), obstacle)).collect();
    let mut changed = Vec::new();
    for obstacle in after {
        match known.remove(obstacle.name.as_str()) {
            Some(former) if former.geometry() == obstacle.geometry() => {}
            former => changed.extend(former.into_iter().chain([obstacle])),
        }
    }
    changed.extend(known.into_values());
    changed.iter().flat_map(|obstacle| obstacle.bounding_boxes()).map(|(min, max)| [min, max]).collect()
}

/// What the guide sees of a hold, as something that can be sorted. Names change when holds are numbered anew.
type HoldKey = ([u32; 9], HoldType);

/// Adds the bounds of the holds that are not allowed in both problems. Most edits change holds that follow each other, so what is the
/// same at the beginning and at the end is left out first: a world may have millions.
fn changed_holds(before: &Problem, after: &Problem, changed: &mut Vec<Bounds>) {
    let [old, new] = [&before.world.holds.raw, &after.world.holds.raw];
    let is_same = |(one, other): &(usize, usize)| {
        let (a, b) = (&old[*one], &new[*other]);
        let is_allowed = |problem: &Problem, index: usize| problem.may_hold(HoldId::from(index));
        a.shape == b.shape && a.hold_type == b.hold_type && is_allowed(before, *one) == is_allowed(after, *other)
    };
    let same_first = zip(0..old.len(), 0..new.len()).take_while(is_same).count();
    let rest = [old, new].map(|holds| (same_first..holds.len()).rev());
    let same_last = zip(rest[0].clone(), rest[1].clone()).take_while(is_same).count();
    let mut counts: BTreeMap<HoldKey, (i64, Bounds)> = BTreeMap::new();
    for (problem, sign) in [(before, -1), (after, 1)] {
        let holds = &problem.world.holds.raw;
        for (index, hold) in holds.iter().enumerate().take(holds.len() - same_last).skip(same_first) {
            if problem.may_hold(HoldId::from(index)) {
                counts.entry(key(hold)).or_insert((0, hold.bounds())).0 += sign;
            }
        }
    }
    changed.extend(counts.into_values().filter(|(count, _)| *count != 0).map(|(_, bounds)| bounds));
}

fn key(hold: &Hold) -> HoldKey {
    let corners = match hold.shape {
        HoldShape::Point(at) => [at; 3],
        HoldShape::Segment([a, b]) => [a, b, b],
        HoldShape::Triangle(corners) => corners,
    };
    (std::array::from_fn(|index| corners[index / 3][index % 3].to_bits()), hold.hold_type)
}
