//! A limb of two hinges, and its clearance from obstacles.

use clamber_model::Character;
use clamber_model::character::Capsule;
use clamber_model::id::{HingeId, LimbId, LinkId};
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::world::DistanceField;

use super::tuning;

/// A limb of two links with a hinge each.
#[derive(Clone, Debug)]
pub(crate) struct TwoHingeLimb {
    /// The link that carries the limb.
    pub parent: LinkId,
    pub hinges: [HingeId; 2],
    pub(super) parent_from_joint: Pose,
    upper_from_lower: Pose,
    axes: [Vec3; 2],
    /// The least and the largest angle of each hinge.
    pub(super) limits: [[f32; 2]; 2],
    /// Spheres that cover each link.
    spheres: [Vec<Sphere>; 2],
    pub(super) lengths: Lengths,
}

/// Tuning lengths for one character, in meters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    pub max_clearance: f32,
    pub comfortable_clearance: f32,
    pub field_error: f32,
    pub safe_clearance: f32,
}

/// A sphere of a link.
#[derive(Clone, Copy, Debug)]
struct Sphere {
    center_in_link: Vec3,
    radius: f32,
    /// Distance to the next sphere in meters; infinite where that belongs to another capsule.
    next: f32,
}

impl TwoHingeLimb {
    /// A limb of a character; `None` unless it has exactly two links with one hinge each.
    pub fn of(character: &Character, limb: LimbId) -> Option<Self> {
        let limb = &character.limbs[limb];
        let &[upper, lower] = limb.links.as_slice() else { return None };
        let &[first, second] = limb.hinges.as_slice() else { return None };
        if character.hinges[first].link != upper || character.hinges[second].link != lower {
            return None;
        }
        let size = character.body_size();
        let spheres = [upper, lower].map(|link| {
            let capsules = character.links[link].capsules.clone().map(|index| character.capsules[index]);
            capsules.flat_map(|capsule| cover(capsule, tuning::SPHERE_SPACING * size)).collect()
        });
        Some(Self {
            parent: character.links[upper].parent?,
            parent_from_joint: character.links[upper].parent_from_joint,
            upper_from_lower: character.links[lower].parent_from_joint,
            hinges: [first, second],
            axes: [first, second].map(|hinge| character.hinges[hinge].axis),
            limits: [first, second].map(|hinge| [character.hinges[hinge].min, character.hinges[hinge].max]),
            spheres,
            lengths: Lengths {
                max_clearance: tuning::MAX_CLEARANCE * size,
                comfortable_clearance: tuning::COMFORTABLE_CLEARANCE * size,
                field_error: tuning::FIELD_ERROR * size,
                safe_clearance: tuning::SAFE_CLEARANCE * size,
            },
        })
    }

    /// Approximate distance of the limb from obstacles, in meters; at most [`Lengths::max_clearance`].
    pub(super) fn clearance(&self, field: &DistanceField, joint: &Pose, angles: [f32; 2]) -> f32 {
        let upper = Pose::from_parts(joint.translation, joint.rotation * rotation_about(self.axes[0], angles[0]));
        let mut lower = upper * self.upper_from_lower;
        lower.rotation *= rotation_about(self.axes[1], angles[1]);
        let max_clearance = self.lengths.max_clearance;
        let mut clearance = max_clearance;
        for (frame, spheres) in [lower, upper].iter().zip([&self.spheres[1], &self.spheres[0]]) {
            // Surplus clearance at one sphere covers the next ones, too.
            let mut surplus = 0.0;
            for &Sphere { center_in_link, radius, next } in spheres {
                if surplus <= 0.0 {
                    let here = field.estimate(*frame * center_in_link) - radius;
                    clearance = clearance.min(here);
                    surplus = here - max_clearance;
                }
                surplus -= next;
            }
        }
        clearance
    }
}

/// Spheres along a capsule.
fn cover(capsule: Capsule, spacing: f32) -> impl Iterator<Item = Sphere> {
    let length = (capsule.b - capsule.a).length();
    let count = (length / spacing).ceil().max(1.0) as usize;
    (0..=count).map(move |index| Sphere {
        center_in_link: capsule.a.lerp(capsule.b, index as f32 / count as f32),
        radius: capsule.radius,
        next: if index < count { length / count as f32 } else { f32::INFINITY },
    })
}
