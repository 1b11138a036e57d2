//! Flight plans: valid, deterministic, cancellable, and with a reason for failures.

mod common;

use std::ops::ControlFlow;
use std::sync::Arc;

use clamber::model::id::HingeId;
use clamber::model::math::{Pose, Vec3};
use clamber::model::world::{DistanceFieldSettings, Obstacle, Space};
use clamber::model::{Problem, World};
use clamber::plan::{Failure, OccupancyRule, PlanSettings, PlanStage};
use common::{plan, plan_and_check, scene, settings};

fn go_on(_: &clamber::plan::Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn shipped_scenes_are_solved_and_valid() {
    for name in ["flight", "cave", "flight-human", "flight-insect"] {
        let problem = scene(name).problem;
        for seed in [1, 2] {
            let (outcome, report) = plan_and_check(&problem, &PlanSettings::default(), seed, &mut go_on);
            assert_eq!(outcome.failure, None, "{name}, seed {seed}");
            assert!(report.passed(), "{name}, seed {seed}:\n{}", report);
        }
    }
}

#[test]
fn the_cave_needs_backtracking() {
    let problem = scene("cave").problem;
    let without = settings(|settings| settings.max_backtracks = 0);
    for seed in 1..=5 {
        let stuck = plan(&problem, &without, seed, &mut go_on);
        assert!(matches!(stuck.failure, Some(Failure::BudgetSpent { backtracks: 0, .. })), "{:?}", stuck.failure);
        assert!(stuck.statistics.descent_steps > 0 && stuck.statistics.walks > 0);
    }
    let solved = plan(&problem, &PlanSettings::default(), 1, &mut go_on);
    assert_eq!(solved.failure, None);
    assert!(solved.statistics.backtracks > 0);
}

#[test]
fn a_conservative_map_also_solves() {
    let problem = scene("flight").problem;
    let settings = settings(|settings| settings.occupancy_rule = OccupancyRule::AnyOverlap);
    assert_eq!(plan(&problem, &settings, 1, &mut go_on).failure, None);
}

#[test]
fn smoothing_shortens_the_motion_and_keeps_its_ends() {
    let problem = scene("flight").problem;
    let raw = plan(&problem, &settings(|settings| settings.smooth = false), 1, &mut go_on);
    let smooth = plan(&problem, &PlanSettings::default(), 1, &mut go_on);
    assert!(2 * smooth.motion.frames.len() < raw.motion.frames.len());
    for motion in [&raw.motion, &smooth.motion] {
        assert_eq!(motion.frames[0].configuration, problem.start.configuration);
        assert_eq!(motion.frames[motion.frames.len() - 1].configuration, problem.goal.configuration);
    }
}

#[test]
fn a_seed_gives_one_motion_also_in_parallel() {
    let problem = scene("flight-insect").problem;
    let settings = PlanSettings::default();
    let alone = plan(&problem, &settings, 7, &mut go_on);
    let beside: Vec<_> = std::thread::scope(|scope| {
        let plans: Vec<_> = [7, 8, 7]
            .map(|seed| {
                scope.spawn({
                    let problem = &problem;
                    move || plan(problem, &PlanSettings::default(), seed, &mut go_on)
                })
            })
            .into_iter()
            .collect();
        plans.into_iter().map(|plan| plan.join().unwrap()).collect()
    });
    assert_eq!(alone.motion, beside[0].motion);
    assert_eq!(alone.motion, beside[2].motion);
    assert_eq!(alone.statistics, beside[2].statistics);
    assert_ne!(alone.motion, beside[1].motion);
}

#[test]
fn an_observer_sees_progress_and_cancels_the_plan() {
    let problem = scene("cave").problem;
    let mut seen = Vec::new();
    let outcome = plan(&problem, &PlanSettings::default(), 1, &mut |progress| {
        seen.extend((progress.stage == PlanStage::Search).then_some(*progress));
        if seen.len() < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(outcome.failure, Some(Failure::Cancelled));
    assert_eq!(seen.len(), 5);
    assert!(seen.windows(2).all(|pair| pair[0].expansions < pair[1].expansions));
    assert!(!outcome.motion.frames.is_empty());
}

#[test]
fn a_spent_budget_gives_a_partial_motion() {
    let problem = scene("flight").problem;
    let outcome = plan(&problem, &settings(|settings| settings.max_expansions = 2000), 1, &mut go_on);
    let Some(Failure::BudgetSpent { expansions, distance_to_goal, .. }) = outcome.failure else {
        panic!("{:?}", outcome.failure)
    };
    assert!((2000..2100).contains(&expansions), "{expansions}");
    assert!(distance_to_goal > 1.0 && distance_to_goal < 12.0, "{distance_to_goal}");
    assert_eq!(outcome.motion.frames[0].configuration, problem.start.configuration);
    assert!(outcome.motion.frames.len() > 10);
}

/// A room of 6 m by 4 m for the figure, 1.5 m from either end, with these obstacles.
fn room(obstacles: Vec<Obstacle>) -> Problem {
    let mut problem = scene("flight").problem;
    problem.start.configuration.root.translation = Vec3::new(1.5, 2.0, 0.0);
    problem.goal.configuration.root.translation = Vec3::new(4.5, 2.0, 0.0);
    problem.world = Arc::new(World::from_obstacles(
        Space::Planar,
        obstacles,
        Vec3::ZERO,
        Vec3::new(6.0, 4.0, 0.0),
        &DistanceFieldSettings::default(),
    ));
    problem
}

#[test]
fn a_closed_wall_is_reported_as_no_path() {
    let wall = Obstacle::cuboid("wall", Pose::translation(3.0, 2.0, 0.0), Vec3::new(0.3, 4.2, 2.0)).unwrap();
    let outcome = plan(&room(vec![wall]), &PlanSettings::default(), 1, &mut go_on);
    assert!(matches!(outcome.failure, Some(Failure::NoPath { .. })), "{:?}", outcome.failure);
    assert_eq!(outcome.motion.frames.len(), 1);
}

#[test]
fn a_colliding_start_names_the_link_and_the_obstacle() {
    let rock = Obstacle::cuboid("rock", Pose::translation(1.5, 2.7, 0.0), Vec3::new(0.3, 0.3, 2.0)).unwrap();
    let outcome = plan(&room(vec![rock]), &PlanSettings::default(), 1, &mut go_on);
    match outcome.failure {
        Some(Failure::Collides { posture_name: posture, link, obstacle, distance }) => {
            assert_eq!([posture.as_str(), link.as_str(), obstacle.as_str()], ["start", "head", "rock"]);
            assert!(distance < -0.05);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_goal_out_of_bounds_is_refused() {
    let mut problem = room(Vec::new());
    problem.goal.configuration.root.translation.x = 7.0;
    let outcome = plan(&problem, &PlanSettings::default(), 1, &mut go_on);
    assert!(
        matches!(outcome.failure, Some(Failure::CenterOfMassOutsideWorld { posture_name: "goal", .. })),
        "{:?}",
        outcome.failure
    );
}

#[test]
fn an_empty_room_is_crossed_almost_straight() {
    let outcome = plan(&room(Vec::new()), &PlanSettings::default(), 1, &mut go_on);
    assert_eq!(outcome.failure, None);
    assert_eq!(outcome.statistics.backtracks, 0);
    // 3 m and some bending of limbs, at most 0.05 m per frame.
    assert!(outcome.motion.frames.len() < 120, "{}", outcome.motion.frames.len());
}

#[test]
fn invalid_settings_are_refused_by_name() {
    let problem = room(Vec::new());
    let bad = [
        ("cell_size", settings(|settings| settings.cell_size = 0.0)),
        ("flight_clearance.margin", settings(|settings| settings.flight_clearance.margin = f32::NAN)),
        (
            "stance_clearance.interpolation_tolerance",
            settings(|settings| settings.stance_clearance.interpolation_tolerance = 0.0),
        ),
        ("max_frame_displacement", settings(|settings| settings.max_frame_displacement = -1.0)),
        ("frames_per_second", settings(|settings| settings.frames_per_second = 0.0)),
        ("variety", settings(|settings| settings.variety = 1.5)),
    ];
    for (name, settings) in bad {
        let outcome = plan(&problem, &settings, 1, &mut go_on);
        assert_eq!(outcome.motion.frames[0].time, 0.0, "{name}");
        match outcome.failure {
            Some(Failure::InvalidSetting { setting, .. }) => assert_eq!(setting, name),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn extreme_settings_terminate() {
    let problem = room(Vec::new());
    for mut settings in [
        settings(|settings| settings.cell_size = 1e9),
        settings(|settings| settings.cell_size = 0.001),
        settings(|settings| settings.max_frame_displacement = 1e6),
        settings(|settings| settings.flight_clearance.margin = 1e6),
        settings(|settings| settings.max_expansions = 0),
    ] {
        settings.max_expansions = settings.max_expansions.min(20_000);
        let outcome = plan(&problem, &settings, 1, &mut go_on);
        assert!(!outcome.motion.frames.is_empty(), "{settings:?}");
    }
}

#[test]
fn plans_do_not_leave_the_bounds() {
    // A wall from the bottom to just below the top of the bounds: there is more space above the bounds than within.
    let wall = Obstacle::cuboid("wall", Pose::translation(3.0, 1.9, 0.0), Vec3::new(0.3, 3.9, 2.0)).unwrap();
    let problem = room(vec![wall]);
    for seed in 1..=4 {
        let (_, report) = plan_and_check(&problem, &PlanSettings::default(), seed, &mut go_on);
        let bounds = report.property("bounds").unwrap();
        assert!(bounds.passed, "seed {seed}: {bounds:?}");
    }
}

#[test]
fn a_dead_end_beside_the_goal_does_not_hide_the_goal() {
    // A plate close to the goal: the body must approach it from one side.
    let plate = Obstacle::cuboid("plate", Pose::translation(4.15, 2.2, 0.0), Vec3::new(0.2, 1.6, 2.0)).unwrap();
    let problem = room(vec![plate]);
    for seed in 1..=5 {
        let outcome = plan(&problem, &PlanSettings::default(), seed, &mut go_on);
        assert_eq!(outcome.failure, None, "seed {seed}");
    }
}

#[test]
fn invalid_postures_are_refused() {
    let problem = room(Vec::new());
    let breaks: [fn(&mut Problem); 5] = [
        |problem| problem.start.configuration.angles.clear(),
        |problem| problem.goal.configuration.angles[HingeId::new(0)] = 9.0,
        |problem| problem.goal.configuration.root.translation.z = 1.0,
        |problem| problem.goal.configuration.root.translation.x = f32::NAN,
        |problem| problem.goal.configuration.root.rotation *= 2.0,
    ];
    for change in breaks {
        let mut bad = problem.clone();
        change(&mut bad);
        let failure = plan(&bad, &PlanSettings::default(), 1, &mut go_on).failure;
        assert!(matches!(failure, Some(Failure::InvalidConfiguration { .. })), "{failure:?}");
    }
}

#[test]
fn a_plan_cancelled_while_smoothing_returns_a_motion() {
    let problem = scene("flight").problem;
    let outcome = plan(&problem, &PlanSettings::default(), 1, &mut |progress| match progress.stage {
        PlanStage::Smooth => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(outcome.failure, None);
    let report = clamber::check::check_motion(&problem, &outcome.motion, &Default::default());
    assert!(report.passed(), "{report}");
}
