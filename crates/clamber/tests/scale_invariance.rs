//! A problem at twice or half the size takes the same search: every length of the planners is relative to the body size, and
//! powers of two scale floating-point numbers exactly.

mod common;

use std::ops::ControlFlow;

use clamber::model::Problem;
use clamber::plan::{Algorithm, Statistics};

use common::{plan, scene, settings};

#[track_caller]
fn assert_scale_invariant(problem: &Problem, algorithm: Algorithm) {
    let settings = settings(|settings| settings.algorithm = algorithm);
    let plan = |problem: &Problem| plan(problem, &settings, 1, &mut |_| ControlFlow::Continue(()));
    let original = plan(problem);
    assert_eq!(original.failure, None);
    for factor in [0.5, 2.0] {
        let scaled = plan(&problem.scaled(factor).unwrap());
        assert_eq!(scaled.failure, None, "factor {factor}");
        // The collision engine has absolute tolerances, so the number of its queries may differ.
        let Statistics { collision_checks, engine_queries, .. } = original.statistics;
        let mut statistics = scaled.statistics;
        (statistics.collision_checks, statistics.engine_queries) = (collision_checks, engine_queries);
        assert_eq!(statistics, original.statistics, "factor {factor}");
        let expected = original.motion.scaled(factor).unwrap();
        assert_eq!(scaled.motion.contacts.len(), expected.contacts.len(), "factor {factor}");
        assert_eq!(scaled.motion.frames.len(), expected.frames.len(), "factor {factor}");
        for (index, (frame, expected)) in scaled.motion.frames.iter().zip(&expected.frames).enumerate() {
            assert_eq!(frame.configuration, expected.configuration, "factor {factor}, frame {index}");
        }
    }
}

#[test]
fn the_flight_planner_is_scale_invariant() {
    assert_scale_invariant(&scene("flight").problem, Algorithm::Flight);
}

#[test]
fn the_published_planner_is_scale_invariant() {
    assert_scale_invariant(&scene("walk").problem, Algorithm::Rpp);
}

#[test]
fn the_stance_planner_is_scale_invariant() {
    assert_scale_invariant(&scene("walk").problem, Algorithm::Stance);
}
