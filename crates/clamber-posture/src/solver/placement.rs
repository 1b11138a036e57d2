//! Where a body in a given posture fits directions and points best.

use clamber_model::Character;
use clamber_model::character::RootJoint;
use clamber_model::kinematics::{LinkFrames, effector_position};
use clamber_model::math::{Pose, Rotation, Vec3, atan2, rotation_about};
use clamber_model::world::UP;

use super::contact_target::ContactTarget;
use super::stance_tuning as tuning;

/// How a body whose root is at the origin fits targets.
pub(super) struct TargetFit {
    /// Wishes that effectors are where their targets are, seen from the middle of all, and face what they have to.
    pub alignment: Alignment,
    middle_of_effectors: Vec3,
    middle_of_targets: Vec3,
}

impl TargetFit {
    pub fn new(character: &Character, frames: &LinkFrames, targets: &[ContactTarget]) -> Self {
        let in_body = |target: &ContactTarget| effector_position(character, frames, target.effector);
        let count = targets.len().max(1) as f32;
        let middle_of_effectors = targets.iter().map(in_body).sum::<Vec3>() / count;
        let middle_of_targets = targets.iter().map(|target| target.center).sum::<Vec3>() / count;
        let size = character.body_size();
        let mut alignment = Alignment::default();
        for target in targets {
            alignment.add(in_body(target) - middle_of_effectors, target.center - middle_of_targets, 1.0);
            if let Some([facing, wanted]) = target.facings(character, frames) {
                alignment.add(facing, wanted, tuning::PLACED_FACING_WEIGHT * size * size);
            }
        }
        Self { alignment, middle_of_effectors, middle_of_targets }
    }

    /// The root's pose with a rotation, where the effectors are around the targets.
    pub fn pose(&self, rotation: Rotation) -> Pose {
        Pose::from_parts(self.middle_of_targets - rotation * self.middle_of_effectors, rotation)
    }
}

/// Which directions of the body should coincide with which directions of the world, weighted.
#[derive(Clone, Copy, Default)]
pub(super) struct Alignment {
    /// The weighted sum of the products of directions: in each column, the world's direction times one coordinate of the body's.
    columns: [Vec3; 3],
}

impl Alignment {
    /// Wishes that the root's frame turns one vector into another.
    pub fn add(&mut self, in_body: Vec3, in_world: Vec3, weight: f32) {
        for (column, coordinate) in self.columns.iter_mut().zip(in_body.to_array()) {
            *column += in_world * (weight * coordinate);
        }
    }

    /// Returns the rotation about the vertical axis that fulfills the wishes best; in the plane, the better facing.
    pub fn best_heading(&self, joint: RootJoint) -> Rotation {
        let [x, _, z] = self.columns;
        let (along, across) = (x.x + z.z, z.x - x.z);
        match joint {
            RootJoint::Planar if x.x >= 0.0 => Rotation::IDENTITY,
            RootJoint::Planar => Rotation::from_xyzw(0.0, 1.0, 0.0, 0.0),
            RootJoint::Free => rotation_about(UP, atan2(across, along)),
        }
    }

    /// Returns the rotation that fulfills the wishes best, close to one that a start gives (Horn, "Closed-form solution of absolute
    /// orientation using unit quaternions", 1987). A planar root keeps facing as the start does.
    pub fn best_rotation(&self, joint: RootJoint, start: Rotation) -> Rotation {
        match joint {
            RootJoint::Planar => self.best_turn_in_plane(start),
            RootJoint::Free => self.best_free_rotation(start),
        }
    }

    fn best_turn_in_plane(&self, start: Rotation) -> Rotation {
        let [x, y, _] = self.columns;
        // The root turns about z and then faces -x by a half turn about y, or not.
        let faces_right = (start * Vec3::Z).z > 0.0;
        let facing = if faces_right { Rotation::IDENTITY } else { Rotation::from_xyzw(0.0, 1.0, 0.0, 0.0) };
        let (x, y) = (facing * x, facing * y);
        facing * rotation_about(Vec3::Z, atan2(x.y - y.x, x.x + y.y))
    }

    fn best_free_rotation(&self, start: Rotation) -> Rotation {
        const ITERATIONS: usize = 40;
        let [x, y, z] = self.columns;
        // The quadratic form that the quaternion (x, y, z, w) maximizes.
        let form = [
            [x.x - y.y - z.z, x.y + y.x, x.z + z.x, y.z - z.y],
            [x.y + y.x, y.y - x.x - z.z, y.z + z.y, z.x - x.z],
            [x.z + z.x, y.z + z.y, z.z - x.x - y.y, x.y - y.x],
            [y.z - z.y, z.x - x.z, x.y - y.x, x.x + y.y + z.z],
        ];
        let bound: f32 = form.iter().map(|row| row.iter().map(|entry| entry.abs()).sum()).fold(0.0, f32::max);
        let mut quaternion = start.to_array();
        for _ in 0..ITERATIONS {
            let mut next = quaternion.map(|entry| bound * entry);
            for (entry, row) in next.iter_mut().zip(&form) {
                *entry += row.iter().zip(&quaternion).map(|(a, b)| a * b).sum::<f32>();
            }
            let length = next.iter().map(|entry| entry * entry).sum::<f32>().sqrt();
            if !(length > 0.0) {
                return start;
            }
            quaternion = next.map(|entry| entry / length);
        }
        Rotation::from_array(quaternion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_of_a_turned_body_give_its_rotation_back() {
        for axis in [Vec3::X, Vec3::Y, Vec3::new(0.6, 0.0, 0.8)] {
            for angle in [-2.5, 0.4, 1.5] {
                let rotation = rotation_about(axis, angle);
                let mut alignment = Alignment::default();
                for (direction, weight) in [(Vec3::X, 1.0), (Vec3::Y, 0.5), (Vec3::new(1.0, 2.0, 3.0), 0.2)] {
                    alignment.add(direction, rotation * direction, weight);
                }
                let found = alignment.best_rotation(RootJoint::Free, Rotation::IDENTITY);
                assert!(found.dot(rotation).abs() > 0.999, "{axis} {angle}: {found}");
            }
        }
        for faces_right in [true, false] {
            let root = clamber_model::Configuration::planar_root_pose(0.0, 0.0, 0.7, faces_right);
            let mut alignment = Alignment::default();
            for direction in [Vec3::X, Vec3::new(-0.3, 1.0, 0.0)] {
                alignment.add(direction, root.rotation * direction, 1.0);
            }
            let start = clamber_model::Configuration::planar_root_pose(0.0, 0.0, 0.0, faces_right).rotation;
            let found = alignment.best_rotation(RootJoint::Planar, start);
            assert!(found.dot(root.rotation).abs() > 0.9999, "{faces_right}: {found}");
        }
    }
}
