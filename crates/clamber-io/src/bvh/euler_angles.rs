//! Generalized Euler angles: decomposes a rotation into successive rotations about given axes, within limits.

use std::f64::consts::TAU;

use clamber_model::math::double::{Mat3, Rotation, Vec3, atan2, rotation_about, rotation_vector_from_rotation};
use clamber_model::rng::Stream;

/// Residual that counts as zero, in radians: above the rounding of a file, below what matters.
const NEGLIGIBLE: f64 = 1e-5;

/// Random restarts of the search for redundant axes, where limits can trap the descent.
const RESTARTS: usize = 30;

/// A rotation axis with its angle limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Unit vector in the frame after the preceding rotations.
    pub direction: Vec3,
    /// Lower limit, in radians.
    pub min: f64,
    /// Upper limit, in radians.
    pub max: f64,
}

impl Axis {
    /// An axis without limits.
    pub fn free(direction: Vec3) -> Self {
        Self { direction, min: f64::NEG_INFINITY, max: f64::INFINITY }
    }

    /// Adds whole turns to wrap_into_limits the angle within the limits and close to `near`.
    fn wrap_into_limits(&self, angle: f64, near: f64) -> f64 {
        // Ties round to even, so that a half turn keeps its sign.
        let nearest = angle + TAU * ((near - angle) / TAU).round_ties_even();
        let inside = if nearest < self.min - NEGLIGIBLE {
            nearest + TAU * ((self.min - NEGLIGIBLE - nearest) / TAU).ceil()
        } else if nearest > self.max + NEGLIGIBLE {
            nearest - TAU * ((nearest - self.max - NEGLIGIBLE) / TAU).ceil()
        } else {
            nearest
        };
        let wrapped = if self.excess(inside) < self.excess(nearest) { inside } else { nearest };
        if self.excess(wrapped) <= NEGLIGIBLE { wrapped.clamp(self.min, self.max) } else { wrapped }
    }

    /// Returns the finite limits.
    fn limits(&self) -> impl Iterator<Item = f64> {
        [self.min, self.max].into_iter().filter(|limit| limit.is_finite())
    }

    /// Returns how far an angle exceeds the limits.
    fn excess(&self, angle: f64) -> f64 {
        (self.min - angle).max(angle - self.max).max(0.0)
    }
}

/// Returns the product of rotations by these angles about these axes.
pub(super) fn rotation_by(axes: &[Axis], angles: impl IntoIterator<Item = f64>) -> Rotation {
    let turns = axes.iter().zip(angles).map(|(axis, angle)| rotation_about(axis.direction, angle));
    turns.fold(Rotation::IDENTITY, |rotation, turn| rotation * turn)
}

/// Sets `angles` to a decomposition of the rotation: within the limits if one exists, and the closest to the given
/// `angles`. Returns the angle of the residual rotation, in radians.
pub(super) fn decompose(axes: &[Axis], rotation: Rotation, angles: &mut [f64]) -> f64 {
    let near = angles.to_vec();
    let cost = |angles: &[f64]| {
        let beyond: f64 = axes.iter().zip(angles).map(|(axis, angle)| axis.excess(*angle)).sum();
        let away: f64 = angles.iter().zip(&near).map(|(angle, near)| (angle - near).abs()).sum();
        (beyond, away)
    };
    let mut best = None;
    for mut candidate in closed_form(axes, rotation, &near) {
        let candidate = &mut candidate[..axes.len()];
        for ((angle, axis), near) in candidate.iter_mut().zip(axes).zip(&near) {
            *angle = axis.wrap_into_limits(*angle, *near);
        }
        let cost = cost(candidate);
        if best.is_none_or(|best| cost < best) {
            best = Some(cost);
            angles.copy_from_slice(candidate);
        }
    }
    let residual =
        rotation_vector_from_rotation(rotation * rotation_by(axes, angles.iter().copied()).inverse()).length();
    let is_within = best.is_some_and(|(beyond, _)| beyond <= 0.0);
    if is_within && residual <= NEGLIGIBLE {
        return residual;
    }
    // More than three axes, parallel axes, or an angle that rounding moved beyond its limit.
    let mut searched = angles.to_vec();
    let searched_residual = search(axes, rotation, &mut searched);
    if searched_residual <= NEGLIGIBLE || best.is_none() || searched_residual < residual && is_within {
        angles.copy_from_slice(&searched);
        return searched_residual;
    }
    residual
}

/// Returns the decompositions about at most three axes. Undetermined angles are taken from `near`.
fn closed_form(axes: &[Axis], rotation: Rotation, near: &[f64]) -> Vec<[f64; 3]> {
    match axes {
        [] => vec![[0.0; 3]],
        [a] => vec![[angle_about(a.direction, rotation), 0.0, 0.0]],
        [a, b] => {
            // The second rotation fixes its own axis, so the image of that axis determines the first angle.
            let (a, b) = (a.direction, b.direction);
            let first = angle_between(a, b, rotation * b).unwrap_or(near[0]);
            vec![[first, angle_about(b, rotation_about(a, -first) * rotation), 0.0]]
        }
        [a, b, c] => {
            // Likewise the first two rotations determine the image of the third axis. The first one preserves heights
            // along its own axis, so that height is `level + along * cos + across * sin` of the second angle.
            let (first_axis, third_axis) = (a, c);
            let (a, b, c) = (a.direction, b.direction, c.direction);
            let image = rotation * c;
            let level = a.dot(b) * b.dot(c);
            let (along, across) = (a.dot(c) - level, a.dot(b.cross(c)));
            let size_squared = along * along + across * across;
            let height = a.dot(image);
            let seconds = if size_squared < 1e-6 {
                vec![near[1]]
            } else {
                // `size² - (height - level)²`, arranged to avoid cancellation near its zeros for perpendicular axes,
                // where the size is 1 and the level 0.
                let aside = a.cross(image).length_squared() + (size_squared - 1.0) + (2.0 * height - level) * level;
                let (middle, half) = (atan2(across, along), atan2(aside.max(0.0).sqrt(), height - level));
                vec![middle + half, middle - half]
            };
            let mut solutions = Vec::new();
            for second in seconds {
                let by_second = rotation_about(b, second);
                let firsts = angle_between(a, by_second * c, image).map_or_else(
                    || {
                        // Gimbal lock: the first and third rotations are redundant. If any split is within the limits,
                        // so is one with an angle at a limit.
                        let before = |third: f64| rotation * (by_second * rotation_about(c, third)).inverse();
                        let of_first = first_axis.limits();
                        let of_third = third_axis.limits().map(|third| angle_about(a, before(third)));
                        [near[0]].into_iter().chain(of_first).chain(of_third).collect()
                    },
                    |first| vec![first],
                );
                solutions.extend(firsts.into_iter().map(|first| {
                    let third = angle_about(c, (rotation_about(a, first) * by_second).inverse() * rotation);
                    [first, second, third]
                }));
            }
            solutions
        }
        _ => Vec::new(),
    }
}

/// Returns the angle of a rotation about this axis.
fn angle_about(axis: Vec3, rotation: Rotation) -> f64 {
    let [x, y, z, w] = rotation.to_array();
    2.0 * atan2(Vec3::new(x, y, z).dot(axis), w)
}

/// Returns the angle about an axis from one vector to another, or `None` if one is parallel to the axis.
fn angle_between(axis: Vec3, from: Vec3, to: Vec3) -> Option<f64> {
    let [from, to] = [from, to].map(|vector| vector - axis * axis.dot(vector));
    let (sin, cos) = (axis.dot(from.cross(to)), from.dot(to));
    // Projections this short consist of rounding errors and have no direction.
    (sin * sin + cos * cos > 1e-24).then(|| atan2(sin, cos))
}

/// Searches for angles within the limits, starting from the given ones; redundant axes get random restarts. Stores the
/// best angles and returns the residual angle.
fn search(axes: &[Axis], rotation: Rotation, angles: &mut [f64]) -> f64 {
    let mut least = descend(axes, rotation, angles);
    let is_parallel = |pair: &[Axis]| pair[0].direction.cross(pair[1].direction).length_squared() < 1e-6;
    if axes.len() <= 3 && !axes.windows(2).any(is_parallel) {
        return least;
    }
    let mut stream = Stream::new(1, "turns");
    let mut trial = angles.to_vec();
    for _ in 0..RESTARTS {
        if least <= NEGLIGIBLE {
            break;
        }
        for (angle, axis) in trial.iter_mut().zip(axes) {
            let [min, max] = [axis.min, axis.max].map(|limit| limit.clamp(-TAU, TAU));
            *angle = min + (max - min) * f64::from(stream.uniform());
        }
        let residual = descend(axes, rotation, &mut trial);
        if residual < least {
            least = residual;
            angles.copy_from_slice(&trial);
        }
    }
    least
}

/// Damped least squares over all angles within the limits. Stores the best angles and returns the residual angle.
fn descend(axes: &[Axis], rotation: Rotation, angles: &mut [f64]) -> f64 {
    const ROUNDS: usize = 40;
    const DAMPING: f64 = 1e-8;
    const LONGEST_STEP: f64 = 0.5;
    const PATIENCE: usize = 5;
    for (angle, axis) in angles.iter_mut().zip(axes) {
        *angle = angle.clamp(axis.min, axis.max);
    }
    let mut trial = angles.to_vec();
    let mut directions = vec![Vec3::ZERO; axes.len()];
    let mut least = f64::INFINITY;
    let mut best_round = 0;
    for round in 0..ROUNDS {
        let mut turned = Rotation::IDENTITY;
        for ((direction, axis), angle) in directions.iter_mut().zip(axes).zip(&trial) {
            *direction = turned * axis.direction;
            turned *= rotation_about(axis.direction, *angle);
        }
        let residual = rotation_vector_from_rotation(rotation * turned.inverse());
        if residual.length() < 0.99 * least {
            best_round = round;
        }
        if residual.length() < least {
            least = residual.length();
            angles.copy_from_slice(&trial);
        }
        if least < 0.1 * NEGLIGIBLE || round > best_round + PATIENCE {
            break;
        }
        // Freeze angles at a limit that the step would exceed.
        let is_active = |(axis, (angle, direction)): (&Axis, (&f64, &Vec3))| {
            let pull = direction.dot(residual);
            !(*angle <= axis.min && pull < 0.0 || *angle >= axis.max && pull > 0.0)
        };
        let active: Vec<bool> = axes.iter().zip(trial.iter().zip(&directions)).map(is_active).collect();
        let mut matrix = Mat3::from_diagonal(Vec3::splat(DAMPING));
        for (direction, _) in directions.iter().zip(&active).filter(|(_, is_active)| **is_active) {
            matrix += Mat3::from_cols(*direction * direction.x, *direction * direction.y, *direction * direction.z);
        }
        let pull = matrix.inverse() * residual;
        for (((angle, axis), direction), is_active) in trial.iter_mut().zip(axes).zip(&directions).zip(&active) {
            if *is_active {
                let step = direction.dot(pull).clamp(-LONGEST_STEP, LONGEST_STEP);
                *angle = (*angle + step).clamp(axis.min, axis.max);
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Vec3 = Vec3::X;
    const Y: Vec3 = Vec3::Y;
    const Z: Vec3 = Vec3::Z;

    fn limited(direction: Vec3, min: f64, max: f64) -> Axis {
        Axis { direction, min, max }
    }

    #[test]
    fn perpendicular_axes_round_trip_even_in_gimbal_lock() {
        let orders = [[Z, X, Y], [X, Y, Z], [Y, Z, X], [Z, Y, X], [Y, X, Z], [X, Z, Y], [Z, X, Z], [Y, -X, Y]];
        let mut stream = Stream::new(1, "test");
        let mut between = |low: f64, high: f64| low + (high - low) * f64::from(stream.uniform());
        for order in orders {
            let axes = order.map(Axis::free);
            for trial in 0..300 {
                let middle = std::f64::consts::FRAC_PI_2 * (trial / 5 % 4) as f64;
                let close = [0.0, 1e-7, 1e-5, 1e-3, 3.0][trial % 5];
                let angles = [between(-3.0, 3.0), middle + close * between(-1.0, 1.0), between(-3.0, 3.0)];
                let rotation = rotation_by(&axes, angles.iter().copied());
                let mut found = [0.0; 3];
                let residual = decompose(&axes, rotation, &mut found);
                assert!(residual < 2e-6, "{order:?} {angles:?}: {residual} residual by {found:?}");
                // Starting close by finds the same decomposition or one that is equally close.
                let mut found = angles;
                decompose(&axes, rotation, &mut found);
                let away = found.iter().zip(angles).map(|(found, angle)| (found - angle).abs()).fold(0.0, f64::max);
                assert!(away < 1e-5 / close.clamp(2e-5, 1.0), "{order:?} {angles:?}: {found:?}");
            }
        }
    }

    #[test]
    fn any_number_of_arbitrary_axes_is_decomposed_within_limits() {
        let leaning = Vec3::new(0.6, 0.0, 0.8);
        let sequences: [&[Vec3]; 12] = [
            &[Z],
            &[leaning],
            &[Z, X],
            &[leaning, Z],
            &[Z, Z],
            &[Z, leaning, Y],
            &[leaning, Y, Z],
            &[Z, Z, X],
            &[X, Z, Z],
            &[Z, Z, Z],
            &[Z, X, Y, Z],
            &[Z, X, leaning, Y, X],
        ];
        let mut stream = Stream::new(2, "test");
        let mut between = |low: f64, high: f64| low + (high - low) * f64::from(stream.uniform());
        for sequence in sequences {
            for _ in 0..200 {
                let axes: Vec<Axis> =
                    sequence.iter().map(|axis| limited(*axis, between(-3.0, -0.2), between(0.2, 3.0))).collect();
                let angles: Vec<f64> = axes.iter().map(|axis| between(axis.min, axis.max)).collect();
                let rotation = rotation_by(&axes, angles.iter().copied());
                let mut found: Vec<f64> =
                    angles.iter().zip(&axes).map(|(angle, axis)| (angle + 0.1).min(axis.max)).collect();
                let residual = decompose(&axes, rotation, &mut found);
                assert!(residual <= NEGLIGIBLE, "{sequence:?} {angles:?}: {residual} residual by {found:?}");
                for (axis, angle) in axes.iter().zip(&found) {
                    assert!(axis.excess(*angle) == 0.0, "{axis:?}: {angle}");
                }
            }
        }
    }

    #[test]
    fn unreachable_rotations_leave_a_residual() {
        let residual = |axes: &[Vec3], rotation: Rotation| {
            let axes: Vec<Axis> = axes.iter().copied().map(Axis::free).collect();
            decompose(&axes, rotation, &mut vec![0.0; axes.len()])
        };
        let about_x = rotation_about(X, 0.3);
        assert!((residual(&[], about_x) - 0.3).abs() < 1e-5);
        assert!((residual(&[Z], about_x) - 0.3).abs() < 1e-5);
        assert!(residual(&[Z, Y], rotation_about(Vec3::new(0.6, 0.0, 0.8), 0.5)) > 0.2);
        assert!(residual(&[Z, Y, X], about_x) < 1e-6);
    }

    #[test]
    fn whole_turns_bring_an_angle_within_limits_and_close_to_the_reference() {
        let degrees = |angle: f64| angle.to_radians();
        let axis = limited(Z, degrees(-20.0), degrees(350.0));
        for (angle, near, wrapped) in
            [(-30.0, 0.0, 330.0), (700.0, 0.0, -20.0), (-10.0, 340.0, 350.0), (-15.0, 0.0, -15.0)]
        {
            let found = axis.wrap_into_limits(degrees(angle), degrees(near)).to_degrees();
            assert!((found - wrapped).abs() < 1e-3, "{angle} near {near}: {found}");
        }
        let narrow = limited(Z, degrees(-10.0), degrees(10.0));
        assert!(
            (narrow.wrap_into_limits(degrees(90.0), 0.0).to_degrees() - 90.0).abs() < 1e-3,
            "no whole turn is within the limits"
        );
        assert_eq!(Axis::free(Z).wrap_into_limits(std::f64::consts::PI, 0.0), std::f64::consts::PI);
    }
}
