//! How deep links of the body enter each other.
//!
//! Which links must stay apart follows from the character's rules ([`SelfCollisionRules`]); the checker resolves them by
//! itself.

use clamber_model::character::{SelfCollisionRules, SymmetryMap};
use clamber_model::id::{LimbId, LinkId};
use clamber_model::{Character, Motion, Problem};

use crate::collision::between_segments;
use crate::dense_sampling::for_each_sample;
use crate::kinematics::LinkFrames;
use crate::progress::ProgressReporter;
use crate::report::PropertyResult;
use crate::settings::CheckSettings;
use crate::worst_sampled_distance::SampledProperty;

/// Measures how deep any two links that must stay apart enter each other. Returns nothing if all links may overlap.
///
/// Two links that were farther apart than both can have moved since are not measured again.
pub(crate) fn measure(
    problem: &Problem,
    motion: &Motion,
    settings: &CheckSettings,
    progress: &mut ProgressReporter,
) -> Vec<PropertyResult> {
    let character = &problem.character;
    let pairs = pairs_to_keep_apart(character);
    if pairs.is_empty() {
        return Vec::new();
    }
    // For each pair, the distance that its links may still move before they can touch.
    let mut clearances = vec![0.0; pairs.len()];
    let mut frames = LinkFrames::default();
    let mut worst = SampledProperty::new(motion, settings.max_penetration, settings);
    let too_far_apart =
        for_each_sample(character, motion, settings.max_sample_spacing, progress, |sample, configuration| {
            clearances.iter_mut().for_each(|clearance| *clearance -= 2.0 * sample.moved);
            // Negated so that NaN is measured.
            let is_near = |clearance: &f64| !(*clearance > 0.0);
            if !clearances.iter().any(is_near) {
                return;
            }
            frames.set(character, configuration);
            for (clearance, pair) in clearances.iter_mut().zip(&pairs).filter(|(clearance, _)| is_near(clearance)) {
                *clearance = link_distance(character, &frames, *pair);
                worst.record(&sample, -*clearance as f32, || {
                    let [one, other] = pair.map(|link| &character.links[link].name);
                    format!("link `{one}` in link `{other}`")
                });
            }
        });
    if let Some(time) = too_far_apart {
        worst.fail(time, "frames too far apart to sample between them");
    }
    worst.into_results("self-collision", "self-collision-between")
}

/// The pairs of links that must stay apart: neither joined directly, nor allowed to overlap, nor in different layers.
fn pairs_to_keep_apart(character: &Character) -> Vec<[LinkId; 2]> {
    let Some(rules) = &character.self_collision else { return Vec::new() };
    let layer = |link: LinkId| {
        let has_link = |limbs: &Vec<LimbId>| limbs.iter().any(|&limb| character.limbs[limb].links.contains(&link));
        rules.layers.iter().position(has_link)
    };
    let links: Vec<LinkId> = character.links.keys().collect();
    let layers: Vec<Option<usize>> = links.iter().map(|&link| layer(link)).collect();
    let mut pairs = Vec::new();
    for (index, &one) in links.iter().enumerate() {
        for &other in &links[index + 1..] {
            let is_joined = character.links[one].parent == Some(other) || character.links[other].parent == Some(one);
            let have_shapes = [one, other].iter().all(|&link| !character.links[link].capsules.is_empty());
            let same_layer = layers[one.index()] == layers[other.index()];
            if have_shapes && same_layer && !is_joined && !may_overlap(character, rules, [one, other]) {
                pairs.push([one, other]);
            }
        }
    }
    pairs
}

/// Whether the rules allow two links, or their mirror images, to overlap.
fn may_overlap(character: &Character, rules: &SelfCollisionRules, pair: [LinkId; 2]) -> bool {
    let is_listed = |[one, other]: [LinkId; 2]| {
        rules.allowed_overlaps.iter().any(|&pair| pair == [one, other] || pair == [other, one])
    };
    let is_mirrored = |symmetry: &SymmetryMap| is_listed(pair.map(|link| symmetry.links[link]));
    is_listed(pair) || character.symmetry().is_some_and(is_mirrored)
}

/// The distance between two links, in meters; negative is the depth of one in the other.
fn link_distance(character: &Character, frames: &LinkFrames, [one, other]: [LinkId; 2]) -> f64 {
    let mut least = f64::INFINITY;
    for one in character.links[one].capsules.clone() {
        for other in character.links[other].capsules.clone() {
            let [axis, other_axis] = [one, other].map(|capsule| frames.capsule_axis(character, capsule));
            let radii = f64::from(character.capsules[one].radius) + f64::from(character.capsules[other].radius);
            least = least.min(between_segments(axis, other_axis) - radii);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::Configuration;
    use clamber_model::obstacle_collision::CheckedLinks;
    use clamber_model::rng::Stream;
    use clamber_model::self_collision::{SelfCollisionWorkspace, worst_hit};

    #[test]
    fn pairs_and_distances_agree_with_those_of_the_planner() {
        for name in ["figure", "human", "insect", "dog", "spider"] {
            let character = clamber_testing::character(name);
            let pairs = pairs_to_keep_apart(&character);
            let expected: Vec<[LinkId; 2]> = character.self_collision_pairs().iter().map(|pair| pair.links).collect();
            assert_eq!(pairs, expected, "{name}");
            let mut random = Stream::new(1, name);
            let (mut frames, mut workspace) = (LinkFrames::default(), SelfCollisionWorkspace::default());
            let mut overlaps = 0;
            for _ in 0..300 {
                let mut posture = Configuration::rest(&character);
                for (angle, hinge) in posture.angles.iter_mut().zip(&character.hinges) {
                    *angle = random.between(hinge.min, hinge.max);
                }
                frames.set(&character, &posture);
                let distances = pairs.iter().map(|pair| link_distance(&character, &frames, *pair));
                let least = distances.fold(f64::INFINITY, f64::min);
                let found = worst_hit(&character, &posture, CheckedLinks::All, f32::INFINITY, &mut workspace);
                let found = found.map_or(f64::INFINITY, |hit| f64::from(hit.distance));
                assert!(least == found || (least - found).abs() < 2e-5, "{name}: {least} and {found}");
                overlaps += usize::from(least < 0.0);
            }
            // Limbs of random postures collide often, except in the plane.
            assert_eq!(overlaps > 30, name != "figure", "{name}: {overlaps}");
        }
    }
}
