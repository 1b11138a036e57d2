//! The limbs of a walk: where each foot is at each knot, and how it swings.

use clamber_model::character::Side;
use clamber_model::id::EffectorId;
use clamber_model::kinematics::{LinkFrames, TwoLink, effector_position, forward};
use clamber_model::math::{Vec3, pow};
use clamber_model::motion::ContactSpan;
use clamber_model::{Character, Configuration};

use crate::limb_swing::limb_length;
use crate::motion_on_knot_grid::KnotMotion;
use crate::tuning::{BENT_STRETCH, MAX_STRETCH};

/// A limb and its contacts in a walk.
pub(crate) struct WalkingLimb {
    pub effector: EffectorId,
    pub two_link: TwoLink,
    pub side: Side,
    /// Stretched length, in meters.
    pub length: f32,
    /// For each knot of the walk, the ankle's position without any lift.
    pub ankles: Vec<Vec3>,
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
        let (mut ankles, mut swing) = (Vec::new(), Vec::new());
        let mut frames = LinkFrames::default();
        let mut posture = Configuration::rest(character);
        for knot in first..=last {
            let after = contacts.partition_point(|span| span.last_frame < knot);
            let next = contacts.get(after);
            let before = after.checked_sub(1).map(|before| &contacts[before]);
            let (ankle, fraction) = match (before, next) {
                (_, Some(next)) if next.first_frame <= knot => (next.contact.effector_center(character), None),
                (Some(before), Some(next)) => {
                    let fraction = (knot - before.last_frame) as f32 / (next.first_frame - before.last_frame) as f32;
                    let [from, to] =
                        [before.contact.effector_center(character), next.contact.effector_center(character)];
                    (from + (to - from) * ease(fraction), Some(fraction))
                }
                _ => {
                    knot_motion.path.get(knot, &mut posture);
                    forward(character, &posture, &mut frames);
                    (effector_position(character, &frames, effector), Some(0.0))
                }
            };
            ankles.push(ankle);
            swing.push(fraction);
        }
        let length = limb_length(character, limb, effector);
        Some(Self { effector, two_link, side: character.limbs[limb].side, length, ankles, swing })
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

/// Rises from 0 to 1 with zero velocity and acceleration at both ends.
pub(crate) fn ease(fraction: f32) -> f32 {
    fraction * fraction * fraction * (10.0 + fraction * (6.0 * fraction - 15.0))
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
