//! The stance planner with the figure's mode table.

mod common;

use clamber_model::id::EffectorId;
use std::ops::ControlFlow;

use clamber::plan::{Algorithm, PlanSettings};
use common::{plan_and_check, scene};

#[test]
fn a_low_tunnel_is_crawled_on_the_knees() {
    let problem = scene("crawl").problem;
    let mut plan = PlanSettings::default();
    plan.algorithm = Algorithm::Stance;
    let (outcome, report) = plan_and_check(&problem, &plan, 1, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.failure, None);
    assert!(report.passed(), "{report}");
    let motion = outcome.motion;
    let knees = ["left_knee", "right_knee"].map(|name| problem.character.find_effector(name).unwrap());
    let under_the_rock = |x: f32| (3.2..5.4).contains(&x);
    let is_held = |knee: EffectorId| {
        motion.contacts.iter().any(|span| {
            let is_crawling = |frame: usize| {
                motion
                    .mode_spans
                    .iter()
                    .any(|mode| mode.mode == "crawling" && (mode.first_frame..=mode.last_frame).contains(&frame))
            };
            span.contact.effector == knee && under_the_rock(span.contact.point.x) && is_crawling(span.first_frame)
        })
    };
    assert!(knees.into_iter().all(is_held), "{:?}", motion.contacts);
}
