//! Planning in space as programs use it: in slices, with cancellation, again after edits, and where there is no way.

use std::path::Path;

use clamber::check::CheckSettings;
use clamber::course::spatial::{SpatialCourseSettings, SpatialSegmentKind, generate_spatial};
use clamber::io::{InfeasibleCause, InfeasibleSegment, Scene, builtin, parse_scene, to_motion_json};
use clamber::model::{Motion, Problem};
use clamber::plan::{Impasse, ImpasseCause};
use clamber::{Failure, GuideMemory, Planner};

/// The straight walk, with more at the end of its scene file.
fn straight_with(more: &str) -> Problem {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/space/straight-human.toml");
    let text = std::fs::read_to_string(&file).unwrap() + more;
    let scene = parse_scene(&file, text.as_bytes(), &|path| std::fs::read(path));
    scene.unwrap_or_else(|error| panic!("{error} | {:?}", error.help)).problem
}

/// A crate in the way of the straight walk.
const CRATE: &str = "\n[[obstacle]]\nname = \"crate\"\nbox = { center = [3.5, 0.5, 0], size = [0.6, 1.0, 0.8] }\n";

fn assert_valid(problem: &Problem, motion: &Motion) {
    let report = clamber::check::check_motion(problem, motion, &CheckSettings::default());
    assert!(report.passed(), "{report}");
}

#[test]
fn slices_do_not_change_a_plan_in_space_and_progress_rises_to_one() {
    let problem = straight_with("");
    let whole = Planner::new(problem.clone()).seed(1).run().unwrap();
    for slice in [1, 30] {
        let mut planner = Planner::new(problem.clone()).seed(1);
        let mut fractions = Vec::new();
        while !planner.advance(slice) {
            fractions.push(planner.progress().fraction);
        }
        fractions.push(planner.progress().fraction);
        assert!(fractions.is_sorted() && fractions.len() > 5, "{fractions:?}");
        assert_eq!((fractions[0], fractions.last()), (0.0, Some(&1.0)));
        let plan = planner.into_result().unwrap();
        assert_eq!(plan.statistics, whole.statistics);
        let [one, other] = [&plan.motion, &whole.motion].map(|motion| to_motion_json(&problem, motion).unwrap());
        assert!(one == other, "slices of {slice}");
    }
}

#[test]
fn a_plan_in_space_stops_when_asked() {
    let mut planner = Planner::new(straight_with("")).seed(1);
    assert!(!planner.advance(200));
    planner.cancel_token().cancel();
    let mut slices = 0;
    while !planner.advance(1) {
        slices += 1;
    }
    // Checkpoints are less than a millisecond of work apart.
    assert!(slices < 50, "{slices}");
    assert_eq!(planner.into_result().unwrap_err().reason, Failure::Cancelled);
}

#[test]
fn a_walk_is_repaired_after_an_obstacle_is_put_in_its_way() {
    let before = straight_with("");
    let memory = GuideMemory::default();
    let walk = Planner::new(before).seed(1).guide_memory(memory.clone()).run().unwrap().motion;
    let after = straight_with(CRATE);
    let repaired = Planner::new(after.clone()).seed(1).guide_memory(memory).replan(&walk).unwrap().motion;
    assert_valid(&after, &repaired);
    assert_eq!(repaired.frames[0], walk.frames[0]);
    // What the guide remembers changes how long a plan takes, and nothing else.
    let without_memory = Planner::new(after).seed(1).replan(&walk).unwrap().motion;
    assert_eq!(repaired, without_memory);
}

/// The impasse of a course with one segment of a kind that is impassable.
fn impasse(kind: SpatialSegmentKind) -> (Impasse, InfeasibleSegment) {
    let mut settings = SpatialCourseSettings::default();
    (settings.segment_count, settings.impossible, settings.allowed_kinds) = (1, true, vec![kind]);
    let human = builtin::character("human").unwrap();
    let modes = builtin::mode_table("human", &human).unwrap();
    let course = generate_spatial(1, &settings, &human, Some(&modes));
    let read = |_: &Path| Err(std::io::Error::other("no such file"));
    let Scene { problem, infeasible_segment, .. } =
        parse_scene(Path::new("course.toml"), course.scene_text.as_bytes(), &read).unwrap();
    match Planner::new(problem).seed(1).run().unwrap_err().reason {
        Failure::Impasse(impasse) => (impasse, infeasible_segment.unwrap()),
        other => panic!("{other}"),
    }
}

#[test]
fn a_pit_is_too_wide_and_that_is_proved() {
    let (impasse, broken) = impasse(SpatialSegmentKind::Beam);
    assert!(matches!(impasse.cause, ImpasseCause::TooFar { .. }), "{impasse}");
    assert_eq!(broken.cause, InfeasibleCause::TooFar);
    assert!(broken.contains(impasse.blocked_position), "{impasse}");
    assert!(impasse.is_proved, "{impasse}");
}

#[test]
fn walls_that_are_too_near_to_each_other_are_named() {
    let (impasse, broken) = impasse(SpatialSegmentKind::Sidle);
    let ImpasseCause::Blocked { obstacle, .. } = &impasse.cause else { panic!("{impasse}") };
    assert!(obstacle.contains("wall"), "{impasse}");
    assert!(broken.contains(impasse.blocked_position), "{impasse}");
}
