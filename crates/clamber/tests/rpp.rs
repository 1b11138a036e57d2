//! The grasp-based planner: the four courses and the gauntlet, features of scenes, and failures.

mod common;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clamber::check::{Report, check_motion};
use clamber::io::{parse_scene, to_motion_json};
use clamber::model::id::{EffectorId, HoldId};
use clamber::model::math::Vec3;
use clamber::model::motion::{ContactSpan, TURNING_MODE};
use clamber::model::{Contact, Motion, Problem};
use clamber::plan::{Algorithm, Failure, PlanOutcome, PlanSettings, PlanStage, Progress};
use common::{plan, plan_and_check, scene, settings};

fn grasp_based() -> PlanSettings {
    settings(|settings| settings.algorithm = Algorithm::Rpp)
}

fn go_on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Plans a motion and requires that it is found and valid.
fn solved(problem: &Problem, settings: &PlanSettings, seed: u64) -> Motion {
    let (outcome, report) = plan_and_check(problem, settings, seed, &mut go_on);
    assert_eq!(outcome.failure, None, "{}, seed {seed}", problem.name);
    assert!(report.passed(), "{}, seed {seed}:\n{report}", problem.name);
    outcome.motion
}

/// The modes of a motion in order.
fn modes(motion: &Motion) -> Vec<&str> {
    let mut modes: Vec<&str> = motion.mode_spans.iter().map(|span| span.mode.as_str()).collect();
    modes.dedup();
    modes
}

/// The effectors and holds of a stance.
fn effectors_and_holds(stance: &[Contact]) -> Vec<(EffectorId, HoldId)> {
    stance.iter().map(|contact| (contact.effector, contact.hold)).collect()
}

/// The properties that fail.
fn failed_properties(problem: &Problem, motion: &Motion) -> Vec<&'static str> {
    let Report { properties, .. } = check_motion(problem, motion, &Default::default());
    properties.iter().filter(|result| !result.passed).map(|result| result.property).collect()
}

// Courses ---------------------------------------------------------------------------------------------------------

/// Plans a course with and without smoothing, for two seeds each. The caller checks the order of modes.
fn run_course(name: &str, seeds: [u64; 2], is_expected: impl Fn(&[&str]) -> bool) {
    let problem = scene(name).problem;
    for seed in seeds {
        let smooth = solved(&problem, &grasp_based(), seed);
        let mut unsmoothed = grasp_based();
        unsmoothed.smooth = false;
        let raw = solved(&problem, &unsmoothed, seed);
        assert!(2 * smooth.frames.len() < raw.frames.len(), "{name}, seed {seed}: it is smoothed little");
        for motion in [&smooth, &raw] {
            let modes = modes(motion);
            assert!(is_expected(&modes), "{name}, seed {seed}: {modes:?}");
            let last = motion.frames.len() - 1;
            assert_eq!(motion.frames[last].configuration, problem.goal.configuration, "{name}, seed {seed}");
            assert_eq!(
                effectors_and_holds(&motion.stance_at_frame(last)),
                effectors_and_holds(&problem.goal.stance),
                "{name}, seed {seed}"
            );
        }
    }
}

/// Whether exactly these modes occur, in any order.
fn are<'a>(expected: &[&'a str]) -> impl Fn(&[&str]) -> bool + use<'a> {
    let expected: BTreeSet<String> = expected.iter().map(ToString::to_string).collect();
    move |modes| modes.iter().map(ToString::to_string).collect::<BTreeSet<String>>() == expected
}

#[test]
fn the_walk_course_is_walked() {
    run_course("walk", [1, 3], are(&["walking"]));
}

#[test]
fn the_bars_are_swung_along() {
    run_course("swing", [1, 2], are(&["walking", "swinging"]));
}

#[test]
fn the_wall_is_climbed() {
    run_course("climb", [1, 2], are(&["walking", "climbing"]));
}

#[test]
fn the_tunnel_is_crawled_and_its_ends_are_walked() {
    run_course("crawl", [2, 4], |modes| modes == ["walking", "crawling", "walking"]);
}

#[test]
fn the_gauntlet_is_solved() {
    let problem = scene("gauntlet").problem;
    let motion = solved(&problem, &grasp_based(), 2);
    let modes: BTreeSet<&str> = modes(&motion).into_iter().collect();
    for mode in ["walking", "climbing", "crawling", "swinging", "sliding", TURNING_MODE] {
        assert!(modes.contains(mode), "{mode} is not in {modes:?}");
    }
}

#[test]
fn a_seed_gives_the_same_bytes_also_in_parallel() {
    let problem = scene("swing").problem;
    let bytes = |seed| {
        let outcome = plan(&problem, &grasp_based(), seed, &mut go_on);
        assert_eq!(outcome.failure, None);
        (to_motion_json(&problem, &outcome.motion).unwrap(), outcome.statistics)
    };
    let alone = bytes(3);
    let beside: Vec<_> = std::thread::scope(|scope| {
        let plans = [3, 4].map(|seed| scope.spawn(move || bytes(seed)));
        plans.into_iter().map(|plan| plan.join().unwrap()).collect()
    });
    assert!(alone == beside[0], "two plans of one seed differ");
    assert!(alone.0 != beside[1].0, "the seed makes no difference");
}

/// Whether a foot stood on the goal's hold for the other foot before it stood on its own.
fn has_restep(problem: &Problem, motion: &Motion) -> bool {
    let goal = &problem.goal.stance;
    let on = |span: &&ContactSpan, point: Vec3| (span.contact.point - point).length() < 1e-4;
    goal.iter().any(|wanted| {
        let of_foot = || motion.contacts.iter().filter(|span| span.contact.effector == wanted.effector);
        let others = goal.iter().filter(|other| other.effector != wanted.effector);
        others.flat_map(|other| of_foot().find(|span| on(span, other.point))).any(|before| {
            let after = of_foot().find(|span| span.first_frame > before.last_frame && on(span, wanted.point));
            after.is_some()
        })
    })
}

#[test]
fn arriving_on_the_wrong_foot_adds_a_step() {
    // The holds are one step apart, so the foot in front at the start decides which foot arrives first.
    let walk = text("scenes/walk.toml");
    let (left, right) =
        ("left_foot = [0.52, 0.0], right_foot = [0.87, 0.0]", "left_foot = [0.87, 0.0], right_foot = [0.52, 0.0]");
    let swapped = walk.replace(left, right);
    assert_ne!(walk, swapped);
    let mut resteps = [0; 2];
    for (scene, resteps) in [walk, swapped].iter().zip(&mut resteps) {
        let problem = written(scene, "");
        for seed in 1..=10 {
            let motion = solved(&problem, &grasp_based(), seed);
            *resteps += usize::from(has_restep(&problem, &motion));
            assert_eq!(
                effectors_and_holds(&motion.stance_at_frame(motion.frames.len() - 1)),
                effectors_and_holds(&problem.goal.stance),
                "seed {seed}"
            );
        }
    }
    assert!(resteps.iter().sum::<usize>() > 0, "{resteps:?}");
}

// Scenes ----------------------------------------------------------------------------------------------------------

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Parses a scene from text. Its mode table `own.modes.toml`, if any, is the second text.
fn written(scene: &str, modes: &str) -> Problem {
    let read = |path: &Path| match path.ends_with("own.modes.toml") {
        true => Ok(modes.as_bytes().to_vec()),
        false => std::fs::read(path),
    };
    let scene = parse_scene(&repository().join("scenes/written.toml"), scene.as_bytes(), &read);
    scene.unwrap_or_else(|error| panic!("{error} | {:?}", error.help)).problem
}

#[test]
fn walking_works_on_surfaces_as_on_points() {
    let points = text("scenes/walk.toml");
    let everywhere = points.replace("holds = { every = 0.35, types", "holds = { everywhere = true, types");
    assert_ne!(points, everywhere);
    let problem = written(&everywhere, "");
    assert!(problem.world.holds.iter().all(|hold| hold.has_extent()));
    for seed in [1, 2] {
        let motion = solved(&problem, &grasp_based(), seed);
        assert_eq!(modes(&motion), ["walking"]);
        // Steps have any length: no two touch-downs are at the same point.
        assert!(motion.contacts.len() > 8, "{}", motion.contacts.len());
    }
}

#[test]
fn the_motion_passes_through_milestones_and_sequences() {
    // A milestone on both feet, a hop along a given arc, and both feet again.
    let passages = r#"
[[passage]]
name = "a deep bend"
postures = [
    { position = [2.1, 0.7], contacts = { left_foot = [1.92, 0], right_foot = [2.27, 0] }, angles = { left_hip = 60, right_hip = 60, left_knee = -90, right_knee = -90 } },
]

[[passage]]
name = "hop"
mode = "sliding"
seconds = 1
postures = [
    { position = [3.5, 0.85], contacts = { left_foot = [3.32, 0], right_foot = [3.67, 0] }, mode = "walking" },
    { position = [4.0, 1.2], angles = { left_knee = -50, right_knee = -50, left_hip = 30, right_hip = 40 } },
    { position = [4.5, 0.85], contacts = { left_foot = [4.37, 0], right_foot = [4.72, 0] }, mode = "walking" },
]
"#;
    let problem = written(&format!("{}{passages}", text("scenes/walk.toml")), "");
    assert_eq!(problem.passages.len(), 2);
    for smooth in [true, false] {
        let mut settings = grasp_based();
        settings.smooth = smooth;
        let motion = solved(&problem, &settings, 1);
        assert_eq!(modes(&motion), ["walking", "sliding", "walking"]);
        // To the last bit, in order, and the sequence frame by frame.
        let mut rest = motion.frames.iter();
        for frame in problem.passages.iter().flat_map(|passage| &passage.motion.frames) {
            let is_met = rest.any(|met| met.configuration == frame.configuration);
            assert!(is_met, "smooth {smooth}: {:?}", frame.configuration.root.translation);
        }
    }
}

#[test]
fn a_figure_that_faces_away_from_the_goal_turns_around() {
    let scene = text("scenes/walk.toml");
    let (before, _) = scene.split_once("[start]").unwrap();
    let behind = r#"
[start]
position = [5.0, 0.91]
contacts = { left_foot = [4.72, 0.0], right_foot = [5.07, 0.0] }
mode = "walking"

[goal]
position = [2.1, 0.91]
facing = "left"
contacts = { left_foot = [2.27, 0.0], right_foot = [1.92, 0.0] }
mode = "walking"
"#;
    let problem = written(&format!("{before}{behind}"), "");
    for seed in [1, 2] {
        let motion = solved(&problem, &grasp_based(), seed);
        assert_eq!(modes(&motion), ["walking", TURNING_MODE, "walking"], "seed {seed}");
    }
}

// Custom modes ---------------------------------------------------------------------------------------

/// A low ceiling with a rail below it.
fn under_a_ceiling(modes: &str) -> Problem {
    let rail = |i: usize| {
        let x = 2.2 + 0.25 * i as f32;
        format!("[[hold]]\nname = \"rail {i}\"\nat = [{x}, 0.75]\nnormal = [0, 1]\ntype = \"hybrid\"\n")
    };
    let rails: String = (0..13).map(rail).collect();
    let scene = format!(
        r#"
version = 1
name = "ceiling"
character = "../characters/figure.toml"
modes = "own.modes.toml"
bounds = {{ min = [0.0, 0.0], max = [7.0, 2.5] }}

[[obstacle]]
name = "ground"
polygon = [[-1.4, -1.0], [8.4, -1.0], [8.4, 0.0], [-1.4, 0.0]]
holds = {{ every = 0.3, types = ["load-bearing"] }}

[[obstacle]]
name = "ceiling"
polygon = [[2.6, 1.1], [4.4, 1.1], [4.7, 2.6], [2.3, 2.6]]

{rails}
[start]
position = [1.0, 0.91]
contacts = {{ left_foot = [0.85, 0.0], right_foot = [1.15, 0.0] }}
mode = "walking"

[goal]
position = [6.0, 0.91]
contacts = {{ left_foot = [5.86, 0.0], right_foot = [6.16, 0.0] }}
mode = "walking"
"#
    );
    written(&scene, modes)
}

/// Whether one of a few seeds sidles; all motions up to it must be valid. Other routes exist.
fn sidles(modes: &str) -> bool {
    let problem = under_a_ceiling(modes);
    (1..=12).any(|seed| {
        let motion = solved(&problem, &grasp_based(), seed);
        motion.mode_spans.iter().any(|span| span.mode == "sidling" && span.last_frame > span.first_frame + 30)
    })
}

#[test]
fn a_mode_from_a_file_is_used() {
    assert!(sidles(&text("crates/clamber-io/tests/fixtures/sidling.modes.toml")));
}

/// As the docs say: copy the shipped table and insert these lines before that edge.
#[test]
fn the_example_mode_of_the_docs_works_with_the_shipped_ones() {
    let page = text("docs/files.md");
    let (_, section) = page.split_once("### Writing a mode").expect("the page has the example");
    let blocks: Vec<&str> = section.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let shipped = text("characters/figure.modes.toml");
    let edge = "[[edge]]\nname = \"go down on hands and feet\"";
    assert!(section.contains("`go down on hands and feet`") && shipped.contains(edge));
    let joined = shipped.replace(edge, &format!("{}\n{}\n{edge}", blocks[0], blocks[1]));
    assert!(sidles(&joined));
}

// Failures --------------------------------------------------------------------------------------------------------

/// The walk with an impassable gap of two meters before the goal.
fn island() -> Problem {
    let walk = text("scenes/walk.toml");
    let shorter = walk.replace("[8.4, -1.0], [8.4, 0.0]", "[3.4, -1.0], [3.4, 0.0]");
    assert_ne!(walk, shorter);
    let island = r#"
[[obstacle]]
name = "island"
polygon = [[5.4, -1.0], [8.4, -1.0], [8.4, 0.0], [5.4, 0.0]]
holds = { everywhere = true }
"#;
    written(&format!("{shorter}{island}"), "")
}

#[test]
fn an_unreachable_goal_gives_a_valid_partial_motion() {
    let problem = island();
    for smooth in [true, false] {
        let mut settings = grasp_based();
        (settings.smooth, settings.max_expansions) = (smooth, 60_000);
        let PlanOutcome { motion, failure, .. } = plan(&problem, &settings, 1, &mut go_on);
        let Some(Failure::BudgetSpent { expansions, distance_to_goal, .. }) = failure else { panic!("{failure:?}") };
        assert!((60_000..61_000).contains(&expansions), "{expansions}");
        // The motion ends at the edge.
        assert!(distance_to_goal > 1.5 && distance_to_goal < 4.0, "{distance_to_goal}");
        let end = motion.frames[motion.frames.len() - 1].configuration.root.translation;
        assert!(end.x > 2.5 && end.x < 4.3, "{end}");
        assert_eq!(failed_properties(&problem, &motion), ["goal", "goal-stance"], "smooth {smooth}");
        assert!(motion.contacts.len() > 4);
    }
}

#[test]
fn a_cancelled_plan_returns_its_partial_motion() {
    let problem = scene("crawl").problem;
    let mut reports = 0;
    let outcome = plan(&problem, &grasp_based(), 1, &mut |_| {
        reports += 1;
        if reports < 40 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(outcome.failure, Some(Failure::Cancelled));
    assert_eq!(reports, 40);
    assert!(outcome.motion.frames.len() > 100, "{}", outcome.motion.frames.len());
    assert_eq!(failed_properties(&problem, &outcome.motion), ["goal", "goal-stance"]);
}

#[test]
fn a_plan_cancelled_while_smoothing_is_valid() {
    let problem = scene("walk").problem;
    for reports in [1, 10, 60] {
        let mut left = reports;
        let outcome = plan(&problem, &grasp_based(), 1, &mut |progress| {
            assert!(left > 0, "it was told to stop");
            left -= usize::from(progress.stage == PlanStage::Smooth);
            if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!(outcome.failure, None);
        assert_eq!(failed_properties(&problem, &outcome.motion), [""; 0], "stopped after {reports} reports");
    }
}

#[test]
fn a_start_without_contacts_is_refused() {
    let settings = grasp_based();
    let refused = |problem: &Problem| plan(problem, &settings, 1, &mut go_on).failure;
    let mut problem = scene("walk").problem;
    problem.goal.stance.clear();
    assert_eq!(refused(&problem), Some(Failure::NoContacts { posture_name: "goal" }));
    problem.start.stance.clear();
    assert_eq!(refused(&problem), Some(Failure::NoContacts { posture_name: "start" }));
    assert_eq!(refused(&scene("flight").problem), Some(Failure::NoContacts { posture_name: "start" }));
    problem.modes = None;
    assert_eq!(refused(&problem), Some(Failure::MissingModeTable));
}
