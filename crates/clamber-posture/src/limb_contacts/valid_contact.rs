//! Whether a limb can make the contact that one of its samples is near: on a surface that goes on around it, exactly, and without
//! collisions.

use std::ops::ControlFlow;

use clamber_model::character::Effector;
use clamber_model::contact::contact_tangent;
use clamber_model::id::{HoldId, LinkId};
use clamber_model::math::Vec3;
use clamber_model::obstacle_collision::{CheckedLinks, Clearance, are_links_free};
use clamber_model::self_collision;
use clamber_model::world::HoldShape;
use clamber_model::{Character, Configuration, Contact, World};

use super::contact_candidates::{ContactCandidate, ContactCandidates, ContactFinder, ContactScene};
use super::surface_tree::{HoldVisitor, NormalCone};
use super::tuning;
use crate::solver::ContactTarget;

impl ContactCandidates<'_> {
    /// Whether a surface goes on around a contact, by the effector's radius in all directions but one: there may be an edge, but no corner
    /// and no strip that is narrower than the effector. Points and lines to hold on to are no surfaces.
    pub(super) fn lies_on_surface(&self, contact: &Contact) -> bool {
        let ContactScene { world, surfaces, .. } = self.scene;
        if !matches!(world.holds[contact.hold].shape, HoldShape::Triangle(_)) {
            return true;
        }
        let radius = self.toucher.effector.radius;
        let tangent = contact_tangent(contact.normal);
        let side = contact.normal.cross(tangent);
        let off = tuning::MAX_UNEVENNESS * radius;
        let goes_on = |direction: &Vec3| {
            let point = contact.point + *direction * radius;
            let mut search = FaceSearch { world, point, normal: contact.normal, off, is_found: false };
            surfaces.visit_near(&[0], (point, 0.0, off), &mut search);
            search.is_found
        };
        let mut missing = [tangent, -tangent, side, -side].into_iter().filter(|direction| !goes_on(direction));
        missing.next().is_none() || missing.next().is_none()
    }

    /// Whether the distance field proves that a sample is deeper inside an obstacle than its effector may be off its contact.
    pub(super) fn is_surely_inside(&self, index: u32) -> bool {
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

    /// Whether the limb, beginning with the angles of a sample, can make its contact.
    pub(super) fn is_valid_from_sample(&mut self, candidate: &ContactCandidate) -> bool {
        let chain = &self.samples.chain;
        for (position, &hinge) in chain.hinges.iter().enumerate() {
            self.configuration.angles[hinge] = chain.angle(self.scene.character, candidate.sample, position);
        }
        self.is_valid_from_here(&candidate.contact)
    }

    /// Whether the limb, beginning with the angles that it has, can make a contact. A limb deep inside an obstacle is not tried.
    pub(super) fn is_valid_from_here(&mut self, contact: &Contact) -> bool {
        let Self { scene, configuration, toucher, finder, .. } = self;
        finder.is_limb_outside_obstacles(*scene, configuration, toucher.effector, -toucher.max_gap)
            && finder.put_limb_on(*scene, configuration, contact)
    }
}

impl ContactFinder {
    /// Moves a limb onto a contact, from the angles that it has. Returns whether it gets there without collisions, with the world or with the
    /// rest of the body.
    pub fn put_limb_on(&mut self, scene: ContactScene, configuration: &mut Configuration, contact: &Contact) -> bool {
        let ContactScene { character, world, database, .. } = scene;
        let Some(samples) = database.samples_of(character, contact.effector) else { return false };
        let root_axes = character.root_joint.axes().len();
        self.movable.clear();
        self.movable.extend(samples.chain.hinges.iter().map(|hinge| root_axes + hinge.index()));
        let target = ContactTarget::on(character, contact);
        let movable = Some(&self.movable[..]);
        let margin = Clearance::ON_CONTACTS.for_contacts_in(world, character).margin;
        let effector = &character.effectors[contact.effector];
        self.solver.project(character, configuration, &[target], movable, tuning::MAX_ITERATIONS)
            && self.is_limb_outside_obstacles(scene, configuration, effector, margin)
            && self.is_limb_outside_body(character, effector)
    }

    /// Whether the links of an effector's limb keep a margin from obstacles.
    fn is_limb_outside_obstacles(
        &mut self,
        scene: ContactScene,
        configuration: &Configuration,
        effector: &Effector,
        margin: f32,
    ) -> bool {
        let ContactScene { character, world, .. } = scene;
        let links = CheckedLinks::Among(limb_links(character, effector));
        are_links_free(world, character, configuration, links, margin, &mut self.collision)
    }

    /// Whether an effector's limb, as projected last, does not touch the rest of the body.
    fn is_limb_outside_body(&mut self, character: &Character, effector: &Effector) -> bool {
        let margin = self_collision::MARGIN * character.body_size();
        let links = limb_links(character, effector);
        let is_moved = |pair: &[_; 2]| pair.iter().any(|link| links.contains(link));
        let Self { solver, near, .. } = self;
        solver.collect_near_links(character, |pair| if is_moved(pair) { margin } else { f32::NEG_INFINITY }, near);
        near.is_empty()
    }
}

/// Looks for a face with about this normal near a point.
struct FaceSearch<'a> {
    world: &'a World,
    point: Vec3,
    normal: Vec3,
    /// The greatest distance.
    off: f32,
    is_found: bool,
}

impl HoldVisitor for FaceSearch<'_> {
    fn wants(&self, normals: &NormalCone) -> bool {
        normals.max_cosine(self.normal) > tuning::SAME_NORMAL
    }

    fn visit(&mut self, hold: HoldId) -> ControlFlow<()> {
        let hold = &self.world.holds[hold];
        let is_near = || (hold.nearest_point(self.point) - self.point).length() <= self.off;
        self.is_found = hold.normal.dot(self.normal) > tuning::SAME_NORMAL && is_near();
        if self.is_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn limb_links<'a>(character: &'a Character, effector: &Effector) -> &'a [LinkId] {
    effector.limb.map_or(&[], |limb| &character.limbs[limb].links)
}
