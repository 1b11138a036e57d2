//! What an effector can do in contact: lie flat, grip, and bear force.

use crate::math::Vec3;
use crate::scaling::Scale;

/// The acceleration of gravity, in m/s².
pub const GRAVITY: f32 = 9.81;

/// The kinds of contact that an effector makes besides touching with its sphere, and the force that it bears.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactAbility {
    /// The flat area that it lays on a surface, such as a sole or a palm; `None` if it touches at one point.
    pub patch: Option<Patch>,
    /// How it grips bars and edges; `None` if it cannot pull.
    pub grip: Option<Grip>,
    /// The greatest force with which it presses on a surface, along the normal, in newtons.
    pub max_push: f32,
}

/// A flat rectangle at right angles to [`Effector::facing`](super::Effector::facing), one radius below the effector's center.
///
/// In contact it lies on the surface. It may turn about the surface's normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// Unit vector in the link's frame toward the front edge, at right angles to the facing.
    pub forward: Vec3,
    /// From below the center to the front edge, in meters.
    pub front: f32,
    /// From below the center to the back edge, in meters.
    pub back: f32,
    /// Width in meters, half of it on either side; 0 for a line.
    pub width: f32,
}

/// A grip around a bar or over an edge. It holds against a force in any direction, but not against a moment about its axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// Unit vector in the link's frame along the gripped bar or edge.
    pub axis: Vec3,
    /// Extent along the axis in meters, half of it on either side; 0 for a point.
    pub width: f32,
    /// The greatest distance from a sharp edge at which it grips a surface, in meters: fingers reach around the edge. `None` for claws and
    /// pads, which need no edge.
    pub edge_reach: Option<f32>,
    /// The greatest force in newtons.
    pub max_force: f32,
}

impl ContactAbility {
    /// Touching at one point and pressing with at most `max_push` newtons.
    pub fn point(max_push: f32) -> Self {
        Self { patch: None, grip: None, max_push }
    }

    /// Lengths grow by the factor, forces with the weight.
    pub(super) fn scaled(self, scale: Scale) -> Self {
        let by = scale.length;
        Self {
            patch: self.patch.map(|patch| Patch {
                forward: patch.forward,
                front: patch.front * by,
                back: patch.back * by,
                width: patch.width * by,
            }),
            grip: self.grip.map(|grip| Grip {
                axis: grip.axis,
                width: grip.width * by,
                edge_reach: grip.edge_reach.map(|reach| reach * by),
                max_force: grip.max_force * scale.mass(),
            }),
            max_push: self.max_push * scale.mass(),
        }
    }

    /// Whether directions have length 1, lengths are not negative, forces are positive, and the patch is at right angles to the
    /// facing, which it needs.
    pub(super) fn is_valid(&self, facing: Option<Vec3>) -> bool {
        let is_unit = |direction: Vec3| (direction.length() - 1.0).abs() < UNIT_TOLERANCE;
        let is_length = |length: f32| length.is_finite() && length >= 0.0;
        let is_force = |force: f32| force.is_finite() && force > 0.0;
        let patch_is_valid = self.patch.is_none_or(|Patch { forward, front, back, width }| {
            is_unit(forward)
                && facing.is_some_and(|facing| facing.dot(forward).abs() < UNIT_TOLERANCE)
                && [front, back, width].into_iter().all(is_length)
        });
        let grip_is_valid = self.grip.is_none_or(|Grip { axis, width, edge_reach, max_force }| {
            is_unit(axis) && is_length(width) && edge_reach.is_none_or(is_length) && is_force(max_force)
        });
        patch_is_valid && grip_is_valid && is_force(self.max_push)
    }
}

/// How far the length of a direction may be from 1, and the cosine between directions at right angles from 0.
const UNIT_TOLERANCE: f32 = 1e-3;
