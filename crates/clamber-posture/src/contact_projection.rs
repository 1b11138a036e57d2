//! Moving while holding on: configurations that keep every contact (thesis 4.2).
//!
//! The body is rooted at one contact, and the limbs of the others are bent back to theirs by inverse kinematics.

use std::cmp::Ordering;

use clamber_model::character::{Root, RootAxis};
use clamber_model::kinematics::{
    IkSettings, IkWorkspace, Target, TwoLink, Workspace, effector_in_world, effector_place, forward, solve,
    solve_two_link,
};
use clamber_model::math::Vec3;
use clamber_model::rng::Stream;
use clamber_model::{Character, Configuration, Contact};

/// The memory that keeping contacts needs.
pub struct ContactProjection {
    /// The frames of the configuration last restored or drawn.
    pub frames: Workspace,
    /// For each effector, the closed form of its limb, where it has one.
    two_links: Vec<Option<TwoLink>>,
    /// For each effector, the degrees of freedom of its limb.
    limb_dofs: Vec<Vec<usize>>,
    inverse: IkWorkspace,
    displacement: Vec<f32>,
    /// For each degree of freedom, the change that moves no point farther than the step, when the body hangs on its root.
    free_increments: Vec<f32>,
    /// The same when the body is rooted at the tip of the limb that turns: everything else may move.
    held_increment: f32,
    /// How much more often a hinge turns towards its rest angle than away from it.
    relax: f32,
}

/// How near to its place an effector must be brought by inverse kinematics, in metres.
const TOLERANCE: f32 = 5e-5;

impl ContactProjection {
    pub fn new(character: &Character, step: f32, relax: f32) -> Self {
        let root_dofs = character.root.axes().len();
        let limb_dofs = |effector: &clamber_model::character::Effector| -> Vec<usize> {
            let limb = effector.limb.map(|limb| &character.limbs[limb].hinges);
            limb.map_or(Vec::new(), |hinges| hinges.iter().map(|hinge| root_dofs + hinge).collect())
        };
        Self {
            frames: Workspace::default(),
            two_links: (0..character.effectors.len()).map(|effector| TwoLink::of(character, effector)).collect(),
            limb_dofs: character.effectors.iter().map(limb_dofs).collect(),
            inverse: IkWorkspace::default(),
            displacement: Vec::new(),
            free_increments: dof_increments(character, step),
            // No two points of the body are farther apart than twice its reach.
            held_increment: step / (1.2 * character.reach_from(0)).max(step),
            // In the plane, the heuristics speak of nearly every hinge. In space there are as many again, for twists,
            // leans and wrists, of which none does: drawn with equal chances, they bend the body ever more.
            relax: if character.root == Root::Planar { 0.0 } else { relax },
        }
    }

    /// Puts the contacts' effectors back: the body is moved so that the first is in its place, the limbs of the others
    /// are bent. False when a limb cannot reach; the frames are the configuration's otherwise.
    pub fn project(&mut self, character: &Character, configuration: &mut Configuration, stance: &[Contact]) -> bool {
        self.project_rooted(character, configuration, stance, 0)
    }

    fn project_rooted(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        stance: &[Contact],
        rooted: usize,
    ) -> bool {
        if let [only] = stance {
            forward(character, configuration, &mut self.frames);
            let off = only.center(character) - effector_in_world(character, &self.frames, only.effector);
            configuration.root.translation += off;
            self.frames.world_from_link.iter_mut().for_each(|frame| frame.translation += off);
            return true;
        }
        let is_restored = self.place_rooted(character, configuration, stance, rooted);
        if is_restored {
            forward(character, configuration, &mut self.frames);
        }
        is_restored
    }

    /// The same without filling the frames.
    fn place_rooted(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        stance: &[Contact],
        rooted: usize,
    ) -> bool {
        let Some(root) = stance.get(rooted) else { return true };
        configuration.root.translation +=
            root.center(character) - effector_place(character, configuration, root.effector);
        let mut others = stance.iter().enumerate().filter(|&(index, _)| index != rooted);
        others.all(|(_, contact)| self.reach(character, configuration, contact.effector, contact.center(character)))
    }

    /// Puts the contacts' effectors back by bending limbs alone; where one does not reach, the body moves a little.
    pub fn project_in_place(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        stance: &[Contact],
    ) -> bool {
        // A knee has no limb of its own to be bent: the body is moved to it.
        let is_stiff = |contact: &Contact| character.root == Root::Planar && self.two_links[contact.effector].is_none();
        let is_restored = match stance.iter().position(is_stiff) {
            Some(rooted) => self.place_rooted(character, configuration, stance, rooted),
            None => stance
                .iter()
                .all(|contact| self.reach(character, configuration, contact.effector, contact.center(character))),
        };
        is_restored || self.project_with_body(character, configuration, stance)
    }

    /// Bends the limbs of contacts to them as far as they reach.
    pub fn project_limbs(&mut self, character: &Character, configuration: &mut Configuration, stance: &[Contact]) {
        for contact in stance {
            self.reach(character, configuration, contact.effector, contact.center(character));
        }
    }

    fn project_with_body(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        stance: &[Contact],
    ) -> bool {
        let target =
            |contact: &Contact| Target { effector: contact.effector, center: contact.center(character), facing: None };
        let targets: Vec<Target> = stance.iter().map(target).collect();
        let movable: Vec<usize> = (0..character.degrees_of_freedom()).collect();
        // What a body can make up for at all it makes up for in a few steps.
        let settings = IkSettings { tolerance: TOLERANCE, max_iterations: 20, ..Default::default() };
        solve(character, configuration, &targets, &movable, &settings, &mut self.inverse).reached
    }

    /// Brings an effector's centre to a place by its limb alone; false when it cannot.
    pub fn reach(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        effector: usize,
        center: Vec3,
    ) -> bool {
        if let Some(limb) = self.two_links[effector] {
            return solve_two_link(character, limb, center, configuration);
        }
        if character.root == Root::Planar && self.limb_dofs[effector].len() <= 2 {
            // One hinge alone moves it, on a circle: nothing to be solved step by step.
            return false;
        }
        let target = Target { effector, center, facing: None };
        let settings = IkSettings { tolerance: TOLERANCE, ..Default::default() };
        solve(character, configuration, &[target], &self.limb_dofs[effector], &settings, &mut self.inverse).reached
    }

    /// Makes `to` a random neighbour of `from` that keeps every contact; false when the draw cannot keep them.
    ///
    /// Each coordinate is left alone, raised or lowered by its increment, or a part of it, with `calm` the chance to be
    /// left alone; hinges of a body in space tend to relax; the root's place follows from the contacts. The contact that the
    /// body is rooted at is drawn too, so that no limb's inverse kinematics is favoured.
    pub fn sample_neighbor(
        &mut self,
        character: &Character,
        from: &Configuration,
        stance: &[Contact],
        random: &mut Stream,
        to: &mut Configuration,
    ) -> bool {
        let scale = [1.0, 0.5, 0.25][random.below(3)];
        let calm = [1.0 / 3.0, 5.0 / 6.0][random.below(2)];
        let rooted = if stance.is_empty() { 0 } else { random.below(stance.len()) };
        let held_limb = stance.get(rooted).and_then(|contact| character.effectors[contact.effector].limb);
        let root_dofs = character.root.axes().len();
        let mut displacement = std::mem::take(&mut self.displacement);
        displacement.clear();
        for (dof, &free) in self.free_increments.iter().enumerate() {
            let drawn = random.unit();
            let up = 0.5 * (1.0 + dof.checked_sub(root_dofs).map_or(0.0, |hinge| self.pull(character, from, hinge)));
            let sign = if drawn < calm { 0.0 } else { [-1.0, 1.0][usize::from(drawn - calm < up * (1.0 - calm))] };
            let increment = match dof.checked_sub(root_dofs) {
                // Rooted at a contact, the root's place is not free.
                None if !stance.is_empty() && matches!(character.root.axes()[dof], RootAxis::Move(_)) => 0.0,
                None => free,
                Some(hinge) => match character.limb_of(character.hinges[hinge].link) {
                    limb if limb.is_some() && limb == held_limb => self.held_increment,
                    _ => free,
                },
            };
            displacement.push(scale * increment * sign);
        }
        to.clone_from(from);
        to.displace(character, &displacement);
        self.displacement = displacement;
        self.project_rooted(character, to, stance, rooted)
    }

    /// How far the contacts' effectors are from their places half-way along the straight line between two configurations.
    pub fn midpoint_slip(&mut self, character: &Character, [from, to]: [&Configuration; 2], stance: &[Contact]) -> f32 {
        let mut middle = from.clone();
        middle.interpolate(from, to, 0.5);
        let off = |contact: &Contact| {
            (effector_place(character, &middle, contact.effector) - contact.center(character)).length()
        };
        stance.iter().map(off).fold(0.0, f32::max)
    }

    /// How much more often a hinge is raised than lowered, from -1 to 1.
    fn pull(&self, character: &Character, from: &Configuration, hinge: usize) -> f32 {
        let rest = character.hinges[hinge].rest;
        match rest.total_cmp(&from.angles[hinge]) {
            Ordering::Less => -self.relax,
            Ordering::Equal => 0.0,
            Ordering::Greater => self.relax,
        }
    }

    /// Makes `between` the configuration a share `t` of the way from one to another that keeps the contacts.
    pub fn interpolate(
        &mut self,
        character: &Character,
        [from, to]: [&Configuration; 2],
        t: f32,
        stance: &[Contact],
        between: &mut Configuration,
    ) -> bool {
        between.interpolate(from, to, t);
        self.project(character, between, stance)
    }

    /// The same, with the body where it would be without contacts.
    pub fn interpolate_in_place(
        &mut self,
        character: &Character,
        [from, to]: [&Configuration; 2],
        t: f32,
        stance: &[Contact],
        between: &mut Configuration,
    ) -> bool {
        between.interpolate(from, to, t);
        self.project_in_place(character, between, stance)
    }

    /// The same, moving the whole body a little where the limbs alone do not reach: between two stretched postures an arm
    /// may be a millimetre too short.
    pub fn interpolate_with_body(
        &mut self,
        character: &Character,
        [from, to]: [&Configuration; 2],
        t: f32,
        stance: &[Contact],
        between: &mut Configuration,
    ) -> bool {
        for rooted in 0..stance.len().max(1) {
            between.interpolate(from, to, t);
            if self.project_rooted(character, between, stance, rooted) {
                return true;
            }
        }
        between.interpolate(from, to, t);
        self.project_with_body(character, between, stance)
    }
}

/// For each degree of freedom, the change that by itself moves no point of the character farther than `step`.
pub fn dof_increments(character: &Character, step: f32) -> Vec<f32> {
    // A hinge that carries next to nothing would otherwise turn many times round.
    let turn = |link: usize| step / character.reach_from(link).max(step);
    let root = character.root.axes().iter().map(|axis| match axis {
        RootAxis::Move(_) => step,
        RootAxis::Turn(_) => turn(0),
    });
    let hinges = character.hinges.iter().map(|hinge| turn(hinge.link));
    root.chain(hinges).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_testing::{character, place, slip, touching};

    /// A bent posture in which limbs have room to move either way.
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

    /// Walks at random, keeping the contacts of more and more effectors, each at the place where it is in the beginning.
    fn keeps_contacts(name: &str, effectors: [&str; 3]) {
        let character = character(name);
        let begin = bent(&character);
        let mut holding = ContactProjection::new(&character, 0.1, 0.0);
        let mut random = Stream::new(1, "holding");
        for count in 1..=3 {
            let stance: Vec<Contact> = effectors[..count].iter().map(|e| touching(&character, &begin, e)).collect();
            let (mut here, mut next) = (begin.clone(), begin.clone());
            let (mut kept, mut draws, mut farthest) = (0, 0, 0.0f32);
            while kept < 1000 {
                draws += 1;
                assert!(draws < 20_000, "{name}, {count} contacts: {kept} draws of {draws} keep them");
                if !holding.sample_neighbor(&character, &here, &stance, &mut random, &mut next) {
                    continue;
                }
                kept += 1;
                let slip = slip(&character, &next, &stance);
                assert!(slip < 1e-4, "{name}, {count} contacts: {slip}");
                next.check(&character).unwrap_or_else(|what| panic!("{name}, {count} contacts: {what}"));
                // The frames are the neighbour's.
                let hand = character.effector("right_hand").unwrap();
                let off = effector_in_world(&character, &holding.frames, hand) - place(&character, &next, hand);
                assert!(off.length() < 1e-5, "{name}, {count} contacts: {off}");
                farthest = farthest.max((next.root.translation - begin.root.translation).length());
                std::mem::swap(&mut here, &mut next);
            }
            assert!(farthest > 0.1, "{name}, {count} contacts: the body came only {farthest} m far");
        }
    }

    #[test]
    fn random_neighbours_of_the_figure_keep_its_contacts() {
        keeps_contacts("figure", ["left_foot", "right_foot", "left_hand"]);
    }

    #[test]
    fn random_neighbours_of_the_human_keep_its_contacts() {
        keeps_contacts("human", ["left_ball", "right_ball", "left_hand"]);
    }

    #[test]
    fn a_planar_neighbour_stays_in_its_plane() {
        let figure = character("figure");
        let begin = bent(&figure);
        let stance = [touching(&figure, &begin, "left_foot")];
        let mut holding = ContactProjection::new(&figure, 0.1, 0.0);
        let mut random = Stream::new(3, "holding");
        let (mut here, mut next) = (begin.clone(), begin);
        for _ in 0..1000 {
            if holding.sample_neighbor(&figure, &here, &stance, &mut random, &mut next) {
                assert_eq!(next.root.translation.z, 0.0);
                std::mem::swap(&mut here, &mut next);
            }
        }
    }

    #[test]
    fn without_contacts_the_root_moves_too() {
        let figure = character("figure");
        let begin = bent(&figure);
        let mut holding = ContactProjection::new(&figure, 0.1, 0.0);
        let mut random = Stream::new(4, "holding");
        let mut next = begin.clone();
        let moved = (0..100).filter(|_| {
            assert!(holding.sample_neighbor(&figure, &begin, &[], &mut random, &mut next));
            let way = (next.root.translation - begin.root.translation).length();
            // Along either axis by no more than the step.
            assert!(way < 0.1 * 1.42, "{way}");
            way > 0.0
        });
        assert!(moved.count() > 20);
    }

    #[test]
    fn a_limb_reaches_what_it_can_and_says_when_it_cannot() {
        let figure = character("figure");
        let mut holding = ContactProjection::new(&figure, 0.1, 0.0);
        let hand = figure.effector("left_hand").unwrap();
        let mut configuration = bent(&figure);
        let near = configuration.root.translation + Vec3::new(0.3, 0.6, 0.0);
        assert!(holding.reach(&figure, &mut configuration, hand, near));
        assert!((place(&figure, &configuration, hand) - near).length() < 1e-4);
        let body = configuration.root;
        let far = configuration.root.translation + Vec3::new(1.5, 0.6, 0.0);
        assert!(!holding.reach(&figure, &mut configuration, hand, far));
        assert_eq!(configuration.root, body);
    }

    #[test]
    fn between_two_configurations_the_contacts_are_kept() {
        let figure = character("figure");
        let from = bent(&figure);
        let stance = ["left_foot", "right_foot"].map(|effector| touching(&figure, &from, effector));
        let mut holding = ContactProjection::new(&figure, 0.1, 0.0);
        let mut to = from.clone();
        to.root.translation += Vec3::new(0.15, 0.12, 0.0);
        assert!(holding.project_rooted(&figure, &mut to, &stance, 0));
        // Rooted at a foot, the leg itself has to bend for the body to move.
        to.angles[figure.hinge("left_knee").unwrap()] -= 0.5;
        assert!(holding.project(&figure, &mut to, &stance));
        assert!((to.root.translation - from.root.translation).length() > 0.05);
        let mut between = from.clone();
        for share in 0..=10 {
            assert!(holding.interpolate(&figure, [&from, &to], share as f32 / 10.0, &stance, &mut between));
            let slip = slip(&figure, &between, &stance);
            assert!(slip < 1e-4, "{slip}");
        }
    }
}
