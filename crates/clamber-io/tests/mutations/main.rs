//! Corrupted files of every kind: no panic, no hang, bounded memory, and every error names its location.
//!
//! Ten thousand mutants of real files, and some hostile files. Each is read with the public functions and, if it is
//! accepted, used. `--nocapture` prints a summary.

mod promises;
mod hostile;
mod mutate;
mod seeds;
mod supervise;

use std::time::Duration;

use clamber_model::rng::Stream;

use crate::promises::Verdict;
use crate::seeds::{Kind, seeds};
use crate::supervise::{Case, Limits, alone, watch};

const MUTANTS: usize = 10_000;

/// The same mutants each time, unless `MUTATION_SEED` is set to another number.
fn random_seed() -> u64 {
    std::env::var("MUTATION_SEED").map_or(1, |seed| seed.parse().expect("MUTATION_SEED is a number"))
}

#[test]
fn ten_thousand_mutants_are_read_or_rejected_with_a_location() {
    let alone = alone();
    let (files, seeds) = seeds();
    assert_eq!(seeds.iter().map(|seed| seed.mutants).sum::<usize>(), MUTANTS);
    for seed in &seeds {
        let verdict = promises::examine(&files, seed, &files[&seed.file]);
        assert_eq!(verdict, Ok(Verdict::Accepted), "{} as it is", seed.file.display());
    }
    let originals = files.clone();
    let cases = seeds.into_iter().flat_map(move |seed| {
        let name = format!("{} in {}", seed.file.display(), seed.scene.display());
        let mut stream = Stream::new(random_seed(), &name);
        let original = originals[&seed.file].clone();
        (0..seed.mutants).map(move |number| {
            let bytes = mutate::mutant(&mut stream, seed.kind, &original);
            Case { name: format!("mutant {number} of {name}"), seed: seed.clone(), bytes }
        })
    });
    let limits = Limits { time: Duration::from_secs(10), memory: 256 << 20 };
    let tally = watch(&alone, limits, files, cases);
    println!("{tally}");

    // If all mutants had the same outcome, they would test little.
    for kind in [Kind::Scene, Kind::Character, Kind::Modes, Kind::Mesh, Kind::Motion] {
        for verdict in [Verdict::Accepted, Verdict::Refused] {
            assert!(tally.count(kind, verdict) > 100, "{kind:?}: {} {verdict:?}", tally.count(kind, verdict));
        }
        let mutants = tally.count(kind, Verdict::Accepted) + tally.count(kind, Verdict::Refused);
        assert!(mutants >= 1000, "{kind:?}: {mutants}");
    }
}
