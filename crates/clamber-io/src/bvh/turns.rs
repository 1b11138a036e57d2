//! The angles of turns about given axes, one after the other, from the rotation that they make together.

use std::f64::consts::TAU;

use clamber_model::math::double::{Mat3, Rotation, Vec3, atan2, rotation_about, turn_from_rotation};
use clamber_model::rng::Stream;

/// More than the digits of a file leave open of a rotation, and less than matters, in radians.
const NOISE: f64 = 1e-5;

/// How often turns of which some do the same are looked for anew, from elsewhere, when limits led them astray.
const RESTARTS: usize = 30;

/// An axis to turn about, and how far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Unit vector in the frame that the turns before it have made.
    pub direction: Vec3,
    /// The least angle, in radians.
    pub min: f64,
    /// The greatest angle, in radians.
    pub max: f64,
}

impl Axis {
    /// An axis without limits.
    pub fn free(direction: Vec3) -> Self {
        Self { direction, min: f64::NEG_INFINITY, max: f64::INFINITY }
    }

    /// The same angle, by whole turns as near to `near` as the limits allow.
    fn bring(&self, angle: f64, near: f64) -> f64 {
        // Ties go to no turn at all, so that a half turn keeps its sign.
        let nearest = angle + TAU * ((near - angle) / TAU).round_ties_even();
        let inside = if nearest < self.min - NOISE {
            nearest + TAU * ((self.min - NOISE - nearest) / TAU).ceil()
        } else if nearest > self.max + NOISE {
            nearest - TAU * ((nearest - self.max - NOISE) / TAU).ceil()
        } else {
            nearest
        };
        let brought = if self.beyond(inside) < self.beyond(nearest) { inside } else { nearest };
        if self.beyond(brought) <= NOISE { brought.clamp(self.min, self.max) } else { brought }
    }

    /// The limits that there are.
    fn limits(&self) -> impl Iterator<Item = f64> {
        [self.min, self.max].into_iter().filter(|limit| limit.is_finite())
    }

    /// How far an angle is beyond the limits.
    fn beyond(&self, angle: f64) -> f64 {
        (self.min - angle).max(angle - self.max).max(0.0)
    }
}

/// The rotation by these angles about these axes.
pub(super) fn rotation_by(axes: &[Axis], angles: impl IntoIterator<Item = f64>) -> Rotation {
    let turns = axes.iter().zip(angles).map(|(axis, angle)| rotation_about(axis.direction, angle));
    turns.fold(Rotation::IDENTITY, |rotation, turn| rotation * turn)
}

/// Replaces `angles` by those that make the rotation, within the limits where there are such, and of several the
/// nearest to what `angles` held. Returns the angle of the rotation that is left over, in radians.
pub(super) fn take_apart(axes: &[Axis], rotation: Rotation, angles: &mut [f64]) -> f64 {
    let near = angles.to_vec();
    let cost = |angles: &[f64]| {
        let beyond: f64 = axes.iter().zip(angles).map(|(axis, angle)| axis.beyond(*angle)).sum();
        let away: f64 = angles.iter().zip(&near).map(|(angle, near)| (angle - near).abs()).sum();
        (beyond, away)
    };
    let mut best = None;
    for mut candidate in in_closed_form(axes, rotation, &near) {
        let candidate = &mut candidate[..axes.len()];
        for ((angle, axis), near) in candidate.iter_mut().zip(axes).zip(&near) {
            *angle = axis.bring(*angle, *near);
        }
        let cost = cost(candidate);
        if best.is_none_or(|best| cost < best) {
            best = Some(cost);
            angles.copy_from_slice(candidate);
        }
    }
    let left = turn_from_rotation(rotation * rotation_by(axes, angles.iter().copied()).inverse()).length();
    let is_within = best.is_some_and(|(beyond, _)| beyond <= 0.0);
    if is_within && left <= NOISE {
        return left;
    }
    // There are more than three axes or two are the same, or rounding put an angle beyond its limit.
    let mut searched = angles.to_vec();
    let left_by_search = search(axes, rotation, &mut searched);
    if left_by_search <= NOISE || best.is_none() || left_by_search < left && is_within {
        angles.copy_from_slice(&searched);
        return left_by_search;
    }
    left
}

/// The ways to make a rotation by at most three turns, if any does; angles that make no difference are taken from
/// `near`.
fn in_closed_form(axes: &[Axis], rotation: Rotation, near: &[f64]) -> Vec<[f64; 3]> {
    match axes {
        [] => vec![[0.0; 3]],
        [a] => vec![[turn_about(a.direction, rotation), 0.0, 0.0]],
        [a, b] => {
            // The second turn leaves its own axis alone: where the axis goes is the first one's doing.
            let (a, b) = (a.direction, b.direction);
            let first = turn_between(a, b, rotation * b).unwrap_or(near[0]);
            vec![[first, turn_about(b, rotation_about(a, -first) * rotation), 0.0]]
        }
        [a, b, c] => {
            // Likewise, the third axis goes where the first two take it, and the first leaves the height along its own
            // axis alone: that is `level + along * cos + across * sin` of the second angle.
            let (first_axis, third_axis) = (a, c);
            let (a, b, c) = (a.direction, b.direction, c.direction);
            let goes_to = rotation * c;
            let level = a.dot(b) * b.dot(c);
            let (along, across) = (a.dot(c) - level, a.dot(b.cross(c)));
            let size_squared = along * along + across * across;
            let height = a.dot(goes_to);
            let seconds = if size_squared < 1e-6 {
                vec![near[1]]
            } else {
                // The square root of `size² - (height - level)²`, written so that for axes at right angles, where the
                // size is 1 and the level 0, the digits are kept near its zeros.
                let aside = a.cross(goes_to).length_squared() + (size_squared - 1.0) + (2.0 * height - level) * level;
                let (middle, half) = (atan2(across, along), atan2(aside.max(0.0).sqrt(), height - level));
                vec![middle + half, middle - half]
            };
            let mut ways = Vec::new();
            for second in seconds {
                let by_second = rotation_about(b, second);
                let firsts = turn_between(a, by_second * c, goes_to).map_or_else(
                    || {
                        // Gimbal lock: the first and the third turn do the same. If they can share the work and stay
                        // within their limits, they also can with one of them at a limit.
                        let before = |third: f64| rotation * (by_second * rotation_about(c, third)).inverse();
                        let of_first = first_axis.limits();
                        let of_third = third_axis.limits().map(|third| turn_about(a, before(third)));
                        [near[0]].into_iter().chain(of_first).chain(of_third).collect()
                    },
                    |first| vec![first],
                );
                ways.extend(firsts.into_iter().map(|first| {
                    let third = turn_about(c, (rotation_about(a, first) * by_second).inverse() * rotation);
                    [first, second, third]
                }));
            }
            ways
        }
        _ => Vec::new(),
    }
}

/// The angle of a rotation about this axis.
fn turn_about(axis: Vec3, rotation: Rotation) -> f64 {
    let [x, y, z, w] = rotation.to_array();
    2.0 * atan2(Vec3::new(x, y, z).dot(axis), w)
}

/// The angle about an axis from one vector to another, seen along the axis; `None` when one is not to be seen.
fn turn_between(axis: Vec3, from: Vec3, to: Vec3) -> Option<f64> {
    let [from, to] = [from, to].map(|vector| vector - axis * axis.dot(vector));
    let (sin, cos) = (axis.dot(from.cross(to)), from.dot(to));
    // What is a millionth long is made of the last digits of a file, and points anywhere.
    (sin * sin + cos * cos > 1e-24).then(|| atan2(sin, cos))
}

/// Looks for angles within the limits, from the given ones on, and where turns do the same, from elsewhere too. Leaves
/// the best there and returns what is left over.
fn search(axes: &[Axis], rotation: Rotation, angles: &mut [f64]) -> f64 {
    let mut least = descend(axes, rotation, angles);
    let is_parallel = |pair: &[Axis]| pair[0].direction.cross(pair[1].direction).length_squared() < 1e-6;
    if axes.len() <= 3 && !axes.windows(2).any(is_parallel) {
        return least;
    }
    let mut stream = Stream::new(1, "turns");
    let mut trial = angles.to_vec();
    for _ in 0..RESTARTS {
        if least <= NOISE {
            break;
        }
        for (angle, axis) in trial.iter_mut().zip(axes) {
            let [min, max] = [axis.min, axis.max].map(|limit| limit.clamp(-TAU, TAU));
            *angle = min + (max - min) * f64::from(stream.unit());
        }
        let left = descend(axes, rotation, &mut trial);
        if left < least {
            least = left;
            angles.copy_from_slice(&trial);
        }
    }
    least
}

/// Turns about all axes at once by damped least squares, within the limits, from the given angles on. Leaves the best
/// angles there and returns what is left over.
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
        let left = turn_from_rotation(rotation * turned.inverse());
        if left.length() < 0.99 * least {
            best_round = round;
        }
        if left.length() < least {
            least = left.length();
            angles.copy_from_slice(&trial);
        }
        if least < 0.1 * NOISE || round > best_round + PATIENCE {
            break;
        }
        // An angle that is at its limit and would go beyond takes no part.
        let takes_part = |(axis, (angle, direction)): (&Axis, (&f64, &Vec3))| {
            let pull = direction.dot(left);
            !(*angle <= axis.min && pull < 0.0 || *angle >= axis.max && pull > 0.0)
        };
        let taking_part: Vec<bool> = axes.iter().zip(trial.iter().zip(&directions)).map(takes_part).collect();
        let mut matrix = Mat3::from_diagonal(Vec3::splat(DAMPING));
        for (direction, _) in directions.iter().zip(&taking_part).filter(|(_, takes_part)| **takes_part) {
            matrix += Mat3::from_cols(*direction * direction.x, *direction * direction.y, *direction * direction.z);
        }
        let pull = matrix.inverse() * left;
        for (((angle, axis), direction), takes_part) in trial.iter_mut().zip(axes).zip(&directions).zip(&taking_part) {
            if *takes_part {
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
    fn a_rotation_about_right_angled_axes_comes_back_also_in_gimbal_lock() {
        let orders = [[Z, X, Y], [X, Y, Z], [Y, Z, X], [Z, Y, X], [Y, X, Z], [X, Z, Y], [Z, X, Z], [Y, -X, Y]];
        let mut stream = Stream::new(1, "test");
        let mut between = |low: f64, high: f64| low + (high - low) * f64::from(stream.unit());
        for order in orders {
            let axes = order.map(Axis::free);
            for trial in 0..300 {
                let middle = std::f64::consts::FRAC_PI_2 * (trial / 5 % 4) as f64;
                let close = [0.0, 1e-7, 1e-5, 1e-3, 3.0][trial % 5];
                let angles = [between(-3.0, 3.0), middle + close * between(-1.0, 1.0), between(-3.0, 3.0)];
                let rotation = rotation_by(&axes, angles.iter().copied());
                let mut found = [0.0; 3];
                let left = take_apart(&axes, rotation, &mut found);
                assert!(left < 2e-6, "{order:?} {angles:?}: {left} left by {found:?}");
                // From near by, the same way to make it is found, or one that is as near.
                let mut found = angles;
                take_apart(&axes, rotation, &mut found);
                let away = found.iter().zip(angles).map(|(found, angle)| (found - angle).abs()).fold(0.0, f64::max);
                assert!(away < 1e-5 / close.clamp(2e-5, 1.0), "{order:?} {angles:?}: {found:?}");
            }
        }
    }

    #[test]
    fn any_axes_and_any_number_of_them_are_taken_apart_within_their_limits() {
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
        let mut between = |low: f64, high: f64| low + (high - low) * f64::from(stream.unit());
        for sequence in sequences {
            for _ in 0..200 {
                let axes: Vec<Axis> =
                    sequence.iter().map(|axis| limited(*axis, between(-3.0, -0.2), between(0.2, 3.0))).collect();
                let angles: Vec<f64> = axes.iter().map(|axis| between(axis.min, axis.max)).collect();
                let rotation = rotation_by(&axes, angles.iter().copied());
                let mut found: Vec<f64> =
                    angles.iter().zip(&axes).map(|(angle, axis)| (angle + 0.1).min(axis.max)).collect();
                let left = take_apart(&axes, rotation, &mut found);
                assert!(left <= NOISE, "{sequence:?} {angles:?}: {left} left by {found:?}");
                for (axis, angle) in axes.iter().zip(&found) {
                    assert!(axis.beyond(*angle) == 0.0, "{axis:?}: {angle}");
                }
            }
        }
    }

    #[test]
    fn what_the_axes_cannot_do_is_left_over() {
        let left = |axes: &[Vec3], rotation: Rotation| {
            let axes: Vec<Axis> = axes.iter().copied().map(Axis::free).collect();
            take_apart(&axes, rotation, &mut vec![0.0; axes.len()])
        };
        let about_x = rotation_about(X, 0.3);
        assert!((left(&[], about_x) - 0.3).abs() < 1e-5);
        assert!((left(&[Z], about_x) - 0.3).abs() < 1e-5);
        assert!(left(&[Z, Y], rotation_about(Vec3::new(0.6, 0.0, 0.8), 0.5)) > 0.2);
        assert!(left(&[Z, Y, X], about_x) < 1e-6);
    }

    #[test]
    fn whole_turns_are_added_until_an_angle_is_within_its_limits_and_near() {
        let degrees = |angle: f64| angle.to_radians();
        let axis = limited(Z, degrees(-20.0), degrees(350.0));
        for (angle, near, brought) in
            [(-30.0, 0.0, 330.0), (700.0, 0.0, -20.0), (-10.0, 340.0, 350.0), (-15.0, 0.0, -15.0)]
        {
            let found = axis.bring(degrees(angle), degrees(near)).to_degrees();
            assert!((found - brought).abs() < 1e-3, "{angle} near {near}: {found}");
        }
        let narrow = limited(Z, degrees(-10.0), degrees(10.0));
        assert!((narrow.bring(degrees(90.0), 0.0).to_degrees() - 90.0).abs() < 1e-3, "no turn helps here");
        assert_eq!(Axis::free(Z).bring(std::f64::consts::PI, 0.0), std::f64::consts::PI);
    }
}
