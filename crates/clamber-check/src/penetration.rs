//! How deep the body is inside obstacles.

use clamber_model::kinematics::{Workspace, capsule_in_world, forward};
use clamber_model::world::SolidDistance;
use clamber_model::{Motion, Problem};

use crate::report::{Finding, Worst};
use crate::sample::for_each_sample;
use crate::settings::CheckSettings;

/// Every capsule against every obstacle near it, by the engine alone: the field of distances that planners ask first
/// is not trusted here.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Finding {
    let Problem { world, character, .. } = problem;
    let mut frames = Workspace::default();
    let mut worst = Worst::new();
    let too_far_apart = for_each_sample(character, motion, settings.spacing, |moment, configuration| {
        forward(character, configuration, &mut frames);
        for index in 0..character.capsules.len() {
            let capsule = capsule_in_world(character, &frames, index);
            let nearest = world.capsule_distance(&capsule, 0.0, SolidDistance::Inside);
            let place = || {
                let link = &character.links[character.capsule_links[index]].name;
                let obstacle = nearest.obstacle.map_or("", |obstacle| &world.obstacles[obstacle].name);
                format!("link `{link}` in obstacle `{obstacle}`")
            };
            worst.note(-nearest.distance, moment.time, place);
        }
    });
    if let Some(time) = too_far_apart {
        worst.note(f32::INFINITY, time, || "frames too far apart to look between".to_owned());
    }
    worst.finding("penetration", settings.penetration, "m")
}
