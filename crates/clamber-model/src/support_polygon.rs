//! Whether a body is above, or below, what it holds on to.

use crate::math::Vec3;
use crate::world::UP;

/// How far a point is, seen from above, from the convex hull of points: 0 inside, infinite when there are none.
pub fn horizontal_distance_to_hull(point: Vec3, points: &[Vec3]) -> f32 {
    horizontal_displacement_to_hull(point, points).length()
}

/// The way from a point, seen from above, to the nearest place of the convex hull of points: none inside, infinite when there
/// are no points.
///
/// The hull may be a polygon, a segment or a point. It is never built: the nearest place of a hull that does not contain
/// the point lies on a segment between two of its points, and contacts are few.
pub fn horizontal_displacement_to_hull(point: Vec3, points: &[Vec3]) -> Vec3 {
    let seen = |other: &Vec3| {
        let way = *other - point;
        way - UP * UP.dot(way)
    };
    let mut nearest = Vec3::INFINITY;
    let mut least = f32::INFINITY;
    for (index, from) in points.iter().enumerate() {
        let a = seen(from);
        for to in &points[index..] {
            let way = seen(to) - a;
            let length = way.length_squared();
            let share = if length > 0.0 { (-a.dot(way) / length).clamp(0.0, 1.0) } else { 0.0 };
            let candidate = a + way * share;
            if candidate.length_squared() < least {
                (nearest, least) = (candidate, candidate.length_squared());
            }
        }
    }
    // From outside, all of the hull lies at least as far in the direction of its nearest place; from inside, some of it
    // lies on the other side. Half way between the two no rounding error matters.
    let is_inside = points.iter().any(|other| seen(other).dot(nearest) < 0.5 * least);
    if is_inside { Vec3::ZERO } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(x: f32, z: f32, points: &[[f32; 2]]) -> f32 {
        // Heights differ and must not matter.
        let points: Vec<Vec3> = points.iter().enumerate().map(|(i, [x, z])| Vec3::new(*x, i as f32, *z)).collect();
        horizontal_distance_to_hull(Vec3::new(x, 7.0, z), &points)
    }

    fn near(a: f32, b: f32) {
        assert!((a - b).abs() < 1e-5, "{a} is not {b}");
    }

    #[test]
    fn no_points_are_nowhere_near() {
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
        // Twice the same point, and points in line.
        near(distance(0.0, 1.0, &[[0.0, 0.0], [0.0, 0.0]]), 1.0);
        near(distance(0.9, 0.1, &[[0.0, 0.0], [0.5, 0.0], [1.0, 0.0]]), 0.1);
    }

    #[test]
    fn inside_a_polygon_there_is_no_distance() {
        let square = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.4, 0.6]];
        for (x, z) in [(0.5, 0.5), (0.01, 0.5), (0.99, 0.99), (0.7, 0.1), (0.0, 0.3), (1.0, 1.0)] {
            near(distance(x, z, &square), 0.0);
        }
        near(distance(-0.25, 0.5, &square), 0.25);
        near(distance(1.3, 1.4, &square), 0.5);
        near(distance(0.5, 1.001, &square), 0.001);
    }

    #[test]
    fn agrees_with_the_directions_of_a_compass() {
        // The distance is the greatest over all directions of how far the point is beyond everything.
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
    fn what_is_not_a_number_is_nowhere_near() {
        assert_eq!(distance(f32::NAN, 0.0, &[[0.0, 0.0], [1.0, 0.0]]), f32::INFINITY);
        assert_eq!(distance(0.0, 0.0, &[[f32::NAN, 0.0]]), f32::INFINITY);
    }
}
