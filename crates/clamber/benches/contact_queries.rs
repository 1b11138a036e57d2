//! Contact queries in the scenes of Tonneau, Pettré and Multon (2014): their tables 1 and 2, beside a plain scan.
//!
//! `cargo bench -p clamber --bench contact_queries [-- SCENE...]`
//!
//! For each number of samples: the time to the first contact that is valid and exactly on its surface, mean and worst over limbs,
//! directions and small displacements of the body; the number of samples that touch something; and the time that a scan of all samples
//! takes to find the same candidates.

use std::path::PathBuf;
use std::time::Instant;

use clamber::io::read_scene;
use clamber::model::Configuration;
use clamber::model::id::EffectorId;
use clamber::model::math::Vec3;
use clamber::model::rng::Stream;
use clamber::posture::limb_contacts::{
    ContactFinder, ContactScene, ContactTask, LimbDatabase, SurfaceTree, scan_candidates,
};

/// Each query is timed this often, and the shortest time counts: others share the machine.
const ROUNDS: usize = 3;
/// Number of displaced bodies for each limb and direction.
const PLACEMENTS: usize = 20;
const SAMPLES: [usize; 3] = [1_000, 10_000, 100_000];

fn main() {
    println!("scene            samples  queries  found  mean (ms)  worst (ms)  candidates  scan mean (ms)  built (s)");
    let named: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    for (name, effectors, tasks) in cases() {
        if named.is_empty() || named.iter().any(|other| other == name) {
            measure(name, effectors, &tasks);
        }
    }
}

/// Scenes with the effectors and tasks of the queries.
fn cases() -> Vec<(&'static str, &'static [&'static str], Vec<ContactTask>)> {
    let up = || vec![ContactTask::moving(Vec3::Y)];
    let limbs: &[&str] = &["left_hand", "right_hand", "left_sole", "right_sole"];
    let diagonal = std::f32::consts::FRAC_1_SQRT_2;
    let directions = [
        [1.0, 0.0],
        [diagonal, diagonal],
        [0.0, 1.0],
        [-diagonal, diagonal],
        [-1.0, 0.0],
        [-diagonal, -diagonal],
        [0.0, -1.0],
        [diagonal, -diagonal],
    ];
    let around = directions.map(|[y, z]| ContactTask::moving(Vec3::new(0.0, y, z))).to_vec();
    let legs: &[&str] =
        &["left_fore_foot", "right_fore_foot", "left_mid_foot", "right_mid_foot", "left_hind_foot", "right_hind_foot"];
    vec![
        ("climbing-wall", &["left_hand", "right_hand", "left_ball", "right_ball"], around),
        ("sofa", limbs, up()),
        ("chair", limbs, up()),
        ("books", legs, vec![ContactTask::moving(Vec3::X)]),
        ("push", &["left_hand", "right_hand", "left_sole"], vec![ContactTask::pushing(Vec3::X)]),
        ("pull-wall", &["left_hand", "right_hand", "left_sole"], vec![ContactTask::moving(Vec3::NEG_X)]),
    ]
}

fn measure(name: &str, effectors: &[&str], tasks: &[ContactTask]) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let scene = read_scene(&root.join(format!("scenes/poses/{name}.toml"))).expect("shipped scenes are good");
    let (character, world) = (&*scene.problem.character, &*scene.problem.world);
    let surfaces = SurfaceTree::new(world);
    let effectors: Vec<EffectorId> =
        effectors.iter().map(|name| character.find_effector(name).expect("an effector of the character")).collect();
    for count in SAMPLES {
        let begin = Instant::now();
        let database = LimbDatabase::new(character, count);
        let built = begin.elapsed().as_secs_f64();
        let scene_of_queries = ContactScene { character, world, database: &database, surfaces: &surfaces };
        let mut finder = ContactFinder::new(character);
        let mut stream = Stream::new(1, name);
        let (mut times, mut scans, mut found, mut touching) = (Vec::new(), 0.0, 0, 0);
        for &effector in &effectors {
            for &task in tasks {
                for placement in 0..PLACEMENTS {
                    let body = displaced(&scene.problem.start.configuration, &mut stream, 0.05 * character.body_size());
                    let mut is_found = false;
                    let mut query = || {
                        let begin = Instant::now();
                        is_found = finder
                            .candidates(scene_of_queries, &body, effector, task)
                            .expect("a limb")
                            .next_valid()
                            .is_some();
                        begin.elapsed().as_secs_f64()
                    };
                    times.push((0..ROUNDS).map(|_| query()).fold(f64::INFINITY, f64::min));
                    found += usize::from(is_found);
                    let mut candidates = finder.candidates(scene_of_queries, &body, effector, task).expect("a limb");
                    let indexed: Vec<_> = std::iter::from_fn(|| candidates.next_touching()).collect();
                    touching += indexed.len();
                    if placement < 2 {
                        let begin = Instant::now();
                        let scanned = scan_candidates(scene_of_queries, &body, effector, task, count as u32);
                        scans += begin.elapsed().as_secs_f64() / (2 * effectors.len() * tasks.len()) as f64;
                        assert_eq!(indexed, scanned, "the index and the scan differ");
                    }
                }
            }
        }
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let worst = times.iter().copied().fold(0.0, f64::max);
        println!(
            "{name:15} {count:8} {:8} {found:6} {:10.3} {:11.3} {:11.1} {:15.2} {built:10.2}",
            times.len(),
            1e3 * mean,
            1e3 * worst,
            touching as f64 / times.len() as f64,
            1e3 * scans
        );
    }
}

/// The body, displaced at random by up to a distance along each axis.
fn displaced(configuration: &Configuration, stream: &mut Stream, by: f32) -> Configuration {
    let mut displaced = configuration.clone();
    displaced.root.translation += Vec3::from_array(std::array::from_fn(|_| stream.between(-by, by)));
    displaced
}
