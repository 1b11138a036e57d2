//! The limbs of a walk: where each foot is at each knot, and how it swings.

use clamber_model::character::Side;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::{LinkFrames, TwoLink, effector_position, forward};
use clamber_model::math::{Vec3, pow, sin_cos};
use clamber_model::motion::ContactSpan;
use clamber_model::world::UP;
use clamber_model::{Character, Configuration};

use crate::ease::ease;
use crate::limb_swing::limb_length;
use crate::motion_on_knot_grid::KnotMotion;
use crate::tuning::{BENT_STRETCH, FLAT_AGAIN, HEEL_RISE, HEEL_RISE_ROLL, MAX_ROLL, MAX_STRETCH, ROLL_STEP};

/// A limb and its contacts in a walk.
pub(crate) struct WalkingLimb {
    pub effector: EffectorId,
    pub two_link: TwoLink,
    pub side: Side,
    /// Stretched length up to the ankle, in meters.
    pub length: f32,
    /// From the effector back to the ankle and up to it, in meters, when the sole lies flat; 0 if the effector is the ankle.
    ankle: [f32; 2],
    /// For each knot of the walk, the position of the effector's center without any lift.
    pub centers: Vec<Vec3>,
    /// For each knot, the normal of the ground.
    pub normals: Vec<Vec3>,
    /// For each knot, the fraction of its swing that is over; `None` while it carries.
    pub swing: Vec<Option<f32>>,
}

impl WalkingLimb {
    /// The limb of an effector from one knot to another; `None` if it does not consist of two links.
    pub fn new(
        character: &Character,
        knot_motion: &KnotMotion,
        effector: EffectorId,
        first: usize,
        last: usize,
    ) -> Option<Self> {
        let two_link = TwoLink::of(character, effector)?;
        let limb = character.effectors[effector].limb?;
        let is_here = |span: &&ContactSpan| {
            span.contact.effector == effector
                && span.last_frame >= first
                && span.first_frame <= last
                && span.last_frame > span.first_frame
        };
        let contacts: Vec<ContactSpan> = knot_motion.contacts.iter().filter(is_here).copied().collect();
        let (mut centers, mut normals, mut swing) = (Vec::new(), Vec::new(), Vec::new());
        let mut frames = LinkFrames::default();
        let mut posture = Configuration::rest(character);
        for knot in first..=last {
            let after = contacts.partition_point(|span| span.last_frame < knot);
            let next = contacts.get(after);
            let before = after.checked_sub(1).map(|before| &contacts[before]);
            let (center, normal, fraction) = match (before, next) {
                (_, Some(next)) if next.first_frame <= knot => {
                    (next.contact.effector_center(character), next.contact.normal, None)
                }
                (Some(before), Some(next)) => {
                    let fraction = (knot - before.last_frame) as f32 / (next.first_frame - before.last_frame) as f32;
                    let [from, to] =
                        [before.contact.effector_center(character), next.contact.effector_center(character)];
                    let normal = before.contact.normal.lerp(next.contact.normal, fraction);
                    (from + (to - from) * ease(fraction), normal.try_normalize().unwrap_or(UP), Some(fraction))
                }
                _ => {
                    knot_motion.path.get(knot, &mut posture);
                    forward(character, &posture, &mut frames);
                    (effector_position(character, &frames, effector), UP, Some(0.0))
                }
            };
            centers.push(center);
            normals.push(normal);
            swing.push(fraction);
        }
        let (ankle, length) = match (two_link.has_tip(), character.effectors[effector].ability.patch) {
            (true, Some(patch)) => {
                let center = character.effectors[effector].center;
                let back = center.dot(patch.forward);
                let up = character.effectors[effector].facing.map_or(0.0, |facing| center.dot(facing));
                ([back, up], limb_length(character, limb, effector) - center.length())
            }
            _ => ([0.0; 2], limb_length(character, limb, effector)),
        };
        let side = character.limbs[limb].side;
        Some(Self { effector, two_link, side, length, ankle, centers, normals, swing })
    }

    /// The ankle at a knot when the effector is at `center` and the foot has rolled onto it by an angle. `forward` is 1 for a body that
    /// faces +x and -1 for one that faces -x.
    pub fn ankle_of(&self, center: Vec3, knot: usize, roll: f32, forward: f32) -> Vec3 {
        let (sin, cos) = sin_cos(roll);
        let ([back, up], normal) = (self.ankle, self.normals[knot]);
        center + backward(normal, forward) * (back * cos - up * sin) + normal * (up * cos + back * sin)
    }

    /// The roll of the foot at each knot: the heel rises as the root passes, and as far as the limb needs it.
    pub fn rolls(&self, roots: &[Vec3], forward: f32, size: f32) -> Vec<f32> {
        if self.ankle == [0.0; 2] {
            return vec![0.0; roots.len()];
        }
        let mut at_lift_off = 0.0;
        let mut rolls = Vec::with_capacity(roots.len());
        for (knot, root) in roots.iter().enumerate() {
            let roll = match self.swing[knot] {
                Some(fraction) => at_lift_off * (1.0 - ease((fraction / FLAT_AGAIN).min(1.0))),
                None => {
                    let ahead = forward * (root.x - self.centers[knot].x) / size;
                    let risen = ease(((ahead - HEEL_RISE[0]) / HEEL_RISE[1]).clamp(0.0, 1.0));
                    at_lift_off = (HEEL_RISE_ROLL * risen).max(self.least_roll(*root, knot, forward));
                    at_lift_off
                }
            };
            rolls.push(roll);
        }
        rolls
    }

    /// The least roll at which the ankle of a carrying limb is within its reach.
    fn least_roll(&self, root: Vec3, knot: usize, forward: f32) -> f32 {
        let is_reached = |roll: f32| {
            (self.ankle_of(self.centers[knot], knot, roll, forward) - root).length() <= MAX_STRETCH * self.length
        };
        let steps = (MAX_ROLL / ROLL_STEP) as usize;
        (0..=steps).map(|step| step as f32 * ROLL_STEP).find(|&roll| is_reached(roll)).unwrap_or(0.0)
    }

    /// Shortens the vector from the first joint to the ankle to what the limb can reach. The limb slows down before it is straight, so that the
    /// knee does not snap.
    pub fn within_reach(&self, root_to_ankle: Vec3) -> Vec3 {
        let (bent, straight) = (BENT_STRETCH * self.length, MAX_STRETCH * self.length);
        let distance = root_to_ankle.length();
        if distance <= bent {
            return root_to_ankle;
        }
        // Its slope falls from 1 to 0, and its curvature begins at 0.
        let excess = (distance - bent) / (straight - bent);
        let limited = excess / pow(1.0 + excess * excess * excess, 1.0 / 3.0);
        root_to_ankle * ((bent + (straight - bent) * limited) / distance)
    }
}

/// The direction along the ground, in the plane, against which a body walks.
fn backward(normal: Vec3, forward: f32) -> Vec3 {
    Vec3::new(-normal.y, normal.x, 0.0) * forward
}

/// The height of a foot at a fraction of its swing, relative to the lift: the heel rises behind, then the foot swings low over
/// the ground.
pub(crate) fn foot_height(fraction: f32) -> f32 {
    const HEEL_PEAK: f32 = 3.0 / 11.0;
    const LOW: f32 = 0.32;
    let rest = 1.0 - fraction;
    let eighth_power = |v: f32| v * v * v * v * v * v * v * v;
    let cube = |u: f32| u * u * u;
    let heel = cube(fraction) * eighth_power(rest) / (cube(HEEL_PEAK) * eighth_power(1.0 - HEEL_PEAK));
    heel + LOW * cube(4.0 * fraction * rest)
}
