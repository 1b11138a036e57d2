//! Vectors, poses and the few functions whose results must not differ between platforms.
//!
//! Vectors and poses are the collision engine's own (glam, built without SIMD and with libm, so that the
//! same operations give the same bits natively and in the browser). Scalar transcendental functions go
//! through libm for the same reason; `sqrt` is exact everywhere and needs no wrapper.

pub use parry3d::math::{Pose, Rotation, Vector as Vec3};

/// Sine and cosine of an angle in radians.
#[inline]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    libm::sincosf(angle)
}

/// The angle whose cosine is `x`; arguments a rounding error outside [-1, 1] are taken as the end.
#[inline]
pub fn acos(x: f32) -> f32 {
    libm::acosf(x.clamp(-1.0, 1.0))
}

/// The angle of the vector (x, y), in (-pi, pi].
#[inline]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// `base` to the power of `exponent`.
#[inline]
pub fn pow(base: f32, exponent: f32) -> f32 {
    libm::powf(base, exponent)
}

/// The rotation by `angle` about the unit vector `axis`.
#[inline]
pub fn rotation_about(axis: Vec3, angle: f32) -> Rotation {
    let (sin, cos) = sin_cos(0.5 * angle);
    Rotation::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// The rotation by the length of `turn` about its direction.
pub fn rotation_from_turn(turn: Vec3) -> Rotation {
    let angle = turn.length();
    if angle < 1e-12 {
        return Rotation::IDENTITY;
    }
    rotation_about(turn / angle, angle)
}

/// The inverse of [`rotation_from_turn`]: the shortest turn that is this rotation.
pub fn turn_from_rotation(rotation: Rotation) -> Vec3 {
    let [x, y, z, w] = rotation.to_array();
    let (x, y, z, w) = if w < 0.0 { (-x, -y, -z, -w) } else { (x, y, z, w) };
    let axis = Vec3::new(x, y, z);
    let sine = axis.length();
    if sine < 1e-12 {
        return Vec3::ZERO;
    }
    axis * (2.0 * atan2(sine, w) / sine)
}

/// The angle of the shortest rotation that takes `a` to `b`, in [0, pi].
///
/// From the distance of the two quaternions rather than the arc cosine of their product, which loses half
/// the digits where angles are small.
pub fn angle_between(a: Rotation, b: Rotation) -> f32 {
    let (a, b) = (a.to_array(), b.to_array());
    let (mut near, mut far) = (0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        near += (a - b) * (a - b);
        far += (a + b) * (a + b);
    }
    let (chord, cochord) = (near.min(far).sqrt(), near.max(far).sqrt());
    4.0 * atan2(chord, cochord)
}

/// Rotations in double precision, for where they are taken apart into angles: near gimbal lock, which is where two of
/// three angles do the same, single precision loses half the digits.
pub mod double {
    pub use glam::{DMat3 as Mat3, DQuat as Rotation, DVec3 as Vec3};

    /// The angle of the vector (x, y), in (-pi, pi].
    #[inline]
    pub fn atan2(y: f64, x: f64) -> f64 {
        libm::atan2(y, x)
    }

    /// The rotation by `angle` about the unit vector `axis`.
    #[inline]
    pub fn rotation_about(axis: Vec3, angle: f64) -> Rotation {
        let (sin, cos) = libm::sincos(0.5 * angle);
        Rotation::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
    }

    /// The shortest turn that is this rotation: about its direction, by its length in radians.
    pub fn turn_from_rotation(rotation: Rotation) -> Vec3 {
        let [x, y, z, w] = rotation.to_array();
        let (axis, w) = if w < 0.0 { (Vec3::new(-x, -y, -z), -w) } else { (Vec3::new(x, y, z), w) };
        let sine = axis.length();
        // So small a turn is twice its sine.
        let stretch = if sine < 1e-12 { 2.0 } else { 2.0 * atan2(sine, w) / sine };
        axis * stretch
    }
}

/// Adds a multiple of numbers to others, four at a time: a sum of many products has no order to keep then.
#[inline]
pub fn add_scaled(to: &mut [f32], by: f32, of: &[f32]) {
    let (to, last_to) = to.as_chunks_mut::<4>();
    let (of, last_of) = of.as_chunks::<4>();
    for (to, of) in to.iter_mut().zip(of) {
        for lane in 0..4 {
            to[lane] += by * of[lane];
        }
    }
    for (to, of) in last_to.iter_mut().zip(last_of) {
        *to += by * of;
    }
}

/// Solves `a x = b` in place for a symmetric positive definite `a` of `n` rows, stored row by row.
///
/// Only the upper triangle of `a` is read; it is overwritten by its Cholesky factor, and `b` by `x`.
/// Returns false, with both in an unspecified state, when `a` is not positive definite.
pub fn solve_cholesky(a: &mut [f32], b: &mut [f32]) -> bool {
    let n = b.len();
    for i in 0..n {
        // Row by row: what a row takes off those below it are whole ends of rows.
        let (above, below) = a.split_at_mut((i + 1) * n);
        let row = &mut above[i * n + i..];
        let square = row[0];
        if square.is_nan() || square <= 0.0 {
            return false;
        }
        let scale = 1.0 / square.sqrt();
        row.iter_mut().for_each(|entry| *entry *= scale);
        b[i] *= scale;
        let solved = b[i];
        add_scaled(&mut b[i + 1..], -solved, &row[1..]);
        for (other, below) in below.chunks_exact_mut(n).enumerate() {
            let rest = &row[other + 1..];
            add_scaled(&mut below[i + other + 1..], -rest[0], rest);
        }
    }
    for i in (0..n).rev() {
        let row = &a[i * n..(i + 1) * n];
        let known: f32 = row[i + 1..].iter().zip(&b[i + 1..]).map(|(entry, x)| entry * x).sum();
        b[i] = (b[i] - known) / row[i];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_solves_a_small_system() {
        let mut a = vec![4.0, 2.0, 1.0, 0.0, 5.0, 3.0, 0.0, 0.0, 6.0];
        let mut b = vec![4.0 + 2.0 * 2.0 + 3.0, 2.0 + 5.0 * 2.0 + 9.0, 1.0 + 6.0 + 18.0];
        assert!(solve_cholesky(&mut a, &mut b));
        for (x, expected) in b.iter().zip([1.0, 2.0, 3.0]) {
            assert!((x - expected).abs() < 1e-5, "{b:?}");
        }
    }

    #[test]
    fn cholesky_refuses_an_indefinite_matrix() {
        assert!(!solve_cholesky(&mut [1.0, 2.0, 0.0, 1.0], &mut [1.0, 1.0]));
    }

    #[test]
    fn small_angles_between_rotations_keep_their_digits() {
        for angle in [0.0f32, 1e-4, 0.3, 2.0, 3.1] {
            let measured = angle_between(Rotation::IDENTITY, rotation_about(Vec3::Y, angle));
            assert!((measured - angle).abs() <= 1e-6 + 1e-5 * angle, "{angle}: {measured}");
        }
    }
}
