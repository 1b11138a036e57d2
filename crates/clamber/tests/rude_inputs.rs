//! Problems and motions that a program can build but nobody can use: every entry point returns a typed error.

mod common;

use std::sync::Arc;

use clamber::clip::ClipError;
use clamber::model::id::{EffectorId, GroupId, HoldId, LinkId, ModeId};
use clamber::model::math::Vec3;
use clamber::model::problem::{Passage, Pin};
use clamber::model::world::{DistanceFieldSettings, Obstacle, Space};
use clamber::model::{Motion, MotionError, Problem, ProblemError, World};
use clamber::{Algorithm, CheckSettings, ClipSettings, Failure, Planner, check_motion, refine};
use common::scene;

/// A change to a problem, and what the error says of it.
type Change = (&'static str, fn(&mut Problem), &'static str);

fn table(problem: &mut Problem) -> &mut clamber::ModeTable {
    Arc::make_mut(problem.modes.as_mut().expect("the scene has a mode table"))
}

fn world(problem: &mut Problem) -> &mut World {
    Arc::make_mut(&mut problem.world)
}

const CHANGES: &[Change] = &[
    ("hold out of range", |p| p.start.stance[0].hold = HoldId::new(9999), "contact 0 of the start"),
    ("effector out of range", |p| p.start.stance[0].effector = EffectorId::new(99), "contact 0 of the start"),
    ("contact point NaN", |p| p.goal.stance[0].point = Vec3::NAN, "contact 0 of the goal"),
    ("contact twice", |p| p.start.stance.push(p.start.stance[0]), "two contacts"),
    ("unknown mode", |p| p.start.mode_name = "waltzing".to_owned(), "`waltzing`"),
    ("no mode", |p| p.goal.mode_name.clear(), "``"),
    ("no angles", |p| p.start.configuration.angles.clear(), "0 angles"),
    ("an angle missing", |p| p.goal.configuration.angles.truncate(3), "3 angles"),
    ("angle NaN", |p| p.start.configuration.angles.iter_mut().for_each(|angle| *angle = f32::NAN), "limits"),
    ("root NaN", |p| p.start.configuration.root.translation.x = f32::NAN, "finite"),
    ("pin out of range", |p| p.pins.push(Pin { effector: None, hold: HoldId::new(88_888), point: None }), "pin"),
    ("pin point NaN", |p| p.pins.push(Pin { effector: None, hold: HoldId::new(0), point: Some(Vec3::NAN) }), "pin"),
    ("forbidden out of range", |p| p.forbidden_holds = vec![HoldId::new(9999)], "forbidden"),
    ("forbidden unsorted", |p| p.forbidden_holds = vec![HoldId::new(3), HoldId::new(1)], "ascending"),
    ("empty passage", |p| p.passages.push(passage(p, |motion| motion.frames.clear())), "no frames"),
    ("passage of another character", |p| p.passages.push(passage(p, |m| m.character = "dog".to_owned())), "`dog`"),
    ("holds removed", |p| world(p).holds.truncate(3), "the world"),
    ("obstacles removed", |p| world(p).obstacles.clear(), "the world"),
    ("bounds NaN", |p| world(p).min = Vec3::NAN, "the world"),
    ("link of the table out of range", |p| table(p).trunk_link = LinkId::new(999), "the body"),
    (
        "group of a mode out of range",
        |p| table(p).modes[ModeId::new(0)].supporting_groups[0].group = GroupId::new(99),
        "mode `",
    ),
    (
        "mode of an edge out of range",
        |p| table(p).edges.iter_mut().for_each(|edge| edge.to = ModeId::new(99)),
        "edge `",
    ),
    ("weight NaN", |p| table(p).modes.iter_mut().for_each(|mode| mode.acceptable_discomfort = f32::NAN), "finite"),
];

fn passage(problem: &Problem, change: fn(&mut Motion)) -> Passage {
    let frames = vec![problem.start.configuration.clone()];
    let mut motion = Motion::from_configurations(&problem.character.name, "flying", frames, 30.0);
    change(&mut motion);
    Passage { name: "passage".to_owned(), motion }
}

#[test]
fn invalid_problems_are_refused_by_every_planner_by_refine_and_by_the_check() {
    let problem = scene("climb").problem;
    let motion = Planner::new(problem.clone()).seed(1).run().unwrap().motion;
    for (name, change, expected) in CHANGES {
        let mut changed = problem.clone();
        change(&mut changed);
        for algorithm in [Algorithm::Stance, Algorithm::PlainStance, Algorithm::Rpp, Algorithm::Flight, Algorithm::Auto]
        {
            let planner = || Planner::new(changed.clone()).algorithm(algorithm).budget(1000);
            for error in [planner().run(), planner().replan(&motion), planner().replan_from_time(&motion, 1.0)] {
                let reason = error.unwrap_err().reason;
                let is_typed = matches!(reason, Failure::InvalidProblem(_) | Failure::InvalidConfiguration { .. });
                assert!(is_typed && reason.to_string().contains(expected), "{name}, {algorithm:?}: {reason}");
            }
        }
        let clip = refine(&changed, &motion, &ClipSettings::default());
        assert!(matches!(clip, Err(ClipError::InvalidProblem(_))), "{name}");
        // The check needs only what it indexes; it judges the rest of the problem by its properties.
        if changed.validate_references().is_err() {
            let report = check_motion(&changed, &motion, &CheckSettings::default());
            assert!(!report.property("form").unwrap().passed, "{name}: {report}");
        }
    }
}

#[test]
fn motions_that_do_not_fit_cannot_be_repaired_or_refined() {
    let problem = scene("climb").problem;
    let motion = Planner::new(problem.clone()).seed(1).run().unwrap().motion;
    let changes: [fn(&mut Motion); 7] = [
        |m| m.frames.clear(),
        |m| m.character = "dog".to_owned(),
        |m| m.frames[3].configuration.angles.truncate(1),
        |m| m.frames[3].time = f32::NAN,
        |m| m.mode_spans.clear(),
        |m| m.contacts[0].contact.hold = HoldId::new(99_999),
        |m| m.frames[3].configuration.root.translation.x = 1e30,
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let mut changed = motion.clone();
        change(&mut changed);
        let reason = Planner::new(problem.clone()).replan(&changed).unwrap_err().reason;
        assert!(matches!(reason, Failure::InvalidGivenMotion(_)), "{index}: {reason}");
        let clip = refine(&problem, &changed, &ClipSettings::default());
        assert!(matches!(clip, Err(ClipError::InvalidMotion(_))), "{index}");
        assert!(!check_motion(&problem, &changed, &CheckSettings::default()).passed(), "{index}");
    }
    // The check takes contacts in any order.
    let mut reversed = motion.clone();
    reversed.contacts.reverse();
    let clip = refine(&problem, &reversed, &ClipSettings::default());
    assert!(matches!(clip, Err(ClipError::InvalidMotion(MotionError::InvalidContact { .. }))), "{clip:?}");
    let far = Planner::new(problem).replan_from_time(&motion, f32::NAN);
    assert!(far.is_ok() || far.is_err(), "it returns");
    assert_eq!(
        motion.validate(&scene("walk-human").problem.character, &scene("climb").problem.world).unwrap_err(),
        MotionError::WrongCharacter { expected: "human".to_owned(), found: "figure".to_owned() }
    );
}

#[test]
fn worlds_of_any_numbers_are_built_or_refused() {
    for size in [Vec3::INFINITY, Vec3::NAN, Vec3::ZERO, -Vec3::ONE] {
        assert!(Obstacle::cuboid("box", Default::default(), size).is_err(), "{size}");
    }
    for corner in [Vec3::NAN, Vec3::INFINITY] {
        assert!(Obstacle::mesh("mesh", vec![corner, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).is_err());
    }
    for (cell, max_cells) in
        [(f32::NAN, 1000), (f32::INFINITY, 1000), (0.0, 1000), (0.1, 0), (-1.0, 1), (0.1, usize::MAX)]
    {
        let mut settings = DistanceFieldSettings::default();
        (settings.cell_size, settings.planar_cell_size, settings.max_cells) = (cell, cell, max_cells);
        let ball = Obstacle::cuboid("box", Default::default(), Vec3::ONE).unwrap();
        World::from_obstacles(Space::Spatial, vec![ball], Vec3::ZERO, Vec3::splat(5.0), &settings);
    }
    for (min, max) in [(Vec3::NAN, Vec3::ONE), (Vec3::ONE, Vec3::ZERO), (Vec3::NEG_INFINITY, Vec3::INFINITY)] {
        let mut problem = scene("flight").problem;
        let obstacles = problem.world.obstacles.iter().cloned().collect();
        problem.world =
            Arc::new(World::from_obstacles(Space::Planar, obstacles, min, max, &DistanceFieldSettings::default()));
        let reason = Planner::new(problem).budget(1000).run().unwrap_err().reason;
        assert_eq!(reason, Failure::InvalidProblem(ProblemError::WorldChangedAfterBuild));
    }
}
