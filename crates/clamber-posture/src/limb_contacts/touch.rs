//! Which hold an effector at a given place touches.

use clamber_model::World;
use std::ops::ControlFlow;

use clamber_model::character::Effector;
use clamber_model::contact::center_when_touching;
use clamber_model::id::HoldId;
use clamber_model::math::{Vec3, sin_cos};
use clamber_model::world::{Hold, HoldShape, HoldType};

use super::surface_tree::{HoldVisitor, NormalCone};
use super::tuning;

/// What a limb has to do: exert a force along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactTask {
    /// Unit vector in the world: where the body has to move, or where it has to push something.
    pub direction: Vec3,
    /// Whether the limb pushes something in the direction. Then surfaces must face against it; otherwise they must face along it, to
    /// carry the body there.
    pub pushes: bool,
}

impl ContactTask {
    /// Moves the body in a direction.
    pub fn moving(direction: Vec3) -> Self {
        Self { direction, pushes: false }
    }

    /// Pushes something in a direction.
    pub fn pushing(direction: Vec3) -> Self {
        Self { direction, pushes: true }
    }

    /// The direction in which the best surfaces face.
    pub(super) fn wanted_normal(&self) -> Vec3 {
        if self.pushes { -self.direction } else { self.direction }
    }
}

/// An effector that looks for a hold.
#[derive(Clone, Copy)]
pub(super) struct Toucher<'a> {
    pub world: &'a World,
    pub effector: &'a Effector,
    /// The direction in which the best surfaces face.
    pub wanted_normal: Vec3,
    /// The greatest distance between the effector's center and its place in contact, in meters.
    pub max_gap: f32,
    /// The cosines of [`tuning::MAX_TILT`] and of the greatest angle on steep surfaces.
    pub least_facing: [f32; 2],
}

/// A hold that an effector touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub hold: HoldId,
    pub point: Vec3,
    /// The cosine between its normal and the wanted one. Never a negative zero, which would rank below zero.
    pub alignment: f32,
}

impl<'a> Toucher<'a> {
    pub fn new(world: &'a World, effector: &'a Effector, task: ContactTask, max_gap: f32) -> Self {
        let steep = if effector.ability.grip.is_some() { tuning::MAX_GRIP_TILT } else { tuning::MAX_STEEP_TILT };
        Self {
            world,
            effector,
            wanted_normal: task.wanted_normal(),
            max_gap,
            least_facing: [tuning::MAX_TILT, steep].map(|tilt| sin_cos(tilt).1),
        }
    }

    /// The effector's radius and the gap, with room for rounding, in meters.
    pub fn radius_and_gap(&self) -> (f32, f32) {
        (self.effector.radius, 1.001 * self.max_gap)
    }

    /// Returns the contact of an effector whose center is at a place with a hold, if they touch. `facing` is the direction that the
    /// effector faces, if it has one.
    pub fn touch(&self, id: HoldId, center: Vec3, facing: Option<Vec3>) -> Option<Touch> {
        let hold = &self.world.holds[id];
        if facing.is_some_and(|facing| !self.can_face(hold, facing)) {
            return None;
        }
        if let HoldShape::Triangle([corner, ..]) = hold.shape {
            // The distance from the plane needs no search for the nearest point.
            let height = hold.normal.dot(center - corner) - self.effector.radius;
            if height.abs() > 1.001 * self.max_gap {
                return None;
            }
        }
        let point = hold.nearest_point(center - hold.normal * self.effector.radius);
        let gap = (center - center_when_touching(self.effector, point, hold.normal)).length();
        (gap <= self.max_gap && self.can_use(id, point)).then(|| Touch {
            hold: id,
            point,
            alignment: self.wanted_normal.dot(hold.normal) + 0.0,
        })
    }

    /// Whether an effector with this facing may touch a surface whose normal is in a cone.
    pub fn may_face(&self, normals: &NormalCone, facing: Vec3) -> bool {
        let [flat, steep] = self.least_facing;
        normals.max_cosine(-facing) >= flat.min(steep)
    }

    fn can_use(&self, hold: HoldId, point: Vec3) -> bool {
        let grip = self.effector.ability.grip;
        self.world.holds[hold].hold_type.allows_pressing()
            || grip.is_some_and(|grip| self.world.can_grip(hold, point, grip.edge_reach))
    }

    fn can_face(&self, hold: &Hold, facing: Vec3) -> bool {
        let is_steep = HoldType::of_normal(hold.normal) != HoldType::LoadBearing;
        facing.dot(-hold.normal) >= self.least_facing[usize::from(is_steep)]
    }
}

/// Looks for the best hold that an effector touches.
pub(super) struct TouchSearch<'a> {
    pub toucher: &'a Toucher<'a>,
    /// Of the effector, in the world.
    pub center: Vec3,
    pub facing: Option<Vec3>,
    pub best: Option<Touch>,
}

impl HoldVisitor for TouchSearch<'_> {
    fn wants(&self, normals: &NormalCone) -> bool {
        // Of holds that are equally well aligned the earlier one counts, so equals are of interest.
        let may_be_better = |best: &Touch| normals.max_cosine(self.toucher.wanted_normal) >= best.alignment;
        self.best.as_ref().is_none_or(may_be_better)
            && self.facing.is_none_or(|facing| self.toucher.may_face(normals, facing))
    }

    fn visit(&mut self, hold: HoldId) -> ControlFlow<()> {
        self.best = better(self.best, self.toucher.touch(hold, self.center, self.facing));
        ControlFlow::Continue(())
    }
}

/// Of two touches, returns the better aligned one; of equals, the one of the earlier hold.
pub(super) fn better(one: Option<Touch>, other: Option<Touch>) -> Option<Touch> {
    let (Some(a), Some(b)) = (one, other) else { return one.or(other) };
    let order = a.alignment.total_cmp(&b.alignment).then(b.hold.cmp(&a.hold));
    Some(if order.is_ge() { a } else { b })
}
