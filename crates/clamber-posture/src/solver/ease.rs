//! A body at ease: what it does where no contact and no heuristic of a mode says otherwise.
//!
//! - A hinge stays near rest, measured in shares of its range on that side: a spine that twists little resists more than a
//!   shoulder.
//! - The head is level and looks ahead, or at a point.
//! - A limb without contacts hangs, or stands off, as it does in the rest posture, whichever way the trunk leans.
//! - A limb that carries the body has its first joint above its contact, or below the hold that it hangs from, as far as it has in
//!   the rest posture. Farther off, the load on it has a lever, which costs effort.
//! - The body stays on the side of a steep hold that the hold faces: knees do not go through a ladder.
//! - A patch that lies flat, such as a sole or a palm, points ahead, or as it does in the rest posture.
//! - The trunk does not lean to a side, and faces where it was asked to.

use clamber_model::id::{EffectorId, LimbId, LinkId, TiVec};
use clamber_model::kinematics::{LinkFrames, effector_position, forward};
use clamber_model::math::{Rotation, Vec3, atan2, rotation_about, rotation_vector_from_rotation};
use clamber_model::world::{HoldType, UP};
use clamber_model::{Character, Configuration, Contact};

use super::ease_tuning as tuning;
use crate::comfort::{PostureState, ResidualVisitor};
use clamber_model::kinematics::JacobianTerm;

/// The posture at ease of one character with one heading.
pub(crate) struct Ease {
    /// Where it faces: horizontal, a unit vector.
    pub heading: Vec3,
    /// Whether the trunk has to face along the heading.
    pub holds_heading: bool,
    /// The point to look at; `None` looks ahead.
    pub gaze: Option<Vec3>,
    /// The rotation of each link in the rest posture, for a heading along +x.
    at_rest: TiVec<LinkId, Rotation>,
    /// The limbs without contacts.
    free_limbs: Vec<FreeLimb>,
    /// The limbs that stand or hang.
    carrying_limbs: Vec<CarryingLimb>,
    /// The contacts on steep holds.
    steep_contacts: Vec<Contact>,
    /// The links whose joints are not at a contact or beyond it, with the thickness of the body there.
    body_links: Vec<(LinkId, f32)>,
    /// Weight of a joint behind a steep hold, per meter.
    behind_weight: f32,
}

/// A limb without contacts.
struct FreeLimb {
    first_link: LinkId,
    /// The center of mass of each link in its frame, with its share of the limb's mass.
    masses: Vec<(LinkId, Vec3, f32)>,
    /// From the first joint to the center of mass in the rest posture, for a heading along +x.
    extent: Vec3,
}

/// A limb that stands on a contact, or hangs from one.
struct CarryingLimb {
    first_link: LinkId,
    contact: Contact,
    /// From the first joint to the effector in the rest posture, for a heading along +x.
    extent: Vec3,
    /// Weight of the lever of its load, per meter: less on a steep hold, where the load is not vertical.
    weight: f32,
}

impl Ease {
    /// The ease of a character on these contacts that faces +x and looks ahead.
    pub fn new(character: &Character, stance: &[Contact]) -> Self {
        let mut frames = LinkFrames::default();
        forward(character, &Configuration::rest(character), &mut frames);
        let is_free = |limb| !stance.iter().any(|contact| character.effectors[contact.effector].limb == Some(limb));
        let free_limbs = character.limbs.iter_enumerated().filter(|(id, _)| is_free(*id));
        let free_limbs = free_limbs.filter_map(|(_, limb)| FreeLimb::new(character, &limb.links, &frames)).collect();
        let limbs = character.limbs.keys();
        let carrying_limbs = limbs.filter_map(|limb| CarryingLimb::new(character, limb, stance, &frames)).collect();
        Self {
            heading: Vec3::X,
            holds_heading: false,
            gaze: None,
            at_rest: frames.world_from_link.iter().map(|pose| pose.rotation).collect(),
            free_limbs,
            carrying_limbs,
            steep_contacts: stance.iter().filter(|contact| is_steep(contact)).copied().collect(),
            body_links: body_links(character, stance),
            behind_weight: tuning::BEHIND / character.body_size(),
        }
    }

    /// Reports the residuals, weighted. Their number depends on the stance alone.
    pub fn visit_residuals(&self, posture: PostureState, visitor: &mut impl ResidualVisitor) {
        let PostureState { character, configuration, link_frames: frames, stance, .. } = posture;
        for (id, hinge) in character.hinges.iter_enumerated() {
            let turn = configuration.angles[id] - hinge.rest;
            let range = if turn < 0.0 { hinge.rest - hinge.min } else { hinge.max - hinge.rest };
            let slope = tuning::HINGE / range.max(tuning::MIN_RANGE);
            visitor.residual(slope * turn);
            visitor.derivative(|| JacobianTerm::Hinge { hinge: id, slope });
        }
        if let Some(link) = character.roles.gaze_link {
            self.visit_gaze(link, frames, visitor);
        }
        for limb in &self.free_limbs {
            limb.visit(self.world_from_heading(), frames, visitor);
        }
        for limb in &self.carrying_limbs {
            limb.visit(self.world_from_heading(), frames, visitor);
        }
        for contact in &self.steep_contacts {
            for &joint in &self.body_links {
                self.visit_depth_behind(contact, joint, frames, visitor);
            }
        }
        for contact in stance.iter().filter(|contact| contact.flat_facing(character).is_some()) {
            self.visit_patch(character, contact.effector, frames, visitor);
        }
        self.visit_trunk(character.roles.trunk_link, frames, visitor);
    }

    /// How far the trunk leans to a side, and how far it turns from the heading.
    fn visit_trunk(&self, link: LinkId, frames: &LinkFrames, visitor: &mut impl ResidualVisitor) {
        let right = frames.world_from_link[link].rotation * Vec3::Z;
        let mut aligned = |weight: f32, direction: Vec3| {
            visitor.residual(weight * right.dot(direction));
            visitor.derivative(|| JacobianTerm::Rotation { link, gradient: weight * right.cross(direction) });
        };
        aligned(tuning::LEVEL_TRUNK, UP);
        if self.holds_heading {
            aligned(tuning::HEADING, self.heading);
        }
    }

    fn world_from_heading(&self) -> Rotation {
        turn_to(self.heading)
    }

    /// The head's rotation away from how it should be, as a rotation vector. Its derivative leaves out that the line of sight turns as
    /// the head moves, which is little unless the point is near.
    fn visit_gaze(&self, link: LinkId, frames: &LinkFrames, visitor: &mut impl ResidualVisitor) {
        let head = &frames.world_from_link[link];
        let line_of_sight = self.gaze.map_or(self.heading, |point| point - head.translation);
        let pitch = atan2(UP.dot(line_of_sight), line_of_sight.with_y(0.0).length());
        let level = line_of_sight.with_y(0.0).try_normalize().unwrap_or(self.heading);
        let wanted = turn_to(level) * rotation_about(Vec3::Z, pitch) * self.at_rest[link];
        let rotation = rotation_vector_from_rotation(head.rotation * wanted.inverse());
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            visitor.residual(tuning::GAZE * axis.dot(rotation));
            // The derivative of the rotation vector: its series in the rotation, up to second order.
            let across = rotation.cross(axis);
            let gradient = tuning::GAZE * (axis + rotation.cross(across) / 12.0 + 0.5 * across);
            visitor.derivative(|| JacobianTerm::Rotation { link, gradient });
        }
    }

    /// How far a joint is behind the plane of a contact.
    fn visit_depth_behind(
        &self,
        contact: &Contact,
        (link, radius): (LinkId, f32),
        frames: &LinkFrames,
        visitor: &mut impl ResidualVisitor,
    ) {
        let at = frames.world_from_link[link].translation;
        let depth = radius + (contact.point - at).dot(contact.normal);
        visitor.residual(self.behind_weight * depth.max(0.0));
        if depth > 0.0 {
            let gradient = contact.normal * -self.behind_weight;
            visitor.derivative(|| JacobianTerm::Point { link, at, gradient });
        }
    }

    /// The angle about the vertical between where a patch points and where it should.
    fn visit_patch(
        &self,
        character: &Character,
        effector: EffectorId,
        frames: &LinkFrames,
        visitor: &mut impl ResidualVisitor,
    ) {
        let effector = &character.effectors[effector];
        let Some(patch) = effector.ability.patch else { return };
        let link = effector.link;
        let at_rest = (self.at_rest[link] * patch.forward).with_y(0.0);
        // At rest a palm points down, and so nowhere.
        let points_at_rest = at_rest.length_squared() > tuning::LEVEL_PATCH;
        let ahead = self.world_from_heading() * if points_at_rest { at_rest.normalize() } else { Vec3::X };
        let right = ahead.cross(UP);
        let forward = frames.world_from_link[link].rotation * patch.forward;
        let (along, aside) = (forward.dot(ahead), forward.dot(right));
        visitor.residual(tuning::PATCH * atan2(aside, along));
        let square = (along * along + aside * aside).max(tuning::MIN_SQUARE);
        let slope = (right * along - ahead * aside) * (tuning::PATCH / square);
        visitor.derivative(|| JacobianTerm::Rotation { link, gradient: forward.cross(slope) });
    }
}

impl FreeLimb {
    /// `None` for a limb without mass.
    fn new(character: &Character, links: &[LinkId], at_rest: &LinkFrames) -> Option<Self> {
        let total: f32 = links.iter().map(|link| character.links[*link].mass).sum();
        let mass = |link: &LinkId| {
            let entry = &character.links[*link];
            (*link, entry.center_of_mass, entry.mass / total)
        };
        let mut limb = Self { first_link: links[0], masses: links.iter().map(mass).collect(), extent: Vec3::ZERO };
        limb.extent = limb.extent(at_rest);
        (total > 0.0 && limb.extent.length() > 0.0).then_some(limb)
    }

    /// From the first joint to the center of mass.
    fn extent(&self, frames: &LinkFrames) -> Vec3 {
        let centers = self.masses.iter().map(|(link, center, share)| frames.world_from_link[*link] * *center * *share);
        centers.sum::<Vec3>() - frames.world_from_link[self.first_link].translation
    }

    /// How far the center of mass is from where it would be at rest, relative to its distance from the first joint.
    fn visit(&self, world_from_heading: Rotation, frames: &LinkFrames, visitor: &mut impl ResidualVisitor) {
        let weight = tuning::FREE_LIMB / self.extent.length();
        let miss = self.extent(frames) - world_from_heading * self.extent;
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            visitor.residual(weight * axis.dot(miss));
            for (link, center, share) in &self.masses {
                let at = frames.world_from_link[*link] * *center;
                visitor.derivative(|| JacobianTerm::Point { link: *link, at, gradient: axis * (weight * share) });
            }
            let at = frames.world_from_link[self.first_link].translation;
            visitor.derivative(|| JacobianTerm::Point { link: self.first_link, at, gradient: axis * -weight });
        }
    }
}

impl CarryingLimb {
    /// `None` for a limb without contacts.
    fn new(character: &Character, limb: LimbId, stance: &[Contact], at_rest: &LinkFrames) -> Option<Self> {
        let contact = contact_nearest_to_trunk(character, limb, stance)?;
        let first_link = character.limbs[limb].links[0];
        let joint = at_rest.world_from_link[first_link].translation;
        let extent = effector_position(character, at_rest, contact.effector) - joint;
        let rise = UP.dot(contact.normal);
        // Of a pair, the limb that is less bent carries more: the leg on the lower step, the arm on the higher bar.
        let image =
            character.symmetry().and_then(|symmetry| contact_nearest_to_trunk(character, symmetry.limbs[limb], stance));
        let bend = image.map_or(0.0, |image| rise.signum() * UP.dot(contact.point - image.point) / extent.length());
        let share = 1.0 - bend.clamp(0.0, 1.0);
        let weight = tuning::CARRYING_LIMB * share * share * rise.abs() / extent.length();
        weight.is_finite().then_some(Self { first_link, contact, extent, weight })
    }

    /// How far the first joint is from where it would be above or below the contact at rest, horizontally and relative to the length of
    /// the limb. This is the lever of the load that the limb carries.
    fn visit(&self, world_from_heading: Rotation, frames: &LinkFrames, visitor: &mut impl ResidualVisitor) {
        let at = frames.world_from_link[self.first_link].translation;
        let lever = self.contact.point - at - world_from_heading * self.extent;
        for axis in [Vec3::X, Vec3::Z] {
            visitor.residual(self.weight * axis.dot(lever));
            visitor.derivative(|| JacobianTerm::Point { link: self.first_link, at, gradient: axis * -self.weight });
        }
    }
}

/// The contact of a limb that carries: what lies beyond it does not.
fn contact_nearest_to_trunk(character: &Character, limb: LimbId, stance: &[Contact]) -> Option<Contact> {
    let of_limb = |contact: &&Contact| character.effectors[contact.effector].limb == Some(limb);
    stance.iter().filter(of_limb).min_by_key(|contact| character.effectors[contact.effector].link).copied()
}

/// Whether a hold is neither stood on nor hung from.
fn is_steep(contact: &Contact) -> bool {
    HoldType::of_normal(contact.normal) == HoldType::Hybrid
}

/// The links whose joints are not at a contact or beyond it, with the radius of the body there.
fn body_links(character: &Character, stance: &[Contact]) -> Vec<(LinkId, f32)> {
    let mut is_beyond: TiVec<LinkId, bool> = TiVec::with_capacity(character.links.len());
    for (id, link) in character.links.iter_enumerated() {
        let is_at = stance.iter().any(|contact| character.effectors[contact.effector].link == id);
        let is_after = link.parent.is_some_and(|parent| is_beyond[parent]);
        is_beyond.push(link.parent.is_some() && (is_at || is_after));
    }
    let radius = |link: LinkId| {
        let capsules = &character.capsules[character.links[link].capsules.clone()];
        capsules.iter().map(|capsule| capsule.radius).fold(0.0, f32::max)
    };
    let at_joint = |link: LinkId| radius(link).max(character.links[link].parent.map_or(0.0, radius));
    is_beyond.iter_enumerated().filter(|(_, is_beyond)| !**is_beyond).map(|(id, _)| (id, at_joint(id))).collect()
}

/// The turn about the vertical from +x to a horizontal direction.
fn turn_to(direction: Vec3) -> Rotation {
    rotation_about(UP, atan2(-direction.z, direction.x))
}
