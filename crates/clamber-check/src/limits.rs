//! How far hinges are beyond their limits.

use clamber_model::{Motion, Problem};

use crate::report::{Finding, Worst};
use crate::settings::CheckSettings;

/// Angles change evenly between frames, so the frames have the extremes.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Finding {
    let mut worst = Worst::new();
    for frame in &motion.frames {
        for (hinge, &angle) in problem.character.hinges.iter().zip(&frame.configuration.angles) {
            let beyond = (hinge.min - angle).max(angle - hinge.max);
            worst.note(beyond.to_degrees(), frame.time, || format!("hinge `{}`", hinge.name));
        }
    }
    worst.finding("limits", settings.limits, "deg")
}
