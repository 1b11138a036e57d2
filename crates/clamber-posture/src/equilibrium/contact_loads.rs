//! The forces that the contacts of a stance can exert, as columns of wrenches.
//!
//! The declaration is in the docs of [`clamber_model::contact`]. Forces are in body weights and lengths in body sizes, from a
//! point in the middle of the contacts, so that numbers are near 1 for bodies of any size.

use clamber_model::character::{ContactAbility, GRAVITY, RootAxis, RootJoint};
use clamber_model::contact::{FRICTION_PYRAMID_SIDES, MAX_PATCH_TILT, contact_tangent};
use clamber_model::id::LinkId;
use clamber_model::kinematics::LinkFrames;
use clamber_model::math::{Rotation, Vec3, double};
use clamber_model::{Character, Contact, World};

/// The wrenches of unit loads, and the limits of their sums.
#[derive(Default)]
pub(super) struct ContactLoads {
    /// For each column, the force and moment along the root's degrees of freedom; only the first [`Self::equations`] count.
    pub columns: Vec<Column>,
    /// The greatest sum of the loads of each limit, in body weights.
    pub limits: Vec<f64>,
    /// The number of equations: the root's degrees of freedom.
    pub equations: usize,
    /// The point about which moments are taken, in meters.
    pub reference: double::Vec3,
    /// Meters per unit of length.
    pub length: f64,
}

/// The wrench of a unit load at a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub wrench: [f64; 6],
    pub force: double::Vec3,
    /// Where it acts, from the reference, in body sizes.
    pub arm: double::Vec3,
    /// The link that it acts on.
    pub link: LinkId,
    /// Index into [`ContactLoads::limits`].
    pub limit: usize,
    pub is_grip: bool,
}

/// The directions of the 26 unit vectors of a grip, along the normal, the tangent and their cross product.
fn grip_directions() -> impl Iterator<Item = double::Vec3> {
    let steps = || [-1.0, 0.0, 1.0].into_iter();
    let cube = steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| double::Vec3::new(x, y, z))));
    cube.filter(|direction| *direction != double::Vec3::ZERO).map(|direction| direction.normalize())
}

impl ContactLoads {
    /// Fills the columns for a stance. Coefficients of friction are multiplied by a factor. Contacts that are not finite, have
    /// no normal, or are of holds or effectors that do not exist bear nothing.
    pub fn fill(
        &mut self,
        character: &Character,
        world: &World,
        frames: &LinkFrames,
        stance: &[Contact],
        friction_factor: f64,
    ) {
        self.columns.clear();
        self.limits.clear();
        self.equations = character.root_joint.axes().len();
        self.length = f64::from(character.body_size());
        let points = stance.iter().map(|contact| contact.point.as_dvec3()).filter(|point| point.is_finite());
        self.reference = points.sum::<double::Vec3>() / stance.len().max(1) as f64;
        for contact in stance.iter().filter(|contact| contact.point.is_finite() && contact.normal.is_normalized()) {
            let (Some(effector), Some(hold)) =
                (character.effectors.get(contact.effector), world.holds.get(contact.hold))
            else {
                continue;
            };
            let rotation = frames.world_from_link[effector.link].rotation;
            let loads = Loads { character, contact, friction: friction_factor * f64::from(hold.friction), rotation };
            if hold.hold_type.allows_pressing() {
                self.begin_limit(effector.ability.max_push, character);
                loads.press(effector.ability, effector.facing, self);
            }
            if let Some(grip) = effector.ability.grip
                && world.can_grip(contact.hold, contact.point, grip.edge_reach)
            {
                self.begin_limit(grip.max_force, character);
                let half = rotation * grip.axis * (0.5 * grip.width);
                loads.grip(half, self);
            }
        }
    }

    fn begin_limit(&mut self, force: f32, character: &Character) {
        self.limits.push(f64::from(force) / f64::from(GRAVITY * character.total_mass));
    }

    /// Appends the wrench of a force at a point.
    fn push(&mut self, loads: &Loads, point: double::Vec3, force: double::Vec3, is_grip: bool) {
        let wrench = self.wrench(loads.character.root_joint, point, force);
        let arm = self.arm(point);
        self.columns.push(Column { wrench, force, arm, link: loads.link(), limit: self.limits.len() - 1, is_grip });
    }

    /// The lever arm of a point about the reference, in body sizes.
    pub fn arm(&self, point: double::Vec3) -> double::Vec3 {
        (point - self.reference) / self.length
    }

    /// The force and moment along the root's degrees of freedom.
    pub fn wrench(&self, root_joint: RootJoint, point: double::Vec3, force: double::Vec3) -> [f64; 6] {
        let moment = self.arm(point).cross(force);
        let mut wrench = [0.0; 6];
        for (entry, axis) in wrench.iter_mut().zip(root_joint.axes()) {
            *entry = match axis {
                RootAxis::Move(axis) => axis.as_dvec3().dot(force),
                RootAxis::Turn(axis) => axis.as_dvec3().dot(moment),
            };
        }
        wrench
    }

    /// The wrench that the contacts must exert to carry a unit weight at a point.
    pub fn carrying(&self, root_joint: RootJoint, center: double::Vec3) -> [f64; 6] {
        self.wrench(root_joint, center, double::Vec3::Y)
    }

    /// The change of [`Self::carrying`] per body size that the center of mass moves along a direction.
    pub fn carrying_per_displacement(&self, root_joint: RootJoint, direction: double::Vec3) -> [f64; 6] {
        let mut wrench = [0.0; 6];
        let moment = direction.cross(double::Vec3::Y);
        for (entry, axis) in wrench.iter_mut().zip(root_joint.axes()) {
            if let RootAxis::Turn(axis) = axis {
                *entry = axis.as_dvec3().dot(moment);
            }
        }
        wrench
    }
}

/// What the loads of a contact depend on besides the contact: the direction of its patch, zero if that does not lie flat, or of its
/// grip. `None` if they depend on nothing else.
pub(super) fn pressing_direction(character: &Character, frames: &LinkFrames, contact: &Contact) -> Option<[f32; 3]> {
    let effector = character.effectors.get(contact.effector)?;
    let rotation = frames.world_from_link[effector.link].rotation;
    if let (Some(patch), Some(facing)) = (effector.ability.patch, effector.facing) {
        let normal = contact.normal.as_dvec3();
        let forward = flat_forward(normal, rotation * facing, rotation * patch.forward);
        return Some(forward.unwrap_or_default().as_vec3().to_array());
    }
    let grip = effector.ability.grip.filter(|grip| grip.width > 0.0 && character.root_joint != RootJoint::Planar)?;
    Some((rotation * grip.axis).to_array())
}

/// The direction of a patch along the surface; `None` if it does not lie flat.
fn flat_forward(normal: double::Vec3, facing: Vec3, forward: Vec3) -> Option<double::Vec3> {
    let (facing, forward) = (facing.as_dvec3(), forward.as_dvec3());
    let tilt = double::atan2(facing.cross(-normal).length(), facing.dot(-normal));
    let forward = (forward - normal * normal.dot(forward)).try_normalize();
    forward.filter(|_| tilt <= f64::from(MAX_PATCH_TILT))
}

/// One contact whose loads are built.
struct Loads<'a> {
    character: &'a Character,
    contact: &'a Contact,
    friction: f64,
    /// Of the effector's link, to the world.
    rotation: Rotation,
}

impl Loads<'_> {
    fn frame(&self) -> [double::Vec3; 3] {
        let normal = self.contact.normal.as_dvec3();
        let tangent = contact_tangent(self.contact.normal).as_dvec3();
        [normal, tangent, normal.cross(tangent)]
    }

    fn link(&self) -> LinkId {
        self.character.effectors[self.contact.effector].link
    }

    fn is_planar(&self) -> bool {
        self.character.root_joint == RootJoint::Planar
    }

    fn press(&self, ability: ContactAbility, facing: Option<Vec3>, loads: &mut ContactLoads) {
        let [normal, tangent, side] = self.frame();
        let (corners, count) = self.pressing_points(ability, facing);
        // In the plane, the two edges in the plane are the whole cone.
        let stride = if self.is_planar() { FRICTION_PYRAMID_SIDES / 2 } else { 1 };
        for corner in &corners[..count] {
            for edge in (0..FRICTION_PYRAMID_SIDES).step_by(stride) {
                let angle = std::f64::consts::TAU * edge as f64 / FRICTION_PYRAMID_SIDES as f64;
                let (sin, cos) = double::sin_cos(angle);
                let along = tangent * cos + side * sin;
                loads.push(self, *corner, normal + along * self.friction, false);
            }
        }
    }

    /// The corners of the patch on the surface, or the contact point.
    fn pressing_points(&self, ability: ContactAbility, facing: Option<Vec3>) -> ([double::Vec3; 4], usize) {
        let point = self.contact.point.as_dvec3();
        let [normal, ..] = self.frame();
        let only_point = ([point; 4], 1);
        let (Some(patch), Some(facing)) = (ability.patch, facing) else { return only_point };
        let Some(forward) = flat_forward(normal, self.rotation * facing, self.rotation * patch.forward) else {
            return only_point;
        };
        let front = point + forward * f64::from(patch.front);
        let back = point - forward * f64::from(patch.back);
        let half = normal.cross(forward) * (0.5 * f64::from(patch.width));
        // In the plane, the corners of an edge coincide.
        let count = if self.is_planar() || patch.width == 0.0 { 2 } else { 4 };
        match count {
            2 => ([front, back, front, back], 2),
            _ => ([front + half, front - half, back + half, back - half], 4),
        }
    }

    fn grip(&self, half: Vec3, loads: &mut ContactLoads) {
        let [normal, tangent, side] = self.frame();
        let (point, half) = (self.contact.point.as_dvec3(), half.as_dvec3());
        let is_point = self.is_planar() || half == double::Vec3::ZERO;
        let ends = if is_point { [point, point] } else { [point + half, point - half] };
        for end in &ends[..if is_point { 1 } else { 2 }] {
            for direction in grip_directions().filter(|direction| !self.is_planar() || direction.z == 0.0) {
                let force = normal * direction.x + tangent * direction.y + side * direction.z;
                loads.push(self, *end, force, true);
            }
        }
    }
}
