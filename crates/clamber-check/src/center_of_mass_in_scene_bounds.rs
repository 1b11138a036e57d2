//! Whether the center of mass stays in the scene's bounds.

use clamber_model::world::Space;
use clamber_model::{Motion, Problem};

use crate::kinematics::LinkFrames;
use crate::report::{PropertyResult, WorstValue};
use crate::settings::CheckSettings;

/// Measures the largest distance outside the bounds. Bounds without depth are not checked along z.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    let Problem { world, character, .. } = problem;
    let mut frames = LinkFrames::default();
    let mut worst = WorstValue::new();
    for frame in &motion.frames {
        frames.set(character, &frame.configuration);
        let center = frames.center_of_mass(character).as_vec3();
        let mut outside = (world.min - center).max(center - world.max);
        if world.space == Space::Planar {
            outside.z = 0.0;
        }
        worst.record(outside.max_element(), frame.time, || "the center of mass".to_owned());
    }
    worst.into_result("bounds", settings.max_distance_out_of_bounds, "m")
}
