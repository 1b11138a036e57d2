//! Random changes to a scene, so that a benchmark measures more than one drawing of it.
//!
//! Sizes change by up to 3 percent: each axis is divided at the corners of the obstacles, and every interval gets its own factor,
//! so that touching obstacles still touch. Intervals around a passage keep their size, since its postures fit their surroundings.
//! Then the start and the goal move by up to 5 cm, and point holds by up to 5 cm along their surface.

use clamber_model::World;
use clamber_model::math::Vec3;
use clamber_model::rng::Stream;
use clamber_model::world::{Hold, HoldShape};

/// Largest change of a size, as a fraction.
const MAX_SIZE_CHANGE: f32 = 0.03;

/// Largest displacement of the start, the goal and the holds along each axis, in meters.
const MAX_DISPLACEMENT: f32 = 0.05;

/// A hold that would leave its face moves half as far, up to this many times.
const MAX_HALVINGS: usize = 6;

/// A point within this distance, in meters, and with this cosine between the normals is on the same face.
const SAME_FACE_DISTANCE: f32 = 1e-3;
const SAME_FACE_COSINE: f32 = 0.999;

/// A continuous, increasing map of each axis.
pub(super) struct SizeJitter {
    axes: [AxisMap; 3],
}

/// Maps each of the breakpoints to a value, and scales evenly between them.
struct AxisMap {
    breakpoints: Vec<f32>,
    values: Vec<f32>,
}

impl SizeJitter {
    /// A map with breakpoints at the given corners. `rigid` are boxes in which distances stay the same.
    pub fn new(seed: u64, corners: &[Vec3], rigid: &[(Vec3, Vec3)]) -> Self {
        let mut random = Stream::new(seed, "jitter of sizes");
        let axes = std::array::from_fn(|axis| {
            let mut breakpoints: Vec<f32> = corners.iter().map(|corner| corner[axis]).collect();
            breakpoints.sort_by(f32::total_cmp);
            breakpoints.dedup();
            let is_rigid = |low: f32, high: f32| rigid.iter().any(|(min, max)| low < max[axis] && high > min[axis]);
            let mut values: Vec<f32> = breakpoints.first().copied().into_iter().collect();
            for (index, pair) in breakpoints.windows(2).enumerate() {
                let factor = 1.0 + random.between(-MAX_SIZE_CHANGE, MAX_SIZE_CHANGE);
                let factor = if is_rigid(pair[0], pair[1]) { 1.0 } else { factor };
                values.push(values[index] + factor * (pair[1] - pair[0]));
            }
            AxisMap { breakpoints, values }
        });
        Self { axes }
    }

    pub fn apply(&self, point: &mut Vec3) {
        for (axis, map) in self.axes.iter().enumerate() {
            point[axis] = map.value(point[axis]);
        }
    }
}

impl AxisMap {
    fn value(&self, at: f32) -> f32 {
        let (Some(first), Some(last)) = (self.breakpoints.first(), self.breakpoints.last()) else { return at };
        let after = self.breakpoints.partition_point(|breakpoint| *breakpoint <= at);
        if after == 0 {
            return at + (self.values[0] - first);
        }
        if after == self.breakpoints.len() {
            return at + (self.values[after - 1] - last);
        }
        let [low, high] = [self.breakpoints[after - 1], self.breakpoints[after]];
        let t = (at - low) / (high - low);
        self.values[after - 1] + t * (self.values[after] - self.values[after - 1])
    }
}

/// A displacement of the start or the goal, for each of them another. On the ground it is horizontal, and in a planar world it
/// stays in the plane.
pub(super) fn posture_displacement(seed: u64, which: &str, is_on_contacts: bool, is_planar: bool) -> Vec3 {
    let mut random = Stream::new(seed, which);
    let [x, y, z] = std::array::from_fn(|_| random.between(-MAX_DISPLACEMENT, MAX_DISPLACEMENT));
    Vec3::new(x, if is_on_contacts { 0.0 } else { y }, if is_planar { 0.0 } else { z })
}

/// Moves point holds along their faces.
pub(super) fn displace_holds(seed: u64, world: &World, is_planar: bool, holds: &mut [Hold]) {
    let mut random = Stream::new(seed, "jitter of holds");
    for hold in holds {
        let [x, y, z] = std::array::from_fn(|_| random.between(-MAX_DISPLACEMENT, MAX_DISPLACEMENT));
        let HoldShape::Point(point) = &mut hold.shape else { continue };
        let drawn = Vec3::new(x, y, if is_planar { 0.0 } else { z });
        let mut along = drawn - hold.normal * drawn.dot(hold.normal);
        for _ in 0..MAX_HALVINGS {
            let moved = *point + along;
            let face = world.nearest_surface_point(moved, SAME_FACE_DISTANCE);
            if face.is_some_and(|face| face.normal.dot(hold.normal) > SAME_FACE_COSINE)
                && !world.is_buried(moved, hold.normal)
            {
                *point = moved;
                break;
            }
            along *= 0.5;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_change_by_at_most_3_percent_and_touching_corners_still_touch() {
        let corners = [[0.0, 0.0], [2.0, 1.0], [2.0, 3.0], [7.0, 3.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        for seed in 0..100 {
            let jitter = SizeJitter::new(seed, &corners, &[]);
            let moved = corners.map(|mut corner| {
                jitter.apply(&mut corner);
                corner
            });
            assert_eq!(moved[1].x, moved[2].x);
            for (before, after) in [(2.0, moved[1].x - moved[0].x), (5.0, moved[3].x - moved[2].x)] {
                assert!((after / before - 1.0).abs() <= 0.0301, "{before} became {after}");
            }
            let mut between = Vec3::new(4.5, 9.0, 0.0);
            jitter.apply(&mut between);
            assert!(moved[2].x < between.x && between.x < moved[3].x);
            assert!((between.y - moved[3].y - 6.0).abs() < 1e-5, "beyond the last corner, distances stay");
        }
    }

    #[test]
    fn intervals_around_a_passage_keep_their_size() {
        let corners = [0.0, 2.0, 4.0, 6.0].map(|x| Vec3::new(x, x, 0.0));
        let rigid = [(Vec3::splat(2.5), Vec3::splat(3.0))];
        let jitter = SizeJitter::new(1, &corners, &rigid);
        let [mut low, mut high] = [corners[1], corners[2]];
        jitter.apply(&mut low);
        jitter.apply(&mut high);
        assert!(((high - low) - (corners[2] - corners[1])).length() < 1e-5);
        assert!(low.x != 2.0);
    }
}
