//! How deep the body enters obstacles.

use clamber_model::{Motion, Problem};

use crate::collision::CollisionScene;
use crate::dense_sampling::for_each_sample;
use crate::kinematics::LinkFrames;
use crate::progress::ProgressReporter;
use crate::report::PropertyResult;
use crate::settings::CheckSettings;
use crate::worst_sampled_distance::SampledProperty;

/// The distance up to which clearances are measured, in spacings of samples.
const CLEARANCE_RANGE: f64 = 32.0;

/// Measures the depth of every capsule in every obstacle near it, with the checker's own shapes and distances.
///
/// A capsule that was farther from all obstacles than it can have moved since is free and is not measured again.
/// The contact tolerance that the world declares is added to the limit.
pub(crate) fn measure(
    problem: &Problem,
    motion: &Motion,
    settings: &CheckSettings,
    progress: &mut ProgressReporter,
) -> Vec<PropertyResult> {
    progress.begin_stage(0.7);
    let Problem { world, character, .. } = problem;
    let scene = CollisionScene::new(world);
    let range = CLEARANCE_RANGE * f64::from(settings.max_sample_spacing);
    // For each capsule, the distance that it may still move before it can touch anything.
    let mut clearances = vec![0.0; character.capsules.len()];
    let mut frames = LinkFrames::default();
    let mut worst = SampledProperty::new(motion, settings.max_penetration + world.contact_tolerance, settings);
    let too_far_apart =
        for_each_sample(character, motion, settings.max_sample_spacing, progress, |sample, configuration| {
            clearances.iter_mut().for_each(|clearance| *clearance -= sample.moved);
            // Negated so that NaN is measured.
            let is_near = |clearance: &f64| !(*clearance > 0.0);
            if !clearances.iter().any(is_near) {
                return;
            }
            frames.set(character, configuration);
            for (index, capsule) in character.capsules.iter().enumerate() {
                if !is_near(&clearances[index]) {
                    continue;
                }
                let axis = frames.capsule_axis(character, index);
                let nearest = scene.capsule_distance(axis, f64::from(capsule.radius), range);
                clearances[index] = nearest.distance;
                let place = || {
                    let link = &character.links[character.link_of_capsule[index]].name;
                    let obstacle = nearest.obstacle.map_or("", |obstacle| &world.obstacles[obstacle].name);
                    format!("link `{link}` in obstacle `{obstacle}`")
                };
                worst.record(&sample, -nearest.distance as f32, place);
            }
        });
    if let Some(time) = too_far_apart {
        worst.fail(time, "frames too far apart to sample between them");
    }
    worst.into_results("penetration", "penetration-between")
}
