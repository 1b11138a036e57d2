//! Contacts along a path of the root: made and broken as the reach of the limbs asks for.
//!
//! A limb keeps its contact while it reaches it. Before the next pose of the path takes it out of reach, it lets go, if the other contacts carry
//! the body, and takes the contact that it will keep for longest. The body is carried at every pose, before and after each change. How a
//! limb swings from contact to contact is not planned here.

use clamber_model::id::EffectorId;
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::{Pose, Vec3};
use clamber_model::obstacle_collision::{CheckedLinks, Clearance, CollisionWorkspace, are_links_free};
use clamber_model::{Configuration, Contact};

use super::contact_candidates::{ContactFinder, ContactScene};
use super::limb_choices::{LimbChoice, LimbChoices, add_choices, by_limb};
use super::stance_request::StanceRequest;
use super::touch::ContactTask;
use super::tuning;
use crate::equilibrium::TaskForceSolver;

/// What to ask [`contacts_along`] for.
#[derive(Clone, Debug)]
pub struct PathRequest {
    /// The body at the beginning. Hinges of no limb stay as they are.
    pub configuration: Configuration,
    /// Its contacts.
    pub stance: Vec<Contact>,
    /// The effectors that may make contact, besides those of the stance. Of several effectors of a limb, one does.
    pub effectors: Vec<EffectorId>,
    /// The poses of the root after the beginning, a few hundredths of a body size apart.
    pub path: Vec<Pose>,
}

/// A moment on the path. At each pose of the root there may be several: one for each change of contact.
#[derive(Clone, Debug, PartialEq)]
pub struct PathStep {
    /// The body.
    pub configuration: Configuration,
    /// Its contacts, which carry it.
    pub stance: Vec<Contact>,
}

/// How far contacts were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// To the end of the path.
    Arrived,
    /// At the next pose, a part of the body that makes no contact collides.
    Collides,
    /// The next pose needs a contact that no limb can make while the others carry the body.
    NotCarried,
}

/// Contacts along a path.
#[derive(Clone, Debug)]
pub struct ContactPath {
    /// The steps, the first of them at the beginning.
    pub steps: Vec<PathStep>,
    /// Why they end where they end.
    pub end: PathEnd,
}

/// Finds contacts for a body whose root follows a path.
pub fn contacts_along(scene: ContactScene, finder: &mut ContactFinder, request: &PathRequest) -> ContactPath {
    let mut effectors = request.effectors.clone();
    let limb_of = |effector: EffectorId| scene.character.effectors.get(effector).map(|effector| effector.limb);
    for &Contact { effector, .. } in &request.stance {
        if effectors.iter().all(|&other| limb_of(other) != limb_of(effector)) {
            effectors.push(effector);
        }
    }
    let limbs = by_limb(scene.character, &effectors);
    let at = PathStep { configuration: request.configuration.clone(), stance: request.stance.clone() };
    let mut follower = Follower {
        scene,
        finder,
        request,
        limbs,
        at,
        steps: Vec::new(),
        solver: TaskForceSolver::default(),
        frames: LinkFrames::default(),
        collision: CollisionWorkspace::default(),
    };
    let end = follower.follow();
    follower.steps.push(follower.at.clone());
    ContactPath { steps: follower.steps, end }
}

struct Follower<'a> {
    scene: ContactScene<'a>,
    finder: &'a mut ContactFinder,
    request: &'a PathRequest,
    limbs: Vec<LimbChoices>,
    at: PathStep,
    /// The steps before [`Self::at`].
    steps: Vec<PathStep>,
    solver: TaskForceSolver,
    frames: LinkFrames,
    collision: CollisionWorkspace,
}

/// The body at the next pose, or what keeps it from there.
enum Advance {
    Possible(Configuration),
    /// These limbs do not reach their contacts. If there are none, the contacts do not carry the body.
    NeedsContacts(Vec<usize>),
    Collides,
}

impl Follower<'_> {
    fn follow(&mut self) -> PathEnd {
        let path = &self.request.path;
        for (next, &pose) in path.iter().enumerate() {
            for limb in 0..self.limbs.len() {
                if self.contact_of(limb).is_none() {
                    self.take_contact(limb, next, &|_, _| true);
                }
            }
            // Limbs may step in turns without end.
            let mut changes = 0;
            let configuration = loop {
                match self.advance(pose) {
                    Advance::Possible(configuration) => break configuration,
                    Advance::Collides => return PathEnd::Collides,
                    Advance::NeedsContacts(limbs) if changes < 2 * self.limbs.len() => {
                        changes += 1;
                        if !self.change_one(&limbs, next) {
                            return PathEnd::NotCarried;
                        }
                    }
                    Advance::NeedsContacts(_) => return PathEnd::NotCarried,
                }
            };
            let stance = self.at.stance.clone();
            self.go_to(PathStep { configuration, stance });
        }
        PathEnd::Arrived
    }

    fn go_to(&mut self, step: PathStep) {
        self.steps.push(std::mem::replace(&mut self.at, step));
    }

    fn contact_of(&self, limb: usize) -> Option<Contact> {
        let (effectors, limb) = (&self.scene.character.effectors, self.limbs[limb].limb);
        let is_of_limb = |contact: &&Contact| effectors.get(contact.effector).is_some_and(|of| of.limb == Some(limb));
        self.at.stance.iter().find(is_of_limb).copied()
    }

    /// Moves the root to a pose, with all contacts.
    fn advance(&mut self, pose: Pose) -> Advance {
        let mut configuration = self.at.configuration.clone();
        configuration.root = pose;
        let mut failing = Vec::new();
        for limb in 0..self.limbs.len() {
            let Some(contact) = self.contact_of(limb) else { continue };
            if !self.finder.put_limb_on(self.scene, &mut configuration, &contact) {
                failing.push(limb);
            }
        }
        if !failing.is_empty() {
            return Advance::NeedsContacts(failing);
        }
        if !self.is_outside_obstacles(&configuration) {
            self.rest_free_limbs(&mut configuration);
            if !self.is_outside_obstacles(&configuration) {
                return Advance::Collides;
            }
        }
        let stance = self.at.stance.clone();
        if self.is_carried(&configuration, &stance) {
            Advance::Possible(configuration)
        } else {
            Advance::NeedsContacts(Vec::new())
        }
    }

    fn rest_free_limbs(&self, configuration: &mut Configuration) {
        let character = self.scene.character;
        for limb in (0..self.limbs.len()).filter(|&limb| self.contact_of(limb).is_none()) {
            for &hinge in &character.limbs[self.limbs[limb].limb].hinges {
                configuration.angles[hinge] = character.hinges[hinge].rest;
            }
        }
    }

    /// Changes the contact of one limb: one of those that must takes another, or lets go; or else another limb takes one that helps. Returns
    /// whether one did.
    fn change_one(&mut self, limbs: &[usize], next: usize) -> bool {
        let others: Vec<usize> = (0..self.limbs.len()).filter(|limb| !limbs.contains(limb)).collect();
        limbs.iter().any(|&limb| self.take_contact(limb, next, &|_, _| true))
            || limbs.iter().any(|&limb| self.let_go(limb))
            || others
                .iter()
                .any(|&limb| self.take_contact(limb, next, &|follower, step| follower.helps(step, limbs, next)))
    }

    /// Whether one of some limbs can let go in a step, or the next pose is possible from it if there are none.
    fn helps(&mut self, step: &PathStep, limbs: &[usize], next: usize) -> bool {
        let before = std::mem::replace(&mut self.at, step.clone());
        let helps = if limbs.is_empty() {
            matches!(self.advance(self.request.path[next]), Advance::Possible(_))
        } else {
            limbs.iter().any(|&limb| {
                let without = self.stance_without(limb);
                self.is_carried(&step.configuration, &without)
            })
        };
        self.at = before;
        helps
    }

    /// Lets a limb let go, if the other contacts carry the body.
    fn let_go(&mut self, limb: usize) -> bool {
        let stance = self.stance_without(limb);
        let configuration = self.at.configuration.clone();
        let is_carried = self.is_carried(&configuration, &stance);
        if is_carried {
            self.go_to(PathStep { configuration, stance });
        }
        is_carried
    }

    fn stance_without(&self, limb: usize) -> Vec<Contact> {
        let held = self.contact_of(limb);
        self.at.stance.iter().filter(|contact| Some(**contact) != held).copied().collect()
    }

    /// Lets a limb take the best contact that is of use, where the other contacts carry the body meanwhile. Returns whether it did.
    fn take_contact(&mut self, limb: usize, next: usize, is_of_use: &dyn Fn(&mut Self, &PathStep) -> bool) -> bool {
        let held = self.contact_of(limb);
        let without = self.stance_without(limb);
        let configuration = self.at.configuration.clone();
        if held.is_some() && !self.is_carried(&configuration, &without) {
            return false;
        }
        let mut best: Option<(f32, PathStep)> = None;
        for (worth, LimbChoice { contact, configuration, .. }) in self.choices(limb, next) {
            let stance = without.iter().chain([&contact]).copied().collect();
            let step = PathStep { configuration, stance };
            if self.is_carried(&step.configuration, &step.stance) && is_of_use(self, &step) {
                let worth = worth + tuning::FREEDOM * self.freedom(&step);
                if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                    best = Some((worth, step));
                }
            }
        }
        let Some((_, step)) = best else { return false };
        if held.is_some() {
            self.go_to(PathStep { configuration, stance: without });
        }
        self.go_to(step);
        true
    }

    /// The share of the contacts that the body can do without.
    fn freedom(&mut self, PathStep { configuration, stance }: &PathStep) -> f32 {
        let mut spare = 0;
        for index in 0..stance.len() {
            let mut without = stance.clone();
            without.remove(index);
            spare += usize::from(self.is_carried(configuration, &without));
        }
        spare as f32 / stance.len().max(1) as f32
    }

    /// Contacts that a limb keeps at least at the next pose, and what they are worth: how long it keeps them, and how much at ease.
    fn choices(&mut self, limb: usize, next: usize) -> Vec<(f32, LimbChoice)> {
        let StepQuery { request, poses } = self.query(next);
        let mut choices = Vec::new();
        for &effector in &self.limbs[limb].effectors {
            add_choices(self.scene, self.finder, &request, effector, &mut choices);
        }
        let mut lasting = Vec::new();
        for choice in choices {
            let lasts = self.poses_kept(&choice.configuration, &choice.contact, next);
            if lasts > 0 {
                let share = lasts as f32 / poses as f32;
                lasting.push((share - tuning::DISCOMFORT_OF_STEPS * choice.discomfort, choice));
            }
        }
        lasting
    }

    /// What contacts are for from here: to move along the path.
    fn query(&self, next: usize) -> StepQuery {
        let poses = self.poses_ahead(next).len().max(1);
        let ahead = self.poses_ahead(next).last().map_or(Vec3::ZERO, |pose| pose.translation);
        let direction = (ahead - self.at.configuration.root.translation).normalize_or(Vec3::Y);
        let task = ContactTask::moving(direction);
        let mut request = StanceRequest::new(self.at.configuration.clone(), Vec::new(), task);
        request.considered_contacts = tuning::CONSIDERED_ON_PATH;
        request.candidates_per_effector = tuning::CANDIDATES_ON_PATH;
        StepQuery { request, poses }
    }

    /// The next poses of the path, as far as a limb may reach.
    fn poses_ahead(&self, next: usize) -> &[Pose] {
        let ahead = &self.request.path[next..];
        let from = self.at.configuration.root.translation;
        let reach = tuning::LOOK_AHEAD * self.scene.character.body_size();
        let count = ahead.iter().take_while(|pose| (pose.translation - from).length() <= reach).count();
        &ahead[..count.max(1).min(ahead.len()).min(tuning::MAX_POSES_AHEAD)]
    }

    /// For how many of the next poses a limb reaches a contact.
    fn poses_kept(&mut self, configuration: &Configuration, contact: &Contact, next: usize) -> usize {
        let mut configuration = configuration.clone();
        let poses = self.poses_ahead(next).to_vec();
        let keeps = |pose: &&Pose| {
            configuration.root = **pose;
            self.finder.put_limb_on(self.scene, &mut configuration, contact)
        };
        poses.iter().take_while(keeps).count()
    }

    /// Whether the body keeps its distance from obstacles.
    fn is_outside_obstacles(&mut self, configuration: &Configuration) -> bool {
        let ContactScene { character, world, .. } = self.scene;
        let margin = Clearance::ON_CONTACTS.for_contacts_in(world, character).margin;
        are_links_free(world, character, configuration, CheckedLinks::All, margin, &mut self.collision)
    }

    /// Whether contacts carry the body within friction cones and strength.
    fn is_carried(&mut self, configuration: &Configuration, stance: &[Contact]) -> bool {
        let ContactScene { character, world, .. } = self.scene;
        forward(character, configuration, &mut self.frames);
        self.solver.imbalance(character, world, &self.frames, stance) == Some(0.0)
    }
}

/// A query for contacts, and the number of poses that it looks ahead.
struct StepQuery {
    request: StanceRequest,
    poses: usize,
}
