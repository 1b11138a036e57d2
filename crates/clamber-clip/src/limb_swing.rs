//! Swings: a limb between two holds lifts off along the normal of the hold that it leaves and lands along the normal of the
//! one that it reaches.

use clamber_model::id::{EffectorId, LimbId, TiVec};
use clamber_model::kinematics::{LinkFrames, TwoLink, effector_position, forward, solve_two_link};
use clamber_model::math::Vec3;
use clamber_model::motion::ContactSpan;
use clamber_model::{Character, Configuration};

use crate::body_units::BodyScale;
use crate::tuning::{STRETCH, SWING_LIFTS};

/// A limb between two holds.
pub(crate) struct Swing {
    pub first: usize,
    pub last: usize,
    pub limb: LimbId,
    effector: EffectorId,
    two_link: TwoLink,
    /// The limb's stretched length, in meters.
    length: f32,
    /// Normals of the hold that it leaves and of the one that it reaches.
    normals: [Vec3; 2],
    /// Height of the lift, in meters.
    lift: f32,
    /// Heights to try, in meters, in ascending order.
    lifts: [f32; 3],
}

/// All swings of a motion, in the order of their first knots.
pub(crate) fn swings(character: &Character, contacts: &[ContactSpan], rests: &[usize]) -> Vec<Swing> {
    let lifts = SWING_LIFTS.map(|lift| lift * BodyScale::of(character).length);
    let mut swings = Vec::new();
    let mut previous: TiVec<LimbId, Option<&ContactSpan>> = vec![None; character.limbs.len()].into();
    for span in contacts {
        let effector = span.contact.effector;
        let Some(limb) = character.effectors[effector].limb else { continue };
        let former = previous[limb].replace(span);
        let Some(former) = former.filter(|former| former.last_frame < span.first_frame) else { continue };
        // A leg may leave with its knee and land with its foot: then the foot is lifted.
        let candidates = [effector, former.contact.effector];
        let two_link = candidates.iter().find_map(|&effector| Some((effector, TwoLink::of(character, effector)?)));
        let Some((effector, two_link)) = two_link else { continue };
        // A rest between the two, before a turn for example, must stay where it is.
        if rests
            .get(rests.partition_point(|&rest| rest <= former.last_frame))
            .is_some_and(|&rest| rest < span.first_frame)
        {
            continue;
        }
        swings.push(Swing {
            first: former.last_frame,
            last: span.first_frame,
            limb,
            effector,
            two_link,
            length: limb_length(character, limb, effector),
            normals: [former.contact.normal, span.contact.normal],
            lift: lifts[0],
            lifts,
        });
    }
    swings.sort_by_key(|swing| swing.first);
    swings
}

/// The stretched length of a limb, from its first joint to an effector at its end, in meters.
pub(crate) fn limb_length(character: &Character, limb: LimbId, effector: EffectorId) -> f32 {
    let joints =
        character.limbs[limb].links[1..].iter().map(|&link| character.links[link].parent_from_joint.translation);
    joints.map(Vec3::length).sum::<f32>() + character.effectors[effector].center.length()
}

impl Swing {
    /// Lifts the limb of a configuration at a knot of the swing. Returns false if its hinges do not allow that.
    pub fn lift(
        &self,
        character: &Character,
        knot: usize,
        configuration: &mut Configuration,
        frames: &mut LinkFrames,
    ) -> bool {
        let fraction = (knot - self.first) as f32 / (self.last - self.first) as f32;
        forward(character, configuration, frames);
        let offset = self.normals[0] * lift_off(fraction) + self.normals[1] * lift_off(1.0 - fraction);
        let here = effector_position(character, frames, self.effector);
        let joint = frames.world_from_link[character.limbs[self.limb].links[0]].translation;
        // Lifting must not stretch the limb beyond its limit, unless it is stretched that far already.
        let max_length = (STRETCH * self.length).max((here - joint).length());
        let arm = here + offset * self.lift - joint;
        let center = joint + arm * (max_length / arm.length()).min(1.0);
        solve_two_link(character, self.two_link, center, configuration)
    }

    pub fn is_lifted(&self) -> bool {
        self.lift > 0.0
    }

    /// Stops lifting the limb.
    pub fn give_up(&mut self) {
        self.lift = 0.0;
    }

    /// Lifts the limb higher from now on. At the greatest height it gives up and returns false.
    pub fn lift_higher(&mut self) -> bool {
        let higher = self.lifts.into_iter().find(|lift| *lift > self.lift);
        self.lift = higher.unwrap_or(0.0);
        higher.is_some()
    }
}

/// The height at a fraction of the swing, relative to the greatest, which is reached early. It begins and ends with zero
/// velocity and acceleration.
fn lift_off(fraction: f32) -> f32 {
    const PEAK: f32 = 3.0 / 8.0;
    let shape = |u: f32| u * u * u * (1.0 - u) * (1.0 - u) * (1.0 - u) * (1.0 - u) * (1.0 - u);
    shape(fraction) / shape(PEAK)
}
