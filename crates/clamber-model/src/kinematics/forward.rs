//! Forward kinematics and the centre of mass.

use typed_index_collections::TiVec;

use crate::character::{Capsule, Character, Link};
use crate::configuration::Configuration;
use crate::id::{EffectorId, HingeId, LinkId};
use crate::math::{Pose, Rotation, Vec3, rotate_about_axis};

/// The frames of one configuration. Made once, reused for every configuration of the same character.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Each link's frame in the world.
    pub world_from_link: TiVec<LinkId, Pose>,
    /// How the frame of each hinge's axis is turned in the world; Jacobians need it, collision checks do not, so the
    /// axis itself is left to [`Self::hinge_axis`].
    world_from_hinge: TiVec<HingeId, Rotation>,
}

impl Workspace {
    /// A hinge's axis in the world.
    pub fn hinge_axis(&self, character: &Character, hinge: HingeId) -> Vec3 {
        self.world_from_hinge[hinge] * character.hinges[hinge].axis
    }
}

/// Fills the workspace with the frames of this configuration.
pub fn forward(character: &Character, configuration: &Configuration, workspace: &mut Workspace) {
    prepare(character, workspace);
    for link in character.links.keys() {
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
    link: LinkId,
) -> Pose {
    let link = &character.links[link];
    match link.parent {
        None => configuration.root,
        Some(parent) => joint_on(&workspace.world_from_link[parent], link),
    }
}

/// Where a link's joint is on its parent.
#[inline]
fn joint_on(world_from_parent: &Pose, link: &Link) -> Pose {
    let joint = &link.parent_from_joint;
    let turn = world_from_parent.rotation;
    // Most joints stand as their parent does.
    let turn = if joint.rotation == Rotation::IDENTITY { turn } else { turn * joint.rotation };
    Pose::from_parts(*world_from_parent * joint.translation, turn)
}

/// Turns a link's hinges and fills its frame.
#[inline]
pub(crate) fn turn_hinges(
    character: &Character,
    configuration: &Configuration,
    workspace: &mut Workspace,
    link: LinkId,
    joint: Pose,
) {
    let mut world_from_link = joint;
    for hinge in character.links[link].hinges.iter() {
        workspace.world_from_hinge[hinge] = world_from_link.rotation;
        world_from_link.rotation =
            rotate_about_axis(world_from_link.rotation, character.hinges[hinge].axis, configuration.angles[hinge]);
    }
    workspace.world_from_link[link] = world_from_link;
}

/// A link's frame in the world, by the links that carry it alone: where few frames are asked for, that is sooner done than
/// [`forward`], and the same to the last bit.
pub fn link_in_world(character: &Character, configuration: &Configuration, link: LinkId) -> Pose {
    let joint = match character.links[link].parent {
        None => configuration.root,
        Some(parent) => joint_on(&link_in_world(character, configuration, parent), &character.links[link]),
    };
    let turn = |rotation, hinge: HingeId| {
        rotate_about_axis(rotation, character.hinges[hinge].axis, configuration.angles[hinge])
    };
    Pose::from_parts(joint.translation, character.links[link].hinges.iter().fold(joint.rotation, turn))
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
    let world_from_link = &workspace.world_from_link[character.link_of_capsule[capsule]];
    Capsule { a: *world_from_link * a, b: *world_from_link * b, radius }
}

/// The centre of the effector's sphere in the world.
pub fn effector_position(character: &Character, workspace: &Workspace, effector: EffectorId) -> Vec3 {
    let effector = &character.effectors[effector];
    workspace.world_from_link[effector.link] * effector.center
}

/// The same by the links that carry it alone, as [`link_in_world`] does.
pub fn effector_position_at(character: &Character, configuration: &Configuration, effector: EffectorId) -> Vec3 {
    let effector = &character.effectors[effector];
    link_in_world(character, configuration, effector.link) * effector.center
}

/// The frames of the two ends of a step. Steps are looked at more than once, and one begins where the last one ended: what is
/// known of them is kept. Made once, reused for every step of the same character.
#[derive(Clone, Debug, Default)]
pub struct StepFrames {
    configurations: [Option<Configuration>; 2],
    frames: [Workspace; 2],
}

impl StepFrames {
    /// The frames of two configurations, computed where they are not those of the last ones.
    pub fn update(&mut self, character: &Character, [from, to]: [&Configuration; 2]) -> [&Workspace; 2] {
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

/// How far the point that moves farthest is moved from one configuration to another, as the crow flies: the ends of capsules
/// are looked at.
pub fn max_displacement(character: &Character, step: [&Configuration; 2], ends: &mut StepFrames) -> f32 {
    let [here, there] = ends.update(character, step);
    let mut farthest: f32 = 0.0;
    for (capsule, &link) in character.capsules.iter().zip(&character.link_of_capsule) {
        for end in [capsule.a, capsule.b] {
            let way = there.world_from_link[link] * end - here.world_from_link[link] * end;
            farthest = farthest.max(way.length_squared());
        }
    }
    farthest.sqrt()
}
