//! Generated courses in space: deterministic, readable, with postures that fit, and impassable where they say so.

use std::collections::BTreeSet;
use std::path::Path;

use clamber::course::spatial::{
    SpatialCourse, SpatialCourseSettings, SpatialSegmentKind, SurroundingsSettings, generate_spatial,
};
use clamber::io::{InfeasibleCause, Scene, builtin, parse_scene};
use clamber::model::obstacle_collision::{CollisionWorkspace, worst_hit};
use clamber::model::world::HoldType;
use clamber::model::{Character, ModeTable};

/// The mesh of surroundings.
const MESH: &str = "land.obj";

fn human() -> (Character, ModeTable) {
    let human = builtin::character("human").unwrap();
    let modes = builtin::mode_table("human", &human).unwrap();
    (human, modes)
}

fn settings(segment_count: usize) -> SpatialCourseSettings {
    let mut settings = SpatialCourseSettings::default();
    settings.segment_count = segment_count;
    settings
}

fn course(seed: u64, settings: &SpatialCourseSettings) -> SpatialCourse {
    let (human, modes) = human();
    generate_spatial(seed, settings, &human, Some(&modes))
}

fn read(course: &SpatialCourse) -> Scene {
    let read = |path: &Path| match &course.surroundings_obj {
        Some(obj) if path.ends_with(MESH) => Ok(obj.as_bytes().to_vec()),
        _ => Err(std::io::Error::other("no such file")),
    };
    let scene = parse_scene(Path::new("course.toml"), course.scene_text.as_bytes(), &read);
    scene.unwrap_or_else(|error| panic!("{error} | {:?}\n{}", error.help, course.scene_text))
}

/// Asserts that start and goal stand where the course says, on their feet, and touch nothing else.
fn assert_postures_fit(scene: &Scene, what: &str) {
    let problem = &scene.problem;
    assert!(scene.snapped_contacts.is_empty(), "{what}: {:?}", scene.snapped_contacts);
    for posture in [&problem.start, &problem.goal] {
        assert_eq!((posture.stance.len(), posture.mode_name.as_str()), (2, "walking"), "{what}");
        let mut workspace = CollisionWorkspace::default();
        let hit = worst_hit(&problem.world, &problem.character, &posture.configuration, -0.0005, &mut workspace);
        assert!(hit.is_none(), "{what}: {hit:?}");
        let place = posture.configuration.root.translation;
        let (min, max) = (problem.world.min, problem.world.max);
        assert!((0..3).all(|axis| (min[axis]..=max[axis]).contains(&place[axis])), "{what}: {place}");
    }
}

#[test]
fn a_seed_gives_one_course() {
    assert_eq!(course(3, &settings(6)), course(3, &settings(6)));
    assert_ne!(course(3, &settings(6)).scene_text, course(4, &settings(6)).scene_text);
    assert_eq!(course(3, &settings(6)).segment_kinds.len(), 6);
}

#[test]
fn every_course_is_readable_and_its_postures_fit() {
    let (mut kinds, mut turned) = (BTreeSet::new(), 0);
    for seed in 1..=60 {
        let course = course(seed, &settings(5 + seed as usize % 6));
        let scene = read(&course);
        assert_eq!(scene.infeasible_segment, None);
        assert_postures_fit(&scene, &format!("seed {seed}"));
        turned += usize::from(course.scene_text.contains("\nheading = "));
        kinds.extend(course.segment_kinds);
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), SpatialSegmentKind::ALL);
    assert!(turned >= 20, "only {turned} courses turn");
}

#[test]
fn every_kind_can_be_generated_alone() {
    for kind in SpatialSegmentKind::ALL {
        let mut settings = settings(2);
        settings.allowed_kinds = vec![kind];
        let course = course(1, &settings);
        assert_eq!(course.segment_kinds, [kind, kind]);
        assert_postures_fit(&read(&course), kind.keyword());
        assert_eq!(kind.keyword().parse(), Ok(kind));
    }
    assert!("overhang".parse::<SpatialSegmentKind>().unwrap_err().contains("stairs-up"));
}

#[test]
fn a_field_has_its_obstacles_and_rubble_its_boxes() {
    let count = |text: &str, names: &[&str], number: usize| {
        let is_one = |name: &&str| text.contains(&format!("\"1 {name} {number}\""));
        usize::from(names.iter().any(is_one))
    };
    for (kind, names, range) in [
        (SpatialSegmentKind::Field, &["field post", "field box", "field table"][..], 6..=14),
        (SpatialSegmentKind::Rubble, &["rubble box"][..], 10..=25),
    ] {
        for seed in 1..=60 {
            let mut settings = settings(1);
            settings.allowed_kinds = vec![kind];
            let text = course(seed, &settings).scene_text;
            let counted: usize = (1..=30).map(|number| count(&text, names, number)).sum();
            assert!(range.contains(&counted), "{kind} {seed}: {counted}");
        }
    }
}

#[test]
fn an_impossible_course_names_its_impassable_segment() {
    let (mut broken_kinds, mut equal) = (BTreeSet::new(), 0);
    for seed in 1..=60 {
        let mut settings = settings(6);
        settings.impossible = true;
        let course = course(seed, &settings);
        let scene = read(&course);
        let broken = scene.infeasible_segment.as_ref().expect("it is impossible");
        assert_eq!(course.infeasible_segment.as_ref().map(|segment| &segment.description), Some(&broken.description));
        let kind = course.segment_kinds[broken.segment_number - 1];
        assert_eq!(broken.kind, kind.keyword());
        broken_kinds.insert(kind);
        let expected = match kind {
            SpatialSegmentKind::Crawl | SpatialSegmentKind::Sidle => InfeasibleCause::Blocked,
            _ => InfeasibleCause::TooFar,
        };
        assert_eq!(broken.cause, expected);
        assert_postures_fit(&scene, &format!("seed {seed}"));
        // The box is around the segment's obstacles and not around the whole course.
        let near = |name: &str| {
            let name = format!("{} {kind} {name}", broken.segment_number);
            let obstacle = scene.problem.world.obstacles.iter().find(|obstacle| obstacle.name == name).unwrap();
            obstacle.triangles().iter().flatten().any(|corner| broken.contains(*corner))
        };
        assert!(near("near floor") && near("far floor"), "seed {seed}");
        assert!((broken.box_max - broken.box_min).max_element() < 8.0, "seed {seed}");
        // Up to that segment, it equals the possible course, unless one of them did not fit and was begun anew.
        settings.impossible = false;
        let whole = self::course(seed, &settings);
        let before = ..broken.segment_number - 1;
        equal += usize::from(whole.segment_kinds[before] == course.segment_kinds[before]);
    }
    assert!(equal >= 45, "only {equal} of 60 begin as the possible course");
    assert_eq!(broken_kinds.into_iter().collect::<Vec<_>>(), SpatialSegmentKind::CAN_BE_INFEASIBLE);
}

/// The tops of the obstacles of the first segment with this word in their names, from the lowest up.
fn tops(scene: &Scene, word: &str) -> Vec<f32> {
    let obstacles = &scene.problem.world.obstacles;
    let named = obstacles.iter().filter(|obstacle| obstacle.name.starts_with("1 ") && obstacle.name.contains(word));
    let mut tops: Vec<f32> =
        named.flat_map(|obstacle| obstacle.bounding_boxes()).map(|(_, highest)| highest.y).collect();
    tops.sort_by(f32::total_cmp);
    tops
}

/// The scene of a course of one segment.
fn alone(kind: SpatialSegmentKind, seed: u64, impossible: bool) -> Scene {
    let mut settings = settings(1);
    (settings.allowed_kinds, settings.impossible) = (vec![kind], impossible);
    read(&course(seed, &settings))
}

#[test]
fn ladders_and_walls_have_no_gap_unless_they_are_impassable() {
    use SpatialSegmentKind::{LadderDown, LadderUp, WallDown, WallUp};
    let mut ladders_above = 0;
    for seed in 1..=40 {
        for (kind, name) in [(LadderUp, "rung"), (LadderDown, "rung"), (WallUp, "ledge "), (WallDown, "ledge ")] {
            let scene = alone(kind, seed, false);
            let floors = [tops(&scene, "near floor")[0], tops(&scene, "far floor")[0]];
            let (foot, top) = (floors[0].min(floors[1]), floors[0].max(floors[1]));
            let mut heights = [vec![foot], tops(&scene, name), vec![top]].concat();
            let rungs_above = heights.iter().filter(|height| **height > top).count();
            assert!(rungs_above == 0 || name == "rung" && rungs_above == 1, "{kind} {seed}: {heights:?}");
            ladders_above += rungs_above;
            heights.sort_by(f32::total_cmp);
            assert!(heights.windows(2).all(|pair| pair[1] - pair[0] <= 0.65), "{kind} {seed}: {heights:?}");
            if kind == WallUp || kind == LadderUp {
                let scene = alone(kind, seed, true);
                let top = tops(&scene, "far floor");
                let mut heights = [vec![0.0], tops(&scene, name), top].concat();
                heights.sort_by(f32::total_cmp);
                assert!(heights.windows(2).any(|pair| pair[1] - pair[0] >= 2.65), "{kind} {seed}: {heights:?}");
            }
        }
    }
    assert!((20..=60).contains(&ladders_above), "{ladders_above} of 80 ladders have a rung above the platform");
}

#[test]
fn bars_are_near_each_other_unless_they_are_impassable() {
    for seed in 1..=40 {
        let gap = |impossible: bool| {
            let scene = alone(SpatialSegmentKind::Bars, seed, impossible);
            let obstacles = &scene.problem.world.obstacles;
            let bars = obstacles.iter().filter(|obstacle| obstacle.name.contains("bars bar"));
            let mut middles: Vec<f32> =
                bars.flat_map(|bar| bar.bounding_boxes()).map(|(low, high)| 0.5 * (low.x + high.x)).collect();
            middles.sort_by(f32::total_cmp);
            let types = scene.problem.world.holds.iter().filter(|hold| hold.name.contains("bars bar"));
            assert!(types.map(|hold| hold.hold_type).all(|hold_type| hold_type == HoldType::Pendent));
            middles.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f32::max)
        };
        assert!(gap(false) <= 0.46, "{seed}: {}", gap(false));
        assert!(gap(true) >= 2.69, "{seed}: {}", gap(true));
    }
}

#[test]
fn courses_without_climbing_stay_what_they_are() {
    // Published figures name courses by their seeds. The digests (FNV-1a) are from before there were kinds with climbing.
    let mut settings = settings(6);
    settings.allowed_kinds = SpatialSegmentKind::WALKING.to_vec();
    for (impossible, digest) in [(false, 0xd0b1_66d6_1406_df94), (true, 0x9963_0a9d_431b_5cce)] {
        settings.impossible = impossible;
        let text = course(3, &settings).scene_text;
        let found = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        assert_eq!(found, digest, "{text}");
    }
}

#[test]
fn courses_are_as_large_as_the_body() {
    let (human, modes) = human();
    let floor = |character: &Character, modes: &ModeTable| {
        let text = generate_spatial(1, &settings(1), character, Some(modes)).scene_text;
        let size = text.split("size = [").nth(1).and_then(|rest| rest.split(',').next()).unwrap().to_owned();
        (size, text.contains("Comments give lengths"))
    };
    assert_eq!(floor(&human, &modes), ("1.6".to_owned(), false));
    assert_eq!(floor(&human.scaled(0.5).unwrap(), &modes.scaled(0.5).unwrap()), ("0.8".to_owned(), true));
    // Without modes, it has no contacts.
    let text = generate_spatial(1, &settings(1), &human, None).scene_text;
    assert!(!text.contains("contacts") && !text.contains("mode ="));
}

#[test]
fn surroundings_have_as_many_triangles_as_asked() {
    let plain = read(&course(2, &settings(3)));
    for triangles in [2, 3, 101, 5000] {
        let mut settings = settings(3);
        settings.surroundings = Some(SurroundingsSettings { triangles, file: MESH.to_owned() });
        let scene = read(&course(2, &settings));
        let world = &scene.problem.world;
        let land = world.obstacles.iter().find(|obstacle| obstacle.name == "surroundings").unwrap();
        assert_eq!(land.triangles().len(), triangles);
        assert_postures_fit(&scene, "with surroundings");
        assert_eq!(world.obstacles.len(), plain.problem.world.obstacles.len() + 1);
        assert!((world.min - plain.problem.world.min).max_element() < 0.0);
        assert!((world.max - plain.problem.world.max).min_element() >= 0.0);
    }
}
