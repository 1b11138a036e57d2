//! Whole-body inverse kinematics: finds a configuration that keeps contacts, is balanced, avoids obstacles and is as
//! comfortable as possible, by damped least squares from a warm start.
//!
//! The published planner samples neighbors and keeps the better ones (thesis 4.3), a few hundred per posture, and bends a limb
//! to a hold only while the body stays put. Here all degrees of freedom move at once toward all tasks, so the body follows a
//! hand or a foot (the full inverse kinematics of 5.6.4).

mod tuning;
mod tasks;
mod spheres;
mod residuals;
mod damped_step;

pub use tasks::{PostureReference, PostureTasks, SolverContext};

use clamber_model::collision::Links;
use clamber_model::id::LinkId;
use clamber_model::{Character, Configuration};

use crate::jacobian::Jacobian;
use damped_step::DampedStep;
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

    /// Makes these links avoid obstacles and the others ignore them; resets all extra clearances.
    pub fn set_collision_links(&mut self, links: Links) {
        self.model.spheres.set_links(links);
    }

    /// Adds to the clearance between a link and obstacles, in meters.
    pub fn add_clearance(&mut self, link: LinkId, amount: f32) {
        self.model.spheres.extra_clearance[link] += amount;
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
            is_improving = false;
            for _ in 0..tuning::MAX_TRIALS {
                if !damped.solve(character, configuration, damping) {
                    damping *= tuning::DAMPING_INCREASE_SINGULAR;
                    continue;
                }
                damped.limit();
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
