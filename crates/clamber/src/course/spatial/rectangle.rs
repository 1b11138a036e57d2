//! Rectangles on the ground, turned by a heading: the footprints of obstacles.

use clamber_model::math::double::sin_cos;

/// A point on the ground: x and z, in meters.
pub(super) type GroundPoint = [f64; 2];

/// A rectangle on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rectangle {
    pub center: GroundPoint,
    /// Degrees, from +x counter-clockwise seen from above: from +x toward -z.
    pub heading: f64,
    /// Along the heading.
    pub length: f64,
    /// Across it.
    pub width: f64,
}

/// The directions forward and right of a heading in degrees.
pub(super) fn directions(heading: f64) -> [GroundPoint; 2] {
    let (sin, cos) = sin_cos(heading.to_radians());
    [[cos, -sin], [sin, cos]]
}

impl Rectangle {
    pub fn corners(&self) -> [GroundPoint; 4] {
        let [forward, right] = directions(self.heading);
        [(0.5, 0.5), (0.5, -0.5), (-0.5, -0.5), (-0.5, 0.5)].map(|(along, across)| {
            let (along, across) = (along * self.length, across * self.width);
            [0, 1].map(|axis| self.center[axis] + along * forward[axis] + across * right[axis])
        })
    }

    /// Whether the other rectangle comes nearer than `margin`. A negative margin allows an overlap of that depth. Near corners, it
    /// may say so somewhat farther away.
    pub fn is_within(&self, margin: f64, other: &Self) -> bool {
        let axes = [directions(self.heading), directions(other.heading)].concat();
        axes.iter().all(|axis| {
            let center = dot([other.center[0] - self.center[0], other.center[1] - self.center[1]], *axis);
            center.abs() < self.half_extent(*axis) + other.half_extent(*axis) + margin
        })
    }

    pub fn distance_to(&self, point: GroundPoint) -> f64 {
        let [forward, right] = directions(self.heading);
        let from_center = [point[0] - self.center[0], point[1] - self.center[1]];
        let along = (dot(from_center, forward).abs() - 0.5 * self.length).max(0.0);
        let across = (dot(from_center, right).abs() - 0.5 * self.width).max(0.0);
        (along * along + across * across).sqrt()
    }

    /// Half the extent in a direction.
    fn half_extent(&self, axis: GroundPoint) -> f64 {
        let [forward, right] = directions(self.heading);
        0.5 * (self.length * dot(forward, axis).abs() + self.width * dot(right, axis).abs())
    }
}

fn dot(a: GroundPoint, b: GroundPoint) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The smallest and the largest coordinates of points.
pub(super) fn extent(points: impl IntoIterator<Item = GroundPoint>) -> [GroundPoint; 2] {
    let empty = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    points.into_iter().fold(empty, |[low, high], point| {
        [[0, 1].map(|axis| low[axis].min(point[axis])), [0, 1].map(|axis| high[axis].max(point[axis]))]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rectangle(center: GroundPoint, heading: f64) -> Rectangle {
        Rectangle { center, heading, length: 4.0, width: 2.0 }
    }

    #[test]
    fn a_heading_turns_counter_clockwise_seen_from_above() {
        let [forward, right] = directions(90.0);
        assert!((forward[1] + 1.0).abs() < 1e-12 && (right[0] - 1.0).abs() < 1e-12, "{forward:?} {right:?}");
    }

    #[test]
    fn rectangles_are_as_near_as_their_sides() {
        let first = rectangle([0.0, 0.0], 0.0);
        assert!(
            first.is_within(0.0, &rectangle([3.9, 0.0], 0.0)) && !first.is_within(-0.2, &rectangle([3.9, 0.0], 0.0))
        );
        assert!(
            !first.is_within(0.9, &rectangle([4.0, 0.0], 90.0)) && first.is_within(1.1, &rectangle([4.0, 0.0], 90.0))
        );
        // Its corner points to the first one.
        assert!(
            !first.is_within(0.0, &rectangle([4.2, 0.0], 45.0)) && first.is_within(0.0, &rectangle([4.1, 0.0], 45.0))
        );
    }

    #[test]
    fn points_are_as_far_as_the_nearest_side_or_corner() {
        let turned = rectangle([1.0, 1.0], 90.0);
        assert!((turned.distance_to([5.0, 1.0]) - 3.0).abs() < 1e-12);
        assert!((turned.distance_to([5.0, 7.0]) - 5.0).abs() < 1e-12);
        assert_eq!(turned.distance_to([1.5, 2.5]), 0.0);
    }
}
