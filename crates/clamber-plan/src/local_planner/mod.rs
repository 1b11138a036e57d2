//! Short motions of a character on its contacts: the building blocks of every search over contacts.

mod tuning;
mod equilibrium_workspace;
mod local_planner_state;
mod beyond_effector;
mod comfort_descent;
mod solve_posture;
mod limb_path;
mod static_equilibrium;

pub(crate) use self::local_planner_state::LocalPlanner;

/// A local planner for tests.
#[cfg(test)]
pub(crate) mod testing {
    use std::sync::Arc;

    use clamber_model::Problem;
    use clamber_model::rng::Stream;

    use super::LocalPlanner;
    use crate::budget::{Budget, CancelToken};
    use crate::resumable_search::SharedMonitor;
    use crate::settings::PlanSettings;

    /// Calls `then` with a local planner that has the default settings.
    pub(crate) fn with_local_planner<T>(problem: &Problem, then: impl FnOnce(&mut LocalPlanner) -> T) -> T {
        let problem = Arc::new(problem.clone());
        let budget = Budget::new(u64::MAX, CancelToken::default(), SharedMonitor::default());
        let table = problem.modes.clone().expect("problems of tests have a table");
        let settings = PlanSettings::default().resolve(&problem);
        then(&mut LocalPlanner::new(problem, table, settings, Stream::new(1, "tests"), budget))
    }
}
