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

use clamber_model::contact::contact_tangent;
use clamber_model::id::{EffectorId, LinkId};
use clamber_model::kinematics::link_pose;
use clamber_model::math::{Pose, Vec3};
use clamber_model::obstacle_collision::{CheckedLinks, Clearance, CollisionWorkspace, are_links_free};
use clamber_model::self_collision::{self, NearLinks};
use clamber_model::world::HoldShape;
use clamber_model::{Character, Configuration, Contact, World};

use super::database::{EffectorSamples, LimbDatabase};
use super::frontiers::Frontiers;
use super::limb_chain::JacobianProduct;
use super::queue::{SampleQueue, SampleState};
use super::sample_tree::SampleNode;
use super::surface_tree::{SurfaceNode, SurfaceTree};
use super::touch::{ContactTask, Touch, Toucher, better};
use super::tuning;
use crate::solver::{ContactTarget, StanceSolver};

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
    solver: StanceSolver,
    collision: CollisionWorkspace,
    near: Vec<NearLinks>,
    queue: SampleQueue,
    frontiers: Frontiers,
    /// The degrees of freedom of the limb.
    movable: Vec<usize>,
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
        let ContactScene { character, world, database, .. } = scene;
        let samples = database.samples_of(character, effector)?;
        let world_from_base = link_pose(character, configuration, samples.chain.base);
        self.queue.clear();
        self.movable.clear();
        let root_axes = character.root_joint.axes().len();
        self.movable.extend(samples.chain.hinges.iter().map(|hinge| root_axes + hinge.index()));
        let mut candidates = ContactCandidates {
            scene,
            effector,
            samples,
            world_from_base,
            toucher: Toucher::new(character, world, &character.effectors[effector], task),
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
    scene: ContactScene<'a>,
    effector: EffectorId,
    samples: &'a EffectorSamples,
    world_from_base: Pose,
    toucher: Toucher<'a>,
    /// The direction of the task in the frame of the base.
    direction_in_base: Vec3,
    max_transmission: f32,
    /// The number of the first sample that was not considered.
    next_sample: u32,
    configuration: Configuration,
    finder: &'a mut ContactFinder,
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
                && self.put_on_contact(&candidate)
                && self.is_collision_free()
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

    /// The body with the limb in the contact that [`Self::next_valid`] returned last.
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
                    let normal = self.scene.world.holds[hold].normal;
                    let contact = Contact { effector: self.effector, hold, point, normal };
                    return Some((ContactCandidate { contact, ratio, transmission, sample: number }, index));
                }
            }
        }
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
        let mut best = None;
        let (radius, gap) = self.toucher.radius_and_gap();
        self.scene.surfaces.visit_near(nodes, (center, radius, gap), |hold| {
            best = better(best, self.toucher.touch(hold, center, facing));
        });
        best
    }

    /// Whether a surface goes on around a contact, by the effector's radius in all directions but one: there may be an edge, but no corner
    /// and no strip that is narrower than the effector. Points and lines to hold on to are no surfaces.
    fn lies_on_surface(&self, contact: &Contact) -> bool {
        let ContactScene { world, surfaces, .. } = self.scene;
        if !matches!(world.holds[contact.hold].shape, HoldShape::Triangle(_)) {
            return true;
        }
        let radius = self.toucher.effector.radius;
        let tangent = contact_tangent(contact.normal);
        let side = contact.normal.cross(tangent);
        let goes_on = |direction: &Vec3| {
            let (point, off) = (contact.point + *direction * radius, tuning::MAX_UNEVENNESS * radius);
            let mut goes_on = false;
            surfaces.visit_near(&[0], (point, 0.0, off), |hold| {
                let hold = &world.holds[hold];
                let is_same_face = hold.normal.dot(contact.normal) > tuning::SAME_NORMAL;
                goes_on |= is_same_face && (hold.nearest_point(point) - point).length() <= off;
            });
            goes_on
        };
        [tangent, -tangent, side, -side].iter().filter(|direction| goes_on(direction)).count() >= 3
    }

    /// Whether the distance field proves that a sample is deeper inside an obstacle than its effector may be off its contact.
    fn is_surely_inside(&self, index: u32) -> bool {
        let (samples, ContactScene { character, world, .. }) = (self.samples, self.scene);
        let (chain, count) = (&samples.chain, samples.chain.joint_count());
        let joints = &samples.joints[index as usize * count..][..count];
        let joint = |place: usize| match place {
            0 => chain.first_joint(character),
            _ => joints.get(place - 1).copied().unwrap_or(samples.positions[index as usize]),
        };
        chain.probes.iter().any(|probe| {
            let [from, to] = [probe.link, probe.link + 1].map(joint);
            let point = self.world_from_base * from.lerp(to, probe.share);
            world.distance_field.upper_bound(point) < probe.radius - self.toucher.max_gap
        })
    }

    /// Puts the limb onto a contact, starting from its sample, unless the sample is deep inside an obstacle. Returns whether it reaches it.
    fn put_on_contact(&mut self, candidate: &ContactCandidate) -> bool {
        let (chain, character) = (&self.samples.chain, self.scene.character);
        for (position, &hinge) in chain.hinges.iter().enumerate() {
            self.configuration.angles[hinge] = chain.angle(character, candidate.sample, position);
        }
        if !self.is_outside_obstacles(-self.toucher.max_gap) {
            return false;
        }
        let target = ContactTarget::on(character, &candidate.contact);
        let movable = Some(&self.finder.movable[..]);
        self.finder.solver.project(character, &mut self.configuration, &[target], movable, tuning::MAX_ITERATIONS)
    }

    /// Whether the limb touches neither the world nor the rest of the body.
    fn is_collision_free(&mut self) -> bool {
        let ContactScene { character, world, .. } = self.scene;
        if !self.is_outside_obstacles(Clearance::ON_CONTACTS.for_contacts_in(world, character).margin) {
            return false;
        }
        let margin = self_collision::MARGIN * character.body_size();
        let links = self.limb_links();
        let is_moved = |pair: &[_; 2]| pair.iter().any(|link| links.contains(link));
        let ContactFinder { solver, near, .. } = &mut *self.finder;
        solver.collect_near_links(character, |pair| if is_moved(pair) { margin } else { f32::NEG_INFINITY }, near);
        near.is_empty()
    }

    /// Whether the links of the limb keep a margin from obstacles.
    fn is_outside_obstacles(&mut self, margin: f32) -> bool {
        let ContactScene { character, world, .. } = self.scene;
        let links = CheckedLinks::Among(self.limb_links());
        are_links_free(world, character, &self.configuration, links, margin, &mut self.finder.collision)
    }

    fn limb_links(&self) -> &'a [LinkId] {
        let character = self.scene.character;
        self.toucher.effector.limb.map_or(&[], |limb| &character.limbs[limb].links)
    }
}

/// An upper bound, with room for rounding.
fn with_rounding(bound: f32) -> f32 {
    bound + 1e-4 * bound.abs()
}
