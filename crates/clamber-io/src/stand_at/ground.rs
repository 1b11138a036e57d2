//! The ground at a place: holds below points.

use clamber_model::id::HoldId;
use clamber_model::math::Vec3;
use clamber_model::world::{HoldShape, HoldType, UP};
use clamber_model::{Character, World};

use super::tuning;

/// Where the ground is, and its outer normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub point: Vec3,
    pub normal: Vec3,
}

/// Returns the ground at a place; `None` if it is out of reach.
pub(super) fn ground_at(world: &World, character: &Character, at: Vec3, types: &[HoldType]) -> Option<Ground> {
    let (hold, point) = hold_below(world, character, (at, UP), types, &[])?;
    Some(Ground { point, normal: world.holds[hold].normal })
}

/// Returns the hold of these types that is best below or above a point, and the point on it. What is straight below counts as nearer
/// than what is at a side. A point of a hold that an obstacle covers does not count.
pub(super) fn hold_below(
    world: &World,
    character: &Character,
    (point, up): (Vec3, Vec3),
    types: &[HoldType],
    taken: &[HoldId],
) -> Option<(HoldId, Vec3)> {
    let mut near: Vec<HoldId> = Vec::new();
    world.holds_near(point, tuning::REACH * character.body_size(), &mut near);
    near.retain(|hold| types.contains(&world.holds[*hold].hold_type) && !taken.contains(hold));
    let mut places: Vec<(f32, HoldId, Vec3)> = Vec::with_capacity(near.len());
    for hold in near {
        let at = straight_below(world, hold, point, up);
        let offset = at - point;
        let sideways = (offset - up * offset.dot(up)).length();
        places.push((offset.length() + sideways, hold, at));
    }
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let is_open = |(_, hold, at): &(f32, HoldId, Vec3)| !world.is_buried(*at, world.holds[*hold].normal);
    places.into_iter().find(is_open).map(|(_, hold, at)| (hold, at))
}

/// Returns the point of a hold that is straight below or above a point, or as near to that as the hold extends.
fn straight_below(world: &World, hold: HoldId, point: Vec3, up: Vec3) -> Vec3 {
    let hold = &world.holds[hold];
    let nearest = hold.nearest_point(point);
    match hold.shape {
        HoldShape::Triangle([corner, ..]) if hold.normal.dot(up) > 0.1 => {
            let height = hold.normal.dot(point - corner) / hold.normal.dot(up);
            hold.nearest_point(point - up * height)
        }
        _ => nearest,
    }
}
