//! Cost of checking one configuration beside the bare obstacle queries that the check makes.
//!
//! `cargo bench -p clamber --bench check_configuration [-- SCENE...]`
//!
//! Configurations come from the path through each shipped scene: all of them, and those near enough to obstacles that the
//! distance field does not settle every capsule. Two loops are timed in turn and the fastest of many rounds is kept: `is_free`,
//! and nothing but the queries that `is_free` makes for the same configurations, on capsules placed beforehand. A third figure is
//! the same check without the distance field.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clamber::io::read_scene;
use clamber::model::character::Capsule;
use clamber::model::kinematics::{LinkFrames, capsule_in_world, forward};
use clamber::model::obstacle_collision::{CollisionWorkspace, is_free};
use clamber::model::rng::Stream;
use clamber::model::{Configuration, Problem, World};
use clamber::plan::{PlanSettings, Planner};

const MARGIN: f32 = 0.003;
const ROUNDS: usize = 40;

fn main() {
    println!(
        "scene           set   configurations  queries each  check (ns)  bare queries (ns)  ratio  without field (ns)"
    );
    let named: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    for name in ["flight", "cave", "flight-human", "flight-insect"] {
        if !named.is_empty() && !named.iter().any(|other| other == name) {
            continue;
        }
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        let scene = read_scene(&root.join(format!("scenes/{name}.toml"))).expect("shipped scenes are good");
        let problem = &scene.problem;
        let all = configurations(problem);
        let asks = |at: &&Configuration| !queries(problem, std::slice::from_ref(*at), true).is_empty();
        let near: Vec<Configuration> = all.iter().filter(asks).cloned().collect();
        measure(problem, "all", &all);
        measure(problem, "near", &near);
    }
}

fn measure(problem: &Problem, set: &str, configurations: &[Configuration]) {
    let asked = queries(problem, configurations, true);
    let unguarded = queries(problem, configurations, false);
    let mut workspace = CollisionWorkspace::default();
    let [mut check, mut bare, mut without] = [Duration::MAX; 3];
    for _ in 0..ROUNDS {
        check = check.min(time(|| {
            for configuration in configurations {
                black_box(is_free(&problem.world, &problem.character, configuration, MARGIN, &mut workspace));
            }
        }));
        bare = bare.min(time(|| ask(&problem.world, &asked)));
        without = without.min(time(|| ask(&problem.world, &unguarded)));
    }
    let each = |duration: Duration| duration.as_secs_f64() * 1e9 / configurations.len() as f64;
    println!(
        "{:<16}{set:<5}{:>15}{:>14.1}{:>12.0}{:>19.0}{:>7.2}{:>20.0}",
        problem.name,
        configurations.len(),
        asked.len() as f64 / configurations.len() as f64,
        each(check),
        each(bare),
        each(check) / each(bare),
        each(without),
    );
}

fn time(work: impl FnOnce()) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

fn ask(world: &World, queries: &[Capsule]) {
    for capsule in queries {
        black_box(world.capsule_touches(capsule));
    }
}

/// The path as the search found it, before smoothing: each configuration, and a copy with slightly changed hinge angles.
fn configurations(problem: &Problem) -> Vec<Configuration> {
    let mut settings = PlanSettings::default();
    settings.smooth = false;
    let plan = Planner::new(problem.clone()).settings(settings).seed(1).run().expect("shipped scenes are solved");
    let mut random = Stream::new(1, "bent");
    let bent = |frame: &clamber::model::motion::Frame| {
        let mut bent = frame.configuration.clone();
        let displacement: Vec<f32> =
            (0..problem.character.degrees_of_freedom()).map(|_| random.between(-0.1, 0.1)).collect();
        bent.displace(&problem.character, &displacement);
        [frame.configuration.clone(), bent]
    };
    plan.motion.frames.iter().flat_map(bent).collect()
}

/// The queries that `is_free` makes: each capsule that the field does not clear, grown by the margin, until one touches.
fn queries(problem: &Problem, configurations: &[Configuration], with_field: bool) -> Vec<Capsule> {
    let Problem { world, character, .. } = problem;
    let mut frames = LinkFrames::default();
    let mut queries = Vec::new();
    for configuration in configurations {
        forward(character, configuration, &mut frames);
        for index in 0..character.capsules.len() {
            let mut capsule = capsule_in_world(character, &frames, index);
            if with_field && world.distance_field.proves_clearance(&capsule, MARGIN) {
                continue;
            }
            capsule.radius += MARGIN;
            queries.push(capsule);
            if world.capsule_touches(&capsule) {
                break;
            }
        }
    }
    queries
}
