//! Where a body at rest fits given contacts best.

use clamber_model::character::RootJoint;
use clamber_model::kinematics::{LinkFrames, effector_position, forward};
use clamber_model::math::{Vec3, atan2, rotation_about};
use clamber_model::world::UP;
use clamber_model::{Character, Configuration, Contact};

/// How much the direction that an effector faces counts for the heading, as a squared distance in body sizes.
const FACING_WEIGHT: f32 = 0.05;

/// Returns the rest posture, moved and turned about the vertical axis so that its effectors are as near to their contacts as they can
/// be, in the sense of least squares. In the plane it faces the better of both ways.
pub fn rest_on_contacts(character: &Character, stance: &[Contact]) -> Configuration {
    let mut posture = Configuration::rest(character);
    let mut frames = LinkFrames::default();
    forward(character, &posture, &mut frames);
    let count = stance.len().max(1) as f32;
    let place = |contact: &Contact| effector_position(character, &frames, contact.effector);
    let middle_at_rest = stance.iter().map(place).sum::<Vec3>() / count;
    let middle = stance.iter().map(|contact| contact.effector_center(character)).sum::<Vec3>() / count;
    // The products of horizontal components, along and across: the turn with the greatest sum of products is the best.
    let (mut along, mut across) = (0.0, 0.0);
    let mut add = |at_rest: Vec3, wanted: Vec3, weight: f32| {
        along += weight * (at_rest.x * wanted.x + at_rest.z * wanted.z);
        across += weight * (at_rest.z * wanted.x - at_rest.x * wanted.z);
    };
    let size = character.body_size();
    for contact in stance {
        add(place(contact) - middle_at_rest, contact.effector_center(character) - middle, 1.0);
        let effector = &character.effectors[contact.effector];
        if let Some(facing) = effector.facing {
            let facing = frames.world_from_link[effector.link].rotation * facing;
            add(facing, -contact.normal, FACING_WEIGHT * size * size);
        }
    }
    posture.root.rotation = match character.root_joint {
        RootJoint::Planar => Configuration::planar_root_pose(0.0, 0.0, 0.0, along >= 0.0).rotation,
        RootJoint::Free => rotation_about(UP, atan2(across, along)),
    };
    posture.root.translation = middle - posture.root.rotation * middle_at_rest;
    posture
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::HoldId;

    #[test]
    fn contacts_of_a_body_at_rest_give_its_place_back() {
        for (name, heading) in
            [("human", 0.3), ("human", -2.8), ("dog", 1.0), ("figure", 0.0), ("figure", std::f32::consts::PI)]
        {
            let character = clamber_testing::character(name);
            let mut rest = Configuration::rest(&character);
            rest.root.rotation = rotation_about(UP, heading);
            rest.root.translation = Vec3::new(1.0, 2.0, 0.0);
            let mut frames = LinkFrames::default();
            forward(&character, &rest, &mut frames);
            let contact = |effector| {
                let point =
                    effector_position(&character, &frames, effector) - UP * character.effectors[effector].radius;
                Contact { effector, hold: HoldId::new(0), point, normal: UP }
            };
            let stance: Vec<Contact> = character.effectors.keys().map(contact).collect();
            let found = rest_on_contacts(&character, &stance);
            assert!((found.root.translation - rest.root.translation).length() < 1e-4, "{name}: {:?}", found.root);
            assert!(found.root.rotation.dot(rest.root.rotation).abs() > 0.9999, "{name}: {:?}", found.root);
            assert_eq!(found.angles, rest.angles);
        }
    }
}
