//! Generated courses: deterministic, readable, and with connected holds unless impossible.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clamber::course::{Course, CourseSettings, SegmentKind, generate};
use clamber::io::{InfeasibleCause, Scene, parse_scene};
use clamber::model::id::{HoldId, TiVec};
use clamber::model::obstacle_collision::{CollisionWorkspace, worst_hit};
use clamber::model::problem::Posture;

/// From a foot to a raised hand, in meters: the largest distance between two holds of one posture.
const REACH: f32 = 2.1;

fn settings(segments: usize, difficulty: f32) -> CourseSettings {
    let mut settings = CourseSettings::default();
    settings.segment_count = segments;
    settings.difficulty = difficulty;
    settings
}

fn read(course: &Course) -> Scene {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../characters");
    let scene = parse_scene(&folder.join("course.toml"), course.scene_text.as_bytes(), &|path| std::fs::read(path));
    scene.unwrap_or_else(|error| panic!("{error} | {:?}\n{}", error.help, course.scene_text))
}

/// Whether a chain of holds, each within `reach` of the previous one, leads from start to goal.
fn is_connected(scene: &Scene, reach: f32) -> bool {
    let problem = &scene.problem;
    let places: TiVec<HoldId, _> =
        problem.world.holds.iter().map(|hold| hold.nearest_point(Default::default())).collect();
    let mut seen: TiVec<HoldId, bool> = vec![false; places.len()].into();
    let mut open = vec![problem.start.stance[0].hold];
    seen[open[0]] = true;
    while let Some(from) = open.pop() {
        for to in places.keys() {
            if !seen[to] && (places[to] - places[from]).length() <= reach {
                seen[to] = true;
                open.push(to);
            }
        }
    }
    seen[problem.goal.stance[0].hold]
}

#[test]
fn a_seed_gives_one_course() {
    let course = |seed| generate(seed, &settings(6, 0.5));
    assert_eq!(course(3), course(3));
    assert_ne!(course(3).scene_text, course(4).scene_text);
    let hard = generate(3, &settings(6, 1.0));
    assert_ne!(course(3).scene_text, hard.scene_text);
    assert_eq!(course(3).segment_kinds.len(), 6);
}

#[test]
fn every_course_is_readable_and_its_holds_lead_to_the_goal() {
    let mut kinds = BTreeSet::new();
    for seed in 1..=60 {
        let course = generate(seed, &settings(8, (seed % 5) as f32 / 4.0));
        let scene = read(&course);
        assert_eq!(scene.infeasible_segment, None);
        assert!(is_connected(&scene, REACH), "seed {seed}");
        let problem = &scene.problem;
        for Posture { configuration, .. } in [&problem.start, &problem.goal] {
            // Touching feet are at distance 0, up to rounding.
            let mut workspace = CollisionWorkspace::default();
            let hit = worst_hit(&problem.world, &problem.character, configuration, -0.0005, &mut workspace);
            assert!(hit.is_none(), "seed {seed}: {hit:?}");
        }
        kinds.extend(course.segment_kinds);
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), SegmentKind::ALL);
}

#[test]
fn every_kind_can_be_generated_alone() {
    for kind in SegmentKind::ALL {
        for difficulty in [0.0, 1.0] {
            let mut settings = settings(2, difficulty);
            settings.allowed_kinds = vec![kind];
            let course = generate(1, &settings);
            assert_eq!(course.segment_kinds, [kind, kind]);
            assert!(is_connected(&read(&course), REACH), "{kind}");
            assert_eq!(kind.keyword().parse(), Ok(kind));
        }
    }
    assert!("stairs".parse::<SegmentKind>().unwrap_err().contains("step-up"));
}

#[test]
fn an_impossible_course_names_its_impassable_segment() {
    let mut broken_kinds = BTreeSet::new();
    for seed in 1..=60 {
        let mut settings = settings(5, (seed % 5) as f32 / 4.0);
        settings.impossible = true;
        let course = generate(seed, &settings);
        let scene = read(&course);
        let broken = scene.infeasible_segment.as_ref().expect("it is impossible");
        let kind = course.segment_kinds[broken.segment_number - 1];
        assert_eq!(broken.kind, kind.keyword());
        broken_kinds.insert(kind);
        assert!(course.scene_text.contains(&format!("\"{} {kind} ", broken.segment_number)));
        match broken.cause {
            InfeasibleCause::TooFar => {
                assert!(!is_connected(&scene, REACH + 0.5), "seed {seed}: {}", broken.description)
            }
            InfeasibleCause::Blocked => {
                // The rock reaches above the bounds, so it cannot be passed over.
                let rock = format!("{} {kind} rock", broken.segment_number);
                let rock = scene.problem.world.obstacles.iter().find(|obstacle| obstacle.name == rock).unwrap();
                let highest = rock.triangles().iter().flatten().map(|corner| corner.y).fold(0.0, f32::max);
                assert!(highest > scene.problem.world.max.y, "seed {seed}");
            }
        }
        // Up to that segment, it equals the possible course.
        settings.impossible = false;
        let whole = generate(seed, &settings);
        assert_eq!(whole.segment_kinds[..broken.segment_number - 1], course.segment_kinds[..broken.segment_number - 1]);
    }
    assert_eq!(broken_kinds.into_iter().collect::<Vec<_>>(), SegmentKind::CAN_BE_INFEASIBLE);
}

#[test]
fn a_long_course_stays_near_its_starting_height() {
    let course = generate(1, &settings(1000, 1.0));
    let world = &read(&course).problem.world;
    let size = world.max - world.min;
    assert!(size.x > 2000.0 && size.y < 15.0, "{size:?}");
}
