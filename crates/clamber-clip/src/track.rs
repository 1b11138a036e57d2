//! Configurations in a row, as plain numbers.

use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::{Character, Configuration};

/// One row a moment: the root's place, its rotation as a quaternion, the hinges' angles. Sums of rows that are near to each
/// other are rows again, once the quaternion is made of length 1; a planar root stays in its plane.
#[derive(Clone, Debug, Default)]
pub(crate) struct Track {
    width: usize,
    numbers: Vec<f32>,
}

/// The numbers of the root.
pub(crate) const ROOT: usize = 7;

impl Track {
    pub fn new(character: &Character) -> Self {
        Self { width: ROOT + character.hinges.len(), numbers: Vec::new() }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn len(&self) -> usize {
        self.numbers.len() / self.width
    }

    pub fn row(&self, moment: usize) -> &[f32] {
        &self.numbers[moment * self.width..][..self.width]
    }

    pub fn row_mut(&mut self, moment: usize) -> &mut [f32] {
        &mut self.numbers[moment * self.width..][..self.width]
    }

    /// Of the two quaternions that are the same rotation, the one nearer to that of the row before is kept.
    pub fn push(&mut self, configuration: &Configuration) {
        let Vec3 { x, y, z } = configuration.root.translation;
        let mut rotation = configuration.root.rotation.to_array();
        if let Some(before) = self.len().checked_sub(1) {
            align(&mut rotation, self.row(before));
        }
        self.numbers.extend([x, y, z].into_iter().chain(rotation));
        self.numbers.extend(&configuration.angles);
    }

    /// Changes a row to a configuration near to it.
    pub fn set(&mut self, moment: usize, configuration: &Configuration) {
        let Vec3 { x, y, z } = configuration.root.translation;
        let mut rotation = configuration.root.rotation.to_array();
        let row = self.row_mut(moment);
        align(&mut rotation, row);
        row[..3].copy_from_slice(&[x, y, z]);
        row[3..ROOT].copy_from_slice(&rotation);
        row[ROOT..].copy_from_slice(&configuration.angles.raw);
    }

    pub fn get(&self, moment: usize, configuration: &mut Configuration) {
        read_row(self.row(moment), configuration);
    }

    /// Whether a number changes by so much more in one moment than in the one before, at either end of a step.
    pub fn bends(&self, moment: usize, most: f32) -> bool {
        let ends = moment.max(1)..(moment + 2).min(self.len() - 1);
        ends.into_iter().any(|at| {
            let rows = self.row(at - 1).iter().zip(self.row(at)).zip(self.row(at + 1));
            rows.into_iter().any(|((before, here), after)| (before - 2.0 * here + after).abs() > most)
        })
    }

    /// The row at a time, in moments, on a curve through the rows whose speed is continuous (Catmull and Rom 1974). At rests,
    /// which are in ascending order, it may change its direction.
    pub fn between(&self, time: f32, rests: &[usize], row: &mut Vec<f32>) {
        let at = (time.max(0.0) as usize).min(self.len().saturating_sub(2));
        let t = (time - at as f32).clamp(0.0, 1.0);
        let weights = [
            0.5 * t * (-1.0 + t * (2.0 - t)),
            1.0 + 0.5 * t * t * (-5.0 + 3.0 * t),
            0.5 * t * (1.0 + t * (4.0 - 3.0 * t)),
            0.5 * t * t * (t - 1.0),
        ];
        let [begins, ends] = [at, at + 1].map(|moment| rests.binary_search(&moment).is_ok());
        let rows = [at, at + 1].map(|moment| self.row(moment));
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

fn align(rotation: &mut [f32; 4], near: &[f32]) {
    let product: f32 = rotation.iter().zip(&near[3..ROOT]).map(|(a, b)| a * b).sum();
    if product < 0.0 {
        rotation.iter_mut().for_each(|number| *number = -*number);
    }
}

/// The configuration of a row whose quaternion need not be of length 1.
pub(crate) fn read_row(row: &[f32], configuration: &mut Configuration) {
    let place = Vec3::new(row[0], row[1], row[2]);
    let rotation = Rotation::from_xyzw(row[3], row[4], row[5], row[6]).normalize();
    configuration.root = Pose::from_parts(place, rotation);
    configuration.angles.clear();
    configuration.angles.extend(&row[ROOT..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_testing::character;

    #[test]
    fn a_curve_goes_through_its_rows_and_turns_only_at_rests() {
        let figure = character("figure");
        let mut track = Track::new(&figure);
        let mut configuration = Configuration::rest(&figure);
        for x in [0.0, 1.0, 2.0, 1.0, 0.0] {
            configuration.root.translation.x = x;
            track.push(&configuration);
        }
        let x = |time: f32, rests: &[usize]| {
            let mut row = Vec::new();
            track.between(time, rests, &mut row);
            row[0]
        };
        for (moment, there) in [0.0, 1.0, 2.0, 1.0, 0.0].into_iter().enumerate() {
            assert!((x(moment as f32, &[0, 4]) - there).abs() < 1e-6);
        }
        // Without a rest the turn is rounded, with one it is a corner.
        assert!(x(1.5, &[0, 4]) > 1.51);
        assert!((x(1.5, &[0, 2, 4]) - 1.5).abs() < 1e-6);
        assert!(track.bends(1, 0.5) && !track.bends(0, 2.5));
    }

    #[test]
    fn either_quaternion_of_a_rotation_will_do() {
        let human = character("human");
        let mut track = Track::new(&human);
        let mut configuration = Configuration::rest(&human);
        for sign in [1.0, -1.0, 1.0] {
            configuration.root.rotation = Rotation::from_xyzw(0.0, sign * 0.6, 0.0, sign * 0.8);
            track.push(&configuration);
        }
        assert_eq!(track.row(0), track.row(1));
        let mut back = Configuration::rest(&human);
        track.get(1, &mut back);
        assert!((back.root.rotation.w - 0.8).abs() < 1e-6);
    }
}
