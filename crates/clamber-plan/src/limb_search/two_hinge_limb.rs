//! A limb of two hinges, with or without a tip such as a foot, and its clearance from obstacles.

use clamber_model::character::{Capsule, Hinge};
use clamber_model::id::{HingeId, LimbId, LinkId};
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::world::DistanceField;
use clamber_model::{Character, Configuration};

use super::tuning;

/// A limb of two links with a hinge each. The search does not turn a tip beyond them: its angle is given for each pose of the body.
#[derive(Clone, Debug)]
pub(crate) struct TwoHingeLimb {
    /// The link that carries the limb.
    pub parent: LinkId,
    pub hinges: [HingeId; 2],
    pub(super) parent_from_joint: Pose,
    upper_from_lower: Pose,
    axes: [Vec3; 2],
    tip: Option<Tip>,
    /// The least and the largest angle of each hinge.
    pub(super) limits: [[f32; 2]; 2],
    /// Spheres that cover each link.
    spheres: [Vec<Sphere>; 2],
    pub(super) lengths: Lengths,
}

/// A third link, with one hinge.
#[derive(Clone, Debug)]
struct Tip {
    hinge: HingeId,
    /// Its angle at rest, in radians.
    at_rest: f32,
    lower_from_joint: Pose,
    axis: Vec3,
    spheres: Vec<Sphere>,
}

/// The first joint of a limb in the world, before its hinge turns, and the angle of its tip.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimbMount {
    pub joint: Pose,
    pub tip_angle: f32,
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
    /// A limb of a character; `None` unless it has two links, or three, with one hinge each.
    pub fn of(character: &Character, limb: LimbId) -> Option<Self> {
        let limb = &character.limbs[limb];
        let (&[upper, lower], &[first, second]) = (limb.links.first_chunk()?, limb.hinges.first_chunk()?);
        let one_hinge_each =
            limb.hinges.iter().map(|&hinge| character.hinges[hinge].link).eq(limb.links.iter().copied());
        if !one_hinge_each || limb.links.len() > 3 {
            return None;
        }
        let size = character.body_size();
        let spheres_of = |link: LinkId| -> Vec<Sphere> {
            let capsules = character.links[link].capsules.clone().map(|index| character.capsules[index]);
            capsules.flat_map(|capsule| cover(capsule, tuning::SPHERE_SPACING * size)).collect()
        };
        let tip = limb.hinges.get(2).map(|&hinge| {
            let link = character.hinges[hinge].link;
            let lower_from_joint = character.links[link].parent_from_joint;
            let Hinge { axis, min, max, .. } = character.hinges[hinge];
            Tip { hinge, at_rest: 0.0f32.clamp(min, max), lower_from_joint, axis, spheres: spheres_of(link) }
        });
        let spheres = [upper, lower].map(spheres_of);
        Some(Self {
            parent: character.links[upper].parent?,
            parent_from_joint: character.links[upper].parent_from_joint,
            upper_from_lower: character.links[lower].parent_from_joint,
            hinges: [first, second],
            axes: [first, second].map(|hinge| character.hinges[hinge].axis),
            limits: [first, second].map(|hinge| [character.hinges[hinge].min, character.hinges[hinge].max]),
            spheres,
            tip,
            lengths: Lengths {
                max_clearance: tuning::MAX_CLEARANCE * size,
                comfortable_clearance: tuning::COMFORTABLE_CLEARANCE * size,
                field_error: tuning::FIELD_ERROR * size,
                safe_clearance: tuning::SAFE_CLEARANCE * size,
            },
        })
    }

    /// The mount of the limb at a configuration, given the pose of the link that carries it.
    pub(super) fn mount(&self, parent: Pose, configuration: &Configuration) -> LimbMount {
        let tip_angle = self.tip.as_ref().map_or(0.0, |tip| configuration.angles[tip.hinge]);
        LimbMount { joint: parent * self.parent_from_joint, tip_angle }
    }

    /// Turns the tip to where it is at rest: a foot that still points down from its last step would catch on what it passes.
    pub fn rest_tip(&self, configuration: &mut Configuration) {
        if let Some(tip) = &self.tip {
            configuration.angles[tip.hinge] = tip.at_rest;
        }
    }

    /// Approximate distance of the limb from obstacles, in meters; at most [`Lengths::max_clearance`].
    pub(super) fn clearance(&self, field: &DistanceField, mount: &LimbMount, angles: [f32; 2]) -> f32 {
        let joint = &mount.joint;
        let upper = Pose::from_parts(joint.translation, joint.rotation * rotation_about(self.axes[0], angles[0]));
        let mut lower = upper * self.upper_from_lower;
        lower.rotation *= rotation_about(self.axes[1], angles[1]);
        let [lower_clearance, upper_clearance] = [(&lower, &self.spheres[1]), (&upper, &self.spheres[0])]
            .map(|(frame, spheres)| self.least(field, frame, spheres));
        let tip_clearance = self.tip.as_ref().map_or(f32::INFINITY, |tip| {
            let mut frame = lower * tip.lower_from_joint;
            frame.rotation *= rotation_about(tip.axis, mount.tip_angle);
            self.least(field, &frame, &tip.spheres)
        });
        lower_clearance.min(upper_clearance).min(tip_clearance)
    }

    /// The least clearance of the spheres of a link.
    fn least(&self, field: &DistanceField, frame: &Pose, spheres: &[Sphere]) -> f32 {
        let max_clearance = self.lengths.max_clearance;
        let mut clearance = max_clearance;
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
        clearance
    }
}

/// Spheres along a capsule.
fn cover(capsule: Capsule, spacing: f32) -> impl Iterator<Item = Sphere> {
    let length = (capsule.b - capsule.a).length();
    // Farther apart than their radius, spheres would let a corner in between them.
    let count = (length / spacing.min(capsule.radius)).ceil().max(1.0) as usize;
    (0..=count).map(move |index| Sphere {
        center_in_link: capsule.a.lerp(capsule.b, index as f32 / count as f32),
        radius: capsule.radius,
        next: if index < count { length / count as f32 } else { f32::INFINITY },
    })
}
