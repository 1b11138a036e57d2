//! The most comfortable posture on contacts that are kept exactly.
//!
//! Contacts that are only weighed make a narrow curved valley, along which a descent is slow. Here every step is moved back onto the
//! contacts before it is judged, so steps are long and end at the minimum.

use clamber_model::Configuration;

use super::damped_step::Damping;
use super::ease_tuning as tuning;
use super::{PostureReference, PostureSolver, PostureTasks, SolverContext};

impl PostureSolver {
    /// Moves a configuration along its contacts to the least cost nearby. `retract` moves a configuration onto the contacts, and
    /// returns false if it cannot. Returns false if the first one cannot be moved there.
    pub(crate) fn descend_on_contacts(
        &mut self,
        context: SolverContext,
        configuration: &mut Configuration,
        tasks: PostureTasks,
        mut retract: impl FnMut(&mut Configuration) -> bool,
    ) -> bool {
        let character = context.character;
        let Self { model, jacobian, damped, residuals: [here, there], next } = self;
        let next = next.get_or_insert_with(|| configuration.clone());
        model.spheres.allow_contacts(tasks.stance);
        if !retract(configuration) {
            return false;
        }
        let mut cost = model.evaluate(context, configuration, tasks, here);
        let (mut damping, mut since_progress) = (tuning::INITIAL_DAMPING, 0);
        for _ in 0..tuning::MAX_ITERATIONS {
            model.fill_jacobian(context, configuration, tasks, here, jacobian);
            damped.linearize(jacobian, &here.values);
            if let PostureReference::Comfort(_) = tasks.reference {
                damped.add_rest(character, configuration);
            }
            let before = cost;
            for _ in 0..tuning::MAX_TRIALS {
                next.clone_from(configuration);
                if damped.solve_within_limits(character, configuration, Damping { constant: damping, relative: 0.0 }) {
                    next.displace(character, &damped.step);
                    if retract(next) {
                        let next_cost = model.evaluate(context, next, tasks, there);
                        if next_cost < cost {
                            cost = next_cost;
                            break;
                        }
                    }
                }
                damping *= tuning::DAMPING_INCREASE;
            }
            if !(cost < before) {
                break;
            }
            std::mem::swap(configuration, next);
            std::mem::swap(here, there);
            damping = (tuning::DAMPING_DECREASE * damping).max(tuning::MIN_DAMPING);
            since_progress = if cost < (1.0 - tuning::MIN_DECREASE) * before { 0 } else { since_progress + 1 };
            if since_progress == tuning::PATIENCE {
                break;
            }
        }
        true
    }
}
