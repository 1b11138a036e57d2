//! Residuals of links that were found in obstacles: the exact distance, linearized where it was too short.
//!
//! The distance field is coarse, and it lets the surroundings of a contact touch what the effector touches. A foot that has its toes on a ledge as
//! small as a cell is therefore not kept out of it by the field, and moves there and back forever.

use clamber_model::Character;
use clamber_model::character::Capsule;
use clamber_model::id::LinkId;
use clamber_model::kinematics::{Jacobian, JacobianTerm, LinkFrames, capsule_in_world};
use clamber_model::math::Vec3;
use clamber_model::world::{MeshInterior, World};

use super::tuning;

/// A capsule of a link, and how its distance from the nearest obstacle changes when its ends move.
struct ObstaclePlane {
    link: LinkId,
    /// The ends of the capsule in the link.
    ends: [Vec3; 2],
    /// The gradient of the distance for each end.
    gradients: [Vec3; 2],
    /// The distance minus what the ends contribute to it, in meters.
    offset: f32,
}

/// The capsules that were too close to obstacles. The weight is per meter, for the character's size.
pub(super) struct ObstaclePlanes {
    planes: Vec<ObstaclePlane>,
    weight: f32,
    /// The distance that they aim for, in meters.
    clearance: f32,
    /// How far ends are moved to see how the distance changes, in meters.
    probe: f32,
}

impl ObstaclePlanes {
    pub fn new(character: &Character) -> Self {
        let size = character.body_size();
        let [clearance, probe] = [tuning::PLANE_CLEARANCE, tuning::PLANE_PROBE].map(|length| length * size);
        Self { planes: Vec::new(), weight: tuning::OBSTACLE_WEIGHT / size, clearance, probe }
    }

    pub fn clear(&mut self) {
        self.planes.clear();
    }

    /// Keeps the capsule of a link that is the closest to an obstacle away from it.
    pub fn push(&mut self, world: &World, character: &Character, frames: &LinkFrames, link: LinkId) {
        let within = self.clearance;
        let distance = |capsule: &Capsule| world.capsule_distance(capsule, within, MeshInterior::Solid).distance;
        let capsules = character.links[link].capsules.clone();
        let measured = capsules.map(|index| {
            let capsule = capsule_in_world(character, frames, index);
            (distance(&capsule), index, capsule)
        });
        let Some((nearest, index, capsule)) = measured.min_by(|a, b| a.0.total_cmp(&b.0)) else { return };
        let slope = |move_ends: &dyn Fn(Vec3) -> Capsule| {
            let along = |axis: Vec3| {
                let step = axis * self.probe;
                (distance(&move_ends(step)) - distance(&move_ends(-step))) / (2.0 * self.probe)
            };
            Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z))
        };
        let gradients = [
            slope(&|step| Capsule { a: capsule.a + step, ..capsule }),
            slope(&|step| Capsule { b: capsule.b + step, ..capsule }),
        ];
        let offset = nearest - gradients[0].dot(capsule.a) - gradients[1].dot(capsule.b);
        let Capsule { a, b, .. } = character.capsules[index];
        self.planes.push(ObstaclePlane { link, ends: [a, b], gradients, offset });
    }

    /// Appends the residuals.
    pub fn push_residuals(&self, frames: &LinkFrames, values: &mut Vec<f32>) {
        values.extend(self.planes.iter().map(|plane| self.weight * self.violation(plane, frames)));
    }

    /// Appends the Jacobian rows of the residuals.
    pub fn push_rows(&self, frames: &LinkFrames, jacobian: &mut Jacobian) {
        for plane in &self.planes {
            jacobian.push_row();
            if self.violation(plane, frames) > 0.0 {
                for (end, gradient) in plane.ends.into_iter().zip(plane.gradients) {
                    let at = frames.world_from_link[plane.link] * end;
                    jacobian.add_term(-self.weight, JacobianTerm::Point { link: plane.link, at, gradient });
                }
            }
        }
    }

    /// How much closer than it should be a capsule is, in meters.
    fn violation(&self, plane: &ObstaclePlane, frames: &LinkFrames) -> f32 {
        let world_from_link = &frames.world_from_link[plane.link];
        let [a, b] = plane.ends.map(|end| *world_from_link * end);
        let distance = plane.offset + plane.gradients[0].dot(a) + plane.gradients[1].dot(b);
        (self.clearance - distance).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::Configuration;
    use clamber_model::kinematics::forward;
    use clamber_model::math::Pose;
    use clamber_model::world::{DistanceFieldSettings, Obstacle, Space};

    /// A ledge of 6 by 6 cm on which the instep of the left foot of a human at rest is.
    fn ledge_in_foot(foot: Vec3) -> World {
        let size = Vec3::new(0.06, 0.06, 0.3);
        let at = Pose::from_translation(foot - Vec3::Y * 0.06);
        let ledge = Obstacle::cuboid("ledge", at, size).unwrap();
        let [min, max] = [Vec3::splat(-2.0), Vec3::splat(2.0)];
        World::from_obstacles(Space::Spatial, vec![ledge], min, max, &DistanceFieldSettings::default())
    }

    #[test]
    fn a_foot_in_a_ledge_smaller_than_a_cell_gets_out_along_the_gradient() {
        const CHANGE: f32 = 1e-3;
        let character = clamber_testing::character("human");
        let mut posture = Configuration::rest(&character);
        let mut frames = LinkFrames::default();
        forward(&character, &posture, &mut frames);
        let link = character.links.keys().find(|&link| character.links[link].name == "left_foot").unwrap();
        let index = character.links[link].capsules.start;
        let capsule = capsule_in_world(&character, &frames, index);
        let world = ledge_in_foot(capsule.a.midpoint(capsule.b));
        let distance = |capsule: &Capsule| world.capsule_distance(capsule, 0.01, MeshInterior::Solid).distance;
        assert!(distance(&capsule) < -2e-3);
        let mut planes = ObstaclePlanes::new(&character);
        planes.push(&world, &character, &frames, link);
        let residual = |posture: &Configuration| {
            let (mut frames, mut values) = (LinkFrames::default(), Vec::new());
            forward(&character, posture, &mut frames);
            planes.push_residuals(&frames, &mut values);
            values[0]
        };
        let violation = residual(&posture) / planes.weight;
        let mut jacobian = Jacobian::new(&character);
        jacobian.linearize(&character, &frames);
        planes.push_rows(&frames, &mut jacobian);
        let row = jacobian.rows().next().unwrap().to_vec();
        for (dof, slope) in row.iter().enumerate() {
            let ends = [-CHANGE, CHANGE].map(|change| {
                let mut step = vec![0.0; character.degrees_of_freedom()];
                step[dof] = change;
                let mut moved = posture.clone();
                moved.displace(&character, &step);
                residual(&moved)
            });
            let measured = (ends[1] - ends[0]) / (2.0 * CHANGE);
            assert!((measured - slope).abs() < 0.02 * (1.0 + slope.abs()), "{dof}: {measured}, not {slope}");
        }
        let gradient: Vec3 = planes.planes[0].gradients.into_iter().sum();
        posture.root.translation += gradient.normalize() * (1.05 * violation / gradient.length());
        forward(&character, &posture, &mut frames);
        assert_eq!(residual(&posture), 0.0);
        let nearest =
            character.links[link].capsules.clone().map(|at| distance(&capsule_in_world(&character, &frames, at)));
        assert!(nearest.fold(f32::INFINITY, f32::min) > 0.0);
    }
}
