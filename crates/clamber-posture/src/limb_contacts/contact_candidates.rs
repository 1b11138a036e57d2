//! Contacts that a limb can make from where the body is, the best for a task first (Tonneau, Pettré and Multon, "Task efficient
//! contact configurations for arbitrary virtual creatures", 2014).
//!
//! A candidate is a sample whose effector touches a hold. Its rank is the extended force transmission ratio: the force transmission
//! ratio of the limb along the task times the cosine between the task and the surface's normal.
//!
//! The tree of the samples is searched best first, with an upper bound of the ratio of its nodes: the greatest force transmission of their
//! samples times the best alignment of the surfaces near them. These surfaces are nodes of the tree of holds that are about as large as
//! the samples' node. Which hold a sample touches is only looked up when it reaches the front of the queue, so a query on a large
//! mesh tests few triangles.
//!
//! The paper returns the sample itself. Here inverse kinematics puts it exactly onto the surface, and it must not collide there, with
//! the world or with the body.

use clamber_model::character::Effector;
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::kinematics::link_pose;
use clamber_model::math::{Pose, Vec3};
use clamber_model::obstacle_collision::CollisionWorkspace;
use clamber_model::self_collision::NearLinks;
use clamber_model::{Character, Configuration, Contact, World};

use super::database::{EffectorSamples, LimbDatabase};
use super::frontiers::Frontiers;
use super::limb_chain::JacobianProduct;
use super::queue::{SampleQueue, SampleState};
use super::sample_tree::SampleNode;
use super::surface_tree::{SurfaceNode, SurfaceTree};
use super::touch::{ContactTask, Touch, TouchSearch, Toucher};
use super::tuning;
use crate::solver::StanceSolver;

/// What a contact query searches.
#[derive(Clone, Copy)]
pub struct ContactScene<'a> {
    /// Whose limb makes contact.
    pub character: &'a Character,
    /// With whose holds.
    pub world: &'a World,
    /// The samples of the character's limbs.
    pub database: &'a LimbDatabase,
    /// The tree of the world's holds.
    pub surfaces: &'a SurfaceTree,
}

/// A contact that a limb can make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactCandidate {
    /// The contact.
    pub contact: Contact,
    /// The extended force transmission ratio, in 1/m: candidates come in this order.
    pub ratio: f32,
    /// The force transmission ratio of the limb alone, in 1/m. It decides between equal extended ratios.
    pub transmission: f32,
    /// The number of the sample that it comes from.
    pub sample: u32,
}

/// Memory of contact queries of one character, reused between them.
pub struct ContactFinder {
    pub(super) solver: StanceSolver,
    pub(super) collision: CollisionWorkspace,
    pub(super) near: Vec<NearLinks>,
    queue: SampleQueue,
    frontiers: Frontiers,
    /// The degrees of freedom of the limb.
    pub(super) movable: Vec<usize>,
}

impl ContactFinder {
    /// A finder for this character.
    pub fn new(character: &Character) -> Self {
        Self {
            solver: StanceSolver::new(character),
            collision: CollisionWorkspace::default(),
            near: Vec::new(),
            queue: SampleQueue::default(),
            frontiers: Frontiers::default(),
            movable: Vec::new(),
        }
    }

    /// Begins a query: which contacts can this effector make with the rest of the body as in `configuration`? `None` if the effector is on
    /// no limb, or the database is of another character.
    pub fn candidates<'a>(
        &'a mut self,
        scene: ContactScene<'a>,
        configuration: &Configuration,
        effector: EffectorId,
        task: ContactTask,
    ) -> Option<ContactCandidates<'a>> {
        self.candidates_within(scene, configuration, effector, task, tuning::MAX_GAP * scene.character.body_size())
    }

    /// As [`Self::candidates`], of samples whose effector is at most so many meters from its contact: with a wider gap, fewer samples find
    /// contacts on small holds, and more of the contacts turn out to be out of reach.
    pub fn candidates_within<'a>(
        &'a mut self,
        scene: ContactScene<'a>,
        configuration: &Configuration,
        effector: EffectorId,
        task: ContactTask,
        max_gap: f32,
    ) -> Option<ContactCandidates<'a>> {
        let ContactScene { character, world, database, .. } = scene;
        let samples = database.samples_of(character, effector)?;
        let world_from_base = link_pose(character, configuration, samples.chain.base);
        self.queue.clear();
        let mut candidates = ContactCandidates {
            scene,
            effector,
            samples,
            world_from_base,
            toucher: Toucher::new(world, &character.effectors[effector], task, max_gap),
            direction_in_base: world_from_base.rotation.inverse() * task.direction,
            max_transmission: tuning::MAX_FORCE_TRANSMISSION / character.body_size(),
            next_sample: samples.numbers.len() as u32,
            configuration: configuration.clone(),
            finder: self,
        };
        candidates.queue_all_samples();
        Some(candidates)
    }
}

/// The contacts that a limb can make, the best first.
pub struct ContactCandidates<'a> {
    pub(super) scene: ContactScene<'a>,
    effector: EffectorId,
    pub(super) samples: &'a EffectorSamples,
    pub(super) world_from_base: Pose,
    pub(super) toucher: Toucher<'a>,
    /// The direction of the task in the frame of the base.
    direction_in_base: Vec3,
    max_transmission: f32,
    /// The number of the first sample that was not considered.
    next_sample: u32,
    pub(super) configuration: Configuration,
    pub(super) finder: &'a mut ContactFinder,
}

impl<'a> ContactCandidates<'a> {
    /// Returns the next contact that the limb can make without collisions, on a surface that goes on around it.
    /// [`Self::configuration`] is then the body with the limb in contact.
    ///
    /// A sample that is deeper inside an obstacle than its effector is off its contact is not tried.
    pub fn next_valid(&mut self) -> Option<ContactCandidate> {
        while let Some((candidate, index)) = self.pop_touching() {
            if self.lies_on_surface(&candidate.contact)
                && !index.is_some_and(|index| self.is_surely_inside(index))
                && self.is_valid_from_sample(&candidate)
            {
                return Some(candidate);
            }
        }
        None
    }

    /// Returns the next sample that touches a hold. It may collide, and is only near its contact.
    pub fn next_touching(&mut self) -> Option<ContactCandidate> {
        self.pop_touching().map(|(candidate, _)| candidate)
    }

    /// Returns the contact that the limb makes if its hinges are as in a configuration, or very nearly so; `None` if it touches nothing, or
    /// cannot make the contact. [`Self::configuration`] is then the body with the limb in contact.
    pub fn contact_as_in(&mut self, limb: &Configuration) -> Option<Contact> {
        for &hinge in &self.samples.chain.hinges {
            self.configuration.angles[hinge] = limb.angles[hinge];
        }
        let Effector { link, center, facing, .. } = self.toucher.effector;
        let pose = self.world_from_base.inverse() * link_pose(self.scene.character, &self.configuration, *link);
        let touch = self.best_touch(pose * *center, facing.map(|facing| pose.rotation * facing), &[0])?;
        let contact = self.contact(touch.hold, touch.point);
        (self.lies_on_surface(&contact) && self.is_valid_from_here(&contact)).then_some(contact)
    }

    /// The body with the limb in the contact that [`Self::next_valid`] or [`Self::contact_as_in`] returned last.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Considers this many samples more than those of the database. The same numbers of samples give the same candidates, whether they
    /// come from the database or from here.
    pub fn consider_more(&mut self, count: u32) {
        let (samples, character) = (self.samples, self.scene.character);
        let (mut columns, mut joints) = (Vec::new(), Vec::new());
        let last = self.next_sample.saturating_add(count);
        for number in self.next_sample..last {
            joints.clear();
            let sample = samples.chain.sample(character, self.effector, number, &mut columns, &mut joints);
            let facing = self.toucher.effector.facing.map(|facing| sample.rotation * facing);
            let touch = self.best_touch(sample.position, facing, &[0]);
            self.queue_touching((number, None), &sample.product, touch);
        }
        self.next_sample = last;
    }

    /// Returns the next sample that touches a hold, and its index in the database.
    fn pop_touching(&mut self) -> Option<(ContactCandidate, Option<u32>)> {
        loop {
            let ([ratio, transmission], state) = self.finder.queue.pop()?;
            match state {
                SampleState::Subtree { node, frontier } => self.queue_children(node, frontier),
                SampleState::Near { index, frontier } => self.queue_touch(index, frontier),
                SampleState::Touching { number, index, hold, point } => {
                    let contact = self.contact(hold, point);
                    return Some((ContactCandidate { contact, ratio, transmission, sample: number }, index));
                }
            }
        }
    }

    fn contact(&self, hold: HoldId, point: Vec3) -> Contact {
        Contact { effector: self.effector, hold, point, normal: self.scene.world.holds[hold].normal }
    }

    /// Queues all samples of the database.
    fn queue_all_samples(&mut self) {
        if !self.samples.nodes.is_empty() && !self.scene.surfaces.nodes.is_empty() {
            let frontier = self.finder.frontiers.begin();
            self.queue_node(0, frontier);
        }
    }

    /// Queues the samples below a node if there are surfaces near it. `frontier` is that of its parent.
    fn queue_node(&mut self, node: u32, frontier: [u32; 2]) {
        let (samples, surfaces) = (self.samples, &self.scene.surfaces.nodes);
        let at = &samples.nodes[node as usize];
        let sphere = (self.world_from_base * at.center, at.radius);
        let ContactFinder { frontiers, queue, .. } = &mut *self.finder;
        let frontier = frontiers.refine(surfaces, frontier, sphere, self.toucher.radius_and_gap());
        let alignment = frontiers.max_alignment(surfaces, frontier, self.toucher.wanted_normal, |_| true);
        if let Some(alignment) = alignment {
            let bounds = &samples.product_bounds[node as usize];
            let [least, greatest] = bounds.force_transmission(self.direction_in_base, self.max_transmission);
            let transmission = if alignment > 0.0 { greatest } else { least };
            let ratios = [transmission * alignment, greatest].map(with_rounding);
            queue.push(ratios, SampleState::Subtree { node, frontier });
        }
    }

    /// Queues the children of a node, or its samples that are near surfaces.
    fn queue_children(&mut self, node: u32, frontier: [u32; 2]) {
        let samples = self.samples;
        let SampleNode { first, count, right, .. } = samples.nodes[node as usize];
        if count == 0 {
            self.queue_node(node + 1, frontier);
            self.queue_node(right, frontier);
            return;
        }
        let (toucher, surfaces) = (&self.toucher, &self.scene.surfaces.nodes);
        let (radius, gap) = toucher.radius_and_gap();
        let ContactFinder { frontiers, queue, .. } = &mut *self.finder;
        for index in first..first + count {
            let at = index as usize;
            let center = self.world_from_base * samples.positions[at];
            let facing = toucher.effector.facing;
            let facing = facing.map(|facing| self.world_from_base.rotation * (samples.rotations[at] * facing));
            let may_touch = |node: &SurfaceNode| {
                node.is_near(center, radius, gap) && facing.is_none_or(|facing| toucher.may_face(&node.normals, facing))
            };
            let alignment = frontiers.max_alignment(surfaces, frontier, toucher.wanted_normal, may_touch);
            if let Some(alignment) = alignment {
                let product = &samples.products[at];
                let transmission = product.force_transmission(self.direction_in_base, self.max_transmission);
                let ratio = with_rounding(transmission * alignment);
                queue.push([ratio, transmission], SampleState::Near { index, frontier });
            }
        }
    }

    /// Queues a sample that is near surfaces again, if it touches one.
    fn queue_touch(&mut self, index: u32, frontier: [u32; 2]) {
        let (samples, at) = (self.samples, index as usize);
        let facing = self.toucher.effector.facing.map(|facing| samples.rotations[at] * facing);
        let touch = self.best_touch(samples.positions[at], facing, self.finder.frontiers.nodes(frontier));
        self.queue_touching((samples.numbers[at], Some(index)), &samples.products[at], touch);
    }

    /// Queues a sample with the hold that it touches, if it touches any.
    fn queue_touching(&mut self, (number, index): (u32, Option<u32>), product: &JacobianProduct, touch: Option<Touch>) {
        let Some(Touch { hold, point, alignment }) = touch else { return };
        let transmission = product.force_transmission(self.direction_in_base, self.max_transmission);
        let ratios = [transmission * alignment, transmission];
        self.finder.queue.push(ratios, SampleState::Touching { number, index, hold, point });
    }

    /// The best hold below some nodes of the surface tree that an effector touches. `position` and `facing` are in the frame of the base.
    fn best_touch(&self, position: Vec3, facing: Option<Vec3>, nodes: &[u32]) -> Option<Touch> {
        let center = self.world_from_base * position;
        let facing = facing.map(|facing| self.world_from_base.rotation * facing);
        let (radius, gap) = self.toucher.radius_and_gap();
        let mut search = TouchSearch { toucher: &self.toucher, center, facing, best: None };
        self.scene.surfaces.visit_near(nodes, (center, radius, gap), &mut search);
        search.best
    }
}

/// An upper bound, with room for rounding.
fn with_rounding(bound: f32) -> f32 {
    bound + 1e-4 * bound.abs()
}
