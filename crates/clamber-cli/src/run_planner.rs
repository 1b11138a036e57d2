//! Runs the planner, with the settings of planning and checking that the commands share.

use clamber::check::CheckSettings;
use clamber::model::Problem;
use clamber::plan::{Observer, PlanOutcome, PlanSettings, Planner};

/// Settings of planning and checking.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    pub plan: PlanSettings,
    pub check: CheckSettings,
}

/// Plans with progress.
pub fn plan(problem: &Problem, settings: &PlanSettings, seed: u64, observer: &mut Observer) -> PlanOutcome {
    Planner::new(problem.clone()).settings(*settings).seed(seed).run_with_progress(observer).into()
}
