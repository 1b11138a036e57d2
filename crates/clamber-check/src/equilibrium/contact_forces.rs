//! The forces that the contacts of a stance can bear: the model that [`clamber_model::contact`] declares.

use std::ops::Range;

use clamber_model::character::{Effector, Grip};
use clamber_model::contact::{FRICTION_PYRAMID_SIDES, MAX_PATCH_TILT};
use clamber_model::id::LinkId;
use clamber_model::math::double::{Rotation, Vec3, atan2, rotation_about};
use clamber_model::world::Hold;
use clamber_model::{Character, Contact, World};

use crate::kinematics::LinkFrames;

/// Forces of an effector: non-negative multiples of some directions at some points, that add up to at most a limit.
#[derive(Clone, Debug)]
pub(super) struct ForceSet {
    /// The link that they act on.
    pub link: LinkId,
    points: Range<usize>,
    directions: Range<usize>,
    /// In newtons.
    pub limit: f64,
}

/// The forces that the contacts of a stance can bear. Reused from stance to stance.
#[derive(Clone, Debug, Default)]
pub(super) struct StanceForces {
    pub sets: Vec<ForceSet>,
    /// The points of all sets, in the world.
    points: Vec<Vec3>,
    /// The directions of all sets.
    directions: Vec<Vec3>,
    /// The points of the contacts that bear force.
    contact_points: Vec<Vec3>,
}

impl StanceForces {
    pub fn points(&self, set: &ForceSet) -> &[Vec3] {
        &self.points[set.points.clone()]
    }

    pub fn directions(&self, set: &ForceSet) -> &[Vec3] {
        &self.directions[set.directions.clone()]
    }

    /// The middle of the contact points; `None` if no contact bears force.
    pub fn middle(&self) -> Option<Vec3> {
        let count = self.contact_points.len();
        (count > 0).then(|| self.contact_points.iter().sum::<Vec3>() / count as f64)
    }

    /// Computes the forces of a stance. A contact that is not finite, has no normal, or names an effector or a hold that does
    /// not exist bears nothing.
    pub fn set<'c>(
        &mut self,
        character: &Character,
        world: &World,
        frames: &LinkFrames,
        stance: impl IntoIterator<Item = &'c Contact>,
    ) {
        self.sets.clear();
        self.points.clear();
        self.directions.clear();
        self.contact_points.clear();
        for contact in stance {
            let (Some(effector), Some(hold)) =
                (character.effectors.get(contact.effector), world.holds.get(contact.hold))
            else {
                continue;
            };
            let Some(plane) = ContactPlane::of(contact) else { continue };
            let rotation = frames.of(effector.link).rotation;
            self.contact_points.push(plane.point);
            if hold.hold_type.allows_pressing() {
                self.add_pressing(&plane, effector, hold, rotation);
            }
            if let Some(grip) = effector.ability.grip
                && world.can_grip(contact.hold, contact.point, grip.edge_reach)
            {
                self.add_grip(&plane, effector.link, &grip, rotation);
            }
        }
    }

    fn add_pressing(&mut self, plane: &ContactPlane, effector: &Effector, hold: &Hold, rotation: Rotation) {
        let (first_point, first_direction) = (self.points.len(), self.directions.len());
        match patch_corners(plane, effector, rotation) {
            Some(corners) => self.points.extend(corners),
            None => self.points.push(plane.point),
        }
        let friction = f64::from(hold.friction);
        for side in 0..FRICTION_PYRAMID_SIDES {
            let angle = std::f64::consts::TAU * side as f64 / FRICTION_PYRAMID_SIDES as f64;
            let along = rotation_about(plane.normal, angle) * plane.tangent;
            self.directions.push(plane.normal + friction * along);
        }
        self.add_set(effector.link, first_point, first_direction, effector.ability.max_push);
    }

    fn add_grip(&mut self, plane: &ContactPlane, link: LinkId, grip: &Grip, rotation: Rotation) {
        let (first_point, first_direction) = (self.points.len(), self.directions.len());
        let half = rotation * grip.axis.as_dvec3() * (0.5 * f64::from(grip.width));
        self.points.extend([plane.point + half, plane.point - half]);
        let bitangent = plane.normal.cross(plane.tangent);
        for cell in 0..27 {
            let [up, along, across] = [cell / 9, cell / 3 % 3, cell % 3].map(|step| f64::from(step - 1));
            let direction = up * plane.normal + along * plane.tangent + across * bitangent;
            // The center of the cube has no direction.
            self.directions.extend(direction.try_normalize());
        }
        self.add_set(link, first_point, first_direction, grip.max_force);
    }

    /// Adds a set of the points and directions from these on. Sets with anything that is not finite are left out.
    fn add_set(&mut self, link: LinkId, first_point: usize, first_direction: usize, limit: f32) {
        let (points, directions) = (first_point..self.points.len(), first_direction..self.directions.len());
        let vectors = self.points[points.clone()].iter().chain(&self.directions[directions.clone()]);
        if vectors.into_iter().all(|vector| vector.is_finite()) && limit > 0.0 {
            self.sets.push(ForceSet { link, points, directions, limit: f64::from(limit) });
        }
    }
}

/// The plane of a contact.
struct ContactPlane {
    point: Vec3,
    normal: Vec3,
    /// The direction that the friction pyramid begins with.
    tangent: Vec3,
}

impl ContactPlane {
    /// `None` if the contact is not finite or has no normal.
    fn of(contact: &Contact) -> Option<Self> {
        let point = contact.point.as_dvec3();
        let normal = contact.normal.as_dvec3().try_normalize()?;
        // The choice of the axis is that of `contact_tangent`, in its precision: another would turn the pyramid.
        let axis = if contact.normal.x.abs() > 0.9 { Vec3::Y } else { Vec3::X };
        let tangent = (axis - normal * normal.dot(axis)).try_normalize()?;
        point.is_finite().then_some(Self { point, normal, tangent })
    }
}

/// The corners of an effector's patch on the plane of its contact; `None` if it has no patch or the patch does not lie flat.
fn patch_corners(plane: &ContactPlane, effector: &Effector, rotation: Rotation) -> Option<[Vec3; 4]> {
    let patch = effector.ability.patch.as_ref()?;
    let facing = rotation * effector.facing?.as_dvec3();
    let inward = -plane.normal;
    let tilt = atan2(facing.cross(inward).length(), facing.dot(inward));
    // Negated so that NaN counts as tilted.
    if !(tilt <= f64::from(MAX_PATCH_TILT)) {
        return None;
    }
    let forward = rotation * patch.forward.as_dvec3();
    let forward = (forward - plane.normal * plane.normal.dot(forward)).try_normalize()?;
    let side = plane.normal.cross(forward) * (0.5 * f64::from(patch.width));
    let front = plane.point + forward * f64::from(patch.front);
    let back = plane.point - forward * f64::from(patch.back);
    Some([front + side, front - side, back - side, back + side])
}
