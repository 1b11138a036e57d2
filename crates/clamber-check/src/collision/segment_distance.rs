//! Distances from a segment, in double precision.

use clamber_model::math::double::Vec3;

/// Returns the point of a segment nearest to a point.
fn nearest_on_segment(point: Vec3, [a, b]: [Vec3; 2]) -> Vec3 {
    let along = b - a;
    let length_squared = along.length_squared();
    let share = if length_squared > 0.0 { ((point - a).dot(along) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    a + along * share
}

/// Returns the distance between a point and a segment.
pub(super) fn point_to_segment(point: Vec3, segment: [Vec3; 2]) -> f64 {
    (nearest_on_segment(point, segment) - point).length()
}

/// Returns the distance between two segments.
///
/// It is attained at an end of one of them, or at the common perpendicular of their lines.
pub(crate) fn between_segments(first: [Vec3; 2], second: [Vec3; 2]) -> f64 {
    let ends = point_to_segment(first[0], second)
        .min(point_to_segment(first[1], second))
        .min(point_to_segment(second[0], first))
        .min(point_to_segment(second[1], first));
    let (u, v, offset) = (first[1] - first[0], second[1] - second[0], second[0] - first[0]);
    let normal = u.cross(v);
    let area_squared = normal.length_squared();
    // Parallel lines have no common perpendicular; the ends suffice.
    if !(area_squared > 1e-24 * u.length_squared() * v.length_squared()) {
        return ends;
    }
    let on_first = offset.cross(v).dot(normal) / area_squared;
    let on_second = offset.cross(u).dot(normal) / area_squared;
    let is_within = |share: f64| (0.0..=1.0).contains(&share);
    if is_within(on_first) && is_within(on_second) {
        return (offset.dot(normal).abs() / area_squared.sqrt()).min(ends);
    }
    ends
}

/// Returns the distance between a segment and a triangle; 0 if they intersect.
///
/// Unless the segment crosses the triangle, the distance is attained at an edge of the triangle, or at an end of the segment
/// that is above the triangle.
pub(super) fn to_triangle(segment: [Vec3; 2], triangle: [Vec3; 3]) -> f64 {
    let [a, b, c] = triangle;
    let edges = [[a, b], [b, c], [c, a]];
    let mut least = edges.iter().map(|edge| between_segments(segment, *edge)).fold(f64::INFINITY, f64::min);
    let normal = (b - a).cross(c - a);
    let length = normal.length();
    // A triangle without area is its edges.
    if !(length > 0.0) {
        return least;
    }
    let normal = normal / length;
    let heights = segment.map(|end| (end - a).dot(normal));
    let is_above = |point: Vec3| edges.iter().all(|[from, to]| (*to - *from).cross(point - *from).dot(normal) >= 0.0);
    for (end, height) in segment.into_iter().zip(heights) {
        if is_above(end) {
            least = least.min(height.abs());
        }
    }
    let crosses = heights[0] * heights[1] < 0.0;
    let crossing = || segment[0] + (segment[1] - segment[0]) * (heights[0] / (heights[0] - heights[1]));
    if crosses && is_above(crossing()) { 0.0 } else { least }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::rng::Stream;

    fn random_point(random: &mut Stream) -> Vec3 {
        let mut draw = || f64::from(random.between(-1.0, 1.0));
        Vec3::new(draw(), draw(), draw())
    }

    /// The distance found by trying many points.
    fn sampled(first: impl Fn(f64, f64) -> Vec3, second: impl Fn(f64, f64) -> Vec3) -> f64 {
        const STEPS: usize = 24;
        let steps = |index: usize| index as f64 / STEPS as f64;
        let mut least = f64::INFINITY;
        for a in 0..=STEPS {
            let from = first(steps(a), 0.0);
            for b in 0..=STEPS {
                for c in 0..=STEPS {
                    least = least.min((second(steps(b), steps(c)) - from).length());
                }
            }
        }
        least
    }

    #[test]
    fn distances_agree_with_sampled_points() {
        let mut random = Stream::new(1, "segments");
        let mut crossings = 0;
        for _ in 0..100 {
            let points: [Vec3; 5] = std::array::from_fn(|_| random_point(&mut random));
            let [a, b, c, d, e] = points;
            let along = |u: f64, _: f64| a.lerp(b, u);
            let exact = between_segments([a, b], [c, d]);
            let found = sampled(along, |u, _| c.lerp(d, u));
            assert!(exact <= found + 1e-12 && found < exact + 0.08, "{points:?}: {exact} and {found}");
            let on_triangle = |u: f64, v: f64| if u + v > 1.0 { c } else { c + (d - c) * u + (e - c) * v };
            let exact = to_triangle([a, b], [c, d, e]);
            let found = sampled(along, on_triangle);
            crossings += usize::from(exact == 0.0);
            assert!(exact <= found + 1e-12 && found < exact + 0.12, "{points:?}: {exact} and {found}");
        }
        assert!(crossings > 2, "{crossings}");
    }

    #[test]
    fn parallel_and_degenerate_segments_have_distances() {
        let segment = [Vec3::ZERO, Vec3::X];
        assert_eq!(between_segments(segment, [Vec3::new(0.5, 2.0, 0.0), Vec3::new(3.0, 2.0, 0.0)]), 2.0);
        assert_eq!(between_segments(segment, [Vec3::new(4.0, 4.0, 0.0); 2]), 5.0);
        assert_eq!(between_segments([Vec3::ZERO; 2], [Vec3::Y; 2]), 1.0);
        assert_eq!(to_triangle(segment, [Vec3::Y, Vec3::Y, Vec3::Y]), 1.0);
    }
}
