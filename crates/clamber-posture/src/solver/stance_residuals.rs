//! What a posture lacks on a stance: residuals in body sizes and radians, and their Jacobian.

use clamber_model::id::{LinkId, TiVec};
use clamber_model::kinematics::{Jacobian, JacobianTerm, LinkFrames, center_of_mass, forward};
use clamber_model::math::{Vec3, atan2, sin_cos};
use clamber_model::self_collision::{NearLinks, collect_near_links};
use clamber_model::support_polygon::horizontal_displacement_to_hull;
use clamber_model::{Character, Configuration};

use super::contact_target::{ContactTarget, dimensions, tangents};
use super::self_clearance::push_nearness_rows;
use super::stance_tuning as tuning;

/// What a posture is solved for.
#[derive(Clone, Copy)]
pub(super) struct StanceGoal<'a> {
    pub targets: &'a [ContactTarget],
    /// The corners of where the center of mass must be; anywhere if there are none.
    pub region: &'a [Vec3],
    /// Whether links of the body may not enter each other.
    pub avoids_itself: bool,
    /// Factor on the tolerances.
    pub tolerance: f32,
}

impl<'a> StanceGoal<'a> {
    /// Targets alone.
    pub fn of(targets: &'a [ContactTarget]) -> Self {
        Self { targets, region: &[], avoids_itself: false, tolerance: 1.0 }
    }
}

/// The residuals at a posture.
#[derive(Default)]
pub(super) struct StanceResiduals {
    pub values: Vec<f32>,
    pub frames: LinkFrames,
    /// The links in each other.
    near: Vec<NearLinks>,
    /// Memory of the search for near links.
    centers: TiVec<LinkId, Vec3>,
    /// To the support region, horizontally, in meters.
    to_region: Vec3,
    /// Whether every residual is within its tolerance.
    pub is_met: bool,
}

impl StanceResiduals {
    /// Fills the residuals and returns the sum of their squares.
    pub fn evaluate(&mut self, character: &Character, at: &Configuration, goal: StanceGoal) -> f32 {
        let Self { values, frames, near, centers, to_region, is_met } = self;
        let size = character.body_size();
        forward(character, at, frames);
        values.clear();
        *is_met = true;
        for target in goal.targets {
            let miss = target.miss(character, frames);
            *is_met &= miss.length() <= goal.tolerance * tuning::CONTACT_TOLERANCE * size;
            values.extend(miss.to_array()[..dimensions(character)].iter().map(|miss| miss / size));
            if let Some([facing, wanted]) = target.facings(character, frames) {
                let error = FacingError::new(facing, wanted);
                *is_met &= error.angle <= goal.tolerance * tuning::FACING_TOLERANCE;
                let along = |tangent| tuning::FACING_WEIGHT * error.along(tangent);
                values.extend(tangents(character, wanted).map(along));
            }
            if let Some([forward, across]) = target.forwards(character, frames) {
                let off = across.dot(forward);
                *is_met &= off.abs() <= goal.tolerance * tuning::FORWARD_TOLERANCE;
                values.push(tuning::FACING_WEIGHT * off);
            }
        }
        if !goal.region.is_empty() {
            let center = center_of_mass(character, frames);
            *to_region = horizontal_displacement_to_hull(center, goal.region);
            let outside = to_region.length() / size;
            *is_met &= outside <= goal.tolerance * tuning::CENTER_TOLERANCE;
            values.push(tuning::CENTER_WEIGHT * outside);
        }
        near.clear();
        if goal.avoids_itself {
            let within = tuning::SELF_CLEARANCE * size;
            collect_near_links(character, frames, |_, _| within, centers, near);
            for links in near.iter() {
                *is_met &= links.distance >= -goal.tolerance * tuning::SELF_COLLISION_TOLERANCE * size;
                values.push(tuning::SELF_COLLISION_WEIGHT * (within - links.distance) / size);
            }
        }
        values.iter().map(|value| value * value).sum()
    }

    /// Fills `near` with the pairs of links that are closer than `within`, a function of the pair, at the posture evaluated last.
    pub fn collect_near_links(
        &mut self,
        character: &Character,
        within: impl Fn(&[LinkId; 2]) -> f32,
        near: &mut Vec<NearLinks>,
    ) {
        collect_near_links(character, &self.frames, |_, pair| within(&pair.links), &mut self.centers, near);
    }

    /// Fills the Jacobian of the residuals.
    pub fn fill_jacobian(&self, character: &Character, goal: StanceGoal, jacobian: &mut Jacobian) {
        let frames = &self.frames;
        let per_size = 1.0 / character.body_size();
        jacobian.linearize(character, frames);
        for target in goal.targets {
            target.push_miss_rows(character, frames, per_size, jacobian);
            if let Some([facing, wanted]) = target.facings(character, frames) {
                let link = character.effectors[target.effector].link;
                let error = FacingError::new(facing, wanted);
                for tangent in tangents(character, wanted) {
                    jacobian.push_row();
                    let gradient = error.gradient(facing, tangent);
                    jacobian.add_term(tuning::FACING_WEIGHT, JacobianTerm::Rotation { link, gradient });
                }
            }
            if let Some([forward, across]) = target.forwards(character, frames) {
                let (link, gradient) = (character.effectors[target.effector].link, forward.cross(across));
                jacobian.push_row();
                jacobian.add_term(tuning::FACING_WEIGHT, JacobianTerm::Rotation { link, gradient });
            }
        }
        if !goal.region.is_empty() {
            jacobian.push_row();
            if let Some(direction) = self.to_region.try_normalize() {
                jacobian.add_term(-tuning::CENTER_WEIGHT * per_size, JacobianTerm::CenterOfMass(direction));
            }
        }
        push_nearness_rows(&self.near, tuning::SELF_COLLISION_WEIGHT * per_size, jacobian);
    }
}

/// How far a facing is from the wanted one: a displacement along the surface whose length is the angle between them. The chord would
/// vanish for opposite directions.
struct FacingError {
    angle: f32,
    /// Along the surface, away from the wanted direction.
    direction: Vec3,
    /// Along the surface, at right angles to the direction.
    aside: Vec3,
}

impl FacingError {
    fn new(facing: Vec3, wanted: Vec3) -> Self {
        let along = facing - wanted * wanted.dot(facing);
        let sine = along.length();
        let direction = if sine > 1e-6 { along / sine } else { wanted.any_orthonormal_vector() };
        Self { angle: atan2(sine, wanted.dot(facing)), direction, aside: wanted.cross(direction) }
    }

    /// The component along a direction of the surface.
    fn along(&self, tangent: Vec3) -> f32 {
        self.angle * self.direction.dot(tangent)
    }

    /// The change of that component per radian that the facing turns, about each axis.
    fn gradient(&self, facing: Vec3, tangent: Vec3) -> Vec3 {
        // Far from the wanted direction, a turn about it moves the error by more than the facing.
        let sine = sin_cos(self.angle).0.max(1e-3);
        let stretch = (self.angle.max(1e-3) / sine).clamp(1.0, tuning::MAX_FACING_STRETCH);
        self.aside * self.direction.dot(tangent) + facing.cross(self.aside) * (stretch * self.aside.dot(tangent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::rng::Stream;

    #[test]
    fn jacobian_matches_finite_differences() {
        const CHANGE: f32 = 1e-3;
        for name in ["figure", "human"] {
            let character = clamber_testing::character(name);
            let mut stream = Stream::new(1, "slopes");
            let target =
                |effector| ContactTarget { effector, center: Vec3::ONE, facing: Some(Vec3::NEG_Y), forward: None };
            let all: Vec<ContactTarget> = character.effectors.keys().map(target).collect();
            let region = [Vec3::X, Vec3::X + 0.2 * Vec3::Y];
            let [mut here, mut there] = <[StanceResiduals; 2]>::default();
            let mut jacobian = Jacobian::new(&character);
            for _ in 0..20 {
                let mut at = Configuration::rest(&character);
                for (angle, hinge) in at.angles.iter_mut().zip(&character.hinges) {
                    *angle = stream.between(hinge.min + 0.01, hinge.max - 0.01);
                }
                forward(&character, &at, &mut here.frames);
                // Opposite to the wanted direction, the error jumps from one side to the other, and its slope is limited.
                let is_near = |target: &&ContactTarget| {
                    let facings = target.facings(&character, &here.frames);
                    facings.is_none_or(|[facing, wanted]| FacingError::new(facing, wanted).angle < 1.8)
                };
                let targets: Vec<ContactTarget> = all.iter().filter(is_near).copied().collect();
                let goal = StanceGoal { region: &region, ..StanceGoal::of(&targets) };
                here.evaluate(&character, &at, goal);
                here.fill_jacobian(&character, goal, &mut jacobian);
                assert_eq!(jacobian.rows().count(), here.values.len());
                for dof in 0..character.degrees_of_freedom() {
                    let mut step = vec![0.0; character.degrees_of_freedom()];
                    step[dof] = CHANGE;
                    let mut moved = at.clone();
                    moved.displace(&character, &step);
                    there.evaluate(&character, &moved, goal);
                    for (index, row) in jacobian.rows().enumerate() {
                        let slope = (there.values[index] - here.values[index]) / CHANGE;
                        let error = (slope - row[dof]).abs();
                        assert!(error < 0.05 * (1.0 + slope.abs()), "{name} {index} {dof}: {slope}, not {}", row[dof]);
                    }
                }
            }
        }
    }
}
