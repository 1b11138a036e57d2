//! Damaged problems, characters, worlds, mode tables, motions and settings, given to plan, refine, check, draw and export:
//! no panic, no hang, bounded memory.
//!
//! Each case damages one to three parts of a shipped scene and of a motion in it. 2,000 cases run by default;
//! `CLAMBER_MUTATIONS` sets another number, `CLAMBER_MUTATIONS_FROM` the first case, and `CLAMBER_MUTATION_CASE` runs a single one.

#[path = "../common/mod.rs"]
mod common;
mod damage_character;
mod damage_modes;
mod damage_motion;
mod damage_problem;
mod damage_settings;
mod damage_world;
mod exercise;
mod random_damage;
mod resources;

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use clamber::{ClipSettings, Motion, Planner, Problem, refine};
use common::scene;

use damage_motion::damage_motion;
use damage_problem::damage_problem;
use damage_settings::{Settings, damage_settings};
use exercise::{Input, exercise};
use random_damage::Damage;
use resources::peak_memory;

/// Cases without the environment variable.
const CASES: u64 = 2000;

/// Tests that share the cases, so that they run in parallel.
const PARTS: u64 = 8;

/// A case that takes longer than this hangs, however busy the machine is.
const HANG: Duration = Duration::from_secs(60);

/// Memory that all cases of a part may add to the peak, in kilobytes.
const MAX_MEMORY_GROWTH: u64 = 1 << 20;

/// The scenes to damage, and the number of frames to keep of each motion.
const SCENES: [(&str, usize); 5] =
    [("walk", 40), ("climb", 40), ("flight-human", 20), ("flight-insect", 20), ("walk-human", 30)];

/// A valid problem with motions.
struct Base {
    problem: Problem,
    motions: Vec<Motion>,
}

impl Base {
    fn new((name, frames): (&str, usize)) -> Self {
        let problem = scene(name).problem;
        let planned = match Planner::new(problem.clone()).seed(1).budget(20_000).run() {
            Ok(plan) => plan.motion,
            Err(error) => *error.partial_motion,
        };
        let planned = planned.prefix_to_frame(frames);
        let mut settings = ClipSettings::default();
        settings.frames_per_second = 30.0;
        let clip = refine(&problem, &planned, &settings).map(|clip| clip.motion.prefix_to_frame(2 * frames));
        let motions = [Some(planned), clip.ok()].into_iter().flatten().collect();
        Self { problem, motions }
    }
}

/// Damages a base at random, the same way for each number.
fn damaged(bases: &[Base], case: u64) -> (Input, Damage) {
    let mut damage = Damage::new(case);
    let base = &bases[damage.below(bases.len())];
    let original = &base.motions[damage.below(base.motions.len())];
    let mut input = Input { problem: base.problem.clone(), motion: original.clone(), settings: Settings::default() };
    // A giant's clip is long, since time grows with the body; few frames per second keep it small.
    input.settings.clip.frames_per_second = 12.0;
    damage.note(format!("scene {}", input.problem.name));
    for _ in 0..=damage.below(3) {
        match damage.below(10) {
            0..=4 => damage_problem(&mut damage, &mut input.problem, original),
            5..=7 => damage_motion(&mut damage, &mut input.motion),
            _ => damage_settings(&mut damage, &mut input.settings),
        }
    }
    (input, damage)
}

/// What went wrong in a case.
fn failures(bases: &[Base], case: u64) -> Vec<String> {
    let (input, damage) = damaged(bases, case);
    if number_from_environment("CLAMBER_MUTATION_CASE").is_some() {
        println!("case {case}: {}", damage.record.join("; "));
    }
    let failures = exercise(case, &input);
    failures.iter().map(|failure| format!("case {case} ({}): {failure}", damage.record.join("; "))).collect()
}

fn number_from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Runs every eighth case on a thread of its own, which this one watches.
fn run_part(part: u64) {
    let only = number_from_environment("CLAMBER_MUTATION_CASE");
    let cases = number_from_environment("CLAMBER_MUTATIONS").unwrap_or(CASES);
    let first = number_from_environment("CLAMBER_MUTATIONS_FROM").unwrap_or(0);
    let numbers: Vec<u64> = (part..cases).step_by(PARTS as usize).filter(|case| *case >= first).collect();
    let numbers = only.map_or(numbers, |case| if case % PARTS == part { vec![case] } else { Vec::new() });
    let (sender, receiver) = channel();
    let watched = numbers.clone();
    std::thread::spawn(move || {
        let bases = SCENES.map(Base::new);
        for case in numbers {
            if sender.send(failures(&bases, case)).is_err() {
                return;
            }
        }
    });
    let mut found = Vec::new();
    let mut memory = None;
    for case in watched {
        match receiver.recv_timeout(HANG) {
            Ok(failures) => {
                failures.iter().for_each(|failure| println!("{failure}"));
                found.extend(failures);
            }
            Err(RecvTimeoutError::Timeout) => panic!("case {case} hangs; before it: {found:#?}"),
            Err(RecvTimeoutError::Disconnected) => panic!("case {case} cannot be built; before it: {found:#?}"),
        }
        let peak = peak_memory();
        let before = *memory.get_or_insert(peak);
        if let (Some(before), Some(peak)) = (before, peak)
            && peak > before + MAX_MEMORY_GROWTH
        {
            found.push(format!("case {case}: the peak of memory grew from {before} to {peak} kB"));
            memory = Some(Some(peak));
        }
    }
    assert!(found.is_empty(), "{} failures:\n{}", found.len(), found.join("\n"));
}

macro_rules! parts {
    ($($name:ident $part:literal)*) => {$(
        #[test]
        fn $name() {
            run_part($part);
        }
    )*};
}

parts! {
    damaged_inputs_0 0
    damaged_inputs_1 1
    damaged_inputs_2 2
    damaged_inputs_3 3
    damaged_inputs_4 4
    damaged_inputs_5 5
    damaged_inputs_6 6
    damaged_inputs_7 7
}
