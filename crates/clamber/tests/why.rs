//! The stance planner's reasons for failure name the right place and cause.

mod common;

use clamber_model::id::HoldId;
use std::ops::ControlFlow;
use std::sync::Arc;

use clamber::check::{CheckSettings, check_motion};
use clamber::course::{CourseSettings, SegmentKind, generate};
use clamber::io::{InfeasibleCause, Scene};
use clamber::plan::{Algorithm, Failure, Impasse, ImpasseCause, PlanOutcome};
use common::{ground, places, plan, read, scene, settings};

fn plan_in(scene: &Scene) -> PlanOutcome {
    let settings = settings(|settings| settings.algorithm = Algorithm::Stance);
    plan(&scene.problem, &settings, 1, &mut |_| ControlFlow::Continue(()))
}

fn impasse(outcome: &PlanOutcome) -> &Impasse {
    match &outcome.failure {
        Some(Failure::Impasse(impasse)) => impasse,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_broken_segment_of_a_course_is_named() {
    for (seed, kind) in
        [(5, SegmentKind::WallUp), (10, SegmentKind::Crawl), (45, SegmentKind::Gap), (70, SegmentKind::MonkeyBars)]
    {
        let mut settings = CourseSettings::default();
        settings.segment_count = 1;
        settings.impossible = true;
        settings.allowed_kinds = vec![kind];
        let scene = read(&generate(seed, &settings).scene_text);
        let broken = scene.infeasible_segment.as_ref().expect("it was asked to be");
        let outcome = plan_in(&scene);
        let found = impasse(&outcome);
        match found.cause {
            ImpasseCause::TooFar { distance, reach, .. } => {
                assert_eq!(broken.cause, InfeasibleCause::TooFar, "{kind}: {found}");
                assert!(reach > 0.8 && reach < distance, "{kind}: {found}");
            }
            ImpasseCause::Blocked { ref obstacle, .. } => {
                assert_eq!(broken.cause, InfeasibleCause::Blocked, "{kind}: {found}");
                assert!(obstacle.contains("rock"), "{kind}: {found}");
            }
            _ => panic!("{kind}: {found}"),
        }
        assert!(broken.contains(found.blocked_position), "{kind}: {found}");
        // The partial motion is valid except for the goal.
        let report = check_motion(&scene.problem, &outcome.motion, &CheckSettings::default());
        let wrong: Vec<_> =
            report.properties.iter().filter(|result| !result.passed).map(|result| result.property).collect();
        assert_eq!(wrong, ["goal", "goal-stance"], "{kind}");
    }
}

#[test]
fn a_gap_is_measured_between_holds() {
    // Beyond the reach of the body, and beyond the reach of a step.
    for gap in [3.0, 1.9] {
        let outcome = plan_in(&ground(&places(9, gap), ""));
        let found = impasse(&outcome);
        let ImpasseCause::TooFar { group, from_hold: from, to_hold: to, distance, reach, .. } = &found.cause else {
            panic!("{found}")
        };
        assert_eq!((group.as_str(), from.as_str(), to.as_str()), ("feet", "h3", "h4"), "{found}");
        assert!((distance - gap).abs() < 1e-3, "{found}");
        assert!((1.0..1.8).contains(reach), "{found}");
        assert!(found.blocked_position.x > 0.9 + gap - 0.01, "{found}");
    }
}

#[test]
fn following_the_suggested_fix_succeeds() {
    let outcome = plan_in(&ground(&places(9, 1.9), ""));
    let ImpasseCause::TooFar { reach, .. } = impasse(&outcome).cause else { panic!("{:?}", outcome.failure) };
    let fixed = plan_in(&ground(&places(9, 0.98 * reach), ""));
    assert_eq!(fixed.failure, None);
}

#[test]
fn a_blocking_wall_is_named() {
    let wall = "[[obstacle]]\nname = \"wall\"\npolygon = [[1.5, -0.5], [1.8, -0.5], [1.8, 9], [1.5, 9]]\n";
    let outcome = plan_in(&ground(&places(9, 1.4), wall));
    let found = impasse(&outcome);
    let ImpasseCause::Blocked { obstacle, .. } = &found.cause else { panic!("{found}") };
    assert_eq!(obstacle, "wall");
    assert!((1.0..2.3).contains(&found.blocked_position.x), "{found}");
}

#[test]
fn forbidden_holds_are_not_used_and_cause_gaps() {
    let mut scene = ground(&places(12, 0.3), "");
    scene.problem.forbidden_holds = vec![HoldId::new(5)];
    let outcome = plan_in(&scene);
    assert_eq!(outcome.failure, None);
    assert!(outcome.motion.contacts.iter().all(|span| span.contact.hold != HoldId::new(5)));
    scene.problem.forbidden_holds = (3..=8).map(HoldId::new).collect();
    let outcome = plan_in(&scene);
    let ImpasseCause::TooFar { from_hold: from, to_hold: to, .. } = &impasse(&outcome).cause else {
        panic!("{:?}", outcome.failure)
    };
    assert_eq!((from.as_str(), to.as_str()), ("h2", "h9"));
}

/// The shipped table without the edges that begin a walk: both feet hold on, and every other edge needs a free one.
#[test]
fn a_table_without_an_edge_for_the_start_is_named_as_the_cause() {
    let mut problem = scene("walk").problem;
    let mut table = (**problem.modes.as_ref().unwrap()).clone();
    let walking = table.find_mode("walking").unwrap();
    let feet = table.find_effector_group("feet").unwrap();
    table.edges.retain(|edge| {
        edge.from == walking
            && edge.holds_to_take.first().is_some_and(|take| take.groups == [feet])
            && edge.preconditions.is_empty()
    });
    assert!(!table.edges.is_empty());
    let names: Vec<String> = table.edges.iter().map(|edge| edge.name.clone()).collect();
    problem.modes = Some(Arc::new(table));
    for algorithm in [Algorithm::Stance, Algorithm::Rpp] {
        let outcome =
            plan(&problem, &settings(|settings| settings.algorithm = algorithm), 1, &mut |_| ControlFlow::Continue(()));
        let found = impasse(&outcome);
        assert_eq!(
            found.cause,
            ImpasseCause::NoModeEdge { inapplicable_edges: names.clone(), groups_in_contact: vec!["feet".to_owned()] }
        );
        assert!(found.suggestion().contains("mode table"), "{found}");
        assert!(outcome.statistics.expansions < 1000, "{}", outcome.statistics.expansions);
    }
}
