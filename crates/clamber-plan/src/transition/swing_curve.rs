//! The curve of a swinging effector in space: up, over what is in between, and down.

use clamber_model::Character;
use clamber_model::id::{EffectorId, LinkId};
use clamber_model::math::Vec3;
use clamber_model::world::DistanceField;

use super::tuning;

/// A polygonal curve over obstacles.
pub(super) struct SwingCurve {
    points: Vec<Vec3>,
    /// The length of the curve up to each point, in meters.
    lengths: Vec<f32>,
}

impl SwingCurve {
    /// The curve of an effector from one place to another that leads over obstacles in a direction.
    pub fn over(
        character: &Character,
        field: &DistanceField,
        effector: EffectorId,
        [begins, ends]: [Vec3; 2],
        outward: Vec3,
    ) -> Self {
        const LAST: usize = tuning::CURVE_INTERVALS;
        let clearance = character.effectors[effector].radius + tuning::CURVE_CLEARANCE * character.body_size();
        let place = |index: usize| begins.lerp(ends, index as f32 / LAST as f32);
        let lifts: Vec<f32> = (0..=LAST).map(|index| free_lift(field, place(index), outward, clearance)).collect();
        // What is behind and ahead of the effector needs room too, such as the toes.
        let spacing = (ends - begins).length() / LAST as f32;
        let reach = (tip_extent(character, effector) / spacing.max(f32::MIN_POSITIVE)).ceil().min(LAST as f32) as usize;
        let lifted = |index: usize| {
            let around = &lifts[index.saturating_sub(reach)..=(index + reach).min(LAST)];
            place(index) + outward * around.iter().copied().fold(0.0, f32::max)
        };
        let between = (0..=LAST).map(lifted);
        Self::through(std::iter::once(begins).chain(between).chain([ends]).collect())
    }

    pub fn through(points: Vec<Vec3>) -> Self {
        let mut lengths = vec![0.0; points.len()];
        for index in 1..points.len() {
            lengths[index] = lengths[index - 1] + (points[index] - points[index - 1]).length();
        }
        Self { points, lengths }
    }

    /// The point at a share of the length, from 0 to 1.
    pub fn at(&self, share: f32) -> Vec3 {
        let last = self.points.len() - 1;
        let length = share * self.lengths[last];
        let next = self.lengths.partition_point(|&reached| reached < length).clamp(1, last);
        let piece = self.lengths[next] - self.lengths[next - 1];
        let within = if piece > 0.0 { (length - self.lengths[next - 1]) / piece } else { 1.0 };
        self.points[next - 1].lerp(self.points[next], within.clamp(0.0, 1.0))
    }
}

/// How far a point has to be lifted to be clear of obstacles, in meters.
fn free_lift(field: &DistanceField, point: Vec3, outward: Vec3, clearance: f32) -> f32 {
    let mut lift = 0.0;
    for _ in 0..tuning::CURVE_LIFT_STEPS {
        let missing = clearance - field.estimate(point + outward * lift);
        if missing <= 0.0 {
            break;
        }
        lift += missing.max(0.1 * clearance);
    }
    lift
}

/// How far the links beyond an effector's joint extend from the effector, in meters.
fn tip_extent(character: &Character, effector: EffectorId) -> f32 {
    let effector = &character.effectors[effector];
    let of_link = |link: LinkId, offset: Vec3| {
        let capsules = &character.capsules[character.links[link].capsules.clone()];
        let ends = capsules.iter().flat_map(|capsule| [(capsule.a, capsule.radius), (capsule.b, capsule.radius)]);
        ends.map(|(end, radius)| (end + offset - effector.center).length() + radius).fold(0.0, f32::max)
    };
    let children = character.links.iter_enumerated().filter(|(_, link)| link.parent == Some(effector.link));
    let beyond = children.map(|(link, child)| of_link(link, child.parent_from_joint.translation));
    beyond.fold(of_link(effector.link, Vec3::ZERO), f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_followed_evenly_along_its_length() {
        let curve = SwingCurve::through(vec![Vec3::ZERO, Vec3::Y, Vec3::new(2.0, 1.0, 0.0), Vec3::new(2.0, 0.0, 0.0)]);
        assert_eq!(curve.at(0.0), Vec3::ZERO);
        assert_eq!(curve.at(0.25), Vec3::Y);
        assert_eq!(curve.at(0.5), Vec3::new(1.0, 1.0, 0.0));
        assert_eq!(curve.at(1.0), Vec3::new(2.0, 0.0, 0.0));
    }
}
