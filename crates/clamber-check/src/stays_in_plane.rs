//! Whether a planar character stays in its plane.

use clamber_model::character::RootJoint;
use clamber_model::id::LinkId;
use clamber_model::math::Vec3;
use clamber_model::motion::TURNING_MODE;
use clamber_model::world::UP;
use clamber_model::{Motion, Problem};

use crate::dense_sampling::for_each_sample;
use crate::progress::ProgressReporter;
use crate::report::{PropertyResult, WorstValue};
use crate::settings::CheckSettings;

/// Measures the distance from the plane of the root and of the tip of an arm of one body size perpendicular to the body. Returns
/// `None` for characters with a free root.
///
/// Inside a turn the body lies in a plane of its own, which must be vertical: only the tip's height counts, and the contacts
/// determine the position. Samples between frames count too, because a character that faces the opposite direction in the
/// next frame lies in the plane in both frames.
pub(crate) fn measure(
    problem: &Problem,
    motion: &Motion,
    settings: &CheckSettings,
    progress: &mut ProgressReporter,
) -> Option<PropertyResult> {
    progress.begin_stage(0.1);
    if problem.character.root_joint == RootJoint::Free {
        return None;
    }
    // For each frame, whether it is inside a turn, and whether the interval after it is.
    let mut in_turn = vec![[false; 2]; motion.frames.len()];
    for span in motion.mode_spans.iter().filter(|span| span.mode == TURNING_MODE) {
        for (index, frame) in in_turn[span.first_frame..span.last_frame].iter_mut().enumerate() {
            *frame = [index > 0, true];
        }
    }
    let arm = problem.character.body_size();
    let mut worst = WorstValue::new();
    for_each_sample(&problem.character, motion, settings.max_sample_spacing, progress, |sample, configuration| {
        let root = &configuration.root;
        let across = root.rotation * Vec3::Z;
        let outside = if in_turn[sample.first_frame][usize::from(sample.is_between_frames())] {
            arm * across.dot(UP).abs()
        } else {
            root.translation.z.abs().max(arm * across.cross(Vec3::Z).length())
        };
        worst.record(outside, sample.time, || format!("link `{}`", problem.character.links[LinkId::ROOT].name));
    });
    Some(worst.into_result("plane", settings.max_out_of_plane_distance, "m"))
}
