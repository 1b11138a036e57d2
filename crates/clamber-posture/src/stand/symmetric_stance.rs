//! Stances that are their own mirror image, such as two feet side by side.

use clamber_model::math::{Pose, Vec3, atan2, rotation_about};
use clamber_model::world::UP;
use clamber_model::{Character, Configuration, Contact};

use super::tuning;

/// The vertical plane in which a stance is its own mirror image.
pub(super) struct MirrorPlane {
    /// Its xy plane.
    world_from_plane: Pose,
}

impl MirrorPlane {
    /// The plane along a horizontal heading, through the middle of the contacts; `None` if the stance is not symmetric in it or the
    /// character has no left and right.
    pub fn of_stance(character: &Character, stance: &[Contact], heading: Vec3) -> Option<Self> {
        let effectors = &character.symmetry()?.effectors;
        let middle = stance.iter().map(|contact| contact.point).sum::<Vec3>() / stance.len().max(1) as f32;
        let world_from_plane = Pose::from_parts(middle, rotation_about(UP, atan2(-heading.z, heading.x)));
        let plane_from_world = world_from_plane.inverse();
        let tolerance = tuning::SYMMETRY_TOLERANCE * character.body_size();
        let has_image = |contact: &Contact| {
            let image = stance.iter().find(|image| image.effector == effectors[contact.effector]);
            image.is_some_and(|image| {
                let [at, at_image] = [contact.point, image.point].map(|point| plane_from_world * point);
                let [normal, other] = [contact.normal, image.normal].map(|normal| plane_from_world.rotation * normal);
                (at - mirrored(at_image)).length() <= tolerance
                    && (normal - mirrored(other)).length() <= tuning::SYMMETRY_TOLERANCE
            })
        };
        stance.iter().all(has_image).then_some(Self { world_from_plane })
    }

    /// The configuration halfway between one and its mirror image.
    pub fn symmetric(&self, character: &Character, configuration: &Configuration) -> Option<Configuration> {
        let mut one = configuration.clone();
        one.root = self.world_from_plane.inverse() * one.root;
        let other = one.mirrored(character)?;
        let mut halfway = one.clone();
        halfway.interpolate(&one, &other, 0.5);
        halfway.root = self.world_from_plane * halfway.root;
        Some(halfway)
    }
}

/// A vector reflected at the plane z = 0.
fn mirrored(vector: Vec3) -> Vec3 {
    vector.with_z(-vector.z)
}
