//! Arcs: limbs that change their holds leave and arrive off the surface, where there is room.

use clamber_model::id::{EffectorId, LimbId, TiVec};
use clamber_model::kinematics::{TwoLink, Workspace, effector_in_world, forward, solve_two_link};
use clamber_model::math::Vec3;
use clamber_model::motion::ContactSpan;
use clamber_model::{Character, Configuration};

/// How far a limb is lifted off, in metres: each is tried after the one before.
const LIFTS: [f32; 3] = [0.03, 0.08, 0.16];
/// A limb is stretched to this share of its length at most.
const STRETCH: f32 = 0.985;

/// A limb on its way from one hold to the next.
pub(crate) struct Swing {
    pub first: usize,
    pub last: usize,
    pub limb: LimbId,
    effector: EffectorId,
    two_link: TwoLink,
    length: f32,
    /// Off the hold that it leaves, and off the one that it comes to.
    normals: [Vec3; 2],
    /// In metres.
    lift: f32,
}

/// All swings of a motion, in the order of their first moments.
pub(crate) fn swings(character: &Character, contacts: &[ContactSpan], rests: &[usize]) -> Vec<Swing> {
    let mut swings = Vec::new();
    let mut before: TiVec<LimbId, Option<&ContactSpan>> = vec![None; character.limbs.len()].into();
    for span in contacts {
        let effector = span.contact.effector;
        let Some(limb) = character.effectors[effector].limb else { continue };
        let former = before[limb].replace(span);
        let Some(former) = former.filter(|former| former.last < span.first) else { continue };
        // Of a leg that leaves with the knee and arrives with the foot, the foot is led.
        let led = [effector, former.contact.effector];
        let Some(two_link) = led.iter().find_map(|&effector| Some((effector, TwoLink::of(character, effector)?)))
        else {
            continue;
        };
        // What rests on the way, before a turn for example, is not to be moved.
        if rests.get(rests.partition_point(|&rest| rest <= former.last)).is_some_and(|&rest| rest < span.first) {
            continue;
        }
        let normals = [former.contact.normal, span.contact.normal];
        let (effector, two_link) = two_link;
        let length = length(character, limb, effector);
        swings.push(Swing {
            first: former.last,
            last: span.first,
            limb,
            effector,
            two_link,
            length,
            normals,
            lift: LIFTS[0],
        });
    }
    swings.sort_by_key(|swing| swing.first);
    swings
}

/// How long a limb of two links is, from its joint to the effector.
pub(crate) fn length(character: &Character, limb: LimbId, effector: EffectorId) -> f32 {
    let lower = character.limbs[limb].links[1];
    character.links[lower].parent_from_joint.translation.length() + character.effectors[effector].center.length()
}

impl Swing {
    /// Lifts the limb of a configuration at a moment of the swing; false when its hinges do not allow it.
    pub fn lift(
        &self,
        character: &Character,
        moment: usize,
        configuration: &mut Configuration,
        frames: &mut Workspace,
    ) -> bool {
        let share = (moment - self.first) as f32 / (self.last - self.first) as f32;
        forward(character, configuration, frames);
        let off = self.normals[0] * early(share) + self.normals[1] * early(1.0 - share);
        let here = effector_in_world(character, frames, self.effector);
        let joint = frames.world_from_link[character.limbs[self.limb].links[0]].translation;
        // Lifted, it is stretched no farther than it is anyhow.
        let most = (STRETCH * self.length).max((here - joint).length());
        let arm = here + off * self.lift - joint;
        let center = joint + arm * (most / arm.length()).min(1.0);
        solve_two_link(character, self.two_link, center, configuration)
    }

    /// Whether it is lifted at all.
    pub fn is_lifted(&self) -> bool {
        self.lift > 0.0
    }

    /// Does not lift it any more.
    pub fn give_up(&mut self) {
        self.lift = 0.0;
    }

    /// Lifts it farther from now on. When it is as far as it goes, gives up and returns false.
    pub fn lift_farther(&mut self) -> bool {
        let farther = LIFTS.into_iter().find(|lift| *lift > self.lift);
        self.lift = farther.unwrap_or(0.0);
        farther.is_some()
    }
}

/// A rise and fall that is higher early, and starts and ends at rest.
fn early(share: f32) -> f32 {
    const PEAK: f32 = 3.0 / 8.0;
    let shape = |u: f32| u * u * u * (1.0 - u) * (1.0 - u) * (1.0 - u) * (1.0 - u) * (1.0 - u);
    shape(share) / shape(PEAK)
}
