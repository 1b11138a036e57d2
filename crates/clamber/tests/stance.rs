//! The stance planner: pinned holds, and planning in slices.

mod common;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use clamber::check::{CheckSettings, check_motion};
use clamber::io::{read_jittered_scene, to_motion_json};
use clamber::model::id::HoldId;
use clamber::model::math::Vec3;
use clamber::model::motion::{ContactSpan, Frame, ModeSpan};
use clamber::model::problem::{Passage, Pin, Posture};
use clamber::model::{Motion, Problem};
use clamber::plan::{Algorithm, Failure, PlanOutcome, PlanSettings, Planner};
use common::{ground, places, plan, scene, settings};

const SETTINGS: fn() -> PlanSettings = || settings(|settings| settings.algorithm = Algorithm::Stance);

/// The properties that fail.
fn failed_properties(problem: &Problem, motion: &Motion) -> Vec<&'static str> {
    let report = check_motion(problem, motion, &CheckSettings::default());
    report.properties.iter().filter(|result| !result.passed).map(|result| result.property).collect()
}

/// On this course the search once stepped back onto the wall that it had climbed, in the mode of walking.
#[test]
fn a_step_is_undone_only_onto_holds_of_its_mode() {
    let problem = read_jittered_scene(Path::new("overhang"), 81).unwrap().problem;
    let outcome = plan(&problem, &SETTINGS(), 81, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.failure, None);
    assert_eq!(failed_properties(&problem, &outcome.motion), [""; 0]);
}

/// The figure once went on over the rocks on hands and knees, with ten knees on the ground.
#[test]
fn who_has_room_to_stand_does_not_crawl() {
    let problem = scene("fork").problem;
    let knees = problem.modes.as_ref().unwrap().effector_groups.iter().find(|group| group.name == "knees").unwrap();
    for seed in [1, 2] {
        let outcome = plan(&problem, &SETTINGS(), seed, &mut |_| ControlFlow::Continue(()));
        assert_eq!(outcome.failure, None, "{seed}");
        let kneels = |span: &&ContactSpan| knees.effectors.contains(&span.contact.effector);
        let count = outcome.motion.contacts.iter().filter(kneels).count();
        assert!(count <= 4, "{count} contacts of knees with seed {seed}");
    }
}

/// The yardstick solves what needs no guide, with motions as valid, and tries what the default leaves out.
#[test]
fn the_plain_search_solves_a_walk_with_more_work() {
    let problem = scene("walk").problem;
    let expansions = [Algorithm::Stance, Algorithm::PlainStance].map(|algorithm| {
        let settings = settings(|settings| settings.algorithm = algorithm);
        let outcome = plan(&problem, &settings, 1, &mut |_| ControlFlow::Continue(()));
        assert_eq!(outcome.failure, None, "{algorithm:?}");
        assert_eq!(failed_properties(&problem, &outcome.motion), [""; 0], "{algorithm:?}");
        outcome.statistics.expansions
    });
    assert!(expansions[1] > 4 * expansions[0], "{expansions:?}");
}

#[test]
fn with_variety_most_seeds_take_other_holds() {
    let problem = scene("swing").problem;
    let settings = settings(|settings| settings.variety = 1.0);
    let sequences: BTreeSet<Vec<_>> = (1..=10)
        .map(|seed| {
            let outcome = plan(&problem, &settings, seed, &mut |_| ControlFlow::Continue(()));
            assert_eq!(outcome.failure, None, "{seed}");
            assert_eq!(failed_properties(&problem, &outcome.motion), [""; 0], "{seed}");
            outcome.motion.contacts.iter().map(|span| (span.contact.effector, span.contact.hold)).collect()
        })
        .collect();
    assert!(sequences.len() >= 7, "{}", sequences.len());
}

#[test]
fn pinned_holds_are_used_in_any_order() {
    let mut problem = ground(&places(14, 0.3), "").problem;
    let right = problem.character.find_effector("right_foot");
    // Listed from the far end; one of them names its foot.
    problem.pins = vec![
        Pin { effector: None, hold: HoldId::new(9), point: None },
        Pin { effector: right, hold: HoldId::new(5), point: None },
        Pin { effector: None, hold: HoldId::new(3), point: None },
    ];
    let outcome = plan(&problem, &SETTINGS(), 1, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.failure, None);
    assert_eq!(failed_properties(&problem, &outcome.motion), [""; 0]);
    let first = |pin: &Pin| {
        let spans = outcome.motion.contacts.iter().filter(|span| pin.is_held_by(&span.contact));
        spans.map(|span| span.first_frame).min().unwrap()
    };
    let [far, middle, near] = [0, 1, 2].map(|pin| first(&problem.pins[pin]));
    assert!(near < middle && middle < far, "{near} {middle} {far}");
}

#[test]
fn a_pin_behind_the_start_is_used() {
    let mut problem = ground(&places(10, 0.3), "").problem;
    // The start is moved forward, so that the pinned hold is behind it.
    let on = plan(&problem, &SETTINGS(), 1, &mut |_| ControlFlow::Continue(())).motion;
    let frame = (0..on.frames.len())
        .find(|&frame| on.stance_at_frame(frame).iter().all(|contact| contact.hold >= HoldId::new(4)))
        .unwrap();
    problem.start = Posture::from_motion_frame(&on, frame);
    problem.pins = vec![Pin { effector: None, hold: HoldId::new(2), point: None }];
    let outcome = plan(&problem, &SETTINGS(), 1, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.failure, None);
    assert_eq!(failed_properties(&problem, &outcome.motion), [""; 0]);
}

#[test]
fn passages_and_pins_can_be_combined() {
    let mut problem = ground(&places(14, 0.3), "").problem;
    let motion = plan(&problem, &SETTINGS(), 1, &mut |_| ControlFlow::Continue(())).motion;
    let is_between = |&frame: &usize| {
        let stance = motion.stance_at_frame(frame);
        stance.len() == 2 && stance.iter().all(|contact| (4..10).contains(&contact.hold.index()))
    };
    let frame = (0..motion.frames.len()).find(is_between).unwrap();
    let contact = |contact| ContactSpan { first_frame: 0, last_frame: 0, contact };
    let milestone = Motion {
        character: motion.character.clone(),
        frames: vec![Frame { time: 0.0, ..motion.frames[frame].clone() }],
        mode_spans: vec![ModeSpan { first_frame: 0, last_frame: 0, mode: motion.mode_at_frame(frame).to_owned() }],
        contacts: motion.stance_at_frame(frame).into_iter().map(contact).collect(),
        is_clip: false,
        in_equilibrium: false,
    };
    problem.passages = vec![Passage { name: "half-way".to_owned(), motion: milestone }];
    problem.pins = vec![
        Pin { effector: None, hold: HoldId::new(10), point: None },
        Pin { effector: None, hold: HoldId::new(3), point: None },
    ];
    let outcome = plan(&problem, &SETTINGS(), 1, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.failure, None);
    assert_eq!(failed_properties(&problem, &outcome.motion), [""; 0]);
}

#[test]
fn a_pinned_point_of_a_surface_is_used_at_that_point() {
    let strip = "[[hold]]\nname = \"strip\"\nfrom = [1.0, 0]\nto = [2.6, 0]\n";
    let mut problem = ground(&[0.0, 0.3, 0.6, 0.9, 2.7, 3.0, 3.3], strip).problem;
    let hold = problem.world.holds.position(|hold| hold.name == "strip").unwrap();
    let point = problem.world.holds[hold].point_at(0.4, 0.0);
    problem.pins = vec![Pin { effector: None, hold, point: Some(point) }];
    let outcome = plan(&problem, &SETTINGS(), 1, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.failure, None);
    assert_eq!(failed_properties(&problem, &outcome.motion), [""; 0]);
}

#[test]
fn slices_do_not_change_the_outcome() {
    let problem = scene("walk").problem;
    let settings = SETTINGS();
    let whole = plan(&problem, &settings, 3, &mut |_| ControlFlow::Continue(()));
    for slice in [1, 7, 1000] {
        let mut plan = Planner::new(problem.clone()).settings(settings).seed(3);
        while !plan.advance(slice) {
            assert!((0.0..=1.0).contains(&plan.progress().fraction));
        }
        let outcome = PlanOutcome::from(plan.into_result());
        assert_eq!(outcome.failure, whole.failure);
        assert_eq!(outcome.statistics, whole.statistics);
        assert_eq!(
            to_motion_json(&problem, &outcome.motion).unwrap(),
            to_motion_json(&problem, &whole.motion).unwrap(),
            "slices of {slice}"
        );
    }
}

#[test]
fn the_best_motion_so_far_is_valid_at_any_time() {
    let problem = scene("walk").problem;
    let settings = SETTINGS();
    let mut plan = Planner::new(problem.clone()).settings(settings).seed(3);
    let mut lengths = Vec::new();
    loop {
        let is_done = plan.advance(1);
        let best = plan.best_motion();
        assert_eq!(best.frames[0].configuration, problem.start.configuration);
        let faults = failed_properties(&problem, &best);
        assert!(faults.iter().all(|fault| ["goal", "goal-stance"].contains(fault)), "{faults:?}");
        lengths.push(best.frames.len());
        if is_done {
            break;
        }
    }
    assert!(lengths[0] < lengths[lengths.len() / 2] && lengths[lengths.len() / 2] < lengths[lengths.len() - 1]);
    assert!(plan.into_result().is_ok());
}

#[test]
fn a_spent_budget_is_reported_as_such() {
    for (name, budget) in [("walk", 20), ("crawl", 300), ("fork", 3000)] {
        let error = Planner::new(scene(name).problem).settings(SETTINGS()).budget(budget).run().unwrap_err();
        let Failure::BudgetSpent { expansions, distance_to_goal, .. } = error.reason else {
            panic!("{name}: {}", error.reason)
        };
        // One candidate may try some hundreds of configurations.
        assert!((budget..budget + 500).contains(&expansions), "{name}: {expansions}");
        assert!((0.5..20.0).contains(&distance_to_goal), "{name}: {distance_to_goal}");
    }
}

#[test]
fn a_plan_can_be_moved_and_dropped() {
    let problem = scene("walk").problem;
    let settings = SETTINGS();
    let plan = Planner::new(problem.clone()).settings(settings).seed(3);
    let outcome = std::thread::scope(|scope| {
        let task = scope.spawn(move || {
            let mut plan = plan;
            plan.advance(1);
            plan.into_result()
        });
        task.join().unwrap()
    });
    assert_eq!(outcome.unwrap_err().reason, Failure::Cancelled);
}

#[test]
fn invalid_problems_are_refused() {
    let problem = scene("walk").problem;
    let senseless = settings(|settings| settings.cell_size = 0.0);
    let error = Planner::new(problem).settings(senseless).run().unwrap_err();
    assert!(matches!(error.reason, Failure::InvalidSetting { .. }));
    assert!(Planner::new(scene("flight").problem).settings(SETTINGS()).run().is_err());
}

#[test]
fn the_figure_faces_the_wall_that_it_climbs() {
    // Leaving the tunnel the figure faces right, and the back of the rock is to its left.
    let problem = scene("fork").problem;
    for seed in 1..=3 {
        let outcome = plan(&problem, &SETTINGS(), seed, &mut |_| ControlFlow::Continue(()));
        assert_eq!(outcome.failure, None, "seed {seed}");
        // A hand may touch the rock behind the back while the figure still stands on the floor of the tunnel.
        let stands = |frame: usize| {
            let stance = outcome.motion.stance_at_frame(frame);
            stance.iter().any(|contact| contact.normal.y > 0.9 && contact.point.y < 0.5)
        };
        let on_wall = |span: &&ContactSpan| span.contact.normal.x > 0.9 && !stands(span.first_frame);
        let mut count = 0;
        for span in outcome.motion.contacts.iter().filter(on_wall) {
            let rotation = outcome.motion.frames[span.first_frame].configuration.root.rotation;
            let heading = Vec3::Y.cross(rotation * Vec3::Z);
            assert!(heading.x < 0.0, "seed {seed}: hold {} is taken behind the back", span.contact.hold.index());
            count += 1;
        }
        assert!(count > 4, "seed {seed}: the rock is climbed by {count} holds");
    }
}
