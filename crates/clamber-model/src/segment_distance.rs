//! The nearest points of two line segments.

use crate::math::Vec3;

/// Returns the nearest point of each of two segments, given by their ends.
///
/// Ericson, *Real-Time Collision Detection*, 5.1.9. Of parallel segments, any nearest points. In single precision, the points of
/// nearly parallel segments may be off along them, which makes their distance too long by far less than a thousandth of their
/// length.
pub fn nearest_points([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> [Vec3; 2] {
    let (along, other_along, between) = (b - a, d - c, a - c);
    let (length, other_length) = (along.length_squared(), other_along.length_squared());
    let (offset, other_offset) = (along.dot(between), other_along.dot(between));
    // A quotient that is NaN, for a segment without length, becomes 0.
    let share = |part: f32, whole: f32| if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 };
    let mixed = along.dot(other_along);
    let from_first = share(mixed * other_offset - offset * other_length, length * other_length - mixed * mixed);
    let raw = mixed * from_first + other_offset;
    let [s, t] = if raw <= 0.0 {
        [share(-offset, length), 0.0]
    } else if raw >= other_length {
        [share(mixed - offset, length), 1.0]
    } else {
        [from_first, raw / other_length]
    };
    [a + along * s, c + other_along * t]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn no_other_points_are_nearer() {
        let mut random = Stream::new(1, "segments");
        for round in 0..400 {
            let mut point = || Vec3::from_array(std::array::from_fn(|_| random.between(-1.0, 1.0)));
            let (a, b, c, mut d) = (point(), point(), point(), point());
            if round % 4 == 0 {
                d = c + (b - a) * 0.7; // parallel
            }
            let [p, q] = nearest_points([a, b], [c, d]);
            let found = (p - q).length();
            for i in 0..=50 {
                for k in 0..=50 {
                    let sampled = (a.lerp(b, i as f32 / 50.0) - c.lerp(d, k as f32 / 50.0)).length();
                    assert!(found <= sampled + 1e-5, "{a} {b} {c} {d}: {found} and {sampled}");
                }
            }
        }
    }

    #[test]
    fn segments_without_length_are_points() {
        assert_eq!(nearest_points([Vec3::X; 2], [Vec3::Y; 2]), [Vec3::X, Vec3::Y]);
        assert_eq!(nearest_points([Vec3::Y; 2], [-Vec3::X, Vec3::X]), [Vec3::Y, Vec3::ZERO]);
        assert_eq!(nearest_points([-Vec3::X, Vec3::X], [Vec3::Y; 2]), [Vec3::ZERO, Vec3::Y]);
    }
}
