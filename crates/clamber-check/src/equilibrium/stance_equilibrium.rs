//! Whether the contacts of a stance carry the body.

use std::ops::Range;

use clamber_model::character::{GRAVITY, RootAxis, RootJoint};
use clamber_model::id::LinkId;
use clamber_model::math::double::{Vec3, rotation_about};
use clamber_model::world::UP;
use clamber_model::{Character, Contact, World};

use super::contact_forces::{ForceSet, StanceForces};
use super::nearest_point::{Answer, contains_zero};
use super::wrench::Wrench;
use crate::kinematics::LinkFrames;

/// The farthest displacement of the center of mass that is considered, in body sizes.
pub(super) const MAX_DISPLACEMENT: f64 = 10.0;

/// The number of halvings after which a displacement is known to a millionth of the body size.
const HALVINGS: usize = 24;

/// The number of directions in which a center of mass in space is displaced.
const SPATIAL_DIRECTIONS: usize = 16;

/// Forces beyond so many weights are left out. A body that needs them is jammed rather than carried, and numbers of so different
/// sizes would have no common precision.
const MAX_FORCE: f64 = 1000.0;

/// The forces of one stance and one center of mass. Reused from stance to stance.
#[derive(Clone, Debug, Default)]
pub(crate) struct StanceEquilibrium {
    forces: StanceForces,
    /// The point that moments refer to.
    reference: Vec3,
    /// In meters.
    pub(super) body_size: f64,
    /// In newtons.
    pub(super) weight: f64,
    /// The wrench of the weight at the center of mass.
    pub(super) weight_wrench: Wrench,
    /// The directions in which the center of mass may be displaced.
    directions: Vec<Vec3>,
    /// 1 along the degrees of freedom of the root, 0 elsewhere.
    freedom: Wrench,
    /// False if no contact bears force or a number is not finite.
    pub(super) is_usable: bool,
}

impl StanceEquilibrium {
    /// Sets the body, in the configuration of these link frames, and its contacts.
    pub fn set<'c>(
        &mut self,
        character: &Character,
        world: &World,
        frames: &LinkFrames,
        stance: impl IntoIterator<Item = &'c Contact>,
    ) {
        self.forces.set(character, world, frames, stance);
        self.body_size = f64::from(character.body_size());
        let mass: f64 = character.links.iter().map(|link| f64::from(link.mass)).sum();
        self.weight = mass * f64::from(GRAVITY);
        self.freedom = freedom(character.root_joint);
        self.directions.clear();
        self.directions.extend(horizontal_directions(character.root_joint));
        let center = frames.center_of_mass(character);
        let middle = self.forces.middle();
        let is_positive = |value: f64| value.is_finite() && value > 0.0;
        self.is_usable =
            middle.is_some() && is_positive(self.body_size) && is_positive(self.weight) && center.is_finite();
        self.reference = middle.unwrap_or_default();
        self.weight_wrench = Wrench::of_force(-UP.as_dvec3(), self.arm(center)).masked(&self.freedom);
    }

    /// The lever arm of a point, in body sizes.
    fn arm(&self, point: Vec3) -> Vec3 {
        (point - self.reference) / self.body_size
    }

    /// Returns whether the contacts carry the body after a horizontal displacement of its center of mass by at most this many
    /// meters. NaN counts as 0.
    pub fn is_carried(&self, max_displacement: f64) -> bool {
        self.answer(max_displacement) == Answer::Contains
    }

    /// Decides whether the sum of all forces that are possible, the weight and the displacement contains zero.
    pub(super) fn answer(&self, max_displacement: f64) -> Answer {
        if !self.is_usable {
            return Answer::Separate;
        }
        // NaN becomes 0.
        let displacement = (max_displacement / self.body_size).min(MAX_DISPLACEMENT);
        let displacement = if max_displacement > 0.0 { displacement } else { 0.0 };
        contains_zero(self.weight_wrench, |direction| self.farthest_against(direction, displacement))
    }

    /// The sum of the weight, forces of the contacts and a displacement whose product with a direction is least.
    fn farthest_against(&self, direction: &Wrench, displacement: f64) -> Wrench {
        let mut sum = self.weight_wrench;
        for set in &self.forces.sets {
            let (mut least, mut wrench) = (0.0, Wrench::default());
            for &point in self.forces.points(set) {
                let arm = self.arm(point);
                // The direction is a motion of the body; this is the velocity of the point.
                let velocity = direction.force + direction.moment.cross(arm);
                for &force in self.forces.directions(set) {
                    let power = force.dot(velocity);
                    if power < least {
                        (least, wrench) = (power, Wrench::of_force(force, arm));
                    }
                }
            }
            sum.add_scaled((set.limit / self.weight).min(MAX_FORCE), &wrench.masked(&self.freedom));
        }
        let (mut least, mut wrench) = (0.0, Wrench::default());
        for &horizontal in &self.directions {
            let displaced = displacement_wrench(horizontal);
            let power = displaced.moment.dot(direction.moment);
            if power < least {
                (least, wrench) = (power, displaced);
            }
        }
        sum.add_scaled(displacement, &wrench.masked(&self.freedom));
        sum
    }

    /// Sets `loads` to the wrench of each unit load and the link that it acts on. Returns which of them belong to an effector,
    /// and their greatest sum, in weights.
    pub(super) fn unit_loads(&self, loads: &mut Vec<(Wrench, LinkId)>) -> Vec<(Range<usize>, f64)> {
        loads.clear();
        let mut add = |set: &ForceSet| {
            let first = loads.len();
            for &point in self.forces.points(set) {
                let directions = self.forces.directions(set).iter();
                loads.extend(directions.map(|&force| (Wrench::of_force(force, self.arm(point)), set.link)));
            }
            (first..loads.len(), (set.limit / self.weight).min(MAX_FORCE))
        };
        self.forces.sets.iter().map(&mut add).collect()
    }

    /// The changes of the weight's wrench when the center of mass moves by one body size.
    pub(super) fn displacement_wrenches(&self) -> Vec<Wrench> {
        self.directions.iter().map(|&horizontal| displacement_wrench(horizontal)).collect()
    }

    /// Unit wrenches along the degrees of freedom of the root: in equilibrium, products with each of them vanish.
    pub(super) fn equations(&self) -> Vec<Wrench> {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let forces = axes.iter().map(|&axis| Wrench { force: axis, moment: Vec3::ZERO });
        let moments = axes.iter().map(|&axis| Wrench { force: Vec3::ZERO, moment: axis });
        forces.chain(moments).filter(|axis| axis.dot(&self.freedom) > 0.0).collect()
    }

    /// The wrench whose product with another is its moment about an axis through a point.
    pub(super) fn moment_about(&self, point: Vec3, axis: Vec3) -> Wrench {
        Wrench { force: self.arm(point).cross(axis), moment: axis }
    }

    /// The wrench of the weight of some links.
    pub(super) fn weight_of(
        &self,
        character: &Character,
        frames: &LinkFrames,
        is_meant: impl Fn(LinkId) -> bool,
    ) -> Wrench {
        let mut weight = Wrench::default();
        for (id, link) in character.links.iter_enumerated().filter(|(id, _)| is_meant(*id)) {
            let share = f64::from(link.mass) * f64::from(GRAVITY) / self.weight;
            let center = self.arm(frames.of(id).to_world(link.center_of_mass));
            weight.add_scaled(share, &Wrench::of_force(-UP.as_dvec3(), center));
        }
        weight
    }

    /// Returns the smallest horizontal displacement of the center of mass with which the contacts carry the body, in meters:
    /// infinite if it is more than [`MAX_DISPLACEMENT`].
    pub fn displacement(&self) -> f64 {
        if self.is_carried(0.0) {
            return 0.0;
        }
        let (mut falls, mut carried) = (0.0, MAX_DISPLACEMENT * self.body_size);
        if !self.is_carried(carried) {
            return f64::INFINITY;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (falls + carried);
            *(if self.is_carried(middle) { &mut carried } else { &mut falls }) = middle;
        }
        carried
    }
}

/// The change of the weight's wrench when the center of mass moves by one body size.
fn displacement_wrench(horizontal: Vec3) -> Wrench {
    Wrench { force: Vec3::ZERO, moment: horizontal.cross(-UP.as_dvec3()) }
}

/// Along which axes forces and moments must vanish in equilibrium.
fn freedom(root: RootJoint) -> Wrench {
    let mut freedom = Wrench::default();
    for axis in root.axes() {
        match axis {
            RootAxis::Move(along) => freedom.force += along.as_dvec3(),
            RootAxis::Turn(about) => freedom.moment += about.as_dvec3(),
        }
    }
    freedom
}

/// The horizontal directions in which a root can move, beginning with the x axis: both in the plane, some in space.
fn horizontal_directions(root: RootJoint) -> impl Iterator<Item = Vec3> {
    let count = match root {
        RootJoint::Planar => 2,
        RootJoint::Free => SPATIAL_DIRECTIONS,
    };
    (0..count).map(move |index| {
        rotation_about(UP.as_dvec3(), std::f64::consts::TAU * f64::from(index as u32) / count as f64) * Vec3::X
    })
}
