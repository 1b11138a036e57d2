//! Where a body at rest fits given contacts best.

use clamber_model::kinematics::{LinkFrames, effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration, Contact};

use super::placement::Alignment;
use super::stance_tuning as tuning;

/// Returns the rest posture, moved and turned about the vertical axis to where it fits the contacts best. In the plane it faces the better
/// of both ways.
///
/// At rest, hands and feet are below the body and tell little about its heading. So the place is that of a body whose hinges are in the
/// middle of their limits: there effectors are near the middle of what they reach.
pub fn rest_on_contacts(character: &Character, stance: &[Contact]) -> Configuration {
    let mut posture = Configuration::rest(character);
    let mut bent = posture.clone();
    for (angle, hinge) in bent.angles.iter_mut().zip(&character.hinges) {
        *angle = 0.5 * (hinge.min + hinge.max);
    }
    let mut frames = LinkFrames::default();
    forward(character, &bent, &mut frames);
    let count = stance.len().max(1) as f32;
    let place = |contact: &Contact| effector_position(character, &frames, contact.effector);
    let middle_of_body = stance.iter().map(place).sum::<Vec3>() / count;
    let middle = stance.iter().map(|contact| contact.effector_center(character)).sum::<Vec3>() / count;
    let size = character.body_size();
    let mut alignment = Alignment::default();
    for contact in stance {
        alignment.add(place(contact) - middle_of_body, contact.effector_center(character) - middle, 1.0);
        let effector = &character.effectors[contact.effector];
        if let Some(facing) = effector.facing {
            let facing = frames.world_from_link[effector.link].rotation * facing;
            alignment.add(facing, -contact.normal, tuning::PLACED_FACING_WEIGHT * size * size);
        }
    }
    posture.root.rotation = alignment.best_heading(character.root_joint);
    posture.root.translation = middle - posture.root.rotation * middle_of_body;
    posture
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::HoldId;
    use clamber_model::math::rotation_about;
    use clamber_model::world::UP;

    #[test]
    fn contacts_of_a_bent_body_give_its_place_back() {
        let cases = [("human", 0.3), ("human", -2.8), ("dog", 1.0), ("figure", 0.0), ("figure", std::f32::consts::PI)];
        for (name, heading) in cases {
            let character = clamber_testing::character(name);
            let mut bent = Configuration::rest(&character);
            for (angle, hinge) in bent.angles.iter_mut().zip(&character.hinges) {
                *angle = 0.5 * (hinge.min + hinge.max);
            }
            bent.root.rotation = rotation_about(UP, heading);
            bent.root.translation = Vec3::new(1.0, 2.0, 0.0);
            let mut frames = LinkFrames::default();
            forward(&character, &bent, &mut frames);
            let contact = |effector| {
                let point =
                    effector_position(&character, &frames, effector) - UP * character.effectors[effector].radius;
                Contact { effector, hold: HoldId::new(0), point, normal: UP }
            };
            let stance: Vec<Contact> = character.effectors.keys().map(contact).collect();
            let found = rest_on_contacts(&character, &stance);
            assert!((found.root.translation - bent.root.translation).length() < 0.03, "{name}: {:?}", found.root);
            assert!(found.root.rotation.dot(bent.root.rotation).abs() > 0.995, "{name}: {:?}", found.root);
            assert_eq!(found.angles, Configuration::rest(&character).angles);
        }
    }
}
