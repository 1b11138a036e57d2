//! How often and how fast a posture on given contacts is found from the rest posture.
//!
//! `cargo bench -p clamber --bench postures_from_rest -- [CHARACTER...] [--stances N] [--export FILE]`
//!
//! The stances are random and feasible by construction (`feasible_stances`); `judge` says what counts as solved. The start is
//! the rest posture, moved and turned about the vertical axis by what the contacts tell (`rest_on_contacts`). Times are
//! processor times of one thread. `--export` writes stances as JSON for other libraries (`tools/ik_libraries.py`) instead, and prints how
//! the solver does with what they solve.

mod export;
mod feasible_stances;
mod judge;
#[path = "../../tests/equilibrium/random_body.rs"]
mod random_body;
mod solve;

use std::time::Duration;

use clamber::Character;
use clamber::io::builtin;
use clamber::posture::solver::{StanceSettings, StanceSolver, rest_on_contacts};
use feasible_stances::FeasibleStance;
use judge::{Lack, lack};
use solve::solve;

/// Restarts after the first attempt.
const RESTARTS: usize = 20;
/// A solution that took longer comes too late.
const DEADLINE: Duration = Duration::from_millis(20);
/// Height of the human in its file, in meters.
const HUMAN_HEIGHT: f32 = 1.75;

/// A character, at a size, with a number of contacts.
struct Case {
    name: &'static str,
    character: &'static str,
    scale: f32,
    contacts: Option<usize>,
}

/// What a posture can lack.
const LACKS: [Lack; 5] = [Lack::Contact, Lack::Limit, Lack::Tilt, Lack::SelfCollision, Lack::Equilibrium];

const CASES: [Case; 8] = [
    Case { name: "figure", character: "figure", scale: 1.0, contacts: None },
    Case { name: "human", character: "human", scale: 1.0, contacts: None },
    Case { name: "human-4", character: "human", scale: 1.0, contacts: Some(4) },
    Case { name: "insect", character: "insect", scale: 1.0, contacts: None },
    Case { name: "dog", character: "dog", scale: 1.0, contacts: None },
    Case { name: "spider", character: "spider", scale: 1.0, contacts: None },
    Case { name: "imp", character: "human", scale: 0.3 / HUMAN_HEIGHT, contacts: None },
    Case { name: "giant", character: "human", scale: 6.0 / HUMAN_HEIGHT, contacts: None },
];

fn main() {
    let (mut names, mut stances, mut file) = (Vec::new(), 1000, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" => {}
            "--stances" => {
                stances = words.next().and_then(|count| count.parse().ok()).expect("--stances needs a number")
            }
            "--export" => file = Some(words.next().expect("--export needs a file")),
            _ => names.push(word),
        }
    }
    let mut cases = CASES.iter().filter(|case| names.is_empty() || names.iter().any(|name| name == case.name));
    if let Some(file) = file {
        let case = cases.next().expect("a case to export");
        let character = case.character();
        let stances: Vec<FeasibleStance> = case.stances(&character, stances).collect();
        export::write(&file, &character, &stances);
        return measure_exported(&character, &stances);
    }
    println!(
        "{:<9}{:>8}  {:<31}{:>10}{:>10}{:>14}  {:>17}  {:>17}  lacking with restarts",
        "case",
        "stances",
        "with 1, 2, ... contacts",
        "one start",
        "restarts",
        "within 20 ms",
        "one start (ms)",
        "restarts (ms)"
    );
    for case in cases {
        measure(case, stances);
    }
}

impl Case {
    fn character(&self) -> Character {
        let character = builtin::character(self.character).expect("it is built in");
        if self.scale == 1.0 { character } else { character.scaled(self.scale).expect("a good scale") }
    }

    fn stances<'a>(&self, character: &'a Character, count: u64) -> impl Iterator<Item = FeasibleStance> + use<'a> {
        let (empty, contacts) = (random_body::empty_world(character), self.contacts);
        (0..count).map(move |number| feasible_stances::draw(character, &empty, contacts, number))
    }
}

/// Measures and prints a case.
fn measure(case: &Case, count: u64) {
    let character = case.character();
    let mut solver = StanceSolver::new(&character);
    let (mut contacts, mut lacks) = ([0; 6], [0; LACKS.len()]);
    let (mut solved, mut in_time) = ([0; 2], 0);
    let mut times = [Vec::new(), Vec::new()];
    for FeasibleStance { stance, world, .. } in case.stances(&character, count) {
        contacts[stance.len() - 1] += 1;
        for (index, restarts) in [0, RESTARTS].into_iter().enumerate() {
            let began = thread_time();
            let posture = solve(&mut solver, &character, &world, &stance, restarts);
            let time = thread_time() - began;
            times[index].push(time);
            let lack = lack(&character, &world, &posture, &stance);
            solved[index] += u64::from(lack.is_none());
            if restarts > 0 {
                in_time += u64::from(lack.is_none() && time <= DEADLINE);
                LACKS.iter().zip(&mut lacks).for_each(|(kind, count)| *count += u64::from(lack == Some(*kind)));
            }
        }
    }
    let percent = |part: u64| format!("{:.2}%", 100.0 * part as f64 / count as f64);
    let [one, many] = times.map(quantiles);
    let lacking: Vec<String> = LACKS
        .iter()
        .zip(lacks)
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| format!("{kind:?} {count}"))
        .collect();
    println!(
        "{:<9}{count:>8}  {:<31}{:>10}{:>10}{:>14}  {one:>17}  {many:>17}  {}",
        case.name,
        contacts.map(|count| count.to_string()).join(" "),
        percent(solved[0]),
        percent(solved[1]),
        percent(in_time),
        lacking.join(", ")
    );
}

/// Prints how the solver does from the exported start alone, without other headings and restarts: with contacts, flat patches and limits,
/// and with everything.
fn measure_exported(character: &Character, stances: &[FeasibleStance]) {
    let mut solver = StanceSolver::new(character);
    for (what, is_everything) in
        [("contacts, flat patches and limits", false), ("with equilibrium and self-collision", true)]
    {
        let mut settings = StanceSettings::default();
        (settings.restarts, settings.equilibrium, settings.avoids_itself) = (0, is_everything, is_everything);
        let (mut times, mut solved) = (Vec::new(), 0);
        for FeasibleStance { stance, world, .. } in stances {
            let began = thread_time();
            let mut posture = rest_on_contacts(character, stance);
            solver.solve(character, world, stance, &mut posture, &settings);
            times.push(thread_time() - began);
            let is_solved = match lack(character, world, &posture, stance) {
                None => true,
                Some(Lack::SelfCollision | Lack::Equilibrium) => !is_everything,
                Some(_) => false,
            };
            solved += u64::from(is_solved);
        }
        let percent = 100.0 * solved as f64 / stances.len().max(1) as f64;
        println!("{what}: {percent:.1}% of {}, {} ms (median, 90%, 99%)", stances.len(), quantiles(times));
    }
}

/// The median, the 90th and the 99th percentile, in milliseconds.
fn quantiles(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    [0.5, 0.9, 0.99].map(|share| format!("{:.2}", at(share))).join(" ")
}

/// The processor time that this thread has used, which other programs on the machine do not change.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}
