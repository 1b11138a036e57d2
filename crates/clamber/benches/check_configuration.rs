//! What checking one configuration costs beside the bare queries that it makes of the collision engine.
//!
//! `cargo bench -p clamber --bench check_configuration [-- SCENE...]`
//!
//! For configurations on the way through each shipped scene - all of them, and those near enough to obstacles that the
//! engine is asked at all - two loops are timed in turn and the quicker of many
//! rounds is kept: `is_free`, and nothing but the engine queries that `is_free` makes for the same configurations,
//! on shapes made beforehand. A third figure is what the same check would ask the engine without the field of distances.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clamber::io::read_scene;
use clamber::model::collision::{CollisionWorkspace, is_free};
use clamber::model::kinematics::{Workspace, capsule_in_world, forward};
use clamber::model::math::{Pose, Vec3};
use clamber::model::rng::Stream;
use clamber::model::world::Part;
use clamber::model::{Configuration, Problem};
use clamber::plan::{PlanSettings, Planner};
use parry3d::bounding_volume::Aabb;
use parry3d::query::intersection_test;
use parry3d::shape::Capsule;

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
        bare = bare.min(time(|| ask(&asked)));
        without = without.min(time(|| ask(&unguarded)));
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

fn ask(queries: &[(Capsule, &Part)]) {
    for (capsule, part) in queries {
        let hit = intersection_test(&Pose::IDENTITY, capsule, &part.world_from_shape, part.shape.as_ref());
        black_box(hit.is_ok());
    }
}

/// The way as the search found it, before smoothing, each configuration and one bent a little: what a search looks at.
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

/// The engine queries that `is_free` makes: for each capsule that the field does not clear, the parts near it, until
/// one touches.
fn queries<'a>(problem: &'a Problem, configurations: &[Configuration], with_field: bool) -> Vec<(Capsule, &'a Part)> {
    let Problem { world, character, .. } = problem;
    let mut frames = Workspace::default();
    let mut queries = Vec::new();
    for configuration in configurations {
        forward(character, configuration, &mut frames);
        'capsules: for index in 0..character.capsules.len() {
            let capsule = capsule_in_world(character, &frames, index);
            if with_field && world.field.clears(&capsule, MARGIN) {
                continue;
            }
            let thick = Vec3::splat(capsule.radius + MARGIN);
            let aabb = Aabb::new(capsule.a.min(capsule.b) - thick, capsule.a.max(capsule.b) + thick);
            let capsule = Capsule::new(capsule.a, capsule.b, capsule.radius + MARGIN);
            for (_, part) in world.parts_near(&aabb) {
                queries.push((capsule, part));
                let hit = intersection_test(&Pose::IDENTITY, &capsule, &part.world_from_shape, part.shape.as_ref());
                if hit.is_ok_and(|hit| hit.intersecting) {
                    break 'capsules;
                }
            }
        }
    }
    queries
}
