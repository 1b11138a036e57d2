//! Whether effectors stay where they hold on.

use clamber_model::kinematics::{Workspace, effector_in_world, forward};
use clamber_model::{Motion, Problem};

use crate::contacts::{Stances, in_words};
use crate::report::{Finding, Worst};
use crate::sample::for_each_sample;
use crate::settings::CheckSettings;

/// How far an effector's centre is from where its contact keeps it, also between frames. Frames too far apart to look
/// between have failed `penetration`.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Finding {
    let character = &problem.character;
    let mut frames = Workspace::default();
    let mut stances = Stances::new(motion);
    let mut worst = Worst::new();
    for_each_sample(character, motion, settings.spacing, |moment, configuration| {
        let stance = stances.lasting(moment.first, moment.last);
        if stance.is_empty() {
            return;
        }
        forward(character, configuration, &mut frames);
        for span in stance {
            let center = effector_in_world(character, &frames, span.contact.effector);
            let slip = (center - span.contact.center(character)).length();
            worst.note(slip, moment.time, || in_words(problem, &span.contact));
        }
    });
    worst.finding("slip", settings.slip, "m")
}
