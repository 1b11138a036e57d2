//! The stance with which a body exerts the most force for a task, several limbs at once.
//!
//! The paper chooses limb by limb, by the force that each could transmit alone. But limbs work against each other: hands push only as hard as
//! feet resist. Here a few candidates of each limb are combined, and a linear program tells what each combination can exert within
//! friction cones and strength ([`TaskForceSolver`]), less a little for limbs far from rest. The choice is improved limb by limb, and by
//! pairs of limbs, until nothing improves it.

use clamber_model::character::{GRAVITY, Hinge};
use clamber_model::id::{EffectorId, HingeId, HoldId};
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::CheckedLinks;
use clamber_model::self_collision::{self, SelfCollisionWorkspace};
use clamber_model::{Character, Configuration, Contact};

use super::contact_candidates::{ContactFinder, ContactScene};
use super::touch::ContactTask;
use super::tuning;
use crate::equilibrium::{TaskForce, TaskForceSolver};

/// Which limbs may make contact, and what for. Start from [`StanceRequest::new`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StanceRequest {
    /// Where the body is. Its root and its other limbs stay there.
    pub configuration: Configuration,
    /// Contacts that the body already has, and keeps.
    pub kept: Vec<Contact>,
    /// The effectors that may make contact, at most one of a limb.
    pub effectors: Vec<EffectorId>,
    /// What the contacts are for.
    pub task: ContactTask,
    /// The holds of the object that is pushed or pulled in the direction of the task. If there are none, the body itself is moved.
    pub object: Vec<HoldId>,
    /// Number of candidates for each limb, at most 64. Default 8.
    pub candidates_per_limb: usize,
    /// The force, in body weights, that a limb gives up in order to be at rest instead of at the far ends of its hinges. 0 gives the
    /// greatest force. Default 2.
    pub comfort: f64,
}

impl StanceRequest {
    /// A request to move the body.
    pub fn new(configuration: Configuration, effectors: Vec<EffectorId>, task: ContactTask) -> Self {
        Self {
            configuration,
            kept: Vec::new(),
            effectors,
            task,
            object: Vec::new(),
            candidates_per_limb: 8,
            comfort: 2.0,
        }
    }
}

/// A stance, and the body on it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenStance {
    /// The body.
    pub configuration: Configuration,
    /// The kept and the new contacts.
    pub stance: Vec<Contact>,
    /// What it exerts; `None` if its contacts cannot carry the body.
    pub force: Option<TaskForce>,
}

/// A contact of a limb, with the angles of the limb.
#[derive(Clone)]
struct LimbChoice {
    contact: Contact,
    configuration: Configuration,
    /// See [`discomfort`].
    discomfort: f32,
}

/// Candidates of each limb, and the memory to combine them.
pub struct StanceChooser<'a> {
    scene: ContactScene<'a>,
    request: &'a StanceRequest,
    candidates: Vec<Vec<LimbChoice>>,
    solver: TaskForceSolver,
    frames: LinkFrames,
    collision: SelfCollisionWorkspace,
}

/// For each limb, the index of its candidate; `None` leaves it where it is.
type Combination = Vec<Option<usize>>;

impl<'a> StanceChooser<'a> {
    /// Collects the candidates of each limb.
    pub fn new(scene: ContactScene<'a>, finder: &mut ContactFinder, request: &'a StanceRequest) -> Self {
        let candidates = request.effectors.iter().map(|&effector| limb_choices(scene, finder, request, effector));
        Self {
            scene,
            request,
            candidates: candidates.collect(),
            solver: TaskForceSolver::default(),
            frames: LinkFrames::default(),
            collision: SelfCollisionWorkspace::default(),
        }
    }

    /// Returns the stance that exerts the most force among those that were tried.
    pub fn choose(&mut self) -> ChosenStance {
        let first: Combination = self.candidates.iter().map(|list| (!list.is_empty()).then_some(0)).collect();
        let mut best = (self.rank(&first), first);
        while self.improve(&mut best, 1) || self.improve(&mut best, 2) {}
        self.combined(&best.1)
    }

    /// Returns the best of all combinations. Their number grows with the power of the limbs.
    #[cfg(test)]
    pub(super) fn choose_exhaustively(&mut self) -> ChosenStance {
        let none: Combination = vec![None; self.candidates.len()];
        let mut best = (self.rank(&none), none);
        self.improve(&mut best, self.candidates.len());
        self.combined(&best.1)
    }

    /// Tries all changes of so many limbs at once and takes the best. Returns whether that is an improvement.
    fn improve(&mut self, best: &mut (f64, Combination), limbs_at_once: usize) -> bool {
        let rank = best.0;
        let mut changed = best.1.clone();
        self.try_changes(&mut changed, 0, limbs_at_once, best);
        best.0 > rank
    }

    fn try_changes(
        &mut self,
        combination: &mut Combination,
        first: usize,
        limbs: usize,
        best: &mut (f64, Combination),
    ) {
        if limbs == 0 {
            return;
        }
        for limb in first..combination.len() {
            let before = combination[limb];
            let choices = std::iter::once(None).chain((0..self.candidates[limb].len()).map(Some));
            for choice in choices.filter(|choice| *choice != before) {
                combination[limb] = choice;
                let rank = self.rank(combination);
                if rank > best.0 {
                    *best = (rank, combination.clone());
                }
                self.try_changes(combination, limb + 1, limbs - 1, best);
            }
            combination[limb] = before;
        }
    }

    /// The greater, the better; minus infinity if limbs collide or the contacts cannot carry the body.
    fn rank(&mut self, combination: &Combination) -> f64 {
        let character = self.scene.character;
        let (configuration, stance) = self.body_on(combination);
        if !self_collision::is_free(character, &configuration, CheckedLinks::All, &mut self.collision) {
            return f64::NEG_INFINITY;
        }
        let weight = f64::from(character.total_mass * GRAVITY);
        let limbs = combination.iter().zip(&self.candidates);
        let of_limb = |(choice, candidates): (&Option<usize>, &Vec<LimbChoice>)| {
            choice.map_or(tuning::IDLE_DISCOMFORT, |choice| candidates[choice].discomfort)
        };
        let comfort = self.request.comfort * weight * f64::from(limbs.map(of_limb).sum::<f32>());
        self.force(&configuration, &stance).map_or(f64::NEG_INFINITY, |force| force.rank(character) - comfort)
    }

    fn combined(&mut self, combination: &Combination) -> ChosenStance {
        let (configuration, stance) = self.body_on(combination);
        let force = self.force(&configuration, &stance);
        ChosenStance { configuration, stance, force }
    }

    /// The body with its limbs on the chosen contacts, and all of its contacts.
    fn body_on(&self, combination: &Combination) -> (Configuration, Vec<Contact>) {
        let StanceRequest { configuration, kept, effectors, .. } = self.request;
        let character = self.scene.character;
        let (mut configuration, mut stance) = (configuration.clone(), kept.clone());
        for ((choice, candidates), &effector) in combination.iter().zip(&self.candidates).zip(effectors) {
            let limb = character.effectors.get(effector).and_then(|effector| effector.limb);
            let (Some(choice), Some(limb)) = (choice, limb) else { continue };
            let LimbChoice { contact, configuration: limb_angles, .. } = &candidates[*choice];
            stance.push(*contact);
            for &hinge in &character.limbs[limb].hinges {
                configuration.angles[hinge] = limb_angles.angles[hinge];
            }
        }
        (configuration, stance)
    }

    fn force(&mut self, configuration: &Configuration, stance: &[Contact]) -> Option<TaskForce> {
        let ContactScene { character, world, .. } = self.scene;
        let StanceRequest { task, object, .. } = self.request;
        forward(character, configuration, &mut self.frames);
        let is_on_object = |contact: &Contact| object.contains(&contact.hold);
        let on: Option<&dyn Fn(&Contact) -> bool> = if object.is_empty() { None } else { Some(&is_on_object) };
        self.solver.greatest_force(character, world, &self.frames, stance, task.direction, on)
    }
}

/// Contacts of a limb that are not too close to each other: half of them the best for the task, half of them the most comfortable of many.
/// Limbs that push an object look for surfaces that face against the task there, and for surfaces that face along it elsewhere, to push
/// off from.
fn limb_choices(
    scene: ContactScene,
    finder: &mut ContactFinder,
    request: &StanceRequest,
    effector: EffectorId,
) -> Vec<LimbChoice> {
    let StanceRequest { configuration, task, object, candidates_per_limb, .. } = request;
    let moving = ContactTask::moving(task.direction);
    let tasks = if task.pushes { vec![(*task, true), (moving, false)] } else { vec![(*task, false)] };
    let mut choices: Vec<LimbChoice> = Vec::new();
    for (task, must_be_object) in &tasks {
        let Some(mut candidates) = finder.candidates(scene, configuration, effector, *task) else { break };
        let mut valid: Vec<LimbChoice> = Vec::new();
        for _ in 0..tuning::MAX_VALID_CANDIDATES {
            let Some(candidate) = candidates.next_valid() else { break };
            let (contact, configuration) = (candidate.contact, candidates.configuration().clone());
            if !must_be_object || object.is_empty() || object.contains(&contact.hold) {
                let discomfort = discomfort(scene.character, &configuration, effector);
                valid.push(LimbChoice { contact, configuration, discomfort });
            }
        }
        let share = (*candidates_per_limb).min(tuning::MAX_CANDIDATES_PER_LIMB).div_ceil(2 * tasks.len());
        add_apart(scene, &valid, share, &mut choices);
        valid.sort_by(|a, b| a.discomfort.total_cmp(&b.discomfort));
        add_apart(scene, &valid, share, &mut choices);
    }
    choices
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

/// The mean square of how far the hinges of an effector's limb are from rest, as a share of their range.
fn discomfort(character: &Character, configuration: &Configuration, effector: EffectorId) -> f32 {
    let Some(limb) = character.effectors[effector].limb else { return 0.0 };
    let hinges = &character.limbs[limb].hinges;
    let of_hinge = |&hinge: &HingeId| {
        let Hinge { min, max, rest, .. } = character.hinges[hinge];
        let share = (configuration.angles[hinge] - rest) / (max - min).max(f32::MIN_POSITIVE);
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
