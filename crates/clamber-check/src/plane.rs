//! Whether a planar character stays in its plane.

use clamber_model::character::Root;
use clamber_model::math::Vec3;
use clamber_model::motion::TURNING;
use clamber_model::world::UP;
use clamber_model::{Motion, Problem};

use crate::report::{Finding, Worst};
use crate::sample::for_each_sample;
use crate::settings::CheckSettings;

/// How far the root, or the tip of an arm of a metre across it, leaves the plane; nothing for free characters.
///
/// Between the first and the last frame of a turn the body is in a plane of its own, which must be vertical: there it is
/// the tip's height that counts, and where the body is follows from its contacts. Between frames it is measured too,
/// since a character that faces the other way in the next frame is in the plane in both.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Option<Finding> {
    if problem.character.root == Root::Free {
        return None;
    }
    // For each frame, whether it is in a turn, and whether what is between it and the next is.
    let mut in_turn = vec![[false; 2]; motion.frames.len()];
    for span in motion.spans.iter().filter(|span| span.mode == TURNING) {
        for (index, frame) in in_turn[span.first..span.last].iter_mut().enumerate() {
            *frame = [index > 0, true];
        }
    }
    let mut worst = Worst::new();
    for_each_sample(&problem.character, motion, settings.spacing, |moment, configuration| {
        let root = &configuration.root;
        let across = root.rotation * Vec3::Z;
        let outside = if in_turn[moment.first][usize::from(moment.is_between())] {
            across.dot(UP).abs()
        } else {
            root.translation.z.abs().max(across.cross(Vec3::Z).length())
        };
        worst.note(outside, moment.time, || format!("link `{}`", problem.character.links[0].name));
    });
    Some(worst.finding("plane", settings.plane, "m"))
}
