//! A path of configurations as plain numbers, one row per knot.

use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::{Character, Configuration};

/// Rows of the root's position, its rotation as a quaternion, and the hinge angles. A weighted sum of nearby rows is a row
/// again once its quaternion is normalized, and a planar root stays in its plane.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnotPath {
    width: usize,
    numbers: Vec<f32>,
}

/// The numbers of the root in a row.
pub(crate) const ROOT_WIDTH: usize = 7;

impl KnotPath {
    pub fn new(character: &Character) -> Self {
        Self { width: ROOT_WIDTH + character.hinges.len(), numbers: Vec::new() }
    }

    /// Numbers per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of knots.
    pub fn len(&self) -> usize {
        self.numbers.len() / self.width
    }

    pub fn row(&self, knot: usize) -> &[f32] {
        &self.numbers[knot * self.width..][..self.width]
    }

    pub fn row_mut(&mut self, knot: usize) -> &mut [f32] {
        &mut self.numbers[knot * self.width..][..self.width]
    }

    /// Appends a knot. Of the two quaternions of its rotation, the one nearer to that of the knot before is stored.
    pub fn push(&mut self, configuration: &Configuration) {
        let Vec3 { x, y, z } = configuration.root.translation;
        let mut rotation = configuration.root.rotation.to_array();
        if let Some(before) = self.len().checked_sub(1) {
            align(&mut rotation, self.row(before));
        }
        self.numbers.extend([x, y, z].into_iter().chain(rotation));
        self.numbers.extend(&configuration.angles);
    }

    /// Replaces a row by a configuration near it.
    pub fn set(&mut self, knot: usize, configuration: &Configuration) {
        let Vec3 { x, y, z } = configuration.root.translation;
        let mut rotation = configuration.root.rotation.to_array();
        let row = self.row_mut(knot);
        align(&mut rotation, row);
        row[..3].copy_from_slice(&[x, y, z]);
        row[3..ROOT_WIDTH].copy_from_slice(&rotation);
        row[ROOT_WIDTH..].copy_from_slice(&configuration.angles.raw);
    }

    pub fn get(&self, knot: usize, configuration: &mut Configuration) {
        read_row(self.row(knot), configuration);
    }

    /// Whether the second difference of any number exceeds its limit at an inner knot. The limits are one for the root's
    /// position, in meters, and one for all other numbers.
    pub fn bends_at(&self, knot: usize, limits: [f32; 2]) -> bool {
        let rows = self.row(knot - 1).iter().zip(self.row(knot)).zip(self.row(knot + 1));
        rows.enumerate().any(|(index, ((before, here), after))| {
            let limit = if index < 3 { limits[0] } else { limits[1] };
            (before - 2.0 * here + after).abs() > limit
        })
    }

    /// The same at either end of the interval from a knot to the next.
    pub fn bends_along(&self, knot: usize, limits: [f32; 2]) -> bool {
        (knot.max(1)..(knot + 2).min(self.len() - 1)).any(|end| self.bends_at(end, limits))
    }

    /// Computes the row at a fractional knot, on a curve through the knots with continuous velocity (Catmull and Rom 1974).
    /// The curve may have corners at the rest knots, which are in ascending order.
    pub fn interpolate(&self, position: f32, rests: &[usize], row: &mut Vec<f32>) {
        let at = (position.max(0.0) as usize).min(self.len().saturating_sub(2));
        let t = (position - at as f32).clamp(0.0, 1.0);
        let weights = [
            0.5 * t * (-1.0 + t * (2.0 - t)),
            1.0 + 0.5 * t * t * (-5.0 + 3.0 * t),
            0.5 * t * (1.0 + t * (4.0 - 3.0 * t)),
            0.5 * t * t * (t - 1.0),
        ];
        let [begins, ends] = [at, at + 1].map(|knot| rests.binary_search(&knot).is_ok());
        let rows = [at, at + 1].map(|knot| self.row(knot));
        let before = (!begins).then(|| self.row(at - 1));
        let after = (!ends).then(|| self.row(at + 2));
        row.clear();
        row.extend((0..self.width).map(|index| {
            let [here, there] = rows.map(|row| row[index]);
            let before = before.map_or(2.0 * here - there, |row| row[index]);
            let after = after.map_or(2.0 * there - here, |row| row[index]);
            weights[0] * before + weights[1] * here + weights[2] * there + weights[3] * after
        }));
    }
}

/// Negates a quaternion if that brings it nearer to the one of a row.
fn align(rotation: &mut [f32; 4], near: &[f32]) {
    let product: f32 = rotation.iter().zip(&near[3..ROOT_WIDTH]).map(|(a, b)| a * b).sum();
    if product < 0.0 {
        rotation.iter_mut().for_each(|number| *number = -*number);
    }
}

/// Reads the configuration of a row, whose quaternion need not be normalized.
pub(crate) fn read_row(row: &[f32], configuration: &mut Configuration) {
    let position = Vec3::new(row[0], row[1], row[2]);
    let rotation = Rotation::from_xyzw(row[3], row[4], row[5], row[6]).normalize();
    configuration.root = Pose::from_parts(position, rotation);
    configuration.angles.clear();
    configuration.angles.extend(&row[ROOT_WIDTH..]);
}

/// Clamps the angles of a configuration to the limits of their hinges.
pub(crate) fn clamp_angles(character: &Character, configuration: &mut Configuration) {
    for (angle, hinge) in configuration.angles.iter_mut().zip(&character.hinges) {
        *angle = angle.clamp(hinge.min, hinge.max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_testing::character;

    #[test]
    fn interpolation_passes_through_the_knots_and_has_corners_only_at_rests() {
        let figure = character("figure");
        let mut path = KnotPath::new(&figure);
        let mut configuration = Configuration::rest(&figure);
        for x in [0.0, 1.0, 2.0, 1.0, 0.0] {
            configuration.root.translation.x = x;
            path.push(&configuration);
        }
        let x = |position: f32, rests: &[usize]| {
            let mut row = Vec::new();
            path.interpolate(position, rests, &mut row);
            row[0]
        };
        for (knot, there) in [0.0, 1.0, 2.0, 1.0, 0.0].into_iter().enumerate() {
            assert!((x(knot as f32, &[0, 4]) - there).abs() < 1e-6);
        }
        // Without a rest the turn is rounded, with one it is a corner.
        assert!(x(1.5, &[0, 4]) > 1.51);
        assert!((x(1.5, &[0, 2, 4]) - 1.5).abs() < 1e-6);
        assert!(path.bends_along(1, [0.5, 0.5]) && !path.bends_along(0, [2.5, 0.5]));
    }

    #[test]
    fn both_quaternions_of_a_rotation_are_stored_alike() {
        let human = character("human");
        let mut path = KnotPath::new(&human);
        let mut configuration = Configuration::rest(&human);
        for sign in [1.0, -1.0, 1.0] {
            configuration.root.rotation = Rotation::from_xyzw(0.0, sign * 0.6, 0.0, sign * 0.8);
            path.push(&configuration);
        }
        assert_eq!(path.row(0), path.row(1));
        let mut back = Configuration::rest(&human);
        path.get(1, &mut back);
        assert!((back.root.rotation.w - 0.8).abs() < 1e-6);
    }
}
