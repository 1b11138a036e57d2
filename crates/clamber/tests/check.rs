//! The checker: a valid motion passes, and each property fails if and only if it is violated.

mod common;

use std::ops::ControlFlow;
use std::sync::LazyLock;

use clamber::check::{CheckSettings, Report, check_motion, check_motion_with_progress};
use clamber::model::id::HingeId;
use clamber::model::math::{Vec3, rotation_about};
use clamber::model::motion::FLYING_MODE;
use clamber::model::{Motion, Problem};
use clamber::plan::{PlanSettings, PlanStage};
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
    check_motion(problem, &motion, &CheckSettings::default())
}

fn failed(report: &Report) -> Vec<&str> {
    report.properties.iter().filter(|result| !result.passed).map(|result| result.property).collect()
}

#[test]
fn a_planned_motion_passes() {
    let report = report_of(|_| ());
    assert!(report.passed(), "{report}");
    assert_eq!(report.properties.len(), 12);
}

#[test]
fn penetration_fails_and_names_the_obstacle_when_a_limb_enters_it() {
    // Lowering the whole motion keeps every property that compares frames with each other.
    let report = report_of(|motion| {
        for frame in &mut motion.frames {
            frame.configuration.root.translation.y -= 0.3;
        }
    });
    assert_eq!(failed(&report), ["penetration", "start", "goal"]);
    let result = report.property("penetration").unwrap();
    assert!(result.worst > 0.02 && result.worst_place.contains("floor"), "{result:?}");
}

#[test]
fn self_collision_fails_when_a_hand_passes_through_the_trunk_between_two_frames() {
    let problem = scene("flight-human").problem;
    let human = &problem.character;
    let swing = |angle: f32| {
        let mut posture = problem.start.configuration.clone();
        posture.angles[human.find_hinge("left_shoulder_spread").unwrap()] = -0.6;
        posture.angles[human.find_hinge("left_shoulder_swing").unwrap()] = angle;
        posture
    };
    let mut settings = CheckSettings::default();
    settings.self_collision = true;
    let result = |angles: &[f32]| {
        let postures = angles.iter().map(|&angle| swing(angle)).collect();
        let motion = Motion::from_configurations(&human.name, FLYING_MODE, postures, 1.0);
        check_motion(&problem, &motion, &settings).property("self-collision").cloned().unwrap()
    };
    // In front of the body and behind it, and through it in between.
    let through = result(&[1.4, -1.0]);
    assert!(!through.passed && through.worst > 0.05 && through.worst_place.contains("`left_"), "{through}");
    for angle in [1.4, -1.0] {
        let beside = result(&[angle, angle - 0.1]);
        assert!(beside.passed, "{beside}");
    }
    settings.self_collision = false;
    let motion = Motion::from_configurations(&human.name, FLYING_MODE, vec![swing(1.4), swing(-1.0)], 1.0);
    assert!(check_motion(&problem, &motion, &settings).property("self-collision").is_none());
}

#[test]
fn penetration_fails_when_a_wall_lies_between_two_frames() {
    // Two frames far apart, both free, with a wall of rock between them.
    let mut settings = CheckSettings::default();
    settings.max_point_speed = 1e4;
    let (problem, motion) = &*SOLVED;
    let mut motion = motion.clone();
    let last = motion.frames.len() - 1;
    motion.frames = vec![motion.frames[0].clone(), motion.frames[last].clone()];
    motion.mode_spans[0].last_frame = 1;
    // Coarse enough for the checker to sample between these frames, so that the rock is what fails.
    settings.max_sample_spacing = 0.01;
    let report = check_motion(problem, &motion, &settings);
    assert_eq!(failed(&report), ["penetration"]);
    let result = report.property("penetration").unwrap();
    assert!(result.time > 0.0 && result.time < motion.duration(), "{result:?}");
}

#[test]
fn penetration_tolerates_two_millimeters_but_not_three() {
    // The head 1 mm and 3 mm inside a plate above it.
    use clamber::model::World;
    use clamber::model::math::Pose;
    use clamber::model::world::{DistanceFieldSettings, Obstacle};
    use std::sync::Arc;
    let (problem, motion) = &*SOLVED;
    let mut motion = motion.clone();
    motion.frames.truncate(1);
    motion.mode_spans[0].last_frame = 0;
    let top = problem.start.configuration.root.translation.y + 0.51 + 0.21 + 0.095;
    for (depth, expected) in [(0.001, true), (0.003, false)] {
        let plate = Pose::translation(1.4, top + 0.5 - depth, 0.0);
        let plate = Obstacle::cuboid("plate", plate, Vec3::new(2.0, 1.0, 2.0)).unwrap();
        let world = World::from_obstacles(
            problem.world.space,
            vec![plate],
            problem.world.min,
            problem.world.max,
            &DistanceFieldSettings::default(),
        );
        let problem = Problem { world: Arc::new(world), ..problem.clone() };
        let report = check_motion(&problem, &motion, &CheckSettings::default());
        let result = report.property("penetration").unwrap();
        assert_eq!(result.passed, expected, "{result:?}");
        // The checker takes the cautious end of the engine's accuracy, a thousandth of the head's radius.
        assert!((result.worst - depth).abs() < 2e-4, "{result:?}");
    }
}

#[test]
fn limits_fails_and_names_the_hinge() {
    let report = report_of(|motion| {
        let knee = SOLVED.0.character.find_hinge("left_knee").unwrap();
        motion.frames[3].configuration.angles[knee] = 0.02;
    });
    assert!(failed(&report).contains(&"limits"));
    let result = report.property("limits").unwrap();
    assert!((result.worst - 1.146).abs() < 0.01 && result.worst_place.contains("left_knee"), "{result:?}");
    assert!((result.time - 0.1).abs() < 1e-4);
}

#[test]
fn speed_fails_when_the_body_leaps_between_two_frames() {
    let report = report_of(|motion| {
        motion.frames.drain(5..15);
        motion.mode_spans[0].last_frame -= 10;
        let times = (0..motion.frames.len()).map(|index| index as f32 / 30.0);
        motion.frames.iter_mut().zip(times).for_each(|(frame, time)| frame.time = time);
    });
    assert_eq!(failed(&report), ["speed"]);
    // The same displacement is no leap if it takes as long as the missing frames.
    let report = report_of(|motion| {
        motion.frames.drain(5..15);
        motion.mode_spans[0].last_frame -= 10;
    });
    assert_eq!(failed(&report), [""; 0]);
}

#[test]
fn speed_fails_when_the_body_moves_by_30_cm_within_a_thirtieth_of_a_second() {
    let report = report_of(|motion| {
        for frame in &mut motion.frames[20..] {
            frame.configuration.root.translation.y += 0.3;
        }
    });
    let speed = report.property("speed").unwrap();
    assert!(!speed.passed && speed.worst > 8.0 && speed.unit == "m/s", "{speed:?}");
}

#[test]
fn joint_speed_fails_when_a_clip_exceeds_the_limit_of_a_hinge() {
    let turn = |motion: &mut Motion| {
        let neck = SOLVED.0.character.find_hinge("neck").unwrap();
        motion.frames[20].configuration.angles[neck] += 0.5;
        motion.is_clip = true;
    };
    let report = report_of(turn);
    let result = report.property("joint-speed").unwrap();
    assert!(!result.passed && result.unit == "%" && result.worst_place.contains("neck"), "{result:?}");
    // The times of a plan are not final.
    let report = report_of(|motion| {
        turn(motion);
        motion.is_clip = false;
    });
    assert_eq!(report.property("joint-speed"), None);
}

#[test]
fn time_fails_when_frame_times_repeat_or_decrease() {
    for shift in [1.0 / 30.0, 0.1] {
        let report = report_of(|motion| motion.frames[50].time -= shift);
        assert_eq!(failed(&report), ["time"]);
    }
}

#[test]
fn start_and_goal_fail_when_end_frames_are_missing() {
    let report = report_of(|motion| {
        motion.frames.truncate(motion.frames.len() - 2);
        motion.mode_spans[0].last_frame -= 2;
    });
    assert_eq!(failed(&report), ["goal"]);
    let report = report_of(|motion| {
        motion.frames.remove(0);
        motion.mode_spans[0].last_frame -= 1;
        let first = motion.frames[0].time;
        motion.frames.iter_mut().for_each(|frame| frame.time -= first);
    });
    assert_eq!(failed(&report), ["start"]);
}

#[test]
fn plane_fails_when_the_root_leaves_the_plane() {
    let report = report_of(|motion| motion.frames[20].configuration.root.translation.z = 0.01);
    assert_eq!(failed(&report), ["plane"]);
    let report = report_of(|motion| {
        let root = &mut motion.frames[20].configuration.root;
        root.rotation = rotation_about(Vec3::X, 0.02) * root.rotation;
    });
    assert_eq!(failed(&report), ["plane"]);
}

#[test]
fn nan_and_infinite_values_fail() {
    let report = report_of(|motion| motion.frames[20].configuration.root.translation.x = f32::NAN);
    assert!(failed(&report).contains(&"speed"), "{report}");
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
fn rotation_fails_when_the_quaternion_scales_the_body() {
    // A shorter quaternion shrinks the body, which could then fit through anything.
    let report = report_of(|motion| {
        let rotation = &mut motion.frames[20].configuration.root.rotation;
        *rotation *= 0.999;
    });
    assert_eq!(failed(&report), ["rotation"]);
}

#[test]
fn whole_turns_of_a_hinge_between_two_frames_fail() {
    // Whole turns of a hinge leave every point in place from one frame to the next.
    let (problem, motion) = &*SOLVED;
    let mut problem = problem.clone();
    let mut character = (*problem.character).clone();
    character.hinges.iter_mut().for_each(|hinge| (hinge.min, hinge.max) = (-1e4, 1e4));
    problem.character = std::sync::Arc::new(character);
    let mut motion = motion.clone();
    motion.frames[20].configuration.angles[HingeId::new(1)] += 100.0 * std::f32::consts::TAU;
    assert!(!check_motion(&problem, &motion, &CheckSettings::default()).passed());
}

#[test]
fn bounds_fails_when_the_center_of_mass_leaves_them() {
    let (problem, motion) = &*SOLVED;
    let mut world = (*problem.world).clone();
    world.max.x -= 2.0;
    let problem = Problem { world: std::sync::Arc::new(world), ..problem.clone() };
    assert_eq!(failed(&check_motion(&problem, motion, &CheckSettings::default())), ["bounds"]);
}

#[test]
fn a_malformed_motion_has_only_the_property_form() {
    let changes: [fn(&mut Motion); 5] = [
        |motion| motion.frames.clear(),
        |motion| motion.frames[3].configuration.angles.clear(),
        |motion| motion.mode_spans.clear(),
        |motion| motion.mode_spans[0].last_frame += 1,
        |motion| motion.character = "somebody".to_owned(),
    ];
    for change in changes {
        let report = report_of(change);
        assert_eq!(failed(&report), ["form"]);
        assert_eq!(report.properties.len(), 1);
    }
}

#[test]
fn progress_rises_to_the_end_and_does_not_change_the_report() {
    let (problem, motion) = &*SOLVED;
    let mut fractions = Vec::new();
    let report = check_motion_with_progress(problem, motion, &CheckSettings::default(), &mut |progress| {
        fractions.push(progress.fraction);
        ControlFlow::Continue(())
    });
    assert_eq!(report.unwrap(), report_of(|_| ()));
    assert!(fractions.len() > 20, "{fractions:?}");
    assert!(fractions.is_sorted() && fractions[0] == 0.0 && fractions[fractions.len() - 1] == 1.0, "{fractions:?}");
    assert!(fractions.windows(2).all(|pair| pair[1] - pair[0] < 0.25), "{fractions:?}");
}

#[test]
fn a_cancelled_check_has_no_report_and_does_not_call_again() {
    let (problem, motion) = &*SOLVED;
    for enough in [0.0, 0.3, 0.75] {
        let mut calls_after = 0;
        let report = check_motion_with_progress(problem, motion, &CheckSettings::default(), &mut |progress| {
            calls_after += usize::from(progress.fraction >= enough);
            if progress.fraction >= enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(report, None);
        assert_eq!(calls_after, 1);
    }
}

#[test]
fn the_planner_reports_the_check_and_stops_it_when_cancelled() {
    let (problem, _) = &*SOLVED;
    let mut stages = Vec::new();
    let plan = clamber::Planner::new(problem.clone()).seed(1).run_with_progress(&mut |progress| {
        stages.push(progress.stage);
        ControlFlow::Continue(())
    });
    assert!(plan.is_ok() && stages.contains(&PlanStage::Check), "{stages:?}");
    let break_at_check = |progress: &clamber::Progress| match progress.stage {
        PlanStage::Check => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let cancelled = clamber::Planner::new(problem.clone()).seed(1).run_with_progress(&mut { break_at_check });
    assert_eq!(cancelled.unwrap_err().reason, clamber::Failure::Cancelled);
    let planner = clamber::Planner::new(problem.clone()).seed(1);
    let token = planner.cancel_token();
    let by_token = planner.run_with_progress(&mut |progress| {
        if progress.stage == PlanStage::Check {
            token.cancel();
        }
        ControlFlow::Continue(())
    });
    assert_eq!(by_token.unwrap_err().reason, clamber::Failure::Cancelled);
}
