//! Residuals of links of the body that are closer to each other than a clearance.

use clamber_model::Character;
use clamber_model::id::{LinkId, TiVec};
use clamber_model::kinematics::{Jacobian, JacobianTerm, LinkFrames};
use clamber_model::math::Vec3;
use clamber_model::self_collision::{NearLinks, collect_near_links};

use super::tuning;

/// Keeps links apart. Its weight is per meter, for the character's size.
pub(super) struct SelfClearance {
    weight: f32,
    /// The clearance that every pair aims for, in meters.
    clearance: f32,
    /// For each pair of [`Character::self_collision_pairs`], its clearance in addition to that, in meters.
    extra_clearance: Vec<f32>,
}

/// The pairs that are closer than their clearance, at a configuration.
#[derive(Default)]
pub(super) struct CloseLinks {
    pub near: Vec<NearLinks>,
    centers: TiVec<LinkId, Vec3>,
}

impl SelfClearance {
    pub fn new(character: &Character) -> Self {
        let size = character.body_size();
        Self {
            weight: tuning::SELF_CLEARANCE_WEIGHT / size,
            clearance: tuning::SELF_CLEARANCE * size,
            extra_clearance: vec![0.0; character.self_collision_pairs().len()],
        }
    }

    /// Resets all extra clearances.
    pub fn reset(&mut self) {
        self.extra_clearance.fill(0.0);
    }

    /// Adds to the clearance between two links, in meters.
    pub fn add_clearance(&mut self, character: &Character, links: [LinkId; 2], amount: f32) {
        if let Ok(pair) = character.self_collision_pairs().binary_search_by_key(&links, |pair| pair.links) {
            self.extra_clearance[pair] += amount;
        }
    }

    /// Appends the residuals of all pairs of links that `is_checked`, and remembers them for [`Self::push_rows`].
    pub fn push_residuals(
        &self,
        character: &Character,
        frames: &LinkFrames,
        is_checked: impl Fn(LinkId) -> bool,
        close: &mut CloseLinks,
        values: &mut Vec<f32>,
    ) {
        let required = |pair: usize| self.clearance + self.extra_clearance[pair];
        let within = |pair: usize, links: [LinkId; 2]| match links.into_iter().all(&is_checked) {
            true => required(pair),
            false => f32::NEG_INFINITY,
        };
        let CloseLinks { near, centers } = close;
        collect_near_links(character, frames, |index, pair| within(index, pair.links), centers, near);
        values.extend(near.iter().map(|near| self.weight * (required(near.pair) - near.distance)));
    }

    /// Appends the Jacobian rows of the residuals.
    pub fn push_rows(&self, close: &CloseLinks, jacobian: &mut Jacobian) {
        push_nearness_rows(&close.near, self.weight, jacobian);
    }
}

/// Appends a row for each pair of links: the change of their nearness, the opposite of their distance, times a weight.
pub(super) fn push_nearness_rows(pairs: &[NearLinks], weight: f32, jacobian: &mut Jacobian) {
    for NearLinks { links: [first, second], axis_points: [near, far], .. } in pairs.iter().copied() {
        // Axes that cross have no direction in which they part.
        let gradient = (near - far).try_normalize().unwrap_or(Vec3::ZERO);
        jacobian.push_row();
        jacobian.add_term(-weight, JacobianTerm::Point { link: first, at: near, gradient });
        jacobian.add_term(weight, JacobianTerm::Point { link: second, at: far, gradient });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::Configuration;
    use clamber_model::kinematics::forward;
    use clamber_model::rng::Stream;

    #[test]
    fn jacobian_matches_finite_differences() {
        const CHANGE: f32 = 1e-3;
        let character = clamber_testing::character("human");
        let clearance = SelfClearance::new(&character);
        let mut jacobian = Jacobian::new(&character);
        let mut random = Stream::new(1, "postures");
        let (mut frames, mut close, mut values) = (LinkFrames::default(), CloseLinks::default(), Vec::new());
        let mut compared = 0;
        for _ in 0..100 {
            let mut posture = Configuration::rest(&character);
            for (angle, hinge) in posture.angles.iter_mut().zip(&character.hinges) {
                *angle = random.between(hinge.min + 0.01, hinge.max - 0.01);
            }
            forward(&character, &posture, &mut frames);
            values.clear();
            clearance.push_residuals(&character, &frames, |_| true, &mut close, &mut values);
            jacobian.linearize(&character, &frames);
            clearance.push_rows(&close, &mut jacobian);
            assert_eq!(jacobian.rows().count(), values.len());
            for dof in 0..character.degrees_of_freedom() {
                let moved = [-CHANGE, CHANGE].map(|change| {
                    let mut step = vec![0.0; character.degrees_of_freedom()];
                    step[dof] = change;
                    let mut moved = posture.clone();
                    moved.displace(&character, &step);
                    let (mut frames, mut centers, mut near) = (LinkFrames::default(), TiVec::new(), Vec::new());
                    forward(&character, &moved, &mut frames);
                    collect_near_links(&character, &frames, |_, _| f32::INFINITY, &mut centers, &mut near);
                    near
                });
                for (row, pair) in jacobian.rows().zip(close.near.iter().map(|near| near.pair)) {
                    let [before, after] = moved.each_ref().map(|near| near[pair]);
                    // The nearest points jump where another capsule or another end becomes nearest.
                    let jumps = (0..2).any(|end| (before.axis_points[end] - after.axis_points[end]).length() > 0.01);
                    if jumps {
                        continue;
                    }
                    let slope = -clearance.weight * (after.distance - before.distance) / (2.0 * CHANGE);
                    assert!((slope - row[dof]).abs() < 0.03 * (1.0 + slope.abs()), "{pair}: {slope}, not {}", row[dof]);
                    compared += 1;
                }
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}
