//! Closed-form inverse kinematics of a limb of two links with parallel hinges, with or without a tip such as a foot.

use crate::character::{Character, Hinge};
use crate::configuration::Configuration;
use crate::id::{EffectorId, HingeId};
use crate::kinematics::link_pose;
use crate::math::{Pose, Vec3, acos, atan2, rotation_about};

/// A limb with a closed-form solution: an upper and a lower link with one hinge each and, where the effector is beyond them, a tip
/// link with one more, such as a foot. All hinges are parallel, and the effector is away from the lower hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoLink {
    effector: EffectorId,
    upper_hinge: HingeId,
    lower_hinge: HingeId,
    /// The hinge of the tip link, if the effector is on one.
    tip_hinge: Option<HingeId>,
}

impl TwoLink {
    /// Returns the chain of an effector, if its limb is one.
    pub fn of(character: &Character, effector: EffectorId) -> Option<Self> {
        let limb = &character.limbs[character.effectors[effector].limb?];
        let (&[upper_link, lower_link], tip_link) = match limb.links.split_at_checked(2)? {
            (first, []) => (first.as_array()?, None),
            (first, [tip]) => (first.as_array()?, Some(*tip)),
            _ => return None,
        };
        let hinges = limb.hinges.as_slice();
        let one_hinge_each = hinges.iter().map(|&hinge| character.hinges[hinge].link).eq(limb.links.iter().copied());
        if !one_hinge_each {
            return None;
        }
        let is_parallel = |pair: &[HingeId]| {
            let [first, second] = [pair[0], pair[1]].map(|hinge| &character.hinges[hinge]);
            let second_in_first = character.links[second.link].parent_from_joint.rotation * second.axis;
            first.axis.dot(second_in_first) > 1.0 - 1e-6
        };
        let on_tip = tip_link == Some(character.effectors[effector].link);
        let on_lower = lower_link == character.effectors[effector].link;
        let limb = Self {
            effector,
            upper_hinge: hinges[0],
            lower_hinge: hinges[1],
            tip_hinge: on_tip.then(|| hinges.get(2).copied()).flatten(),
        };
        // An effector on the lower hinge, such as a knee, depends on the upper hinge only.
        let axis = character.hinges[limb.upper_hinge].axis;
        let arms = [
            character.links[lower_link].parent_from_joint.translation,
            limb.end_in_lower(character, limb.tip_joint(character)),
        ];
        let two_arms = arms.iter().all(|arm| arm.cross(axis).length() > 1e-4);
        let is_chain = character.links[upper_link].parent.is_some() && hinges.windows(2).all(is_parallel);
        ((on_lower || on_tip) && two_arms && is_chain).then_some(limb)
    }

    /// Returns whether the effector is on a tip link, such as a foot.
    pub fn has_tip(self) -> bool {
        self.tip_hinge.is_some()
    }

    /// Returns the hinge of the tip link, if the effector is on one.
    pub fn tip_hinge(self) -> Option<HingeId> {
        self.tip_hinge
    }

    /// Returns the direction in the world, opposite to the forward of the effector's patch, when the effector faces a direction in
    /// the limb's plane. `None` without a patch.
    pub fn backward_when_facing(
        self,
        character: &Character,
        configuration: &Configuration,
        facing: Vec3,
    ) -> Option<Vec3> {
        let effector = &character.effectors[self.effector];
        let (patch, at_rest) = (effector.ability.patch?, effector.facing?);
        let axis = character.hinges[self.tip_hinge?].axis;
        let world_axis =
            self.world_from_joint(character, configuration)?.rotation * character.hinges[self.upper_hinge].axis;
        let side = axis.dot(at_rest.cross(patch.forward)).signum();
        Some(facing.cross(world_axis) * side)
    }

    /// The joint of the tip in the lower link; without a tip, the effector's center.
    fn tip_joint(self, character: &Character) -> Vec3 {
        match self.tip_hinge {
            Some(hinge) => character.links[character.hinges[hinge].link].parent_from_joint.translation,
            None => character.effectors[self.effector].center,
        }
    }

    /// The effector's center in the lower link, with the tip as it is.
    fn center_in_lower(self, character: &Character, configuration: &Configuration) -> Vec3 {
        let center = character.effectors[self.effector].center;
        let Some(hinge) = self.tip_hinge else { return center };
        let (joint, axis) =
            (character.links[character.hinges[hinge].link].parent_from_joint, character.hinges[hinge].axis);
        joint * (rotation_about(axis, configuration.angles[hinge]) * center)
    }

    /// A point of the lower link, rotated as it is in the lower joint's parent.
    fn end_in_lower(self, character: &Character, end: Vec3) -> Vec3 {
        character.links[character.hinges[self.lower_hinge].link].parent_from_joint.rotation * end
    }

    /// The pose of the upper link's joint in the world, before its hinge turns.
    fn world_from_joint(self, character: &Character, configuration: &Configuration) -> Option<Pose> {
        let upper = &character.links[character.hinges[self.upper_hinge].link];
        Some(link_pose(character, configuration, upper.parent?) * upper.parent_from_joint)
    }

    /// The angles of the upper and lower hinge that bring a point `end` of the lower link to `target`, given in the upper link's
    /// joint frame before its hinge turns: two solutions, some of them within the limits.
    fn solutions(
        self,
        character: &Character,
        [target, end]: [Vec3; 2],
        configuration: &Configuration,
    ) -> [Option<[f32; 2]>; 2] {
        let (upper, lower) = (&character.hinges[self.upper_hinge], &character.hinges[self.lower_hinge]);
        // Coordinates in the plane perpendicular to the axis.
        let u = upper.axis.any_orthonormal_vector();
        let v = upper.axis.cross(u);
        let plane = |vector: Vec3| (vector.dot(u), vector.dot(v));
        let (tx, ty) = plane(target);
        let (ax, ay) = plane(character.links[lower.link].parent_from_joint.translation);
        let (bx, by) = plane(self.end_in_lower(character, end));

        let (a, b, reach_squared) = ((ax * ax + ay * ay).sqrt(), (bx * bx + by * by).sqrt(), tx * tx + ty * ty);
        let bend_cos = (reach_squared - a * a - b * b) / (2.0 * a * b);
        // At full stretch, rounding errors may put the target just out of reach.
        const ROUNDING: f32 = 1e-5;
        if bend_cos.is_nan() || bend_cos.abs() > 1.0 + ROUNDING {
            return [None; 2];
        }
        let bend = acos(bend_cos);
        let upper_at_rest = atan2(ay, ax);
        let lower_at_rest = atan2(by, bx);
        let now = [configuration.angles[self.upper_hinge], configuration.angles[self.lower_hinge]];
        [bend, -bend].map(|bend| {
            let (sin, cos) = crate::math::sin_cos(bend);
            let upper_angle = atan2(ty, tx) - atan2(b * sin, a + b * cos) - upper_at_rest;
            let lower_angle = bend + upper_at_rest - lower_at_rest;
            Some([within(upper_angle, upper, now[0])?, within(lower_angle, lower, now[1])?])
        })
    }
}

/// Bends the limb so that its effector's center reaches `center`, projected into the limb's plane: an offset along the hinge
/// axis is ignored. The tip keeps its angle.
///
/// Of the two solutions, takes the one nearer to the present angles. Returns false and changes nothing when `center` is out of
/// reach or both solutions violate a limit.
pub fn solve_two_link(character: &Character, limb: TwoLink, center: Vec3, configuration: &mut Configuration) -> bool {
    let Some(world_from_joint) = limb.world_from_joint(character, configuration) else { return false };
    let target = world_from_joint.inverse() * center;
    let end = limb.center_in_lower(character, configuration);
    let solutions = limb.solutions(character, [target, end], configuration);
    let now = [configuration.angles[limb.upper_hinge], configuration.angles[limb.lower_hinge]];
    let change = |angles: &[f32; 2]| (angles[0] - now[0]).abs() + (angles[1] - now[1]).abs();
    let nearest = solutions.into_iter().flatten().reduce(|a, b| if change(&b) < change(&a) { b } else { a });
    let Some([upper_angle, lower_angle]) = nearest else { return false };
    configuration.angles[limb.upper_hinge] = upper_angle;
    configuration.angles[limb.lower_hinge] = lower_angle;
    true
}

/// Bends a limb with a tip so that its effector's center reaches `center` and its facing points along `facing`, both projected into
/// the limb's plane. Takes the nearer solution and returns false as [`solve_two_link`] does, also without a tip or a facing.
pub fn solve_two_link_facing(
    character: &Character,
    limb: TwoLink,
    [center, facing]: [Vec3; 2],
    configuration: &mut Configuration,
) -> bool {
    let effector = &character.effectors[limb.effector];
    let (Some(tip_hinge), Some(effector_facing)) = (limb.tip_hinge, effector.facing) else { return false };
    let Some(world_from_joint) = limb.world_from_joint(character, configuration) else { return false };
    let joint_from_world = world_from_joint.inverse();
    let axis = character.hinges[limb.upper_hinge].axis;
    let tip = &character.hinges[tip_hinge];
    let tip_from_upper = character.links[character.hinges[limb.lower_hinge].link].parent_from_joint.rotation
        * character.links[tip.link].parent_from_joint.rotation;
    // The sum of the three angles turns the facing from where it is at angles 0.
    let turn = angle_about(axis, tip_from_upper * effector_facing, joint_from_world.rotation * facing);
    let center_from_tip = rotation_about(axis, turn) * (tip_from_upper * effector.center);
    let target = joint_from_world * center - center_from_tip;
    let now = [limb.upper_hinge, limb.lower_hinge, tip_hinge].map(|hinge| configuration.angles[hinge]);
    let mut best: Option<(f32, [f32; 3])> = None;
    for [upper_angle, lower_angle] in
        limb.solutions(character, [target, limb.tip_joint(character)], configuration).into_iter().flatten()
    {
        let Some(tip_angle) = within(turn - upper_angle - lower_angle, tip, now[2]) else { continue };
        let angles = [upper_angle, lower_angle, tip_angle];
        let change = angles.iter().zip(&now).map(|(angle, now)| (angle - now).abs()).sum();
        if best.is_none_or(|(least, _)| change < least) {
            best = Some((change, angles));
        }
    }
    let Some((_, angles)) = best else { return false };
    for (hinge, angle) in [limb.upper_hinge, limb.lower_hinge, tip_hinge].into_iter().zip(angles) {
        configuration.angles[hinge] = angle;
    }
    true
}

/// Turns the tip of a limb toward a facing, as far as its hinge allows; the rest of the limb stays. Does nothing without a tip.
pub fn turn_tip_toward(character: &Character, limb: TwoLink, facing: Vec3, configuration: &mut Configuration) {
    let effector = &character.effectors[limb.effector];
    let (Some(tip_hinge), Some(effector_facing)) = (limb.tip_hinge, effector.facing) else { return };
    let hinge = &character.hinges[tip_hinge];
    let world_from_tip = link_pose(character, configuration, hinge.link).rotation;
    let turn = angle_about(hinge.axis, effector_facing, world_from_tip.inverse() * facing);
    let angle = configuration.angles[tip_hinge] + turn;
    configuration.angles[tip_hinge] = within(angle, hinge, angle).unwrap_or(angle.clamp(hinge.min, hinge.max));
}

/// Returns the angle that turns the projection of one direction into that of another, in the plane perpendicular to an axis.
fn angle_about(axis: Vec3, from: Vec3, to: Vec3) -> f32 {
    let across = |vector: Vec3| vector - axis * axis.dot(vector);
    let (from, to) = (across(from), across(to));
    atan2(axis.dot(from.cross(to)), from.dot(to))
}

/// Returns the angle equal to this one modulo full turns that is within a hinge's limits and nearest to `now`.
fn within(angle: f32, hinge: &Hinge, now: f32) -> Option<f32> {
    const TURN: f32 = std::f32::consts::TAU;
    const ROUNDING: f32 = 1e-5;
    let (min, max) = (hinge.min, hinge.max);
    let nearest = angle + TURN * ((now - angle) / TURN).round();
    [nearest, nearest - TURN, nearest + TURN]
        .into_iter()
        .find(|angle| (min - ROUNDING..=max + ROUNDING).contains(angle))
        .map(|angle| angle.clamp(min, max))
}
