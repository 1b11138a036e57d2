//! The checker: a good motion passes, and each property fails when, and only when, it is broken.

mod common;

use std::ops::ControlFlow;
use std::sync::LazyLock;

use clamber::check::{CheckSettings, Report, check};
use clamber::model::id::HingeId;
use clamber::model::math::{Vec3, rotation_about};
use clamber::model::{Motion, Problem};
use clamber::plan::PlanSettings;
use common::{plan, scene};

static SOLVED: LazyLock<(Problem, Motion)> = LazyLock::new(|| {
    let problem = scene("flight").problem;
    let outcome = plan(&problem, &PlanSettings::default(), 1, &mut |_| ControlFlow::Continue(()));
    assert_eq!(outcome.failure, None);
    (problem, outcome.motion)
});

fn report_of(change: impl FnOnce(&mut Motion)) -> Report {
    let (problem, motion) = &*SOLVED;
    let mut motion = motion.clone();
    change(&mut motion);
    check(problem, &motion, &CheckSettings::default())
}

fn failed(report: &Report) -> Vec<&str> {
    report.findings.iter().filter(|finding| !finding.passed).map(|finding| finding.property).collect()
}

#[test]
fn a_planned_motion_passes() {
    let report = report_of(|_| ());
    assert!(report.passed(), "{report}");
    assert_eq!(report.findings.len(), 10);
}

#[test]
fn a_limb_pushed_into_rock_is_penetration_with_its_place() {
    // The whole motion lowered: every property that compares frames with each other still holds.
    let report = report_of(|motion| {
        for frame in &mut motion.frames {
            frame.configuration.root.translation.y -= 0.3;
        }
    });
    assert_eq!(failed(&report), ["penetration", "start", "goal"]);
    let finding = report.finding("penetration").unwrap();
    assert!(finding.worst > 0.02 && finding.place.contains("floor"), "{finding:?}");
}

#[test]
fn a_penetration_between_frames_is_found() {
    // Two frames far apart, both free, with a wall of rock between them.
    let mut settings = CheckSettings::default();
    settings.jump = 100.0;
    let (problem, motion) = &*SOLVED;
    let mut motion = motion.clone();
    let last = motion.frames.len() - 1;
    motion.frames = vec![motion.frames[0].clone(), motion.frames[last].clone()];
    motion.spans[0].last = 1;
    // Half as far apart as the checker looks between, so that it is the rock that is found.
    settings.sample_spacing = 0.01;
    let report = check(problem, &motion, &settings);
    assert_eq!(failed(&report), ["penetration"]);
    let finding = report.finding("penetration").unwrap();
    assert!(finding.time > 0.0 && finding.time < motion.duration(), "{finding:?}");
}

#[test]
fn two_millimetres_are_tolerated_and_three_are_not() {
    // The head 1 mm and 3 mm inside a plate above it.
    use clamber::model::World;
    use clamber::model::math::Pose;
    use clamber::model::world::{FieldSettings, Obstacle};
    use std::sync::Arc;
    let (problem, motion) = &*SOLVED;
    let mut motion = motion.clone();
    motion.frames.truncate(1);
    motion.spans[0].last = 0;
    let top = problem.start.configuration.root.translation.y + 0.51 + 0.21 + 0.095;
    for (depth, expected) in [(0.001, true), (0.003, false)] {
        let plate = Pose::translation(1.4, top + 0.5 - depth, 0.0);
        let plate = Obstacle::cuboid("plate", plate, Vec3::new(2.0, 1.0, 2.0)).unwrap();
        let world = World::new(vec![plate], problem.world.min, problem.world.max, &FieldSettings::default());
        let problem = Problem { world: Arc::new(world), ..problem.clone() };
        let report = check(&problem, &motion, &CheckSettings::default());
        let finding = report.finding("penetration").unwrap();
        assert_eq!(finding.passed, expected, "{finding:?}");
        // The checker takes the cautious end of the engine's accuracy, a thousandth of the head's radius.
        assert!((finding.worst - depth).abs() < 2e-4, "{finding:?}");
    }
}

#[test]
fn a_hinge_beyond_its_limit_is_named() {
    let report = report_of(|motion| {
        let knee = SOLVED.0.character.hinge("left_knee").unwrap();
        motion.frames[3].configuration.angles[knee] = 0.02;
    });
    assert!(failed(&report).contains(&"limits"));
    let finding = report.finding("limits").unwrap();
    assert!((finding.worst - 1.146).abs() < 0.01 && finding.place.contains("left_knee"), "{finding:?}");
    assert!((finding.time - 0.1).abs() < 1e-4);
}

#[test]
fn a_missing_stretch_is_a_jump() {
    let report = report_of(|motion| {
        motion.frames.drain(5..15);
        motion.spans[0].last -= 10;
    });
    assert_eq!(failed(&report), ["jumps"]);
}

#[test]
fn time_that_stands_still_or_runs_back_is_found() {
    for shift in [1.0 / 30.0, 0.1] {
        let report = report_of(|motion| motion.frames[50].time -= shift);
        assert_eq!(failed(&report), ["time"]);
    }
}

#[test]
fn a_motion_that_ends_early_misses_the_goal() {
    let report = report_of(|motion| {
        motion.frames.truncate(motion.frames.len() - 2);
        motion.spans[0].last -= 2;
    });
    assert_eq!(failed(&report), ["goal"]);
    let report = report_of(|motion| {
        motion.frames.remove(0);
        motion.spans[0].last -= 1;
        let first = motion.frames[0].time;
        motion.frames.iter_mut().for_each(|frame| frame.time -= first);
    });
    assert_eq!(failed(&report), ["start"]);
}

#[test]
fn leaving_the_plane_is_found() {
    let report = report_of(|motion| motion.frames[20].configuration.root.translation.z = 0.01);
    assert_eq!(failed(&report), ["plane"]);
    let report = report_of(|motion| {
        let root = &mut motion.frames[20].configuration.root;
        root.rotation = rotation_about(Vec3::X, 0.02) * root.rotation;
    });
    assert_eq!(failed(&report), ["plane"]);
}

#[test]
fn what_is_not_a_number_does_not_pass() {
    let report = report_of(|motion| motion.frames[20].configuration.root.translation.x = f32::NAN);
    assert!(failed(&report).contains(&"jumps"), "{report}");
    let report = report_of(|motion| motion.frames[20].configuration.angles[HingeId::new(0)] = f32::NAN);
    assert!(!report.passed(), "{report}");
    for time in [f32::NAN, f32::INFINITY] {
        let report = report_of(|motion| motion.frames[20].time = time);
        assert_eq!(failed(&report), ["time"]);
        let report = report_of(|motion| motion.frames.iter_mut().for_each(|frame| frame.time = time));
        assert!(failed(&report).contains(&"time"), "{report}");
    }
}

#[test]
fn a_body_that_is_scaled_is_found() {
    // A quaternion of another length shrinks the body, so that it fits through anything.
    let report = report_of(|motion| {
        let rotation = &mut motion.frames[20].configuration.root.rotation;
        *rotation *= 0.999;
    });
    assert_eq!(failed(&report), ["rotation"]);
}

#[test]
fn whole_turns_between_two_frames_are_not_overlooked() {
    // A hinge that turns round and round moves no point from one frame to the next.
    let (problem, motion) = &*SOLVED;
    let mut problem = problem.clone();
    let mut character = (*problem.character).clone();
    character.hinges.iter_mut().for_each(|hinge| (hinge.min, hinge.max) = (-1e4, 1e4));
    problem.character = std::sync::Arc::new(character);
    let mut motion = motion.clone();
    motion.frames[20].configuration.angles[HingeId::new(1)] += 100.0 * std::f32::consts::TAU;
    assert!(!check(&problem, &motion, &CheckSettings::default()).passed());
}

#[test]
fn leaving_the_bounds_is_found() {
    let (problem, motion) = &*SOLVED;
    let mut world = (*problem.world).clone();
    world.max.x -= 2.0;
    let problem = Problem { world: std::sync::Arc::new(world), ..problem.clone() };
    assert_eq!(failed(&check(&problem, motion, &CheckSettings::default())), ["bounds"]);
}

#[test]
fn a_malformed_motion_is_refused_and_not_measured() {
    let breaks: [fn(&mut Motion); 5] = [
        |motion| motion.frames.clear(),
        |motion| motion.frames[3].configuration.angles.clear(),
        |motion| motion.spans.clear(),
        |motion| motion.spans[0].last += 1,
        |motion| motion.character = "somebody".to_owned(),
    ];
    for change in breaks {
        let report = report_of(change);
        assert_eq!(failed(&report), ["form"]);
        assert_eq!(report.findings.len(), 1);
    }
}
