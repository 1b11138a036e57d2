//! The façade's planner returns only motions that pass the check.

mod common;

use std::ops::ControlFlow;

use clamber::plan::PlanStage;
use clamber::{CheckSettings, Failure, PlanError, Planner};
use common::scene;

/// Tolerances that no motion meets.
fn impossible() -> CheckSettings {
    let mut settings = CheckSettings::default();
    settings.max_slip = 0.0;
    settings
}

fn assert_rejected(error: &PlanError) {
    assert_eq!(error.reason, Failure::CheckFailed { properties: "slip".to_owned() });
    let report = error.check_report.as_ref().expect("a rejected motion has a report");
    assert!(!report.property("slip").expect("slip is measured").passed);
    assert!(error.partial_motion.frames.len() > 100, "the rejected motion is there to look at");
}

#[test]
fn a_plan_has_the_report_of_its_check() {
    let plan = Planner::new(scene("walk").problem).seed(1).run().unwrap();
    assert!(plan.check_report.passed());
}

#[test]
fn a_motion_that_fails_the_check_is_planned_again_and_then_an_error() {
    let problem = scene("swing").problem;
    // The seeds of the further plans are far from those that callers choose.
    let expansions =
        |number: u64| Planner::new(problem.clone()).seed(1 + (number << 48)).run().unwrap().statistics.expansions;
    let each = [0, 1, 2].map(expansions);
    let once = each[0];
    let error = Planner::new(problem.clone()).seed(1).check_settings(impossible()).run().unwrap_err();
    assert_rejected(&error);
    assert_eq!(error.statistics.expansions, each.iter().sum::<u64>(), "{each:?}");
    // All plans share one budget.
    let planner = Planner::new(problem).seed(1).check_settings(impossible()).budget(once + 10);
    assert!(planner.run().unwrap_err().statistics.expansions < 2 * once);
}

#[test]
fn a_plan_in_slices_is_checked_once() {
    let mut planner = Planner::new(scene("walk").problem).seed(1).check_settings(impossible());
    while !planner.advance(50) {}
    assert_rejected(&planner.into_result().unwrap_err());
}

#[test]
fn the_best_of_several_plans_costs_least_and_is_the_same_again() {
    let problem = scene("climb").problem;
    let of_seed = |number: u64| Planner::new(problem.clone()).seed(1 + (number << 32)).run().unwrap();
    let each = [0, 1, 2].map(of_seed);
    let costs = each.each_ref().map(|plan| plan.cost(&problem));
    let best = || Planner::new(problem.clone()).seed(1).best_of(3).run().unwrap();
    let chosen = best();
    assert_eq!(chosen.cost(&problem), costs.into_iter().fold(f32::INFINITY, f32::min), "{costs:?}");
    assert_eq!(chosen.statistics.expansions, each.iter().map(|plan| plan.statistics.expansions).sum::<u64>());
    assert_eq!(chosen.motion, best().motion);
}

#[test]
fn the_best_of_several_plans_stops_when_asked() {
    let problem = scene("climb").problem;
    let mut checks = 0;
    let error = Planner::new(problem)
        .seed(1)
        .best_of(10_000)
        .run_with_progress(&mut |progress| {
            checks += u32::from(progress.stage == PlanStage::Check && progress.fraction == 0.0);
            if checks > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap_err();
    assert_eq!(error.reason, Failure::Cancelled);
}
