//! Postures on given contacts alone: meets every contact to a small fraction of the body size, in static equilibrium, without
//! self-collision and within hinge limits, from one start and from restarts.

use std::f32::consts::{FRAC_PI_2, PI};

use clamber_model::character::RootJoint;
use clamber_model::id::LinkId;
use clamber_model::kinematics::{Jacobian, LinkFrames, center_of_mass, forward};
use clamber_model::math::{Rotation, Vec3, rotation_about};
use clamber_model::rng::Stream;
use clamber_model::self_collision::NearLinks;
use clamber_model::world::UP;
use clamber_model::{Character, Configuration, Contact, World};

use super::contact_target::ContactTarget;
use super::drawn_bodies::best_drawn_body;
use super::rest_on_contacts::rest_on_contacts;
use super::shortest_step::ShortestStep;
use super::stance_residuals::{StanceGoal, StanceResiduals};
use super::stance_tuning as tuning;
use crate::equilibrium::{EquilibriumSolver, SupportRegion};

/// Effort of [`StanceSolver::solve`]. Start from [`Default`] and change fields.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StanceSettings {
    /// Most restarts after the first attempt fails. Default 20; 0 stays near the start.
    pub restarts: usize,
    /// Whether the contacts have to carry the body. Default true.
    pub equilibrium: bool,
    /// Whether links of the body may not enter each other. Default true.
    pub avoids_itself: bool,
}

impl Default for StanceSettings {
    fn default() -> Self {
        Self { restarts: 20, equilibrium: true, avoids_itself: true }
    }
}

/// The result of [`StanceSolver::solve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StanceOutcome {
    /// Whether the posture fulfills everything.
    pub is_solved: bool,
    /// Steps over all attempts.
    pub iterations: usize,
    /// Restarts.
    pub restarts: usize,
}

/// Finds postures of one character on stances. Owns the memory that this needs.
pub struct StanceSolver {
    jacobian: Jacobian,
    step: ShortestStep,
    /// At the present posture and at the next.
    residuals: [StanceResiduals; 2],
    next: Option<Configuration>,
    equilibrium: EquilibriumSolver,
    frames: LinkFrames,
}

/// What to solve.
#[derive(Clone, Copy)]
struct StanceProblem<'a> {
    character: &'a Character,
    targets: &'a [ContactTarget],
    /// The contacts that have to carry the body, if any have to.
    carriers: Option<(&'a World, &'a [Contact])>,
    avoids_itself: bool,
    restarts: usize,
}

/// How a descent takes its steps.
#[derive(Clone, Copy)]
struct Steps<'a> {
    /// The degrees of freedom that may move; all if it is `None`.
    movable: Option<&'a [usize]>,
    /// Share of the way to its rest angle that a hinge takes in one step where no residual objects.
    rest_share: f32,
    /// Damping per unit of cost.
    damping: f32,
}

impl Steps<'static> {
    const DEFAULT: Self = Self { movable: None, rest_share: tuning::REST_SHARE, damping: tuning::DAMPING };
    /// Neither toward rest nor anywhere else without need.
    const SHORTEST: Self = Self { rest_share: 0.0, ..Self::DEFAULT };
}

impl StanceSolver {
    /// A solver for this character.
    pub fn new(character: &Character) -> Self {
        Self {
            jacobian: Jacobian::new(character),
            step: ShortestStep::new(character),
            residuals: Default::default(),
            next: None,
            equilibrium: EquilibriumSolver::default(),
            frames: LinkFrames::default(),
        }
    }

    /// Moves a configuration onto the contacts of a stance. When an attempt fails, the next starts from the best of some drawn
    /// postures; the same stance always gives the same posture. Without a solution, the configuration is that of the attempt
    /// with the least residuals.
    pub fn solve(
        &mut self,
        character: &Character,
        world: &World,
        stance: &[Contact],
        configuration: &mut Configuration,
        settings: &StanceSettings,
    ) -> StanceOutcome {
        let targets: Vec<ContactTarget> = stance.iter().map(|contact| ContactTarget::on(character, contact)).collect();
        let StanceSettings { restarts, equilibrium, avoids_itself } = *settings;
        let carriers = equilibrium.then_some((world, stance));
        let problem = StanceProblem { character, targets: &targets, carriers, avoids_itself, restarts };
        self.solve_targets(problem, configuration)
    }

    /// Moves a configuration onto targets and stays near it as far as it can. The shortest steps are tried first, then the same after
    /// hinges have left their limits, and last the steps of [`Self::solve`] with restarts. Neither equilibrium nor self-collision matter.
    ///
    /// Returns whether all targets are met; then they are met up to rounding. Otherwise the configuration is that of the attempt with the
    /// least residuals.
    pub fn settle(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        targets: &[ContactTarget],
    ) -> bool {
        let given = configuration.clone();
        let shortest = Steps { damping: tuning::SETTLE_DAMPING, ..Steps::SHORTEST };
        let mut is_met = self.meet(character, configuration, targets, shortest, tuning::MAX_ITERATIONS);
        if !is_met {
            loosen(character, configuration, &given);
            is_met = self.meet(character, configuration, targets, shortest, tuning::MAX_ITERATIONS);
        }
        if !is_met {
            *configuration = given;
            let restarts = tuning::SETTLE_RESTARTS;
            let problem = StanceProblem { character, targets, carriers: None, avoids_itself: false, restarts };
            is_met = self.solve_targets(problem, configuration).is_solved;
        }
        if is_met {
            let goal = StanceGoal { tolerance: tuning::SETTLED, ..StanceGoal::of(targets) };
            self.descend(character, configuration, goal, Steps::SHORTEST, &mut { tuning::SETTLED_ITERATIONS });
        }
        is_met
    }

    fn solve_targets(&mut self, problem: StanceProblem, configuration: &mut Configuration) -> StanceOutcome {
        let mut outcome = StanceOutcome { is_solved: false, iterations: 0, restarts: 0 };
        let start = configuration.clone();
        let mut best: Option<(f32, Configuration)> = None;
        loop {
            let (is_solved, cost) = self.attempt(problem, configuration, &mut outcome.iterations);
            outcome.is_solved = is_solved;
            if is_solved {
                return outcome;
            }
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, configuration.clone()));
            }
            if outcome.restarts == problem.restarts {
                break;
            }
            outcome.restarts += 1;
            // A stream per restart, so that the same stance gives the same posture.
            let mut stream = Stream::new(outcome.restarts as u64, "restarts");
            *configuration = best_drawn_body(problem.character, problem.targets, start.root.rotation, &mut stream);
        }
        if let Some((_, best)) = best {
            *configuration = best;
        }
        outcome
    }

    /// Moves the rest posture onto the contacts of a stance, like [`Self::solve`]. It begins where the contacts are; of a few headings, it
    /// takes the one from which a few steps lead nearest to them.
    pub fn solve_from_rest(
        &mut self,
        character: &Character,
        world: &World,
        stance: &[Contact],
        settings: &StanceSettings,
    ) -> (Configuration, StanceOutcome) {
        let rest = rest_on_contacts(character, stance);
        let targets: Vec<ContactTarget> = stance.iter().map(|contact| ContactTarget::on(character, contact)).collect();
        let goal = StanceGoal { avoids_itself: settings.avoids_itself, ..StanceGoal::of(&targets) };
        let mut best: Option<(f32, Configuration)> = None;
        let mut iterations = 0;
        for turn in headings(character) {
            let mut tried = turned_about(&rest, stance, *turn);
            let mut remaining = tuning::TRIAL_ITERATIONS;
            let cost = self.descend(character, &mut tried, goal, Steps::DEFAULT, &mut remaining);
            iterations += tuning::TRIAL_ITERATIONS - remaining;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, tried));
            }
            if cost < tuning::GOOD_TRIAL {
                break;
            }
        }
        let mut posture = best.map_or(rest, |(_, tried)| tried);
        let mut outcome = self.solve(character, world, stance, &mut posture, settings);
        outcome.iterations += iterations;
        (posture, outcome)
    }

    /// Moves a configuration onto targets with the least change: neither equilibrium nor self-collision matter, and hinges do not turn
    /// toward rest. `movable` lists the degrees of freedom that may move; all if it is `None`. Returns whether all targets are met.
    pub(crate) fn project(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        targets: &[ContactTarget],
        movable: Option<&[usize]>,
        max_iterations: usize,
    ) -> bool {
        self.meet(character, configuration, targets, Steps { movable, ..Steps::SHORTEST }, max_iterations)
    }

    /// Fills `near` with the pairs of links that are closer than `within`, a function of the pair, in the configuration that
    /// [`Self::project`] returned last.
    pub(crate) fn collect_near_links(
        &mut self,
        character: &Character,
        within: impl Fn(&[LinkId; 2]) -> f32,
        near: &mut Vec<NearLinks>,
    ) {
        self.residuals[0].collect_near_links(character, within, near);
    }

    /// Takes steps toward targets alone. Returns whether all are met.
    fn meet(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        targets: &[ContactTarget],
        steps: Steps,
        mut max_iterations: usize,
    ) -> bool {
        self.descend(character, configuration, StanceGoal::of(targets), steps, &mut max_iterations);
        self.residuals[0].is_met
    }

    /// Solves from one start. Returns whether that is a solution, and the cost.
    fn attempt(
        &mut self,
        problem: StanceProblem,
        configuration: &mut Configuration,
        iterations: &mut usize,
    ) -> (bool, f32) {
        let StanceProblem { character, targets, carriers, avoids_itself, .. } = problem;
        let mut region = SupportRegion::default();
        if let Some((world, stance)) = carriers {
            forward(character, configuration, &mut self.frames);
            lay_patches_flat(character, stance, &mut self.frames);
            region = self.equilibrium.support_region(character, world, &self.frames, stance);
        }
        let mut remaining = tuning::MAX_ITERATIONS;
        let mut cost = f32::INFINITY;
        for _ in 0..tuning::MAX_REGIONS {
            let goal = StanceGoal { region: &region.corners, avoids_itself, ..StanceGoal::of(targets) };
            let before = remaining;
            cost = self.descend(character, configuration, goal, Steps::DEFAULT, &mut remaining);
            *iterations += before - remaining;
            let frames = &self.residuals[0].frames;
            if !self.residuals[0].is_met {
                return (false, cost);
            }
            let Some((world, stance)) = carriers else { return (true, cost) };
            let center = center_of_mass(character, frames);
            let outside = self.equilibrium.distance_outside(character, world, frames, stance, center);
            if outside <= f64::from(tuning::CENTER_TOLERANCE * character.body_size()) {
                return (true, cost);
            }
            region = self.equilibrium.support_region(character, world, frames, stance);
            if region.corners.is_empty() {
                break;
            }
        }
        (false, cost)
    }

    /// Takes steps until the goal is met or steps no longer help. Returns the cost.
    fn descend(
        &mut self,
        character: &Character,
        configuration: &mut Configuration,
        goal: StanceGoal,
        Steps { movable, rest_share, damping }: Steps,
        remaining: &mut usize,
    ) -> f32 {
        let Self { jacobian, step, residuals: [here, there], next, .. } = self;
        let next = next.get_or_insert_with(|| configuration.clone());
        let mut cost = here.evaluate(character, configuration, goal);
        let (mut milestone, mut since_milestone, mut caution) = (cost, 0, 1.0);
        while !here.is_met && *remaining > 0 && since_milestone < tuning::PATIENCE {
            *remaining -= 1;
            here.fill_jacobian(character, goal, jacobian);
            let mut is_better = false;
            for _ in 0..tuning::MAX_TRIALS {
                let damping = (caution * damping * cost).max(tuning::MIN_DAMPING);
                let rest = if cost > tuning::REST_COST { rest_share } else { 0.0 };
                let linear = (&*jacobian, &here.values[..]);
                if !step.solve_within_limits(character, configuration, linear, movable, [damping, rest]) {
                    caution *= tuning::DAMPING_INCREASE * tuning::DAMPING_INCREASE;
                    continue;
                }
                next.clone_from(configuration);
                next.displace(character, &step.step);
                let next_cost = there.evaluate(character, next, goal);
                if next_cost < cost {
                    cost = next_cost;
                    is_better = true;
                    std::mem::swap(configuration, next);
                    std::mem::swap(here, there);
                    caution = f32::max(caution * tuning::DAMPING_DECREASE, tuning::LEAST_CAUTION);
                    break;
                }
                caution *= tuning::DAMPING_INCREASE;
            }
            if !is_better {
                break;
            }
            if cost < milestone * (1.0 - tuning::MIN_DECREASE) {
                (milestone, since_milestone) = (cost, 0);
            } else {
                since_milestone += 1;
            }
        }
        cost
    }
}

/// Makes a configuration a given one whose hinges are all a few degrees away from their limits. At full stretch, no hinge changes the
/// distance of the tip to first order, so no step can shorten the limb.
fn loosen(character: &Character, configuration: &mut Configuration, given: &Configuration) {
    configuration.clone_from(given);
    for (angle, hinge) in configuration.angles.iter_mut().zip(&character.hinges) {
        let room = f32::min(tuning::LOOSENED, 0.5 * (hinge.max - hinge.min));
        *angle = angle.max(hinge.min + room).min(hinge.max - room);
    }
}

/// The turns about the vertical axis with which the rest posture is tried: quarters, and halves in the plane.
fn headings(character: &Character) -> &'static [f32] {
    match character.root_joint {
        RootJoint::Planar => &[0.0, PI],
        RootJoint::Free => &[0.0, FRAC_PI_2, -FRAC_PI_2, PI],
    }
}

/// The posture turned about the vertical axis through the middle of the contacts.
fn turned_about(posture: &Configuration, stance: &[Contact], turn: f32) -> Configuration {
    let mut turned = posture.clone();
    if turn != 0.0 {
        let middle = stance.iter().map(|contact| contact.point).sum::<Vec3>() / stance.len().max(1) as f32;
        // Exact for a half turn, which keeps a planar root in its plane.
        let rotation = if turn == PI { Rotation::from_xyzw(0.0, 1.0, 0.0, 0.0) } else { rotation_about(UP, turn) };
        turned.root.rotation = rotation * posture.root.rotation;
        turned.root.translation = middle + rotation * (posture.root.translation - middle);
    }
    turned
}

/// Turns the frames of effectors whose patches have to lie flat, so that they do.
fn lay_patches_flat(character: &Character, stance: &[Contact], frames: &mut LinkFrames) {
    for contact in stance {
        let effector = &character.effectors[contact.effector];
        let Some((facing, flat)) = effector.facing.zip(contact.flat_facing(character)) else { continue };
        let frame = &mut frames.world_from_link[effector.link];
        frame.rotation = (shortest_turn(frame.rotation * facing, flat) * frame.rotation).normalize();
    }
}

/// The shortest rotation of one unit vector into another.
fn shortest_turn(from: Vec3, to: Vec3) -> Rotation {
    let (axis, cosine) = (from.cross(to), from.dot(to));
    match cosine > -0.999 {
        true => Rotation::from_xyzw(axis.x, axis.y, axis.z, 1.0 + cosine).normalize(),
        false => {
            let axis = from.any_orthonormal_vector();
            Rotation::from_xyzw(axis.x, axis.y, axis.z, 0.0)
        }
    }
}

/// Returns a posture on the contacts of a stance, starting from the rest posture, if one is found.
pub fn stance_posture(character: &Character, world: &World, stance: &[Contact]) -> Option<Configuration> {
    let settings = StanceSettings::default();
    let (posture, outcome) = StanceSolver::new(character).solve_from_rest(character, world, stance, &settings);
    outcome.is_solved.then_some(posture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::HoldId;
    use clamber_model::world::HoldType;
    use clamber_testing::{effector_center, slip};

    /// The figure's stance on both feet and a hand, one foot raised, with all lengths multiplied by a factor.
    fn step_up(factor: f32) -> (Character, World, Vec<Contact>) {
        let figure = clamber_testing::character("figure");
        let character = clamber_testing::scaled(&figure, factor);
        let foothold = clamber_testing::hold("step", [0.0, 0.0], Vec3::Y, HoldType::LoadBearing);
        let world = clamber_testing::ground_world(Vec::new(), vec![foothold], factor);
        let contact = |name: &str, x: f32, y: f32| Contact {
            effector: figure.find_effector(name).unwrap(),
            hold: HoldId::new(0),
            point: Vec3::new(x, y, 0.0) * factor,
            normal: Vec3::Y,
        };
        let stance =
            vec![contact("left_foot", 0.0, 0.0), contact("right_foot", 0.35, 0.3), contact("left_hand", 0.5, 1.0)];
        (character, world, stance)
    }

    #[test]
    fn contacts_are_met_and_the_same_stance_gives_the_same_posture() {
        let (character, world, stance) = step_up(1.0);
        let posture = stance_posture(&character, &world, &stance).unwrap();
        assert!(slip(&character, &posture, &stance) < 1e-4);
        posture.check(&character).unwrap();
        assert_eq!(stance_posture(&character, &world, &stance), Some(posture));
    }

    #[test]
    fn a_body_of_twice_the_size_has_the_same_posture_doubled() {
        let [small, large] = [1.0, 2.0].map(|factor| {
            let (character, world, stance) = step_up(factor);
            stance_posture(&character, &world, &stance).unwrap()
        });
        assert_eq!(small.angles, large.angles);
        assert_eq!(small.root.translation * 2.0, large.root.translation);
    }

    #[test]
    fn contacts_that_are_out_of_reach_or_not_numbers_fail() {
        let (character, world, mut stance) = step_up(1.0);
        for point in [Vec3::new(0.0, 9.0, 0.0), Vec3::NAN, Vec3::INFINITY] {
            stance[2].point = point;
            assert_eq!(stance_posture(&character, &world, &stance), None);
        }
        assert_eq!(stance_posture(&character, &world, &[]), None);
    }

    #[test]
    fn a_solution_in_place_is_kept() {
        let (character, world, stance) = step_up(1.0);
        let mut posture = stance_posture(&character, &world, &stance).unwrap();
        let before = effector_center(&character, &posture, stance[0].effector);
        let outcome =
            StanceSolver::new(&character).solve(&character, &world, &stance, &mut posture, &StanceSettings::default());
        assert_eq!(outcome, StanceOutcome { is_solved: true, iterations: 0, restarts: 0 });
        assert_eq!(effector_center(&character, &posture, stance[0].effector), before);
    }
}
