//! Whether the root is turned and not scaled.

use clamber_model::{Motion, Problem};

use crate::report::{Finding, Worst};
use crate::settings::CheckSettings;

/// A quaternion of another length than 1 scales the body by its square: how far that moves the farthest point.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Finding {
    let mut worst = Worst::new();
    let reach = problem.character.reach_from(0);
    for frame in &motion.frames {
        let scale = frame.configuration.root.rotation.length_squared();
        let place = || format!("link `{}`", problem.character.links[0].name);
        worst.note((scale - 1.0).abs() * reach, frame.time, place);
    }
    worst.finding("rotation", settings.rotation, "m")
}
