//! Forward kinematics and the centre of mass.

use crate::character::{Capsule, Character};
use crate::configuration::Configuration;
use crate::math::{Pose, Vec3, rotation_about};

/// The frames of one configuration. Made once, reused for every configuration of the same character.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Each link's frame in the world.
    pub world_from_link: Vec<Pose>,
    /// Each hinge's axis in the world.
    pub hinge_axis_in_world: Vec<Vec3>,
}

/// Fills the workspace with the frames of this configuration.
pub fn forward(character: &Character, configuration: &Configuration, workspace: &mut Workspace) {
    workspace.world_from_link.clear();
    workspace.hinge_axis_in_world.clear();
    for link in &character.links {
        let mut world_from_link = match link.parent {
            None => configuration.root,
            Some(parent) => workspace.world_from_link[parent] * link.parent_from_joint,
        };
        let hinges = link.hinges.clone();
        for (hinge, angle) in character.hinges[hinges.clone()].iter().zip(&configuration.angles[hinges]) {
            workspace.hinge_axis_in_world.push(world_from_link.rotation * hinge.axis);
            world_from_link.rotation *= rotation_about(hinge.axis, *angle);
        }
        workspace.world_from_link.push(world_from_link);
    }
}

/// The whole body's centre of mass in the world.
pub fn center_of_mass(character: &Character, workspace: &Workspace) -> Vec3 {
    let mut moment = Vec3::ZERO;
    for (link, world_from_link) in character.links.iter().zip(&workspace.world_from_link) {
        moment += (*world_from_link * link.center_of_mass) * link.mass;
    }
    moment / character.total_mass
}

/// The character's capsule of this index, in the world.
#[inline]
pub fn capsule_in_world(character: &Character, workspace: &Workspace, capsule: usize) -> Capsule {
    let Capsule { a, b, radius } = character.capsules[capsule];
    let world_from_link = &workspace.world_from_link[character.capsule_links[capsule]];
    Capsule { a: *world_from_link * a, b: *world_from_link * b, radius }
}

/// The centre of the effector's sphere in the world.
pub fn effector_in_world(character: &Character, workspace: &Workspace, effector: usize) -> Vec3 {
    let effector = &character.effectors[effector];
    workspace.world_from_link[effector.link] * effector.center
}
