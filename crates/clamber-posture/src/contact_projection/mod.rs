//! Projection onto contacts: moves configurations so that every effector in contact is at its contact again (thesis 4.2).
//!
//! The body is rooted at one contact, and the limbs of the others are bent to theirs by inverse kinematics. A sole on a surface to
//! stand on has rolled onto its effector, the ball, by some angle. A posture that was solved gets the least roll that its limbs
//! allow, mostly none. Between two postures the roll is interpolated, so that soles do not flap.

mod limb_in_space;

use std::cmp::Ordering;

use clamber_model::character::{Effector, RootAxis, RootJoint};
use clamber_model::id::{EffectorId, HingeId, LinkId, TiVec};
use clamber_model::kinematics::{
    LinkFrames, TwoLink, effector_position, effector_position_at, forward, link_pose, solve_two_link,
    solve_two_link_facing, turn_tip_toward,
};
use clamber_model::math::{Rotation, Vec3, atan2, sin_cos};
use clamber_model::rng::Stream;
use clamber_model::{Character, Configuration, Contact};

use crate::solver::{ContactTarget, PatchHeading, StanceSolver};

/// Tuning of the projection and of its random neighbors.
mod tuning {
    use clamber_model::character::REFERENCE_BODY_SIZE;

    /// Iterations of inverse kinematics when the body moves too: what it can compensate at all takes only a few.
    pub const BODY_ITERATIONS: usize = 20;
    /// Iterations of inverse kinematics when one limb moves.
    pub const LIMB_ITERATIONS: usize = 60;
    /// Most steps of the inverse kinematics of a limb without contact.
    pub const SWING_ITERATIONS: usize = 12;
    /// Bound on the distance of two points of the body, as a multiple of the reach from its root.
    pub const SPAN_PER_REACH: f32 = 1.2;
    /// Factors on the increments of a random neighbor; one is drawn per neighbor.
    pub const STEP_FACTORS: [f32; 3] = [1.0, 0.5, 0.25];
    /// Chances that a degree of freedom stays as it is; one is drawn per neighbor.
    pub const IDLE_CHANCES: [f32; 2] = [1.0 / 3.0, 5.0 / 6.0];
    /// The most that a sole rolls onto its effector, in radians: then the foot stands on its toes.
    pub const MAX_ROLL: f32 = 1.7;
    /// Additional angles by which a sole rolls onto its effector, in radians, tried in this order.
    pub const ROLLS: [f32; 9] = [0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.15, 1.4, 1.7];
    /// Largest slip of an effector on a tip between a configuration and a random neighbor, in body sizes.
    pub const MAX_SLIP: f32 = 3e-4 / REFERENCE_BODY_SIZE;
    /// Largest turn of a tip between a configuration and a random neighbor, in radians.
    pub const MAX_TIP_TURN: f32 = 0.3;
    /// How much more than given a sole may roll between two configurations, in radians: more would be another posture.
    pub const MORE_ROLL: f32 = 0.15;
    /// How much less than given a sole rolls in a random neighbor, in radians.
    pub const LESS_ROLL: f32 = 0.03;
    /// Halvings of the interval in which the least roll lies.
    pub const ROLL_HALVINGS: usize = 10;
    /// Shares of the range of a tip's hinge that are tried where the limb does not reach with the present angle.
    pub const TIP_SHARES: [f32; 5] = [0.5, 0.25, 0.75, 0.0, 1.0];
}

/// How far a sole rolls onto its effector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoleRoll {
    /// As little as its limb allows: mostly it lies flat.
    Least,
    /// As far as in the given configuration, if its limb allows that.
    AsGiven,
    /// A little less than in the given configuration: a body that moves on in small steps lays its soles flat.
    LessThanGiven,
}

/// Projects configurations of one character onto contacts. Owns the memory that this needs.
pub struct ContactProjection {
    /// The frames of the configuration last projected or sampled.
    pub link_frames: LinkFrames,
    /// For each effector, the closed-form inverse kinematics of its limb, where it has one.
    two_links: TiVec<EffectorId, Option<TwoLink>>,
    /// For each effector, the degrees of freedom of its limb.
    limb_dofs: TiVec<EffectorId, Vec<usize>>,
    inverse: StanceSolver,
    /// Which way the patches of limbs in space point that stand; others may turn.
    pub patch_headings: Vec<PatchHeading>,
    /// The directions that effectors of limbs in space face and point between two configurations. Others lie level.
    turning: Vec<ContactTarget>,
    displacement: Vec<f32>,
    /// Between two configurations.
    middle: Option<Configuration>,
    /// For each degree of freedom, the change that moves no point farther than the step, for a body rooted at its trunk.
    free_increments: Vec<f32>,
    /// The same for the hinges of a limb at whose tip the body is rooted: everything else may move.
    rooted_increment: f32,
    /// How much more often a sampled hinge turns toward its rest angle than away from it, from 0 to 1.
    relax: f32,
}

impl ContactProjection {
    /// A projection whose random neighbors move points by at most `step` meters per degree of freedom. `relax` says how much
    /// more often a hinge of a body in space turns toward its rest angle than away from it, from 0 to 1.
    pub fn new(character: &Character, step: f32, relax: f32) -> Self {
        let root_dofs = character.root_joint.axes().len();
        let limb_dofs = |effector: &Effector| -> Vec<usize> {
            let limb = effector.limb.map(|limb| &character.limbs[limb].hinges);
            limb.map_or(Vec::new(), |hinges| hinges.iter().map(|hinge| root_dofs + hinge.index()).collect())
        };
        Self {
            link_frames: LinkFrames::default(),
            two_links: character.effectors.keys().map(|effector| TwoLink::of(character, effector)).collect(),
            limb_dofs: character.effectors.iter().map(limb_dofs).collect(),
            inverse: StanceSolver::new(character),
            patch_headings: Vec::new(),
            turning: Vec::new(),
            displacement: Vec::new(),
            middle: None,
            free_increments: displacement_bounded_increments(character, step),
            rooted_increment: step / (tuning::SPAN_PER_REACH * character.subtree_reach(LinkId::ROOT)).max(step),
            // In the plane, heuristics constrain nearly every hinge. In space there are as many again (twists, leans, wrists)
            // that none constrains: sampled without bias, they bend the body ever more.
            relax: if character.root_joint == RootJoint::Planar { 0.0 } else { relax },
        }
    }

    /// Projects onto the contacts: moves the body so that the first effector is in place and bends the limbs of the others.
    /// Returns false when a limb cannot reach; otherwise fills [`Self::link_frames`].
    pub fn project(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        stance: &[Contact],
        roll: SoleRoll,
    ) -> bool {
        self.project_rooted(character, configuration, (stance, 0), roll)
    }

    /// [`Self::project`] with the body rooted at this contact of the stance.
    fn project_rooted(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        (stance, rooted): (&[Contact], usize),
        roll: SoleRoll,
    ) -> bool {
        if let [only] = stance {
            self.turn_sole(character, configuration, only, roll);
            forward(character, configuration, &mut self.link_frames);
            let offset =
                only.effector_center(character) - effector_position(character, &self.link_frames, only.effector);
            configuration.root.translation += offset;
            self.link_frames.world_from_link.iter_mut().for_each(|frame| frame.translation += offset);
            return true;
        }
        let is_projected = self.place_rooted(character, configuration, (stance, rooted), roll);
        if is_projected {
            forward(character, configuration, &mut self.link_frames);
        }
        is_projected
    }

    /// [`Self::project_rooted`] without filling the frames.
    fn place_rooted(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        (stance, rooted): (&[Contact], usize),
        roll: SoleRoll,
    ) -> bool {
        let Some(root) = stance.get(rooted) else { return true };
        self.turn_sole(character, configuration, root, roll);
        configuration.root.translation +=
            root.effector_center(character) - effector_position_at(character, configuration, root.effector);
        let mut others = stance.iter().enumerate().filter(|&(index, _)| index != rooted);
        others.all(|(_, contact)| self.bend_limb_to_contact(character, configuration, contact, roll))
    }

    /// Projects onto the contacts by bending limbs alone; where a limb cannot reach, the body moves a little. Returns false
    /// when that does not help. Does not fill the frames.
    pub fn project_bending_limbs(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        stance: &[Contact],
        roll: SoleRoll,
    ) -> bool {
        // A planar knee has no two links to bend: the body moves to it.
        let is_stiff =
            |contact: &Contact| character.root_joint == RootJoint::Planar && self.two_links[contact.effector].is_none();
        let is_projected = match stance.iter().position(is_stiff) {
            Some(rooted) => self.place_rooted(character, configuration, (stance, rooted), roll),
            None => stance.iter().all(|contact| self.bend_limb_to_contact(character, configuration, contact, roll)),
        };
        is_projected || self.project_with_body(character, configuration, stance)
    }

    /// Bends the limbs of contacts toward them as far as they reach.
    pub fn bend_limbs_toward_contacts(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        stance: &[Contact],
    ) {
        for contact in stance {
            self.bend_limb_to_contact(character, configuration, contact, SoleRoll::Least);
        }
    }

    /// Projects onto the contacts with all degrees of freedom.
    fn project_with_body(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        stance: &[Contact],
    ) -> bool {
        let target = |contact: &Contact| {
            let facing = rolled_facing(character, configuration, contact, 0.0);
            let heading = facing.zip(self.patch_heading(contact.effector));
            ContactTarget {
                effector: contact.effector,
                center: contact.effector_center(character),
                facing,
                forward: heading.map(|(facing, forward)| (forward - facing * facing.dot(forward)).normalize_or_zero()),
            }
        };
        let targets: Vec<ContactTarget> = stance.iter().map(target).collect();
        self.inverse.project(character, configuration, &targets, None, tuning::BODY_ITERATIONS)
    }

    /// Turns the tip of a contact's limb so that its sole has a roll, as far as the tip's hinge allows.
    fn turn_sole(&self, character: &Character, configuration: &mut Configuration, contact: &Contact, roll: SoleRoll) {
        let Some(limb) = self.two_links[contact.effector] else { return };
        let facing = match roll {
            SoleRoll::Least => contact.flat_facing(character),
            SoleRoll::AsGiven => rolled_facing(character, configuration, contact, 0.0),
            SoleRoll::LessThanGiven => rolled_facing(character, configuration, contact, tuning::LESS_ROLL),
        };
        if let Some(facing) = facing {
            turn_tip_toward(character, limb, facing, configuration);
        }
    }

    /// Bends a contact's limb so that the effector is in its place; false when it cannot.
    pub fn bend_limb_to_contact(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        contact: &Contact,
        roll: SoleRoll,
    ) -> bool {
        let center = contact.effector_center(character);
        let Some(limb) = self.two_links[contact.effector].filter(|limb| limb.has_tip()) else {
            let target = self.standing_target(character, contact);
            return self.bend_limb_to_target(character, configuration, target);
        };
        match contact.flat_facing(character) {
            Some(facing) => {
                let given = |less: f32| {
                    allowed_roll(character, configuration, contact).map_or(0.0, |(roll, _)| (roll - less).max(0.0))
                };
                let [roll, max_roll] = match roll {
                    SoleRoll::Least => [0.0, tuning::MAX_ROLL],
                    SoleRoll::AsGiven => [given(0.0), given(-tuning::MORE_ROLL)],
                    SoleRoll::LessThanGiven => [given(tuning::LESS_ROLL), given(-tuning::MORE_ROLL)],
                };
                bend_with_roll(character, configuration, limb, [center, facing], [roll, max_roll])
            }
            None => bend_with_any_tip(character, configuration, limb, center),
        }
    }

    /// Bends an effector's limb so that the effector's center is at a point and, if its tip allows it, faces a direction; false when it
    /// cannot reach the point.
    pub fn bend_limb_facing(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        effector: EffectorId,
        center: Vec3,
        facing: Option<Vec3>,
    ) -> bool {
        let tip = self.two_links[effector].and_then(|limb| Some((limb, limb.tip_hinge()?)));
        let (Some((limb, tip_hinge)), Some(facing)) = (tip, facing) else {
            return self.bend_limb_to(character, configuration, effector, center);
        };
        if solve_two_link_facing(character, limb, [center, facing], configuration) {
            return true;
        }
        if !solve_two_link(character, limb, center, configuration) {
            return false;
        }
        // The tip at its limit continues the motion of a tip that reaches it.
        let present = configuration.angles[tip_hinge];
        turn_tip_toward(character, limb, facing, configuration);
        if !solve_two_link(character, limb, center, configuration) {
            configuration.angles[tip_hinge] = present;
        }
        true
    }

    /// Bends an effector's limb so that the effector's center is at a point, its tip as it is; false when it cannot.
    pub fn bend_limb_to(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        effector: EffectorId,
        center: Vec3,
    ) -> bool {
        if let Some(limb) = self.two_links[effector] {
            return solve_two_link(character, limb, center, configuration);
        }
        if character.root_joint == RootJoint::Planar && self.limb_dofs[effector].len() <= 2 {
            // A single hinge moves the effector on a circle: there is nothing to iterate.
            return false;
        }
        let target = ContactTarget { effector, center, facing: None, forward: None };
        let movable = Some(&self.limb_dofs[effector][..]);
        self.inverse.project(character, configuration, &[target], movable, tuning::LIMB_ITERATIONS)
    }

    /// Makes `to` a random neighbor of `from` that keeps every contact; false when this sample cannot keep them.
    ///
    /// Each degree of freedom stays or changes by plus or minus a share of its increment. The root's position follows from the
    /// contacts. The contact that the body is rooted at is drawn too, so that no limb's inverse kinematics is favored.
    pub fn sample_neighbor(
        &mut self,
        character: &Character,
        from: &Configuration,
        stance: &[Contact],
        random: &mut Stream,
        to: &mut Configuration,
    ) -> bool {
        let scale = tuning::STEP_FACTORS[random.below(3)];
        let idle = tuning::IDLE_CHANCES[random.below(2)];
        let rooted = if stance.is_empty() { 0 } else { random.below(stance.len()) };
        let rooted_limb = stance.get(rooted).and_then(|contact| character.effectors[contact.effector].limb);
        let root_dofs = character.root_joint.axes().len();
        let mut displacement = std::mem::take(&mut self.displacement);
        displacement.clear();
        for (dof, &free) in self.free_increments.iter().enumerate() {
            let drawn = random.uniform();
            let hinge = dof.checked_sub(root_dofs).map(HingeId::from);
            let bias = hinge.map_or(0.0, |hinge| self.relaxation_bias(character, from, hinge));
            let up = 0.5 * (1.0 + bias);
            let sign = if drawn < idle { 0.0 } else { [-1.0, 1.0][usize::from(drawn - idle < up * (1.0 - idle))] };
            let increment = match hinge {
                // With a contact, the root's position follows from it.
                None if !stance.is_empty() && matches!(character.root_joint.axes()[dof], RootAxis::Move(_)) => 0.0,
                None => free,
                Some(hinge) => match character.limb_of_link(character.hinges[hinge].link) {
                    limb if limb.is_some() && limb == rooted_limb => self.rooted_increment,
                    _ => free,
                },
            };
            displacement.push(scale * increment * sign);
        }
        to.clone_from(from);
        to.displace(character, &displacement);
        self.displacement = displacement;
        self.project_rooted(character, to, (stance, rooted), SoleRoll::LessThanGiven)
            && !self.does_tip_slip(character, [from, to], stance)
    }

    /// The largest distance of an effector from its contact halfway along the interpolation of two configurations, in meters.
    pub fn midpoint_slip(&mut self, character: &Character, [from, to]: [&Configuration; 2], stance: &[Contact]) -> f32 {
        let mut middle = from.clone();
        middle.interpolate(from, to, 0.5);
        let distance = |contact: &Contact| {
            (effector_position_at(character, &middle, contact.effector) - contact.effector_center(character)).length()
        };
        stance.iter().map(distance).fold(0.0, f32::max)
    }

    /// Whether an effector on a tip slips halfway along the interpolation of two configurations. A sole may have rolled a lot between
    /// them, even if the body has hardly moved.
    fn does_tip_slip(&mut self, character: &Character, [from, to]: [&Configuration; 2], stance: &[Contact]) -> bool {
        let mut tips =
            stance.iter().filter(|contact| self.two_links[contact.effector].is_some_and(TwoLink::has_tip)).peekable();
        if tips.peek().is_none() {
            return false;
        }
        let middle = self.middle.get_or_insert_with(|| from.clone());
        middle.interpolate(from, to, 0.5);
        tips.any(|contact| {
            let tip = self.two_links[contact.effector].and_then(TwoLink::tip_hinge);
            if tip.is_some_and(|tip| (to.angles[tip] - from.angles[tip]).abs() > tuning::MAX_TIP_TURN) {
                return true;
            }
            let place = effector_position_at(character, middle, contact.effector);
            (place - contact.effector_center(character)).length() > tuning::MAX_SLIP * character.body_size()
        })
    }

    /// How much more often a hinge increases than decreases, from -1 to 1.
    fn relaxation_bias(&self, character: &Character, from: &Configuration, hinge: HingeId) -> f32 {
        let rest = character.hinges[hinge].rest;
        match rest.total_cmp(&from.angles[hinge]) {
            Ordering::Less => -self.relax,
            Ordering::Equal => 0.0,
            Ordering::Greater => self.relax,
        }
    }

    /// Interpolates at `t` from 0 to 1 and projects the result as [`Self::project`] does.
    pub fn interpolate(
        &mut self,
        character: &Character,
        [from, to]: [&Configuration; 2],
        t: f32,
        stance: &[Contact],
        between: &mut Configuration,
    ) -> bool {
        between.interpolate(from, to, t);
        self.project(character, between, stance, SoleRoll::AsGiven)
    }

    /// Interpolates at `t` from 0 to 1 and projects the result as [`Self::project_bending_limbs`] does.
    pub fn interpolate_bending_limbs(
        &mut self,
        character: &Character,
        [from, to]: [&Configuration; 2],
        t: f32,
        stance: &[Contact],
        between: &mut Configuration,
    ) -> bool {
        between.interpolate(from, to, t);
        self.turn_between(character, [from, to], t, stance);
        let is_projected = self.project_bending_limbs(character, between, stance, SoleRoll::AsGiven);
        self.turning.clear();
        is_projected
    }

    /// Interpolates at `t` from 0 to 1 and projects the result, moving the whole body a little where the limbs alone do not
    /// reach: between two stretched postures an arm may be a millimeter too short.
    pub fn interpolate_moving_body(
        &mut self,
        character: &Character,
        [from, to]: [&Configuration; 2],
        t: f32,
        stance: &[Contact],
        between: &mut Configuration,
    ) -> bool {
        if character.root_joint == RootJoint::Free
            && self.interpolate_bending_limbs(character, [from, to], t, stance, between)
        {
            return true;
        }
        for rooted in 0..stance.len().max(1) {
            between.interpolate(from, to, t);
            if self.project_rooted(character, between, (stance, rooted), SoleRoll::AsGiven) {
                return true;
            }
        }
        between.interpolate(from, to, t);
        self.project_with_body(character, between, stance)
    }
}

/// The facing of a sole that has rolled onto its effector as in a configuration, but neither backward nor farther than it may; `None` if
/// the contact needs no flat sole. `less` is subtracted from the roll.
fn rolled_facing(character: &Character, configuration: &Configuration, contact: &Contact, less: f32) -> Option<Vec3> {
    let flat = contact.flat_facing(character)?;
    let (roll, backward) = allowed_roll(character, configuration, contact)?;
    let (sin, cos) = sin_cos((roll - less).max(0.0));
    Some(flat * cos + backward * sin)
}

/// The roll of a sole as in a configuration, but neither backward nor farther than it may, and its direction backward.
fn allowed_roll(character: &Character, configuration: &Configuration, contact: &Contact) -> Option<(f32, Vec3)> {
    let link = character.effectors[contact.effector].link;
    let (roll, backward) = sole_roll(character, link_pose(character, configuration, link).rotation, contact)?;
    Some((roll.clamp(0.0, tuning::MAX_ROLL), backward))
}

/// Returns the angle in radians by which a sole has rolled onto its effector, and the direction along the surface toward its back.
/// `None` if the contact needs no flat sole. `world_from_link` is the rotation of the effector's link.
pub fn sole_roll(character: &Character, world_from_link: Rotation, contact: &Contact) -> Option<(f32, Vec3)> {
    let flat = contact.flat_facing(character)?;
    let effector = &character.effectors[contact.effector];
    let (facing, forward) = (world_from_link * effector.facing?, world_from_link * effector.ability.patch?.forward);
    // Along the surface, facing and forward point backward and forward; which of them is longer depends on the roll.
    let along = |vector: Vec3| vector - flat * flat.dot(vector);
    let backward = (along(facing) * flat.dot(forward) - along(forward) * flat.dot(facing)).try_normalize()?;
    Some((atan2(facing.dot(backward), facing.dot(flat)), backward))
}

/// Bends a limb with a tip so that its effector is at a point and its sole, turned from the flat facing, has a roll, or one that is as
/// little larger as it must be, up to a greatest one. Returns false when it cannot.
pub fn bend_with_roll(
    character: &Character,
    configuration: &mut Configuration,
    limb: TwoLink,
    [center, flat]: [Vec3; 2],
    [roll, max_roll]: [f32; 2],
) -> bool {
    if roll == 0.0 && solve_two_link_facing(character, limb, [center, flat], configuration) {
        return true;
    }
    let Some(backward) = limb.backward_when_facing(character, configuration, flat) else { return false };
    let mut solve = |roll: f32| {
        let (sin, cos) = sin_cos(roll);
        solve_two_link_facing(character, limb, [center, flat * cos + backward * sin], configuration)
    };
    if roll > 0.0 && solve(roll) {
        return true;
    }
    let mut low = roll;
    for more in tuning::ROLLS {
        let tried = (roll + more).min(max_roll);
        if tried <= low {
            return false;
        }
        if !solve(tried) {
            low = tried;
            continue;
        }
        let mut high = tried;
        for _ in 0..tuning::ROLL_HALVINGS {
            let middle = 0.5 * (low + high);
            if solve(middle) { high = middle } else { low = middle }
        }
        return true;
    }
    false
}

/// Bends a limb with a tip so that its effector is at a point, with the present angle of the tip if that is possible.
fn bend_with_any_tip(character: &Character, configuration: &mut Configuration, limb: TwoLink, center: Vec3) -> bool {
    if solve_two_link(character, limb, center, configuration) {
        return true;
    }
    let Some(tip) = limb.tip_hinge() else { return false };
    let (present, hinge) = (configuration.angles[tip], &character.hinges[tip]);
    for share in tuning::TIP_SHARES {
        configuration.angles[tip] = hinge.min + share * (hinge.max - hinge.min);
        if solve_two_link(character, limb, center, configuration) {
            return true;
        }
    }
    configuration.angles[tip] = present;
    false
}

/// For each degree of freedom, the change that by itself moves no point of the character farther than `step` meters.
pub fn displacement_bounded_increments(character: &Character, step: f32) -> Vec<f32> {
    // The bound keeps a hinge that carries next to nothing from turning around many times.
    let turn = |link: LinkId| step / character.subtree_reach(link).max(step);
    let root = character.root_joint.axes().iter().map(|axis| match axis {
        RootAxis::Move(_) => step,
        RootAxis::Turn(_) => turn(LinkId::ROOT),
    });
    let hinges = character.hinges.iter().map(|hinge| turn(hinge.link));
    root.chain(hinges).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_testing::{character, effector_center, slip, touching};

    /// A bent posture, with hinges away from their limits.
    fn bent(character: &Character) -> Configuration {
        let mut configuration = Configuration::rest(character);
        let degrees = [("hip", 40.0), ("hip_swing", 40.0), ("knee", -60.0), ("shoulder_swing", 60.0), ("elbow", 70.0)];
        for (hinge, angle) in character.hinges.iter().zip(&mut configuration.angles) {
            for (name, degrees) in degrees {
                if hinge.name == format!("left_{name}") || hinge.name == format!("right_{name}") {
                    *angle = f32::to_radians(degrees);
                }
            }
        }
        configuration.root.translation = Vec3::new(2.0, 0.8, 0.0);
        configuration.check(character).unwrap();
        configuration
    }

    /// Takes a random walk with one, two and three contacts, each where its effector is at the start.
    fn assert_walk_keeps_contacts(name: &str, effectors: [&str; 3]) {
        let character = character(name);
        let start = bent(&character);
        let mut projection = ContactProjection::new(&character, 0.1, 0.0);
        let mut random = Stream::new(1, "holding");
        for count in 1..=3 {
            let stance: Vec<Contact> = effectors[..count].iter().map(|e| touching(&character, &start, e)).collect();
            let (mut here, mut next) = (start.clone(), start.clone());
            let (mut kept, mut samples, mut farthest) = (0, 0, 0.0f32);
            while kept < 1000 {
                samples += 1;
                assert!(samples < 20_000, "{name}, {count} contacts: {kept} of {samples} samples keep them");
                if !projection.sample_neighbor(&character, &here, &stance, &mut random, &mut next) {
                    continue;
                }
                kept += 1;
                let slip = slip(&character, &next, &stance);
                assert!(slip < 1e-4, "{name}, {count} contacts: {slip}");
                next.check(&character).unwrap_or_else(|error| panic!("{name}, {count} contacts: {error}"));
                // The frames belong to the neighbor.
                let hand = character.find_effector("right_hand").unwrap();
                let error = effector_position(&character, &projection.link_frames, hand)
                    - effector_center(&character, &next, hand);
                assert!(error.length() < 1e-5, "{name}, {count} contacts: {error}");
                farthest = farthest.max((next.root.translation - start.root.translation).length());
                std::mem::swap(&mut here, &mut next);
            }
            assert!(farthest > 0.1, "{name}, {count} contacts: the body moved only {farthest} m");
        }
    }

    #[test]
    fn random_neighbors_of_the_figure_keep_its_contacts() {
        assert_walk_keeps_contacts("figure", ["left_foot", "right_foot", "left_hand"]);
    }

    #[test]
    fn random_neighbors_of_the_human_keep_its_contacts() {
        assert_walk_keeps_contacts("human", ["left_ball", "right_ball", "left_hand"]);
    }

    #[test]
    fn neighbors_of_a_planar_character_stay_in_the_plane() {
        let figure = character("figure");
        let start = bent(&figure);
        let stance = [touching(&figure, &start, "left_foot")];
        let mut projection = ContactProjection::new(&figure, 0.1, 0.0);
        let mut random = Stream::new(3, "holding");
        let (mut here, mut next) = (start.clone(), start);
        for _ in 0..1000 {
            if projection.sample_neighbor(&figure, &here, &stance, &mut random, &mut next) {
                assert_eq!(next.root.translation.z, 0.0);
                std::mem::swap(&mut here, &mut next);
            }
        }
    }

    #[test]
    fn neighbors_without_contacts_move_the_root() {
        let figure = character("figure");
        let start = bent(&figure);
        let mut projection = ContactProjection::new(&figure, 0.1, 0.0);
        let mut random = Stream::new(4, "holding");
        let mut next = start.clone();
        let moved = (0..100).filter(|_| {
            assert!(projection.sample_neighbor(&figure, &start, &[], &mut random, &mut next));
            let distance = (next.root.translation - start.root.translation).length();
            // At most the step along either axis.
            assert!(distance < 0.1 * 1.42, "{distance}");
            distance > 0.0
        });
        assert!(moved.count() > 20);
    }

    #[test]
    fn reach_fails_and_leaves_the_body_in_place_when_a_point_is_too_far() {
        let figure = character("figure");
        let mut projection = ContactProjection::new(&figure, 0.1, 0.0);
        let hand = figure.find_effector("left_hand").unwrap();
        let mut configuration = bent(&figure);
        let near = configuration.root.translation + Vec3::new(0.3, 0.6, 0.0);
        assert!(projection.bend_limb_to(&figure, &mut configuration, hand, near));
        assert!((effector_center(&figure, &configuration, hand) - near).length() < 1e-4);
        let body = configuration.root;
        let far = configuration.root.translation + Vec3::new(1.5, 0.6, 0.0);
        assert!(!projection.bend_limb_to(&figure, &mut configuration, hand, far));
        assert_eq!(configuration.root, body);
    }

    #[test]
    fn interpolation_keeps_the_contacts() {
        let figure = character("figure");
        let from = bent(&figure);
        let stance = ["left_foot", "right_foot"].map(|effector| touching(&figure, &from, effector));
        let mut projection = ContactProjection::new(&figure, 0.1, 0.0);
        let mut to = from.clone();
        to.root.translation += Vec3::new(0.15, 0.12, 0.0);
        assert!(projection.project_rooted(&figure, &mut to, (&stance, 0), SoleRoll::Least));
        // The body is rooted at a foot, so bending that leg moves it.
        to.angles[figure.find_hinge("left_knee").unwrap()] -= 0.5;
        assert!(projection.project(&figure, &mut to, &stance, SoleRoll::Least));
        assert!((to.root.translation - from.root.translation).length() > 0.05);
        let mut between = from.clone();
        for share in 0..=10 {
            assert!(projection.interpolate(&figure, [&from, &to], share as f32 / 10.0, &stance, &mut between));
            let slip = slip(&figure, &between, &stance);
            assert!(slip < 1e-4, "{slip}");
        }
    }
}
