//! Whether hinge angles stay within their limits.

use clamber_model::{Motion, Problem};

use crate::report::{PropertyResult, WorstValue};
use crate::settings::CheckSettings;

/// Measures the largest excess of an angle. Angles are interpolated linearly, so the extremes occur in frames.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    let mut worst = WorstValue::new();
    for frame in &motion.frames {
        for (hinge, &angle) in problem.character.hinges.iter().zip(&frame.configuration.angles) {
            let excess = (hinge.min - angle).max(angle - hinge.max);
            worst.record(excess.to_degrees(), frame.time, || format!("hinge `{}`", hinge.name));
        }
    }
    worst.into_result("limits", settings.max_hinge_excess_degrees, "deg")
}
