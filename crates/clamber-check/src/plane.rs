//! Whether a planar character stays in its plane.

use clamber_model::character::Root;
use clamber_model::math::Vec3;
use clamber_model::{Motion, Problem};

use crate::report::{Finding, Worst};
use crate::settings::CheckSettings;

/// How far the root, or the tip of an arm of a metre across it, leaves the plane; nothing for free characters.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Option<Finding> {
    if problem.character.root == Root::Free {
        return None;
    }
    let mut worst = Worst::new();
    for frame in &motion.frames {
        let root = &frame.configuration.root;
        let tilt = (root.rotation * Vec3::Z).cross(Vec3::Z).length();
        let place = || format!("link `{}`", problem.character.links[0].name);
        worst.note(root.translation.z.abs().max(tilt), frame.time, place);
    }
    Some(worst.finding("plane", settings.plane, "m"))
}
