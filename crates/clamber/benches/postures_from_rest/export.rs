//! Writes stances as JSON, for other libraries.

use clamber::model::kinematics::{LinkFrames, forward};
use clamber::model::math::{Pose, Vec3};
use clamber::model::{Character, Configuration, Contact};
use clamber::posture::equilibrium::EquilibriumSolver;
use clamber::posture::solver::rest_on_contacts;
use serde_json::{Value, json};

use crate::feasible_stances::FeasibleStance;
use crate::judge::{CONTACT_TOLERANCE, TILT_TOLERANCE};

/// Writes the stances, the start of each, and what counts as met.
pub fn write(file: &str, character: &Character, stances: &[FeasibleStance]) {
    let stances: Vec<Value> = stances.iter().map(|stance| stance_value(character, stance)).collect();
    let value = json!({
        "character": character.name,
        "body_size": character.body_size(),
        "contact_tolerance": CONTACT_TOLERANCE,
        "tilt_tolerance": TILT_TOLERANCE,
        "hinges": character.hinges.iter().map(|hinge| &hinge.name).collect::<Vec<_>>(),
        "stances": stances,
    });
    std::fs::write(file, value.to_string()).expect("the file can be written");
}

fn stance_value(character: &Character, FeasibleStance { stance, world, witness }: &FeasibleStance) -> Value {
    let mut frames = LinkFrames::default();
    forward(character, witness, &mut frames);
    let region = EquilibriumSolver::default().support_region(character, world, &frames, stance);
    let contact = |contact: &Contact| {
        json!({
            "effector": character.effectors[contact.effector].name,
            "center": contact.effector_center(character).to_array(),
            "facing": contact.flat_facing(character).map(|facing| facing.to_array()),
        })
    };
    json!({
        "contacts": stance.iter().map(contact).collect::<Vec<_>>(),
        "support_region": region.corners.iter().map(Vec3::to_array).collect::<Vec<_>>(),
        "start": configuration_value(&rest_on_contacts(character, stance)),
        "witness": configuration_value(witness),
    })
}

fn configuration_value(Configuration { root, angles }: &Configuration) -> Value {
    let Pose { translation, rotation, .. } = root;
    json!({ "position": translation.to_array(), "rotation_xyzw": rotation.to_array(), "angles": angles.raw })
}
