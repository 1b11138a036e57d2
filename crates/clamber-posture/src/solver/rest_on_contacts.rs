//! Where a body at rest fits given contacts best.

use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::{Character, Configuration, Contact};

use super::contact_target::ContactTarget;
use super::placement::TargetFit;

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
    let target =
        |contact: &Contact| ContactTarget { facing: Some(-contact.normal), ..ContactTarget::on(character, contact) };
    let fit = TargetFit::new(character, &frames, &stance.iter().map(target).collect::<Vec<ContactTarget>>());
    posture.root = fit.pose(fit.alignment.best_heading(character.root_joint));
    posture
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::HoldId;
    use clamber_model::kinematics::effector_position;
    use clamber_model::math::{Vec3, rotation_about};
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
