//! Progress and cancellation of refining and of adding hands and feet.

mod common;

use std::ops::ControlFlow;
use std::time::Instant;

use clamber::clip::{
    ClipProgress, motion_with_hands_and_feet, motion_with_hands_and_feet_with_progress, refine, refine_with_progress,
};
use clamber::model::{Motion, Problem};
use clamber::plan::PlanSettings;
use clamber::{ClipError, ClipSettings, problem_with_hands_and_feet, problem_with_hands_and_feet_with_progress};
use common::{plan, scene};

fn planned(name: &str) -> (Problem, Motion) {
    let problem = scene(name).problem;
    let outcome = plan(&problem, &PlanSettings::default(), 1, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.failure, None);
    (problem, outcome.motion)
}

/// Records fractions and never cancels.
fn record(fractions: &mut Vec<f32>) -> impl FnMut(&ClipProgress) -> ControlFlow<()> {
    |progress| {
        fractions.push(progress.fraction);
        ControlFlow::Continue(())
    }
}

fn assert_rising_to_one(fractions: &[f32]) {
    assert!(fractions.len() > 50, "{}", fractions.len());
    assert!(fractions.iter().all(|fraction| (0.0..=1.0).contains(fraction)), "{fractions:?}");
    assert!(fractions.windows(2).all(|pair| pair[0] <= pair[1]), "{fractions:?}");
    assert_eq!(fractions.last(), Some(&1.0));
}

#[test]
fn refining_with_an_observer_gives_the_same_clip() {
    for name in ["walk", "climb"] {
        let (problem, motion) = planned(name);
        let settings = ClipSettings::default();
        let mut fractions = Vec::new();
        let clip = refine_with_progress(&problem, &motion, &settings, &mut record(&mut fractions));
        assert_eq!(clip, refine(&problem, &motion, &settings), "{name}");
        assert_rising_to_one(&fractions);
    }
}

#[test]
fn adding_hands_and_feet_with_an_observer_gives_the_same_motion() {
    let (problem, motion) = planned("climb");
    let Problem { character, world, .. } = &problem;
    let mut fractions = Vec::new();
    let extended =
        motion_with_hands_and_feet_with_progress(character, world, &motion, &mut record(&mut fractions)).unwrap();
    assert_eq!(extended.1, motion_with_hands_and_feet(character, world, &motion).unwrap().1);
    assert_rising_to_one(&fractions);
    fractions.clear();
    let extended = problem_with_hands_and_feet_with_progress(&problem, &motion, &mut record(&mut fractions)).unwrap();
    assert_eq!(extended.1, problem_with_hands_and_feet(&problem, &motion).1);
    assert_rising_to_one(&fractions);
}

/// Cancels at several calls of the observer and expects no more calls. Returns the longest time to the end, in seconds.
fn cancel_anywhere(mut work: impl FnMut(&mut dyn FnMut(&ClipProgress) -> ControlFlow<()>) -> bool) -> f64 {
    let mut calls = 0;
    assert!(!work(&mut |_| {
        calls += 1;
        ControlFlow::Continue(())
    }));
    let mut longest = 0.0f64;
    for at in (1..=calls).step_by((calls / 20).max(1)) {
        let (mut called, mut since) = (0, Instant::now());
        let is_cancelled = work(&mut |_| {
            called += 1;
            since = Instant::now();
            if called == at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        longest = longest.max(since.elapsed().as_secs_f64());
        assert!(is_cancelled && called == at, "cancelled at call {at} of {calls}, called {called} times");
    }
    longest
}

#[test]
fn refining_is_cancelled_at_once() {
    let (problem, motion) = planned("climb");
    let settings = ClipSettings::default();
    let longest = cancel_anywhere(|observer| {
        refine_with_progress(&problem, &motion, &settings, observer) == Err(ClipError::Cancelled)
    });
    assert!(longest < 0.2, "{longest} s");
}

#[test]
fn adding_hands_and_feet_is_cancelled_at_once() {
    let (problem, motion) = planned("climb");
    let Problem { character, world, .. } = &problem;
    let longest = cancel_anywhere(|observer| {
        let extended = motion_with_hands_and_feet_with_progress(character, world, &motion, observer);
        matches!(extended, Err(ClipError::Cancelled))
    });
    assert!(longest < 0.2, "{longest} s");
    let is_none = |observer: &mut dyn FnMut(&ClipProgress) -> ControlFlow<()>| {
        problem_with_hands_and_feet_with_progress(&problem, &motion, observer).is_none()
    };
    cancel_anywhere(is_none);
}
