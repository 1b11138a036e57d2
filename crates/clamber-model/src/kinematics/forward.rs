//! Forward kinematics and the centre of mass.

use crate::character::{Capsule, Character};
use crate::configuration::Configuration;
use crate::math::{Pose, Rotation, Vec3, rotation_about};

/// The frames of one configuration. Made once, reused for every configuration of the same character.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Each link's frame in the world.
    pub world_from_link: Vec<Pose>,
    /// How the frame of each hinge's axis is turned in the world; Jacobians need it, collision checks do not, so the
    /// axis itself is left to [`Self::hinge_axis`].
    world_from_hinge: Vec<Rotation>,
}

impl Workspace {
    /// A hinge's axis in the world.
    pub fn hinge_axis(&self, character: &Character, hinge: usize) -> Vec3 {
        self.world_from_hinge[hinge] * character.hinges[hinge].axis
    }
}

/// Fills the workspace with the frames of this configuration.
pub fn forward(character: &Character, configuration: &Configuration, workspace: &mut Workspace) {
    prepare(character, workspace);
    for link in 0..character.links.len() {
        let joint = joint_in_world(character, configuration, workspace, link);
        turn_hinges(character, configuration, workspace, link, joint);
    }
}

/// Makes room for the frames of a character.
pub(crate) fn prepare(character: &Character, workspace: &mut Workspace) {
    workspace.world_from_link.resize(character.links.len(), Pose::IDENTITY);
    workspace.world_from_hinge.resize(character.hinges.len(), Rotation::IDENTITY);
}

/// Where a link's joint is, before its hinges turn; its parent's frame must be there.
#[inline]
pub(crate) fn joint_in_world(
    character: &Character,
    configuration: &Configuration,
    workspace: &Workspace,
    link: usize,
) -> Pose {
    let link = &character.links[link];
    match link.parent {
        None => configuration.root,
        Some(parent) => workspace.world_from_link[parent] * link.parent_from_joint,
    }
}

/// Turns a link's hinges and fills its frame.
#[inline]
pub(crate) fn turn_hinges(
    character: &Character,
    configuration: &Configuration,
    workspace: &mut Workspace,
    link: usize,
    joint: Pose,
) {
    let mut world_from_link = joint;
    for hinge in character.links[link].hinges.clone() {
        workspace.world_from_hinge[hinge] = world_from_link.rotation;
        world_from_link.rotation *= rotation_about(character.hinges[hinge].axis, configuration.angles[hinge]);
    }
    workspace.world_from_link[link] = world_from_link;
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

/// How far the point that moves farthest is moved from one configuration to another, as the crow flies: the ends of capsules
/// are looked at. The workspaces are then filled with the frames of both.
pub fn travel(character: &Character, [from, to]: [&Configuration; 2], [here, there]: [&mut Workspace; 2]) -> f32 {
    forward(character, from, here);
    forward(character, to, there);
    let mut farthest: f32 = 0.0;
    for (capsule, &link) in character.capsules.iter().zip(&character.capsule_links) {
        for end in [capsule.a, capsule.b] {
            let way = there.world_from_link[link] * end - here.world_from_link[link] * end;
            farthest = farthest.max(way.length_squared());
        }
    }
    farthest.sqrt()
}
