//! Whole-body inverse kinematics: finds a configuration that keeps contacts, is balanced, avoids obstacles and is as
//! comfortable as possible, by damped least squares from a warm start.
//!
//! The published planner samples neighbors and keeps the better ones (thesis 4.3), a few hundred per posture, and bends a limb
//! to a hold only while the body stays put. Here all degrees of freedom move at once toward all tasks, so the body follows a
//! hand or a foot (the full inverse kinematics of 5.6.4).
//!
//! [`PostureSolver`] weighs many tasks against each other and starts near its solution. [`StanceSolver`] has to meet contacts,
//! equilibrium and the rest exactly, and starts anywhere, such as from the rest posture.

mod tuning;
mod tasks;
mod condition_residuals;
mod contact_target;
mod spheres;
mod obstacle_planes;
mod self_clearance;
mod ease_tuning;
mod ease;
mod residuals;
mod step_limits;
mod damped_step;
mod stance_tuning;
mod stance_residuals;
mod placement;
mod drawn_bodies;
mod rest_on_contacts;
mod shortest_step;
mod solve_stance;
mod descend_on_contacts;

pub use contact_target::{ContactTarget, PatchHeading, front_of};
pub(crate) use ease::Ease;
pub use rest_on_contacts::rest_on_contacts;
pub use solve_stance::{StanceOutcome, StanceSettings, StanceSolver, stance_posture};
pub use tasks::{CenterRegion, EffortTask, PostureReference, PostureTasks, SolverContext};

use clamber_model::id::LinkId;
use clamber_model::kinematics::{Jacobian, forward};
use clamber_model::obstacle_collision::CheckedLinks;
use clamber_model::{Character, Configuration};

use damped_step::{DampedStep, Damping};
use residuals::{ResidualModel, Residuals};

/// Solves postures of one character. Owns the memory, so solving allocates nothing.
pub struct PostureSolver {
    model: ResidualModel,
    jacobian: Jacobian,
    damped: DampedStep,
    /// At the present configuration and at the next.
    residuals: [Residuals; 2],
    next: Option<Configuration>,
}

impl PostureSolver {
    /// A solver in which all links avoid obstacles.
    pub fn new(character: &Character) -> Self {
        Self {
            model: ResidualModel::new(character),
            jacobian: Jacobian::new(character),
            damped: DampedStep::new(character),
            residuals: Default::default(),
            next: None,
        }
    }

    /// Makes the body be at ease where comfort is the reference. Returns what was set before.
    pub(crate) fn set_ease(&mut self, ease: Option<Ease>) -> Option<Ease> {
        std::mem::replace(&mut self.model.ease, ease)
    }

    /// The ease that is set.
    pub(crate) fn ease_mut(&mut self) -> Option<&mut Ease> {
        self.model.ease.as_mut()
    }

    /// Makes these links avoid obstacles and each other, and the others ignore them; resets all extra clearances.
    pub fn set_collision_links(&mut self, links: CheckedLinks) {
        self.model.spheres.set_links(links);
        self.model.self_clearance.reset();
        self.model.obstacle_planes.clear();
    }

    /// Keeps a link that is in an obstacle at a configuration away from it, by the exact distance.
    pub(crate) fn keep_off(
        &mut self,
        SolverContext { world, character, .. }: SolverContext,
        at: &Configuration,
        link: LinkId,
    ) {
        let Self { model, residuals: [here, _], .. } = self;
        forward(character, at, &mut here.frames);
        model.obstacle_planes.push(world, character, &here.frames, link);
    }

    /// Adds to the clearance between a link and obstacles, in meters.
    pub fn add_link_clearance(&mut self, link: LinkId, amount: f32) {
        self.model.spheres.extra_clearance[link] += amount;
    }

    /// Adds to the clearance between two links of the body, in meters.
    pub fn add_self_clearance(&mut self, character: &Character, links: [LinkId; 2], amount: f32) {
        self.model.self_clearance.add_clearance(character, links, amount);
    }

    /// Moves a configuration toward the tasks and returns the number of iterations. The result may still miss some tasks; the
    /// caller checks.
    pub fn solve(&mut self, context: SolverContext, configuration: &mut Configuration, tasks: PostureTasks) -> usize {
        let character = context.character;
        let Self { model, jacobian, damped, residuals: [here, there], next } = self;
        let next = next.get_or_insert_with(|| configuration.clone());
        model.spheres.allow_contacts(tasks.stance);
        let mut cost = model.evaluate(context, configuration, tasks, here);
        let mut damping = tuning::INITIAL_DAMPING;
        let mut iterations = 0;
        let mut is_improving = true;
        while is_improving && iterations < tuning::MAX_ITERATIONS {
            iterations += 1;
            model.fill_jacobian(context, configuration, tasks, here, jacobian);
            damped.linearize(jacobian, &here.values);
            if let PostureReference::Comfort(_) = tasks.reference {
                damped.add_rest(character, configuration);
            }
            is_improving = false;
            for _ in 0..tuning::MAX_TRIALS {
                let added = Damping { constant: tuning::REGULARIZATION + damping, relative: damping };
                if !damped.solve_within_limits(character, configuration, added) {
                    damping *= tuning::DAMPING_INCREASE_SINGULAR;
                    continue;
                }
                next.clone_from(configuration);
                next.displace(character, &damped.step);
                let next_cost = model.evaluate(context, next, tasks, there);
                if next_cost < cost {
                    is_improving = next_cost < (1.0 - tuning::MIN_DECREASE) * cost;
                    cost = next_cost;
                    std::mem::swap(configuration, next);
                    std::mem::swap(here, there);
                    damping = (tuning::DAMPING_DECREASE * damping).max(tuning::MIN_DAMPING);
                    break;
                }
                damping *= tuning::DAMPING_INCREASE;
            }
        }
        iterations
    }

    /// The cost of a configuration: the sum of the squared, weighted residuals of all tasks.
    pub fn cost(&mut self, context: SolverContext, configuration: &Configuration, tasks: PostureTasks) -> f32 {
        self.model.spheres.allow_contacts(tasks.stance);
        self.model.evaluate(context, configuration, tasks, &mut self.residuals[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anatomy::Anatomy;
    use clamber_model::Contact;
    use clamber_model::id::{HoldId, ModeId};
    use clamber_model::math::Vec3;
    use clamber_model::mode_table::{Balance, Condition};

    /// Solves a step up for the figure, with all lengths multiplied by `factor`, and returns the posture.
    fn step_up(factor: f32, by_comfort: bool) -> Configuration {
        let figure = clamber_testing::character("figure");
        let table = clamber_testing::table(&figure);
        let character = clamber_testing::scaled(&figure, factor);
        let anatomy = Anatomy::new(&character, &table);
        let step = ("step", [[0.2, 0.0], [1.0, 0.3]]);
        let world = clamber_testing::ground_world(vec![step], Vec::new(), factor);
        let mut posture = clamber_testing::standing(&character, 0.0);
        let [left, right] = ["left_foot", "right_foot"].map(|foot| figure.find_effector(foot).unwrap());
        let contact = |effector, x: f32, y: f32| {
            let point = Vec3::new(x * factor, y * factor, 0.0);
            Contact { effector, hold: HoldId::new(0), point, normal: Vec3::Y }
        };
        let stance = [contact(left, 0.0, 0.0), contact(right, 0.35, 0.3)];
        let start = posture.clone();
        let reference = if by_comfort {
            PostureReference::Comfort(ModeId::new(0))
        } else {
            PostureReference::Configuration(&start)
        };
        let balance = Balance { group: table.find_effector_group("feet").unwrap(), within: 0.02 * factor };
        let conditions = [Condition::CenterBetween(balance)];
        let tasks = PostureTasks {
            patch_headings: &[],
            stance: &stance,
            reference,
            conditions: &conditions,
            center_regions: &[],
            effort: None,
        };
        let context = SolverContext { world: &world, character: &character, mode_table: &table, anatomy: &anatomy };
        let mut solver = PostureSolver::new(&character);
        assert!(solver.solve(context, &mut posture, tasks) > 2);
        assert!(clamber_testing::slip(&character, &posture, &stance) < 0.03 * factor);
        posture
    }

    #[test]
    fn a_problem_of_twice_the_size_has_the_same_solution_doubled() {
        for by_comfort in [true, false] {
            let [small, large] = [1.0, 2.0].map(|factor| step_up(factor, by_comfort));
            assert_eq!(small.angles, large.angles);
            assert_eq!(small.root.rotation, large.root.rotation);
            assert_eq!(small.root.translation * 2.0, large.root.translation);
        }
    }
}
