//! Scenes for several tests.

#![allow(dead_code, reason = "each test uses some of it")]

use std::path::PathBuf;

use clamber::check::{CheckSettings, Report, check_motion};
use clamber::io::{Scene, parse_scene, read_scene};
use clamber::model::{Motion, Problem};
use clamber::plan::{Observer, PlanOutcome, PlanSettings, Planner};

/// A shipped scene.
pub fn scene(name: &str) -> Scene {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    read_scene(&root.join("scenes").join(format!("{name}.toml"))).expect("shipped scenes are valid")
}

/// A shipped scene of the figure, with the figure without feet.
pub fn scene_without_feet(name: &str) -> Scene {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenes/{name}.toml"));
    let scene = parse_scene(&file, &std::fs::read(&file).expect("it is shipped"), &|path| {
        let is_figure = path.file_name().is_some_and(|name| name == "figure.toml");
        std::fs::read(if is_figure { clamber_testing::figure_without_feet_file() } else { path.to_owned() })
    });
    scene.unwrap_or_else(|error| panic!("{error} | {:?}", error.help))
}

/// Parses a scene as if it were stored beside the shipped characters.
pub fn read(text: &str) -> Scene {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../characters");
    let scene = parse_scene(&folder.join("scene.toml"), text.as_bytes(), &|path| std::fs::read(path));
    scene.unwrap_or_else(|error| panic!("{error} | {:?}\n{text}", error.help))
}

/// A walk over level ground with holds at these x coordinates. `more` is added to the scene.
pub fn ground(places: &[f32], more: &str) -> Scene {
    let (first, last) = (places[0], places[places.len() - 1]);
    let holds: String =
        places.iter().enumerate().map(|(i, x)| format!("[[hold]]\nname = \"h{i}\"\nat = [{x}, 0]\n")).collect();
    let end = |table: &str, [a, b]: [f32; 2]| {
        let middle = 0.5 * (a + b);
        format!(
            "[{table}]\nposition = [{middle}, 0.91]\nmode = \"walking\"\n\
             contacts = {{ left_foot = [{a}, 0], right_foot = [{b}, 0] }}\n"
        )
    };
    read(&format!(
        "version = 1\nname = \"ground\"\ncharacter = \"figure.toml\"\n\
         bounds = {{ min = [{}, 0], max = [{}, 2.5] }}\n\
         [[obstacle]]\nname = \"ground\"\npolygon = [[{}, -1], [{}, -1], [{}, 0], [{}, 0]]\n{more}\n{holds}{}{}",
        first - 1.0,
        last + 1.0,
        first - 1.0,
        last + 1.0,
        last + 1.0,
        first - 1.0,
        end("start", [first, places[1]]),
        end("goal", [places[places.len() - 2], last]),
    ))
}

/// Hold positions one step apart, with a gap after the fourth.
pub fn places(count: usize, gap: f32) -> Vec<f32> {
    (0..count).map(|i| 0.3 * i as f32 + if i > 3 { gap - 0.3 } else { 0.0 }).collect()
}

/// The default settings with some changes.
pub fn settings(change: impl FnOnce(&mut PlanSettings)) -> PlanSettings {
    let mut settings = PlanSettings::default();
    change(&mut settings);
    settings
}

/// Plans, and returns the motion in either case.
pub fn plan(problem: &Problem, settings: &PlanSettings, seed: u64, observer: &mut Observer) -> PlanOutcome {
    Planner::new(problem.clone()).settings(*settings).seed(seed).run_with_progress(observer).into()
}

/// Repairs a motion after an edit.
pub fn replan(
    problem: &Problem,
    motion: &Motion,
    settings: &PlanSettings,
    seed: u64,
    observer: &mut Observer,
) -> PlanOutcome {
    Planner::new(problem.clone()).settings(*settings).seed(seed).replan_with_progress(motion, observer).into()
}

/// Plans, and checks the motion.
pub fn plan_and_check(
    problem: &Problem,
    settings: &PlanSettings,
    seed: u64,
    observer: &mut Observer,
) -> (PlanOutcome, Report) {
    let outcome = plan(problem, settings, seed, observer);
    let report = check_motion(problem, &outcome.motion, &CheckSettings::default());
    (outcome, report)
}
