//! Vectors, poses, and functions whose results must not differ between platforms.
//!
//! Vectors and rotations are glam's, poses are glamx's. Both are built without SIMD and with libm, so the same operations
//! give the same bits natively and in the browser. The collision engine uses the same types. Scalar transcendental
//! functions go through libm for the same reason; `sqrt` is exact everywhere and needs no wrapper.

pub use glam::{Mat3, Quat as Rotation, Vec3};
pub use glamx::Pose3 as Pose;

/// Sine and cosine of an angle in radians.
#[inline]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    libm::sincosf(angle)
}

/// The angle whose cosine is `x`; arguments outside [-1, 1] are clamped.
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

/// Returns `rotation * rotation_about(axis, angle)` for the unit vector `axis`. Skips the zero products of rotations about z, the
/// axis of all hinges of planar characters.
#[inline]
pub fn compose_axis_rotation(rotation: Rotation, axis: Vec3, angle: f32) -> Rotation {
    if axis != Vec3::Z {
        return rotation * rotation_about(axis, angle);
    }
    let (sin, cos) = sin_cos(0.5 * angle);
    let [x, y, z, w] = rotation.to_array();
    Rotation::from_xyzw(x * cos + y * sin, y * cos - x * sin, w * sin + z * cos, w * cos - z * sin)
}

/// The rotation by the length of `turn` (a rotation vector, in radians) about its direction.
pub fn rotation_from_rotation_vector(turn: Vec3) -> Rotation {
    let angle = turn.length();
    if angle < 1e-12 {
        return Rotation::IDENTITY;
    }
    rotation_about(turn / angle, angle)
}

/// The inverse of [`rotation_from_rotation_vector`]: the shortest rotation vector of a rotation.
pub fn rotation_vector_from_rotation(rotation: Rotation) -> Vec3 {
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
/// Computed from the distance between the quaternions. The arc cosine of their product would lose half the digits of small
/// angles.
pub fn angle_between_rotations(a: Rotation, b: Rotation) -> f32 {
    let (a, b) = (a.to_array(), b.to_array());
    let (mut near, mut far) = (0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        near += (a - b) * (a - b);
        far += (a + b) * (a + b);
    }
    let (chord, cochord) = (near.min(far).sqrt(), near.max(far).sqrt());
    4.0 * atan2(chord, cochord)
}

/// Rotations in double precision, for decomposition into Euler angles: near gimbal lock, single precision loses half the
/// digits.
pub mod double {
    pub use glam::{DMat3 as Mat3, DQuat as Rotation, DVec3 as Vec3};

    /// The natural logarithm.
    pub fn ln(x: f64) -> f64 {
        libm::log(x)
    }

    /// The angle of the vector (x, y), in (-pi, pi].
    #[inline]
    pub fn atan2(y: f64, x: f64) -> f64 {
        libm::atan2(y, x)
    }

    /// The sine and the cosine of an angle in radians.
    #[inline]
    pub fn sin_cos(angle: f64) -> (f64, f64) {
        libm::sincos(angle)
    }

    /// The rotation by `angle` about the unit vector `axis`.
    #[inline]
    pub fn rotation_about(axis: Vec3, angle: f64) -> Rotation {
        let (sin, cos) = libm::sincos(0.5 * angle);
        Rotation::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
    }

    /// The shortest rotation vector of a rotation: its direction is the axis, its length the angle in radians.
    pub fn rotation_vector_from_rotation(rotation: Rotation) -> Vec3 {
        let [x, y, z, w] = rotation.to_array();
        let (axis, w) = if w < 0.0 { (Vec3::new(-x, -y, -z), -w) } else { (Vec3::new(x, y, z), w) };
        let sine = axis.length();
        // A small half angle equals its sine.
        let scale = if sine < 1e-12 { 2.0 } else { 2.0 * atan2(sine, w) / sine };
        axis * scale
    }
}

/// Adds `by * of` to `to`, four lanes at a time.
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

/// The dot product of two slices, in four partial sums.
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

/// Adds the Gram matrix of the columns of `rows` (J-transposed J) to the square matrix `gram`. Both are stored row by row.
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

/// The usual number of degrees of freedom of a planar character. Rows of a constant length are faster.
const FEW: usize = 14;

/// Returns the rows of a square matrix, if it has `N` rows.
fn square<const N: usize>(a: &mut [f32]) -> Option<&mut [[f32; N]; N]> {
    if a.len() == N * N { a.as_chunks_mut::<N>().0.try_into().ok() } else { None }
}

/// Solves `a x = b` in place for a symmetric positive definite `a` of `n` rows, stored row by row.
///
/// Reads only the upper triangle of `a` and overwrites it with its Cholesky factor and `b` with `x`; the lower triangle is
/// unspecified afterwards. Returns false, with both unspecified, when `a` is not positive definite.
pub fn solve_cholesky(a: &mut [f32], b: &mut [f32]) -> bool {
    // Sizes of planar characters: two rows per contact, and the degrees of freedom.
    let few = [solve_few::<4>, solve_few::<6>, solve_few::<8>, solve_few::<FEW>];
    if let Some(is_solved) = few.iter().find_map(|solve| solve(a, b)) {
        return is_solved;
    }
    let n = b.len();
    for i in 0..n {
        let (above, row) = a.split_at_mut(i * n);
        let row = &mut row[i..n];
        subtract_rows_above(above, row, n);
        let Some(scale) = inverse_root(row[0]) else { return false };
        row.iter_mut().for_each(|entry| *entry *= scale);
        b[i] *= scale;
        let solved = b[i];
        add_scaled(&mut b[i + 1..], -solved, &row[1..]);
    }
    for i in (0..n).rev() {
        let row = &a[i * n..(i + 1) * n];
        b[i] = (b[i] - dot(&row[i + 1..], &b[i + 1..])) / row[i];
    }
    true
}

/// Subtracts the finished rows of `n` entries, each times its entry above the first of `row`, from the end of a row. Four at a time: what is
/// subtracted is loaded once for each, the row itself a quarter as often.
fn subtract_rows_above(above: &[f32], row: &mut [f32], n: usize) {
    let begin = n - row.len();
    let mut blocks = above.chunks_exact(4 * n);
    for block in &mut blocks {
        let [r0, r1, r2, r3] = [0, 1, 2, 3].map(|k| &block[k * n + begin..(k + 1) * n]);
        let [c0, c1, c2, c3] = [r0[0], r1[0], r2[0], r3[0]];
        for ((((entry, e0), e1), e2), e3) in row.iter_mut().zip(r0).zip(r1).zip(r2).zip(r3) {
            *entry = *entry - c0 * e0 - c1 * e1 - c2 * e2 - c3 * e3;
        }
    }
    for other in blocks.remainder().chunks_exact(n) {
        let other = &other[begin..];
        add_scaled(row, -other[0], other);
    }
}

/// Like [`solve_cholesky`] for exactly `N` rows; `None` for another size. Works on whole rows, since the lower triangle is
/// unspecified.
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

/// Returns one over the square root of a positive number.
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
        // Pseudo-random, and the same every time.
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state as f32 / u32::MAX as f32 * 2.0 - 1.0
        };
        for n in 1..20 {
            let rows: Vec<f32> = (0..2 * n * n).map(|_| random()).collect();
            let mut a = vec![0.0; n * n];
            add_gram(&rows, &mut a);
            for i in 0..n {
                a[i * n + i] += 0.5;
            }
            let x: Vec<f32> = (0..n).map(|_| random()).collect();
            let mut b: Vec<f32> = a.chunks_exact(n).map(|row| dot(row, &x)).collect();
            // The lower triangle is not read.
            for i in 0..n {
                a[i * n..i * n + i].fill(1e3);
            }
            assert!(solve_cholesky(&mut a, &mut b));
            assert!(b.iter().zip(&x).all(|(found, x)| (found - x).abs() < 1e-3), "{n}: {b:?} is not {x:?}");
        }
    }

    #[test]
    fn cholesky_rejects_an_indefinite_matrix() {
        assert!(!solve_cholesky(&mut [1.0, 2.0, 0.0, 1.0], &mut [1.0, 1.0]));
    }

    #[test]
    fn small_angles_between_rotations_are_accurate() {
        for angle in [0.0f32, 1e-4, 0.3, 2.0, 3.1] {
            let measured = angle_between_rotations(Rotation::IDENTITY, rotation_about(Vec3::Y, angle));
            assert!((measured - angle).abs() <= 1e-6 + 1e-5 * angle, "{angle}: {measured}");
        }
    }
}
