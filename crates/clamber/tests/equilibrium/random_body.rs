//! Random bodies: postures, effectors and the surfaces that they touch.

use clamber::Character;
use clamber::model::character::{Effector, RootJoint};
use clamber::model::id::EffectorId;
use clamber::model::math::{Vec3, rotation_about};
use clamber::model::rng::Stream;
use clamber::model::world::{HoldType, Space, UP};
use clamber::model::{Configuration, World};

/// Most contacts of a stance.
const MAX_CONTACTS: usize = 6;

/// A world without obstacles, to which stances add holds.
pub fn empty_world(character: &Character) -> World {
    let space = if character.root_joint == RootJoint::Planar { Space::Planar } else { Space::Spatial };
    let depth = if space == Space::Planar { 0.0 } else { 10.0 };
    let corner = Vec3::new(10.0, 10.0, depth);
    World::from_obstacles(space, Vec::new(), -corner, corner, &Default::default())
}

/// A posture at the origin with any heading and a tilted trunk. Its angles are this share of the way from rest to any within the
/// limits.
pub fn random_posture(character: &Character, away: f32, stream: &mut Stream) -> Configuration {
    let mut configuration = Configuration::rest(character);
    for (angle, hinge) in configuration.angles.iter_mut().zip(&character.hinges) {
        *angle += away * (stream.between(hinge.min, hinge.max) - *angle);
    }
    let tilt = stream.between(-1.2, 1.2) * stream.uniform();
    configuration.root = match character.root_joint {
        RootJoint::Planar => Configuration::planar_root_pose(0.0, 0.0, tilt, stream.uniform() < 0.5),
        RootJoint::Free => {
            let heading = rotation_about(UP, stream.between(-3.1, 3.1));
            let lean = rotation_about(rotation_about(UP, stream.between(-3.1, 3.1)) * Vec3::X, tilt);
            let mut root = configuration.root;
            root.rotation = lean * heading;
            root
        }
    };
    configuration
}

/// The number of contacts of a stance, from one to six.
pub fn random_contact_count(character: &Character, stream: &mut Stream) -> usize {
    let most = MAX_CONTACTS.min(character.effectors.len());
    // In space a few points carry little, so the greater of two draws counts; in the plane and on patches the lesser.
    let draws = [stream.below(most), stream.below(most)];
    let has_patches = character.effectors.iter().any(|effector| effector.ability.patch.is_some());
    let needs_few = has_patches || character.root_joint == RootJoint::Planar;
    1 + if needs_few { draws[0].min(draws[1]) } else { draws[0].max(draws[1]) }
}

/// So many different effectors, in their order.
pub fn random_effectors(character: &Character, count: usize, stream: &mut Stream) -> Vec<EffectorId> {
    let mut all: Vec<EffectorId> = character.effectors.keys().collect();
    let count = count.min(all.len());
    let mut chosen: Vec<EffectorId> = (0..count).map(|_| all.swap_remove(stream.below(all.len()))).collect();
    chosen.sort();
    chosen
}

/// Mostly a hold that bears the effector: only one with a grip can hang.
pub fn random_hold_type(effector: &Effector, is_level: bool, stream: &mut Stream) -> HoldType {
    match stream.below(10) {
        _ if is_level => HoldType::LoadBearing,
        0..6 => HoldType::LoadBearing,
        6..8 => HoldType::Hybrid,
        _ if effector.ability.grip.is_none() => HoldType::LoadBearing,
        _ => HoldType::Pendent,
    }
}

/// A horizontal axis; in the plane, the one at right angles to it.
pub fn level_axis(character: &Character, stream: &mut Stream) -> Vec3 {
    match character.root_joint {
        RootJoint::Planar => Vec3::Z,
        RootJoint::Free => rotation_about(UP, stream.between(-3.1, 3.1)) * Vec3::X,
    }
}

/// The normal of a surface that suits a type, inclined about an axis.
pub fn normal_of_type(hold_type: HoldType, axis: Vec3, stream: &mut Stream) -> Vec3 {
    let lean = match hold_type {
        HoldType::LoadBearing => stream.between(-0.7, 0.7) * stream.uniform(),
        HoldType::Hybrid => stream.between(0.8, 2.3) * if stream.uniform() < 0.5 { 1.0 } else { -1.0 },
        HoldType::Pendent => std::f32::consts::PI + stream.between(-0.7, 0.7),
    };
    (rotation_about(axis, lean) * UP).normalize()
}
