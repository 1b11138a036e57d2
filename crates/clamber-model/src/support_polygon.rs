//! Horizontal distance of a point from the support polygon, the convex hull of the contacts seen from above.

use crate::math::Vec3;
use crate::world::UP;

/// Returns the horizontal distance from a point to the convex hull of points: 0 inside, infinite without points.
pub fn horizontal_distance_to_hull(point: Vec3, points: &[Vec3]) -> f32 {
    horizontal_displacement_to_hull(point, points).length()
}

/// Returns the horizontal displacement from a point to the nearest point of the convex hull of points: zero inside, infinite
/// without points.
///
/// The hull may be a polygon, a segment or a point. It is not built: the nearest point of a hull that does not contain the point
/// lies on a segment between two of its points, and contacts are few.
pub fn horizontal_displacement_to_hull(point: Vec3, points: &[Vec3]) -> Vec3 {
    let horizontal = |other: &Vec3| {
        let displacement = *other - point;
        displacement - UP * UP.dot(displacement)
    };
    let mut nearest = Vec3::INFINITY;
    let mut least = f32::INFINITY;
    for (index, from) in points.iter().enumerate() {
        let a = horizontal(from);
        for to in &points[index..] {
            let side = horizontal(to) - a;
            let length_squared = side.length_squared();
            let share = if length_squared > 0.0 { (-a.dot(side) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
            let candidate = a + side * share;
            if candidate.length_squared() < least {
                (nearest, least) = (candidate, candidate.length_squared());
            }
        }
    }
    // From outside, the whole hull is at least as far in the direction of its nearest point; from inside, a part of it is on the
    // other side. A threshold halfway between is robust to rounding.
    let is_inside = points.iter().any(|other| horizontal(other).dot(nearest) < 0.5 * least);
    if is_inside { Vec3::ZERO } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(x: f32, z: f32, points: &[[f32; 2]]) -> f32 {
        // Different heights must not matter.
        let points: Vec<Vec3> = points.iter().enumerate().map(|(i, [x, z])| Vec3::new(*x, i as f32, *z)).collect();
        horizontal_distance_to_hull(Vec3::new(x, 7.0, z), &points)
    }

    fn near(a: f32, b: f32) {
        assert!((a - b).abs() < 1e-5, "{a} is not {b}");
    }

    #[test]
    fn the_distance_to_no_points_is_infinite() {
        assert_eq!(distance(0.0, 0.0, &[]), f32::INFINITY);
    }

    #[test]
    fn a_point_and_a_segment_are_hulls_too() {
        near(distance(3.0, 4.0, &[[0.0, 0.0]]), 5.0);
        near(distance(1.0, 1.0, &[[1.0, 1.0]]), 0.0);
        let segment = [[0.0, 0.0], [2.0, 0.0]];
        near(distance(1.5, 0.0, &segment), 0.0);
        near(distance(1.5, -0.25, &segment), 0.25);
        near(distance(2.5, 0.0, &segment), 0.5);
        // Coincident and collinear points.
        near(distance(0.0, 1.0, &[[0.0, 0.0], [0.0, 0.0]]), 1.0);
        near(distance(0.9, 0.1, &[[0.0, 0.0], [0.5, 0.0], [1.0, 0.0]]), 0.1);
    }

    #[test]
    fn the_distance_inside_a_polygon_is_zero() {
        let square = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.4, 0.6]];
        for (x, z) in [(0.5, 0.5), (0.01, 0.5), (0.99, 0.99), (0.7, 0.1), (0.0, 0.3), (1.0, 1.0)] {
            near(distance(x, z, &square), 0.0);
        }
        near(distance(-0.25, 0.5, &square), 0.25);
        near(distance(1.3, 1.4, &square), 0.5);
        near(distance(0.5, 1.001, &square), 0.001);
    }

    #[test]
    fn the_distance_is_the_greatest_separation_over_all_directions() {
        // The distance is the maximum over all directions of how far the point is beyond all points of the hull.
        let mut stream = crate::rng::Stream::new(1, "hull");
        let mut outside = 0;
        for _ in 0..200 {
            let mut draw = || stream.between(-1.0, 1.0);
            let points: Vec<[f32; 2]> = (0..5).map(|_| [draw(), draw()]).collect();
            let (x, z) = (draw(), draw());
            let beyond = (0..3600).map(|i| {
                let (sin, cos) = crate::math::sin_cos(i as f32 * std::f32::consts::TAU / 3600.0);
                let along = |x: f32, z: f32| x * cos + z * sin;
                along(x, z) - points.iter().map(|[x, z]| along(*x, *z)).fold(f32::NEG_INFINITY, f32::max)
            });
            let expected = beyond.fold(0.0, f32::max);
            outside += usize::from(expected > 0.0);
            assert!((distance(x, z, &points) - expected).abs() < 1e-3, "{points:?} {x} {z}");
        }
        assert!((20..180).contains(&outside), "{outside}");
    }

    #[test]
    fn the_distance_of_nan_is_infinite() {
        assert_eq!(distance(f32::NAN, 0.0, &[[0.0, 0.0], [1.0, 0.0]]), f32::INFINITY);
        assert_eq!(distance(0.0, 0.0, &[[f32::NAN, 0.0]]), f32::INFINITY);
    }
}
