//! Whether effectors in contact stay in place.

use clamber_model::{Motion, Problem};

use crate::active_contacts::{ActiveContacts, describe_contact};
use crate::dense_sampling::for_each_sample;
use crate::kinematics::LinkFrames;
use crate::progress::ProgressReporter;
use crate::report::PropertyResult;
use crate::settings::CheckSettings;
use crate::worst_sampled_distance::SampledProperty;

/// Measures the largest distance of an effector's center from the position that its contact fixes, also between frames.
/// Frames too far apart to be sampled fail `penetration`.
pub(crate) fn measure(
    problem: &Problem,
    motion: &Motion,
    settings: &CheckSettings,
    progress: &mut ProgressReporter,
) -> Vec<PropertyResult> {
    progress.begin_stage(0.2);
    let character = &problem.character;
    let mut frames = LinkFrames::default();
    let mut contacts = ActiveContacts::new(motion);
    let mut worst = SampledProperty::new(motion, settings.max_slip, settings);
    for_each_sample(character, motion, settings.max_sample_spacing, progress, |sample, configuration| {
        let active = contacts.during(sample.first_frame, sample.last_frame);
        if active.is_empty() {
            return;
        }
        frames.set(character, configuration);
        for span in active {
            let center = frames.effector_center(character, span.contact.effector);
            let slip = (center - span.contact.effector_center(character)).length();
            worst.record(&sample, slip, || describe_contact(problem, &span.contact));
        }
    });
    worst.into_results("slip", "slip-between")
}
