//! Whether the root's rotation is a unit quaternion.

use clamber_model::id::LinkId;
use clamber_model::{Motion, Problem};

use crate::report::{PropertyResult, WorstValue};
use crate::settings::CheckSettings;

/// A quaternion that is not of length 1 scales the body by its squared length. Measures the displacement of the farthest
/// point.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    let mut worst = WorstValue::new();
    let reach = problem.character.subtree_reach(LinkId::ROOT);
    for frame in &motion.frames {
        let scale = frame.configuration.root.rotation.length_squared();
        let place = || format!("link `{}`", problem.character.links[LinkId::ROOT].name);
        worst.record((scale - 1.0).abs() * reach, frame.time, place);
    }
    worst.into_result("rotation", settings.max_quaternion_error, "m")
}
