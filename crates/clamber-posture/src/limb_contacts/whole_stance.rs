//! The stance with which a body exerts the most force for a task, several limbs at once.
//!
//! The paper chooses limb by limb, by the force that each could transmit alone. But limbs work against each other: hands push only as hard as
//! feet resist. Here a few candidates of each limb are combined, and a linear program tells what each combination can exert within
//! friction cones and strength ([`TaskForceSolver`]), less a little for limbs far from rest. The choice is improved limb by limb, and by
//! pairs of limbs, until nothing improves it.

use clamber_model::character::GRAVITY;
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::double;
use clamber_model::obstacle_collision::CheckedLinks;
use clamber_model::self_collision::{self, SelfCollisionWorkspace};
use clamber_model::{Configuration, Contact};

use super::contact_candidates::{ContactFinder, ContactScene};
use super::limb_choices::{LimbChoice, LimbChoices, add_choices, asymmetry, by_limb, mirror_images, mirrored_pairs};
use super::stance_request::StanceRequest;
use super::tuning;
use crate::equilibrium::{ForceTask, TaskForce, TaskForceSolver};

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

/// Candidates of each limb, and the memory to combine them.
pub struct StanceChooser<'a> {
    scene: ContactScene<'a>,
    request: &'a StanceRequest,
    limbs: Vec<LimbChoices>,
    /// Pairs of limbs that are each other's mirror image.
    mirrored: Vec<[usize; 2]>,
    solver: TaskForceSolver,
    frames: LinkFrames,
    collision: SelfCollisionWorkspace,
}

/// For each limb, the index of its candidate; `None` leaves it where it is.
type Combination = Vec<Option<usize>>;

impl<'a> StanceChooser<'a> {
    /// Collects the candidates of each limb.
    pub fn new(scene: ContactScene<'a>, finder: &mut ContactFinder, request: &'a StanceRequest) -> Self {
        let mut limbs = by_limb(scene.character, &request.effectors);
        for LimbChoices { effectors, choices, .. } in &mut limbs {
            for &effector in &*effectors {
                add_choices(scene, finder, request, effector, choices);
            }
        }
        let mirrored = mirrored_pairs(scene.character, &limbs);
        for &[one, other] in &mirrored {
            let images = [[one, other], [other, one]]
                .map(|[from, to]| mirror_images(scene, finder, request, &limbs[from].choices, &limbs[to]));
            for (limb, images) in [other, one].into_iter().zip(images) {
                limbs[limb].choices.extend(images);
            }
        }
        Self {
            scene,
            request,
            limbs,
            mirrored,
            solver: TaskForceSolver::default(),
            frames: LinkFrames::default(),
            collision: SelfCollisionWorkspace::default(),
        }
    }

    /// Returns the stance that exerts the most force among those that were tried.
    pub fn choose(&mut self) -> ChosenStance {
        let first: Combination = self.limbs.iter().map(|limb| (!limb.choices.is_empty()).then_some(0)).collect();
        let mut best = (self.rank(&first), first);
        if best.0 == f64::NEG_INFINITY {
            // Limbs collide: begin without, and add one after the other.
            best.1.fill(None);
        }
        while self.improve(&mut best, 1) || self.improve(&mut best, 2) {}
        self.combined(&best.1)
    }

    /// Returns the best of all combinations. Their number grows with the power of the limbs.
    #[cfg(test)]
    pub(super) fn choose_exhaustively(&mut self) -> ChosenStance {
        let none: Combination = vec![None; self.limbs.len()];
        let mut best = (self.rank(&none), none);
        self.improve(&mut best, self.limbs.len());
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
            let choices = std::iter::once(None).chain((0..self.limbs[limb].choices.len()).map(Some));
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
        let comfort = self.request.comfort;
        let grip_cost = comfort.min(1.0) * tuning::GRIP_COST;
        let Some(force) = self.force(&configuration, &stance, grip_cost) else { return f64::NEG_INFINITY };
        let in_weights = (force.rank(character) - grip_cost * force.grip) / weight;
        worth(in_weights) - comfort * f64::from(self.discomfort(combination, &configuration))
    }

    /// How far limbs are from rest and from their mirror images.
    fn discomfort(&self, combination: &Combination, configuration: &Configuration) -> f32 {
        let of_limb = |(choice, limb): (&Option<usize>, &LimbChoices)| {
            choice.map_or(tuning::IDLE_DISCOMFORT, |choice| limb.choices[choice].discomfort)
        };
        let of_limbs: f32 = combination.iter().zip(&self.limbs).map(of_limb).sum();
        let character = self.scene.character;
        let pairs = self.mirrored.iter().map(|&[one, _]| asymmetry(character, configuration, self.limbs[one].limb));
        of_limbs + tuning::ASYMMETRY * pairs.sum::<f32>()
    }

    fn combined(&mut self, combination: &Combination) -> ChosenStance {
        let (configuration, stance) = self.body_on(combination);
        let force = self.force(&configuration, &stance, 0.0);
        ChosenStance { configuration, stance, force }
    }

    /// The body with its limbs on the chosen contacts, and all of its contacts.
    fn body_on(&self, combination: &Combination) -> (Configuration, Vec<Contact>) {
        let StanceRequest { configuration, kept, .. } = self.request;
        let (mut configuration, mut stance) = (configuration.clone(), kept.clone());
        for (choice, LimbChoices { limb, choices, .. }) in combination.iter().zip(&self.limbs) {
            let Some(choice) = choice else { continue };
            let LimbChoice { contact, configuration: chosen, .. } = &choices[*choice];
            stance.push(*contact);
            for &hinge in &self.scene.character.limbs[*limb].hinges {
                configuration.angles[hinge] = chosen.angles[hinge];
            }
        }
        (configuration, stance)
    }

    fn force(&mut self, configuration: &Configuration, stance: &[Contact], grip_cost: f64) -> Option<TaskForce> {
        let ContactScene { character, world, .. } = self.scene;
        let StanceRequest { task, object, .. } = self.request;
        forward(character, configuration, &mut self.frames);
        let is_on_object = |contact: &Contact| object.contains(&contact.hold);
        let on: Option<&dyn Fn(&Contact) -> bool> = if object.is_empty() { None } else { Some(&is_on_object) };
        let task = ForceTask { direction: task.direction, on, grip_cost };
        self.solver.greatest_force(character, world, &self.frames, stance, task)
    }
}

/// What a force in body weights is worth: its logarithm, so that ease weighs the same in easy and in hard tasks. What is too little to be
/// of use is counted as it is.
fn worth(force: f64) -> f64 {
    let share = force / tuning::LITTLE_FORCE;
    if share > 0.0 { double::ln(1.0 + share) } else { share }
}
