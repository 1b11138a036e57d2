//! Contact candidates without an index, to compare with.

use clamber_model::Configuration;
use clamber_model::Contact;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::link_pose;

use super::contact_candidates::{ContactCandidate, ContactScene};
use super::limb_chain::LimbChain;
use super::touch::{ContactTask, Touch, Toucher, better};
use super::tuning;

/// Returns the candidates of the samples up to a number, the best first, by testing every sample with every hold.
///
/// The same as [`ContactCandidates::next_touching`](super::ContactCandidates::next_touching) returns one by one, and much slower.
pub fn scan_candidates(
    scene: ContactScene,
    configuration: &Configuration,
    effector: EffectorId,
    task: ContactTask,
    samples: u32,
) -> Vec<ContactCandidate> {
    let ContactScene { character, world, .. } = scene;
    let Some(chain) = LimbChain::new(character, effector) else { return Vec::new() };
    let world_from_base = link_pose(character, configuration, chain.base);
    let max_gap = tuning::MAX_GAP * character.body_size();
    let toucher = Toucher::new(world, &character.effectors[effector], task, max_gap);
    let direction = world_from_base.rotation.inverse() * task.direction;
    let limit = tuning::MAX_FORCE_TRANSMISSION / character.body_size();
    let (mut columns, mut joints) = (Vec::new(), Vec::new());
    let candidate = |number| {
        let sample = chain.sample(character, effector, number, &mut columns, &mut joints);
        joints.clear();
        let center = world_from_base * sample.position;
        let facing = toucher.effector.facing.map(|facing| world_from_base.rotation * (sample.rotation * facing));
        let touches = world.holds.keys().map(|hold| toucher.touch(hold, center, facing));
        let Touch { hold, point, alignment } = touches.fold(None, better)?;
        let transmission = sample.product.force_transmission(direction, limit);
        let contact = Contact { effector, hold, point, normal: world.holds[hold].normal };
        Some(ContactCandidate { contact, ratio: transmission * alignment, transmission, sample: number })
    };
    let mut found: Vec<ContactCandidate> = (0..samples).filter_map(candidate).collect();
    found.sort_by(|a, b| {
        let by_ratio = b.ratio.total_cmp(&a.ratio).then(b.transmission.total_cmp(&a.transmission));
        by_ratio.then(a.sample.cmp(&b.sample))
    });
    found
}
