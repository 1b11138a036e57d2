//! How well contacts hold, and how near to obstacles the rest of the body goes.

use clamber_model::character::Effector;
use clamber_model::kinematics::{Workspace, capsule_in_world, effector_in_world, forward};
use clamber_model::motion::Span;
use clamber_model::world::SolidDistance;
use clamber_model::{Motion, Problem};

use crate::contacts::Stances;
use crate::sample::for_each_sample;

/// Between frames, the motion is looked at so often that no point moves farther than this, in metres.
const SPACING: f32 = 0.01;

/// Farther away than this nothing is near, in metres.
const RANGE: f32 = 1.0;

/// The farthest that an effector's centre is from where its contact keeps it, in metres, also between frames.
pub(super) fn slip(problem: &Problem, motion: &Motion, mode: &str) -> f32 {
    let character = &problem.character;
    let mut frames = Workspace::default();
    let mut stances = Stances::new(motion);
    let mut worst: f32 = 0.0;
    for_each_sample(character, motion, SPACING, |moment, configuration| {
        let stance = stances.lasting(moment.first, moment.last);
        if stance.is_empty() || !is_in(motion, mode, moment.first, moment.last) {
            return;
        }
        forward(character, configuration, &mut frames);
        for span in stance {
            let center = effector_in_world(character, &frames, span.contact.effector);
            worst = worst.max((center - span.contact.center(character)).length());
        }
    });
    worst
}

/// The least distance from an obstacle, in metres, of links that hold on to nothing, over the frames of a mode; and the name
/// of the link.
pub(super) fn clearance(problem: &Problem, motion: &Motion, mode: &str) -> (f32, String) {
    let character = &problem.character;
    let mut workspace = Workspace::default();
    let mut stances = Stances::new(motion);
    let mut least = (RANGE, String::new());
    for (index, frame) in motion.frames.iter().enumerate() {
        let stance = stances.lasting(index, index);
        if !is_in(motion, mode, index, index) {
            continue;
        }
        forward(character, &frame.configuration, &mut workspace);
        let touches = |link: usize| {
            stance.iter().any(|span| {
                let effector: &Effector = &character.effectors[span.contact.effector];
                // An effector at a joint, such as a knee, is a place of both links that meet there.
                let is_joint = effector.center.length() < effector.radius;
                effector.link == link || (is_joint && character.links[effector.link].parent == Some(link))
            })
        };
        for (capsule, &link) in character.capsule_links.iter().enumerate() {
            if touches(link) {
                continue;
            }
            let placed = capsule_in_world(character, &workspace, capsule);
            let distance = problem.world.capsule_distance(&placed, least.0, SolidDistance::Inside).distance;
            if distance < least.0 {
                least = (distance, character.links[link].name.clone());
            }
        }
    }
    least
}

/// Whether frames from one to another are in spans of a mode.
fn is_in(motion: &Motion, mode: &str, first: usize, last: usize) -> bool {
    let covers = |span: &&Span| span.mode == mode && span.first <= first && last <= span.last;
    motion.spans.iter().any(|span| covers(&span))
}
