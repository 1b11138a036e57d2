//! Forward kinematics of the checker, in double precision.
//!
//! Written from the definition of a character alone: planners use the functions of the model, and a mistake in those must
//! not hide itself here.

use clamber_model::id::{EffectorId, HingeId, LinkId};
use clamber_model::math::Vec3;
use clamber_model::math::double::{self, rotation_about, rotation_vector_from_rotation};
use clamber_model::{Character, Configuration};

/// The frame of a link in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub origin: double::Vec3,
    pub rotation: double::Rotation,
}

impl Frame {
    pub fn to_world(self, point: Vec3) -> double::Vec3 {
        self.origin + self.rotation * point.as_dvec3()
    }
}

/// The link frames of one configuration. Reused for every configuration of the same character.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkFrames {
    frames: Vec<Frame>,
}

impl LinkFrames {
    pub fn of(&self, link: LinkId) -> Frame {
        self.frames[link.index()]
    }

    /// Computes the frames of a configuration: each link turns about its joint, which is fixed in its parent.
    pub fn set(&mut self, character: &Character, configuration: &Configuration) {
        self.frames.clear();
        for link in &character.links {
            let mut frame = match link.parent {
                None => Frame {
                    origin: configuration.root.translation.as_dvec3(),
                    rotation: configuration.root.rotation.as_dquat(),
                },
                Some(parent) => {
                    let parent = self.frames[parent.index()];
                    let joint = &link.parent_from_joint;
                    let rotation = parent.rotation * joint.rotation.as_dquat();
                    Frame { origin: parent.to_world(joint.translation), rotation }
                }
            };
            for hinge in link.hinges.iter() {
                frame.rotation *= hinge_rotation(character, configuration, hinge);
            }
            self.frames.push(frame);
        }
    }

    /// The ends of the axis of a capsule.
    pub fn capsule_axis(&self, character: &Character, capsule: usize) -> [double::Vec3; 2] {
        let frame = self.of(character.link_of_capsule[capsule]);
        let capsule = &character.capsules[capsule];
        [capsule.a, capsule.b].map(|end| frame.to_world(end))
    }

    /// The center of an effector.
    pub fn effector_center(&self, character: &Character, effector: EffectorId) -> Vec3 {
        let effector = &character.effectors[effector];
        self.of(effector.link).to_world(effector.center).as_vec3()
    }

    /// The center of mass of the whole body.
    pub fn center_of_mass(&self, character: &Character) -> double::Vec3 {
        let (mut moment, mut mass) = (double::Vec3::ZERO, 0.0);
        for (link, frame) in character.links.iter().zip(&self.frames) {
            moment += f64::from(link.mass) * frame.to_world(link.center_of_mass);
            mass += f64::from(link.mass);
        }
        moment / mass
    }
}

/// The direction of a hinge's axis in the world: hinges of the same link before it turn it, those after it do not.
pub(crate) fn hinge_axis(
    character: &Character,
    configuration: &Configuration,
    frames: &LinkFrames,
    hinge: HingeId,
) -> double::Vec3 {
    let link = &character.links[character.hinges[hinge].link];
    let parent = link.parent.map_or(configuration.root.rotation.as_dquat(), |parent| frames.of(parent).rotation);
    let mut rotation = if link.parent.is_some() { parent * link.parent_from_joint.rotation.as_dquat() } else { parent };
    for before in link.hinges.iter().take_while(|&before| before < hinge) {
        rotation *= hinge_rotation(character, configuration, before);
    }
    rotation * character.hinges[hinge].axis.as_dvec3()
}

fn hinge_rotation(character: &Character, configuration: &Configuration, hinge: HingeId) -> double::Rotation {
    rotation_about(character.hinges[hinge].axis.as_dvec3(), f64::from(configuration.angles[hinge]))
}

/// The rotation vector from one root rotation to another: the shortest rotation, about a fixed axis.
pub(crate) fn root_turn(from: &Configuration, to: &Configuration) -> double::Vec3 {
    rotation_vector_from_rotation(to.root.rotation.as_dquat() * from.root.rotation.as_dquat().inverse())
}

/// Sets `between` to the configuration at a fraction of the way between two frames, as motions define it: the root's
/// position and the angles are interpolated linearly, the root turns about a fixed axis.
pub(crate) fn interpolate(from: &Configuration, to: &Configuration, fraction: f64, between: &mut Configuration) {
    let (start, end) = (from.root.translation.as_dvec3(), to.root.translation.as_dvec3());
    between.root.translation = (start + (end - start) * fraction).as_vec3();
    let turn = root_turn(from, to);
    let angle = turn.length();
    let axis = if angle > 0.0 { turn / angle } else { double::Vec3::X };
    between.root.rotation = (rotation_about(axis, angle * fraction) * from.root.rotation.as_dquat()).as_quat();
    let angles = from.angles.iter().zip(&to.angles).map(|(&from, &to)| {
        let (from, to) = (f64::from(from), f64::from(to));
        (from + (to - from) * fraction) as f32
    });
    between.angles.clear();
    between.angles.extend(angles);
}
