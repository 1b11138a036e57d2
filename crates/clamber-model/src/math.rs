//! Vectors, poses and the few functions whose results must not differ between platforms.
//!
//! Vectors and rotations are glam's, poses are glamx's. Both are built without SIMD and with libm, so the same operations
//! give the same bits natively and in the browser. The collision engine uses the same types. Scalar transcendental
//! functions go through libm for the same reason; `sqrt` is exact everywhere and needs no wrapper.

pub use glam::{Quat as Rotation, Vec3};
pub use glamx::Pose3 as Pose;

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

/// A rotation after one by `angle` about the unit vector `axis`; about z, as all hinges of planar characters turn, without
/// what would be multiplied by zero.
#[inline]
pub fn rotate_about_axis(rotation: Rotation, axis: Vec3, angle: f32) -> Rotation {
    if axis != Vec3::Z {
        return rotation * rotation_about(axis, angle);
    }
    let (sin, cos) = sin_cos(0.5 * angle);
    let [x, y, z, w] = rotation.to_array();
    Rotation::from_xyzw(x * cos + y * sin, y * cos - x * sin, w * sin + z * cos, w * cos - z * sin)
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

/// Adds a multiple of numbers to others, four at a time.
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

/// The sum of the products of numbers with others, four sums at a time.
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a, last_a) = a.as_chunks::<4>();
    let (b, last_b) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let last: f32 = last_a.iter().zip(last_b).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + last
}

/// Adds to a square matrix the products of the columns of another one with each other. Both are stored row by row.
pub fn add_gram(rows: &[f32], gram: &mut [f32]) {
    if let Some(gram) = square::<FEW>(gram) {
        for row in rows.as_chunks::<FEW>().0 {
            for (&entry, products) in row.iter().zip(&mut *gram) {
                if entry != 0.0 {
                    for (product, other) in products.iter_mut().zip(row) {
                        *product += entry * other;
                    }
                }
            }
        }
        return;
    }
    let count = gram.len().isqrt().max(1);
    for row in rows.chunks_exact(count) {
        for (&entry, products) in row.iter().zip(gram.chunks_exact_mut(count)) {
            if entry != 0.0 {
                add_scaled(products, entry, row);
            }
        }
    }
}

/// The degrees of freedom of a planar character, mostly: rows of a length that the compiler knows are quicker.
const FEW: usize = 12;

/// The rows of a square matrix of this size.
fn square<const N: usize>(a: &mut [f32]) -> Option<&mut [[f32; N]; N]> {
    if a.len() == N * N { a.as_chunks_mut::<N>().0.try_into().ok() } else { None }
}

/// Solves `a x = b` in place for a symmetric positive definite `a` of `n` rows, stored row by row.
///
/// Only the upper triangle of `a` is read; it is overwritten by its Cholesky factor, what is below it by anything, and `b`
/// by `x`. Returns false, with both in an unspecified state, when `a` is not positive definite.
pub fn solve_cholesky(a: &mut [f32], b: &mut [f32]) -> bool {
    // Sizes of planar characters: two numbers a contact, and the degrees of freedom.
    let few = [solve_few::<4>, solve_few::<6>, solve_few::<8>, solve_few::<FEW>];
    if let Some(is_solved) = few.iter().find_map(|solve| solve(a, b)) {
        return is_solved;
    }
    let n = b.len();
    for i in 0..n {
        // Row by row: what a row takes off those below it are whole ends of rows.
        let (above, below) = a.split_at_mut((i + 1) * n);
        let row = &mut above[i * n..];
        let Some(scale) = inverse_root(row[i]) else { return false };
        row[i..].iter_mut().for_each(|entry| *entry *= scale);
        b[i] *= scale;
        let solved = b[i];
        add_scaled(&mut b[i + 1..], -solved, &row[i + 1..]);
        for (below, other) in below.chunks_exact_mut(n).zip(i + 1..) {
            add_scaled(&mut below[other..], -row[other], &row[other..]);
        }
    }
    for i in (0..n).rev() {
        let row = &a[i * n..(i + 1) * n];
        b[i] = (b[i] - dot(&row[i + 1..], &b[i + 1..])) / row[i];
    }
    true
}

/// The same for so many rows, if there are: whole ones, for what is below the diagonal does not matter.
fn solve_few<const N: usize>(a: &mut [f32], b: &mut [f32]) -> Option<bool> {
    let b: &mut [f32; N] = b.try_into().ok()?;
    let a = square::<N>(a)?;
    let mut scales = [0.0; N];
    for i in 0..N {
        let mut row = a[i];
        let Some(scale) = inverse_root(row[i]) else { return Some(false) };
        row.iter_mut().for_each(|entry| *entry *= scale);
        scales[i] = scale;
        a[i] = row;
        b[i] *= scale;
        for other in i + 1..N {
            let by = row[other];
            b[other] -= by * b[i];
            for (entry, above) in a[other].iter_mut().zip(&row) {
                *entry -= by * above;
            }
        }
    }
    for i in (0..N).rev() {
        b[i] *= scales[i];
        for above in 0..i {
            b[above] -= a[above][i] * b[i];
        }
    }
    Some(true)
}

/// One over the root of what is positive.
#[inline]
fn inverse_root(square: f32) -> Option<f32> {
    (square > 0.0).then(|| 1.0 / square.sqrt())
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
    fn cholesky_solves_systems_of_every_size() {
        // Scattered, and the same every time.
        let mut state = 1u32;
        let mut scattered = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state as f32 / u32::MAX as f32 * 2.0 - 1.0
        };
        for n in 1..20 {
            let rows: Vec<f32> = (0..2 * n * n).map(|_| scattered()).collect();
            let mut a = vec![0.0; n * n];
            add_gram(&rows, &mut a);
            for i in 0..n {
                a[i * n + i] += 0.5;
            }
            let x: Vec<f32> = (0..n).map(|_| scattered()).collect();
            let mut b: Vec<f32> = a.chunks_exact(n).map(|row| dot(row, &x)).collect();
            // Nobody reads what is below the diagonal.
            for i in 0..n {
                a[i * n..i * n + i].fill(1e3);
            }
            assert!(solve_cholesky(&mut a, &mut b));
            assert!(b.iter().zip(&x).all(|(found, x)| (found - x).abs() < 1e-3), "{n}: {b:?} is not {x:?}");
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
