//! How far effectors slip on their contacts.

use std::ops::ControlFlow;

use clamber_model::{Motion, Problem};

use super::frames_in_mode::is_in_mode;
use crate::active_contacts::ActiveContacts;
use crate::dense_sampling::for_each_sample;
use crate::kinematics::LinkFrames;
use crate::progress::{CheckProgress, ProgressReporter};

/// Between frames, the motion is sampled so densely that no point moves farther than this, in meters.
const SPACING: f32 = 0.01;

/// Returns the largest distance of an effector's center from the position that its contact fixes, in meters, also between
/// frames.
pub(super) fn measure(problem: &Problem, motion: &Motion, mode: &str) -> f32 {
    let character = &problem.character;
    let mut frames = LinkFrames::default();
    let mut contacts = ActiveContacts::new(motion);
    let mut worst: f32 = 0.0;
    let observer = &mut |_: &CheckProgress| ControlFlow::Continue(());
    for_each_sample(character, motion, SPACING, &mut ProgressReporter::new(observer), |sample, configuration| {
        let active = contacts.during(sample.first_frame, sample.last_frame);
        if active.is_empty() || !is_in_mode(motion, mode, sample.first_frame, sample.last_frame) {
            return;
        }
        frames.set(character, configuration);
        for span in active {
            let center = frames.effector_center(character, span.contact.effector);
            worst = worst.max((center - span.contact.effector_center(character)).length());
        }
    });
    worst
}
