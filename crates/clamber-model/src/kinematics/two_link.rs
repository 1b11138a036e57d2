//! Closed-form inverse kinematics of a limb of two links with parallel hinges.

use crate::character::Character;
use crate::configuration::Configuration;
use crate::id::{EffectorId, HingeId};
use crate::kinematics::link_pose;
use crate::math::{Vec3, acos, atan2};

/// A limb with a closed-form solution: an upper link with one hinge, a lower link with one parallel hinge, and the effector on
/// the lower link, away from its hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoLink {
    effector: EffectorId,
    upper_hinge: HingeId,
    lower_hinge: HingeId,
}

impl TwoLink {
    /// Returns the two-link chain of an effector, if its limb is one.
    pub fn of(character: &Character, effector: EffectorId) -> Option<Self> {
        let limb = &character.limbs[character.effectors[effector].limb?];
        let &[upper_link, lower_link] = limb.links.as_slice() else { return None };
        let &[upper_hinge, lower_hinge] = limb.hinges.as_slice() else { return None };
        let (upper, lower) = (&character.hinges[upper_hinge], &character.hinges[lower_hinge]);
        let one_hinge_each = upper.link == upper_link && lower.link == lower_link;
        let lower_axis_in_upper = character.links[lower_link].parent_from_joint.rotation * lower.axis;
        let parallel = upper.axis.dot(lower_axis_in_upper) > 1.0 - 1e-6;
        let on_lower = character.effectors[effector].link == lower_link;
        // An effector on the lower hinge, such as a knee, depends on the upper hinge only.
        let arms = [character.links[lower_link].parent_from_joint.translation, character.effectors[effector].center];
        let two_arms = arms[0].cross(upper.axis).length() > 1e-4 && arms[1].cross(lower.axis).length() > 1e-4;
        (one_hinge_each && parallel && on_lower && two_arms).then_some(Self { effector, upper_hinge, lower_hinge })
    }
}

/// Bends the limb so that its effector's center reaches `center`, projected into the limb's plane: an offset along the hinge
/// axis is ignored.
///
/// Of the two solutions, takes the one nearer to the present angles. Returns false and changes nothing when `center` is out of
/// reach or both solutions violate a limit.
pub fn solve_two_link(character: &Character, limb: TwoLink, center: Vec3, configuration: &mut Configuration) -> bool {
    let (upper, lower) = (&character.hinges[limb.upper_hinge], &character.hinges[limb.lower_hinge]);
    let lower_joint = &character.links[lower.link].parent_from_joint;

    // In the upper link's joint frame, before its hinge rotates.
    let Some(parent) = character.links[upper.link].parent else { return false };
    let world_from_joint = link_pose(character, configuration, parent) * character.links[upper.link].parent_from_joint;
    let target = world_from_joint.inverse() * center;

    // Coordinates in the plane perpendicular to the axis.
    let axis = upper.axis;
    let u = axis.any_orthonormal_vector();
    let v = axis.cross(u);
    let plane = |vector: Vec3| (vector.dot(u), vector.dot(v));
    let (tx, ty) = plane(target);
    let (ax, ay) = plane(lower_joint.translation);
    let (bx, by) = plane(lower_joint.rotation * character.effectors[limb.effector].center);

    let (a, b, reach_squared) = ((ax * ax + ay * ay).sqrt(), (bx * bx + by * by).sqrt(), tx * tx + ty * ty);
    let bend_cos = (reach_squared - a * a - b * b) / (2.0 * a * b);
    // At full stretch, rounding errors may put the target just out of reach.
    const ROUNDING: f32 = 1e-5;
    if bend_cos.is_nan() || bend_cos.abs() > 1.0 + ROUNDING {
        return false;
    }
    let bend = acos(bend_cos);
    let upper_at_rest = atan2(ay, ax);
    let lower_at_rest = atan2(by, bx);
    let mut best: Option<(f32, [f32; 2])> = None;
    for bend in [bend, -bend] {
        let (sin, cos) = crate::math::sin_cos(bend);
        let upper_angle = atan2(ty, tx) - atan2(b * sin, a + b * cos) - upper_at_rest;
        let lower_angle = bend + upper_at_rest - lower_at_rest;
        let now = [configuration.angles[limb.upper_hinge], configuration.angles[limb.lower_hinge]];
        let Some(upper_angle) = within(upper_angle, upper.min, upper.max, now[0]) else { continue };
        let Some(lower_angle) = within(lower_angle, lower.min, lower.max, now[1]) else { continue };
        let change = (upper_angle - now[0]).abs() + (lower_angle - now[1]).abs();
        if best.is_none_or(|(least, _)| change < least) {
            best = Some((change, [upper_angle, lower_angle]));
        }
    }
    let Some((_, [upper_angle, lower_angle])) = best else { return false };
    configuration.angles[limb.upper_hinge] = upper_angle;
    configuration.angles[limb.lower_hinge] = lower_angle;
    true
}

/// Returns the angle equal to this one modulo full turns that is within the limits and nearest to `now`.
fn within(angle: f32, min: f32, max: f32, now: f32) -> Option<f32> {
    const TURN: f32 = std::f32::consts::TAU;
    const ROUNDING: f32 = 1e-5;
    let nearest = angle + TURN * ((now - angle) / TURN).round();
    [nearest, nearest - TURN, nearest + TURN]
        .into_iter()
        .find(|angle| (min - ROUNDING..=max + ROUNDING).contains(angle))
        .map(|angle| angle.clamp(min, max))
}
