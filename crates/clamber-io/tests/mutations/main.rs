//! Broken files of every kind: no panic, no hang, no unbounded memory, and every error names its place.
//!
//! Ten thousand mutants of real files, and a few files that were made to hurt. Each is read by the public functions
//! and, where it is accepted, used. Run it with `--nocapture` for a summary.

mod examine;
mod hostile;
mod mutate;
mod seeds;
mod watch;

use std::time::Duration;

use clamber_model::rng::Stream;

use crate::examine::Verdict;
use crate::seeds::{Kind, seeds};
use crate::watch::{Case, Limits, alone, watch};

const MUTANTS: usize = 10_000;

/// The same mutants each time; for others, set `MUTATION_SEED` to a number.
fn random_seed() -> u64 {
    std::env::var("MUTATION_SEED").map_or(1, |seed| seed.parse().expect("MUTATION_SEED is a number"))
}

#[test]
fn each_of_ten_thousand_mutants_is_read_or_refused_with_its_place() {
    let alone = alone();
    let (files, seeds) = seeds();
    assert_eq!(seeds.iter().map(|seed| seed.mutants).sum::<usize>(), MUTANTS);
    for seed in &seeds {
        let verdict = examine::examine(&files, seed, &files[&seed.file]);
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

    // Mutants that are all refused, or all accepted, would not have tried much.
    for kind in [Kind::Scene, Kind::Character, Kind::Modes, Kind::Mesh, Kind::Motion] {
        for verdict in [Verdict::Accepted, Verdict::Refused] {
            assert!(tally.count(kind, verdict) > 100, "{kind:?}: {} {verdict:?}", tally.count(kind, verdict));
        }
        let mutants = tally.count(kind, Verdict::Accepted) + tally.count(kind, Verdict::Refused);
        assert!(mutants >= 1000, "{kind:?}: {mutants}");
    }
}
