//! Whether the centre of mass stays in the scene's bounds.

use clamber_model::kinematics::{Workspace, center_of_mass, forward};
use clamber_model::{Motion, Problem};

use crate::report::{Finding, Worst};
use crate::settings::CheckSettings;

/// How far the centre of mass is outside. A flat region has no depth to be outside of.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Finding {
    let Problem { world, character, .. } = problem;
    let mut frames = Workspace::default();
    let mut worst = Worst::new();
    for frame in &motion.frames {
        forward(character, &frame.configuration, &mut frames);
        let center = center_of_mass(character, &frames);
        let mut outside = (world.min - center).max(center - world.max);
        if world.min.z == world.max.z {
            outside.z = 0.0;
        }
        worst.note(outside.max_element(), frame.time, || "the centre of mass".to_owned());
    }
    worst.finding("bounds", settings.bounds, "m")
}
