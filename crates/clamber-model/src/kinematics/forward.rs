//! Forward kinematics and the center of mass.

use typed_index_collections::TiVec;

use crate::character::{Capsule, Character, Link};
use crate::configuration::Configuration;
use crate::id::{EffectorId, HingeId, LinkId};
use crate::math::{Pose, Rotation, Vec3, compose_axis_rotation};

/// The link frames of one configuration. Reused for every configuration of the same character.
#[derive(Clone, Debug, Default)]
pub struct LinkFrames {
    /// Each link's frame in the world.
    pub world_from_link: TiVec<LinkId, Pose>,
    /// Rotation of the frame of each hinge's axis. Only Jacobians need the axis itself, so [`Self::hinge_axis`] computes it on
    /// demand.
    world_from_hinge: TiVec<HingeId, Rotation>,
}

impl LinkFrames {
    /// Returns a hinge's axis in the world.
    pub fn hinge_axis(&self, character: &Character, hinge: HingeId) -> Vec3 {
        self.world_from_hinge[hinge] * character.hinges[hinge].axis
    }
}

/// Computes the link frames of a configuration.
pub fn forward(character: &Character, configuration: &Configuration, workspace: &mut LinkFrames) {
    prepare(character, workspace);
    for link in character.links.keys() {
        let joint = joint_in_world(character, configuration, workspace, link);
        turn_hinges(character, configuration, workspace, link, joint);
    }
}

/// Resizes the workspace for a character.
pub(crate) fn prepare(character: &Character, workspace: &mut LinkFrames) {
    workspace.world_from_link.resize(character.links.len(), Pose::IDENTITY);
    workspace.world_from_hinge.resize(character.hinges.len(), Rotation::IDENTITY);
}

/// Returns the pose of a link's joint before its hinges rotate. The parent's frame must be computed.
#[inline]
pub(crate) fn joint_in_world(
    character: &Character,
    configuration: &Configuration,
    workspace: &LinkFrames,
    link: LinkId,
) -> Pose {
    let link = &character.links[link];
    match link.parent {
        None => configuration.root,
        Some(parent) => joint_on(&workspace.world_from_link[parent], link),
    }
}

/// Returns the pose of a link's joint, given its parent's frame.
#[inline]
fn joint_on(world_from_parent: &Pose, link: &Link) -> Pose {
    let joint = &link.parent_from_joint;
    let rotation = world_from_parent.rotation;
    // Most joints are aligned with their parent.
    let rotation = if joint.rotation == Rotation::IDENTITY { rotation } else { rotation * joint.rotation };
    Pose::from_parts(*world_from_parent * joint.translation, rotation)
}

/// Applies a link's hinge angles and stores its frame.
#[inline]
pub(crate) fn turn_hinges(
    character: &Character,
    configuration: &Configuration,
    workspace: &mut LinkFrames,
    link: LinkId,
    joint: Pose,
) {
    let mut world_from_link = joint;
    for hinge in character.links[link].hinges.iter() {
        workspace.world_from_hinge[hinge] = world_from_link.rotation;
        world_from_link.rotation =
            compose_axis_rotation(world_from_link.rotation, character.hinges[hinge].axis, configuration.angles[hinge]);
    }
    workspace.world_from_link[link] = world_from_link;
}

/// Returns a link's frame in the world, computed from its ancestors only. Bit-identical to [`forward`], and faster when few
/// frames are needed.
pub fn link_pose(character: &Character, configuration: &Configuration, link: LinkId) -> Pose {
    let joint = match character.links[link].parent {
        None => configuration.root,
        Some(parent) => joint_on(&link_pose(character, configuration, parent), &character.links[link]),
    };
    let turn = |rotation, hinge: HingeId| {
        compose_axis_rotation(rotation, character.hinges[hinge].axis, configuration.angles[hinge])
    };
    Pose::from_parts(joint.translation, character.links[link].hinges.iter().fold(joint.rotation, turn))
}

/// Returns the whole body's center of mass in the world.
pub fn center_of_mass(character: &Character, workspace: &LinkFrames) -> Vec3 {
    let mut moment = Vec3::ZERO;
    for (link, world_from_link) in character.links.iter().zip(&workspace.world_from_link) {
        moment += (*world_from_link * link.center_of_mass) * link.mass;
    }
    moment / character.total_mass
}

/// Returns the character's capsule of this index in the world.
#[inline]
pub fn capsule_in_world(character: &Character, workspace: &LinkFrames, capsule: usize) -> Capsule {
    let Capsule { a, b, radius } = character.capsules[capsule];
    let world_from_link = &workspace.world_from_link[character.link_of_capsule[capsule]];
    Capsule { a: *world_from_link * a, b: *world_from_link * b, radius }
}

/// Returns the center of the effector's sphere in the world.
pub fn effector_position(character: &Character, workspace: &LinkFrames, effector: EffectorId) -> Vec3 {
    let effector = &character.effectors[effector];
    workspace.world_from_link[effector.link] * effector.center
}

/// Like [`effector_position`], computed from the effector's ancestors only (see [`link_pose`]).
pub fn effector_position_at(character: &Character, configuration: &Configuration, effector: EffectorId) -> Vec3 {
    let effector = &character.effectors[effector];
    link_pose(character, configuration, effector.link) * effector.center
}

/// The link frames at both ends of a step, cached: a step is checked more than once, and starts where the previous one ended.
/// Reused for every step of the same character.
#[derive(Clone, Debug, Default)]
pub struct EndpointLinkFrames {
    configurations: [Option<Configuration>; 2],
    frames: [LinkFrames; 2],
}

impl EndpointLinkFrames {
    /// Returns the frames of two configurations and computes those that are not cached.
    pub fn update(&mut self, character: &Character, [from, to]: [&Configuration; 2]) -> [&LinkFrames; 2] {
        if self.configurations[1].as_ref() == Some(from) {
            self.configurations.swap(0, 1);
            self.frames.swap(0, 1);
        }
        for (end, configuration) in [from, to].into_iter().enumerate() {
            match &mut self.configurations[end] {
                Some(known) if known == configuration => continue,
                Some(known) => known.clone_from(configuration),
                unknown => *unknown = Some(configuration.clone()),
            }
            forward(character, configuration, &mut self.frames[end]);
        }
        self.frames.each_ref()
    }
}

/// Returns the greatest straight-line displacement of any capsule end between two configurations, in meters.
pub fn max_displacement(character: &Character, step: [&Configuration; 2], frames: &mut EndpointLinkFrames) -> f32 {
    let [here, there] = frames.update(character, step);
    let mut farthest: f32 = 0.0;
    for (capsule, &link) in character.capsules.iter().zip(&character.link_of_capsule) {
        for end in [capsule.a, capsule.b] {
            let displacement = there.world_from_link[link] * end - here.world_from_link[link] * end;
            farthest = farthest.max(displacement.length_squared());
        }
    }
    farthest.sqrt()
}
