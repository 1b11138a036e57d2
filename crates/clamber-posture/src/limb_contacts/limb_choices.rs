//! Contacts of a limb to choose from, with the limb's posture in each.

use clamber_model::character::Hinge;
use clamber_model::id::{EffectorId, HingeId, LimbId};
use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration, Contact};

use super::contact_candidates::{ContactFinder, ContactScene};
use super::stance_request::StanceRequest;
use super::touch::ContactTask;
use super::tuning;

/// A contact of a limb, with the angles of the limb.
#[derive(Clone)]
pub(super) struct LimbChoice {
    pub contact: Contact,
    pub configuration: Configuration,
    /// See [`discomfort`].
    pub discomfort: f32,
}

/// The candidates of a limb.
pub(super) struct LimbChoices {
    pub limb: LimbId,
    pub effectors: Vec<EffectorId>,
    pub choices: Vec<LimbChoice>,
}

/// The effectors of each limb.
pub(super) fn by_limb(character: &Character, effectors: &[EffectorId]) -> Vec<LimbChoices> {
    let mut limbs: Vec<LimbChoices> = Vec::new();
    for &effector in effectors {
        let Some(limb) = character.effectors.get(effector).and_then(|effector| effector.limb) else { continue };
        match limbs.iter_mut().find(|other| other.limb == limb) {
            Some(known) => known.effectors.push(effector),
            None => limbs.push(LimbChoices { limb, effectors: vec![effector], choices: Vec::new() }),
        }
    }
    limbs
}

pub(super) fn mirrored_pairs(character: &Character, limbs: &[LimbChoices]) -> Vec<[usize; 2]> {
    let Some(symmetry) = character.symmetry() else { return Vec::new() };
    let image = |index: usize| limbs.iter().position(|other| other.limb == symmetry.limbs[limbs[index].limb]);
    (0..limbs.len()).filter_map(|one| image(one).filter(|other| one < *other).map(|other| [one, other])).collect()
}

/// Whether a contact is of use.
type Condition<'a> = &'a dyn Fn(&Contact) -> bool;

/// Adds contacts of an effector that are not too close to each other: half of them the best for the task, half of them the most comfortable
/// of many. Limbs that push an object look for surfaces that face against the task there, and for surfaces that face along it
/// elsewhere, to push off from. Limbs that grip also pull themselves along on what faces against the task.
pub(super) fn add_choices(
    scene: ContactScene,
    finder: &mut ContactFinder,
    request: &StanceRequest,
    effector: EffectorId,
    choices: &mut Vec<LimbChoice>,
) {
    let StanceRequest { configuration, task, object, candidates_per_effector, considered_contacts, .. } = request;
    let grip = scene.character.effectors[effector].ability.grip;
    let is_on_object = |contact: &Contact| object.is_empty() || object.contains(&contact.hold);
    let can_grip =
        |contact: &Contact| grip.is_some_and(|grip| scene.world.can_grip(contact.hold, contact.point, grip.edge_reach));
    let tasks: Vec<(ContactTask, Condition)> = if task.pushes {
        vec![(*task, &is_on_object), (ContactTask::moving(task.direction), &|_| true)]
    } else if grip.is_some() {
        vec![(*task, &|_| true), (ContactTask::pushing(task.direction), &can_grip)]
    } else {
        vec![(*task, &|_| true)]
    };
    let gap = tuning::WIDE_GAP * scene.character.body_size();
    for (task, is_meant) in &tasks {
        let Some(mut candidates) = finder.candidates_within(scene, configuration, effector, *task, gap) else { break };
        let mut valid: Vec<LimbChoice> = Vec::new();
        for _ in 0..*considered_contacts {
            let Some(candidate) = candidates.next_valid() else { break };
            let contact = candidate.contact;
            if is_meant(&contact) {
                valid.push(LimbChoice::new(scene, contact, candidates.configuration().clone()));
            }
        }
        let share = (*candidates_per_effector).min(tuning::MAX_CANDIDATES_PER_EFFECTOR).div_ceil(2);
        add_apart(scene, &valid, share, choices);
        valid.sort_by(|a, b| a.discomfort.total_cmp(&b.discomfort));
        add_apart(scene, &valid, share, choices);
    }
}

/// The mirror images of a limb's choices that the limb on the other side can take.
pub(super) fn mirror_images(
    scene: ContactScene,
    finder: &mut ContactFinder,
    request: &StanceRequest,
    choices: &[LimbChoice],
    limb: &LimbChoices,
) -> Vec<LimbChoice> {
    let Some(symmetry) = scene.character.symmetry() else { return Vec::new() };
    let mut images = Vec::new();
    for choice in choices {
        let effector = symmetry.effectors[choice.contact.effector];
        if !limb.effectors.contains(&effector) {
            continue;
        }
        let mut mirrored = choice.configuration.clone();
        for &hinge in &scene.character.limbs[symmetry.limbs[limb.limb]].hinges {
            let image = symmetry.hinges[hinge];
            mirrored.angles[image.hinge] = image.sign * choice.configuration.angles[hinge];
        }
        let Some(mut candidates) = finder.candidates(scene, &request.configuration, effector, request.task) else {
            continue;
        };
        if let Some(contact) = candidates.contact_as_in(&mirrored) {
            images.push(LimbChoice::new(scene, contact, candidates.configuration().clone()));
        }
    }
    images
}

impl LimbChoice {
    fn new(scene: ContactScene, contact: Contact, configuration: Configuration) -> Self {
        let discomfort = discomfort(scene.character, &configuration, contact.effector);
        Self { contact, configuration, discomfort }
    }
}

/// Adds up to so many of the first choices that are apart from all that are there.
fn add_apart(scene: ContactScene, from: &[LimbChoice], count: usize, to: &mut Vec<LimbChoice>) {
    let most = to.len() + count;
    for choice in from {
        if to.len() < most && to.iter().all(|other| is_apart(scene, &other.contact, &choice.contact)) {
            to.push(choice.clone());
        }
    }
}

/// The mean square of how far the hinges of an effector's limb are from rest: 0 at rest and 1 at the ends of their ranges. Where rest is near
/// an end, as for knees, a good part of the range stands for the way there.
fn discomfort(character: &Character, configuration: &Configuration, effector: EffectorId) -> f32 {
    let Some(limb) = character.effectors[effector].limb else { return 0.0 };
    let hinges = &character.limbs[limb].hinges;
    let of_hinge = |&hinge: &HingeId| {
        let Hinge { min, max, rest, .. } = character.hinges[hinge];
        let angle = configuration.angles[hinge];
        let way = if angle > rest { max - rest } else { rest - min };
        let share = (angle - rest) / way.max(tuning::LEAST_WAY * (max - min)).max(f32::MIN_POSITIVE);
        share * share
    };
    hinges.iter().map(of_hinge).sum::<f32>() / hinges.len().max(1) as f32
}

/// The mean square of the differences between the angles of a limb and those of its mirror image, as a share of their range.
pub(super) fn asymmetry(character: &Character, configuration: &Configuration, limb: LimbId) -> f32 {
    let Some(symmetry) = character.symmetry() else { return 0.0 };
    let hinges = &character.limbs[limb].hinges;
    let of_hinge = |&hinge: &HingeId| {
        let (Hinge { min, max, .. }, image) = (&character.hinges[hinge], symmetry.hinges[hinge]);
        let difference = image.sign * configuration.angles[hinge] - configuration.angles[image.hinge];
        let share = difference / (max - min).max(f32::MIN_POSITIVE);
        share * share
    };
    hinges.iter().map(of_hinge).sum::<f32>() / hinges.len().max(1) as f32
}

/// Whether two contacts are far apart or on surfaces that face different directions.
fn is_apart(scene: ContactScene, one: &Contact, other: &Contact) -> bool {
    let distance: Vec3 = one.point - other.point;
    let is_far = distance.length() > tuning::MIN_SEPARATION * scene.character.body_size();
    is_far || one.normal.dot(other.normal) < tuning::SAME_NORMAL
}
