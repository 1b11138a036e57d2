//! The result of a plan as the commands use it.

use clamber::check::CheckSettings;
use clamber::model::{Motion, Problem};
use clamber::plan::{Failure, Observer, Plan, PlanError, PlanSettings, Planner, Statistics};

/// Settings of planning and checking.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    pub plan: PlanSettings,
    pub check: CheckSettings,
}

/// The result of a plan as one value: callers want the motion, partial or not.
pub struct Outcome {
    pub motion: Motion,
    pub failure: Option<Failure>,
    pub statistics: Statistics,
}

impl From<Result<Plan, PlanError>> for Outcome {
    fn from(result: Result<Plan, PlanError>) -> Self {
        match result {
            Ok(plan) => Self { motion: plan.motion, failure: None, statistics: plan.statistics },
            Err(error) => Self { motion: *error.partial, failure: Some(error.reason), statistics: error.statistics },
        }
    }
}

/// Plans with progress.
pub fn plan(problem: &Problem, settings: &PlanSettings, seed: u64, observer: &mut Observer) -> Outcome {
    Planner::new(problem.clone()).settings(*settings).seed(seed).run_with_progress(observer).into()
}
