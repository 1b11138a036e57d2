//! The distance of links without contacts from obstacles.

use clamber_model::character::Effector;
use clamber_model::id::LinkId;
use clamber_model::{Motion, Problem};

use super::frames_in_mode::is_in_mode;
use crate::active_contacts::ActiveContacts;
use crate::collision::CollisionScene;
use crate::kinematics::LinkFrames;

/// The largest clearance that is measured, in meters.
const RANGE: f32 = 1.0;

/// Returns the smallest distance of a link without contacts from an obstacle, in meters, over the frames of a mode; and the
/// name of the link.
pub(super) fn measure(problem: &Problem, scene: &CollisionScene, motion: &Motion, mode: &str) -> (f32, String) {
    let character = &problem.character;
    let mut frames = LinkFrames::default();
    let mut contacts = ActiveContacts::new(motion);
    let mut least = (RANGE, String::new());
    for (index, frame) in motion.frames.iter().enumerate() {
        let active = contacts.during(index, index);
        if !is_in_mode(motion, mode, index, index) {
            continue;
        }
        frames.set(character, &frame.configuration);
        let has_contact = |link: LinkId| {
            active.iter().any(|span| {
                let effector: &Effector = &character.effectors[span.contact.effector];
                // An effector at a joint, such as a knee, belongs to both links that meet there.
                let is_joint = effector.center.length() < effector.radius;
                effector.link == link || (is_joint && character.links[effector.link].parent == Some(link))
            })
        };
        for (capsule, &link) in character.link_of_capsule.iter().enumerate() {
            if has_contact(link) {
                continue;
            }
            let axis = frames.capsule_axis(character, capsule);
            let radius = f64::from(character.capsules[capsule].radius);
            let distance = scene.capsule_distance(axis, radius, f64::from(least.0)).distance as f32;
            if distance < least.0 {
                least = (distance, character.links[link].name.clone());
            }
        }
    }
    least
}
