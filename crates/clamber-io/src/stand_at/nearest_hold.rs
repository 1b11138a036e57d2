//! The hold nearest to a place, for errors.

use clamber_model::World;
use clamber_model::math::Vec3;
use clamber_model::world::HoldType;

/// The hold nearest to a place.
#[derive(Clone, Debug, PartialEq)]
pub struct NearestHold {
    /// The name of the hold.
    pub hold: String,
    /// Its point nearest to the place.
    pub point: Vec3,
    /// How far away that is, in meters.
    pub distance: f32,
}

impl NearestHold {
    /// The hold of these types that is nearest to a place; the first of equals.
    pub(super) fn to(world: &World, place: Vec3, types: &[HoldType]) -> Option<Self> {
        let holds = world.holds.iter().filter(|hold| types.contains(&hold.hold_type));
        let points = holds.map(|hold| (hold, hold.nearest_point(place)));
        let distances = points.map(|(hold, point)| ((point - place).length(), hold, point));
        let (distance, hold, point) = distances.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(Self { hold: hold.name.clone(), point, distance })
    }
}
