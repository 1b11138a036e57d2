//! How deep the body enters obstacles.

use clamber_model::kinematics::{Workspace, capsule_in_world, forward};
use clamber_model::world::MeshInterior;
use clamber_model::{Motion, Problem};

use crate::dense_sampling::for_each_sample;
use crate::report::{PropertyResult, WorstValue};
use crate::settings::CheckSettings;

/// Measures the depth of every capsule in every obstacle near it with exact distance queries. The distance field that
/// planners query first is not used here.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    let Problem { world, character, .. } = problem;
    let mut workspace = Workspace::default();
    let mut worst = WorstValue::new();
    let too_far_apart =
        for_each_sample(character, motion, settings.max_sample_displacement, |sample, configuration| {
            forward(character, configuration, &mut workspace);
            for index in 0..character.capsules.len() {
                let capsule = capsule_in_world(character, &workspace, index);
                let nearest = world.capsule_distance(&capsule, 0.0, MeshInterior::Solid);
                let place = || {
                    let link = &character.links[character.link_of_capsule[index]].name;
                    let obstacle = nearest.obstacle.map_or("", |obstacle| &world.obstacles[obstacle].name);
                    format!("link `{link}` in obstacle `{obstacle}`")
                };
                worst.record(-nearest.distance, sample.time, place);
            }
        });
    if let Some(time) = too_far_apart {
        worst.record(f32::INFINITY, time, || "frames too far apart to sample between them".to_owned());
    }
    worst.into_result("penetration", settings.max_penetration, "m")
}
