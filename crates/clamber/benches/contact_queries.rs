//! Contact queries in the scenes of Tonneau, Pettré and Multon (2014): their tables 1 and 2, beside a plain scan.
//!
//! `cargo bench -p clamber --bench contact_queries [-- NAME... [--scene FILE]]`
//!
//! For each number of samples: the time to the first contact that is valid and exactly on its surface, mean and worst over limbs,
//! directions and small displacements of the body; the number of samples that touch something; and the time that a scan of all samples
//! takes to find the same candidates.
//!
//! `--scene FILE` makes the queries of `sofa`, with the same bodies, in another scene, such as one of `tools/scanned_room.py`.
//!
//! `cargo bench -p clamber --bench contact_queries -- --complete` finds the candidates of a hand at the sofa among ten million samples:
//! by a scan, and by a query whose database has ten thousand samples and which then considers the others. Both must be equal.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clamber::io::{Scene, read_scene};
use clamber::model::id::EffectorId;
use clamber::model::math::Vec3;
use clamber::model::rng::Stream;
use clamber::model::{Character, Configuration};
use clamber::posture::limb_contacts::{
    ContactFinder, ContactScene, ContactTask, LimbDatabase, SurfaceTree, scan_candidates,
};

/// Each query is timed this often, and the shortest time counts: others share the machine.
const ROUNDS: usize = 3;
/// Number of displaced bodies for each limb and direction.
const PLACEMENTS: usize = 20;
/// Number of displaced bodies for each limb and direction whose samples are scanned.
const SCANS: usize = 2;
const SAMPLES: [usize; 3] = [1_000, 10_000, 100_000];
/// A scan that would test more pairs of a sample and a hold takes too long.
const MAX_SCANNED_PAIRS: usize = 100_000_000;

/// Samples of the database and samples that are considered in all, for `--complete`, and how many are added at once.
const DATABASE: u32 = 10_000;
const ALL_SAMPLES: u32 = 10_000_000;
const STEP: u32 = 999_000;

/// A scene, with the effectors and tasks of its queries.
struct Case {
    name: String,
    file: PathBuf,
    /// Seeds the displacements of the body.
    seed: &'static str,
    effectors: &'static [&'static str],
    tasks: Vec<ContactTask>,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--complete") {
        return compare_all_samples();
    }
    let mut cases = cases();
    let (mut named, mut others) = (Vec::new(), Vec::new());
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--scene" => others.push(PathBuf::from(words.next().expect("--scene needs a file"))),
            // `cargo bench` adds options of its own.
            option if option.starts_with("--") => {}
            _ => named.push(word),
        }
    }
    let sofa = cases.iter().position(|case| case.name == "sofa").expect("there is a sofa");
    let of_file = |file: PathBuf| {
        let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let Case { seed, effectors, tasks, .. } = &cases[sofa];
        Case { name, file, seed, effectors, tasks: tasks.clone() }
    };
    let others: Vec<Case> = others.into_iter().map(of_file).collect();
    if !named.is_empty() || !others.is_empty() {
        cases.retain(|case| named.contains(&case.name));
    }
    println!("scene            samples  queries  found  mean (ms)  worst (ms)  candidates  scan mean (ms)  built (s)");
    cases.iter().chain(&others).for_each(measure);
}

/// The shipped scenes.
fn cases() -> Vec<Case> {
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
    let all: [(&str, &[&str], Vec<ContactTask>); 6] = [
        ("climbing-wall", &["left_hand", "right_hand", "left_ball", "right_ball"], around),
        ("sofa", limbs, up()),
        ("chair", limbs, up()),
        ("books", legs, vec![ContactTask::moving(Vec3::X)]),
        ("push", &["left_hand", "right_hand", "left_sole"], vec![ContactTask::pushing(Vec3::X)]),
        ("pull-wall", &["left_hand", "right_hand", "left_sole"], vec![ContactTask::moving(Vec3::NEG_X)]),
    ];
    all.map(|(seed, effectors, tasks)| Case { name: seed.to_owned(), file: shipped(seed), seed, effectors, tasks })
        .into()
}

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/poses").join(name).with_extension("toml")
}

fn read(file: &Path) -> Scene {
    read_scene(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn find_effector(character: &Character, name: &str) -> EffectorId {
    character.find_effector(name).expect("an effector of the character")
}

/// What the queries of a case took and found.
#[derive(Default)]
struct Tally {
    /// Seconds to the first valid contact.
    times: Vec<f64>,
    found: usize,
    touching: usize,
    /// Seconds of the scans.
    scans: Vec<f64>,
}

fn measure(case: &Case) {
    let scene = read(&case.file);
    let (character, world) = (&*scene.problem.character, &*scene.problem.world);
    let surfaces = SurfaceTree::new(world);
    for count in SAMPLES {
        let begin = Instant::now();
        let database = LimbDatabase::new(character, count);
        let built = begin.elapsed().as_secs_f64();
        let scene_of_queries = ContactScene { character, world, database: &database, surfaces: &surfaces };
        let Tally { times, found, touching, scans } =
            query_all(case, scene_of_queries, &scene.problem.start.configuration, count);
        let mean = |seconds: &[f64]| seconds.iter().sum::<f64>() / seconds.len() as f64;
        let scan_mean = if scans.is_empty() { "-".to_owned() } else { format!("{:.2}", 1e3 * mean(&scans)) };
        println!(
            "{:15} {count:8} {:8} {found:6} {:10.3} {:11.3} {:11.1} {scan_mean:>15} {built:10.2}",
            case.name,
            times.len(),
            1e3 * mean(&times),
            1e3 * times.iter().copied().fold(0.0, f64::max),
            touching as f64 / times.len() as f64,
        );
    }
}

fn query_all(case: &Case, scene: ContactScene, start: &Configuration, count: usize) -> Tally {
    let ContactScene { character, world, .. } = scene;
    let mut finder = ContactFinder::new(character);
    let mut stream = Stream::new(1, case.seed);
    let mut tally = Tally::default();
    for effector in case.effectors.iter().map(|name| find_effector(character, name)) {
        for &task in &case.tasks {
            for placement in 0..PLACEMENTS {
                let body = displaced(start, &mut stream, 0.05 * character.body_size());
                let mut is_found = false;
                let mut query = || {
                    let begin = Instant::now();
                    let mut candidates = finder.candidates(scene, &body, effector, task).expect("a limb");
                    is_found = candidates.next_valid().is_some();
                    begin.elapsed().as_secs_f64()
                };
                tally.times.push((0..ROUNDS).map(|_| query()).fold(f64::INFINITY, f64::min));
                tally.found += usize::from(is_found);
                let mut candidates = finder.candidates(scene, &body, effector, task).expect("a limb");
                let indexed: Vec<_> = std::iter::from_fn(|| candidates.next_touching()).collect();
                tally.touching += indexed.len();
                if placement < SCANS && count.saturating_mul(world.holds.len()) <= MAX_SCANNED_PAIRS {
                    let begin = Instant::now();
                    let scanned = scan_candidates(scene, &body, effector, task, count as u32);
                    tally.scans.push(begin.elapsed().as_secs_f64());
                    assert_eq!(indexed, scanned, "the index and the scan differ");
                }
            }
        }
    }
    tally
}

/// The body, displaced at random by up to a distance along each axis.
fn displaced(configuration: &Configuration, stream: &mut Stream, by: f32) -> Configuration {
    let mut displaced = configuration.clone();
    displaced.root.translation += Vec3::from_array(std::array::from_fn(|_| stream.between(-by, by)));
    displaced
}

/// Compares the candidates of a scan with those of a query that considers more samples than its database has.
fn compare_all_samples() {
    let scene = read(&shipped("sofa"));
    let (character, world) = (&*scene.problem.character, &*scene.problem.world);
    let (surfaces, database) = (SurfaceTree::new(world), LimbDatabase::new(character, DATABASE as usize));
    let scene_of_queries = ContactScene { character, world, database: &database, surfaces: &surfaces };
    let (body, hand) = (&scene.problem.start.configuration, find_effector(character, "left_hand"));
    let task = ContactTask::moving(Vec3::Y);
    println!("samples     candidates  seconds  memory (MB)");
    let begin = Instant::now();
    let mut finder = ContactFinder::new(character);
    let mut candidates = finder.candidates(scene_of_queries, body, hand, task).expect("a limb");
    for _ in 0..(ALL_SAMPLES - DATABASE) / STEP {
        candidates.consider_more(STEP);
    }
    let queried: Vec<_> = std::iter::from_fn(|| candidates.next_touching()).collect();
    let report = |what: &str, begin: Instant| {
        let seconds = begin.elapsed().as_secs_f64();
        let memory = peak_memory().map_or_else(|| "-".to_owned(), |bytes| format!("{:.0}", bytes as f64 / 1e6));
        println!("{ALL_SAMPLES:8} {:13} {seconds:8.1} {memory:>12}  {what}", queried.len());
    };
    report("query", begin);
    let begin = Instant::now();
    let scanned = scan_candidates(scene_of_queries, body, hand, task, ALL_SAMPLES);
    assert_eq!(queried, scanned, "the query and the scan differ");
    report("scan: the same candidates", begin);
}

/// The most memory that was in use so far, in bytes. Linux only.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}
