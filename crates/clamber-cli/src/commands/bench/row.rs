//! All seeds of one scene as a row of the table.

use std::collections::BTreeMap;

use clamber::check::Finding;
use clamber::model::rng::fnv1a;
use serde::Serialize;

use super::figures::{quantile, quantile_of, seconds};
use super::run::Run;
use super::speed::Speed;

pub const HEADER: &str = "scene               seeds solved  valid  seconds (median, 90%)  back (least, median, 90%)  \
                          tried (median)  frames (median, 90%)  digest";

/// The worst value of one property over many motions.
#[derive(Serialize)]
struct Worst {
    property: &'static str,
    value: f32,
    limit: f32,
    unit: &'static str,
}

#[derive(Serialize)]
pub struct Row {
    pub scene: String,
    pub seeds: u64,
    pub solved: u64,
    pub valid: u64,
    unsolved_seeds: Vec<u64>,
    /// Solved seeds whose motion is invalid, each with the properties that failed.
    invalid_seeds: Vec<(u64, Vec<&'static str>)>,
    /// The worst value of each property over all solved seeds.
    worst: Vec<Worst>,
    /// Which mode follows which in the motions, and in how many of them.
    transitions: BTreeMap<String, u64>,
    seconds_median: f64,
    seconds_90: f64,
    backtracks_least: u64,
    backtracks_median: u64,
    backtracks_90: u64,
    expansions_median: u64,
    frames_median: u64,
    frames_90: u64,
    pub speed: Speed,
    /// Of all motion files in the order of their seeds: the same on any machine, with any number of threads.
    digest: String,
}

impl Row {
    /// The row of these runs, which are in the order of their seeds.
    pub fn new(scene: &str, runs: &[Run]) -> Self {
        let digests: Vec<u8> = runs.iter().flat_map(|run| run.digest.to_le_bytes()).collect();
        let count = |keep: &dyn Fn(&Run) -> bool| runs.iter().filter(|run| keep(run)).count() as u64;
        let whole = |value: &dyn Fn(&Run) -> u64, share: f64| {
            quantile(runs.iter().map(value).collect(), share, u64::cmp).unwrap_or(0)
        };
        let planned = |share: f64| quantile_of(runs.iter().map(|run| run.seconds), share).unwrap_or(0.0);
        let invalid = runs.iter().filter(|run| run.solved && !run.valid);
        Self {
            scene: scene.to_owned(),
            seeds: runs.len() as u64,
            solved: count(&|run| run.solved),
            valid: count(&|run| run.valid),
            unsolved_seeds: runs.iter().filter(|run| !run.solved).map(|run| run.seed).collect(),
            invalid_seeds: invalid.map(|run| (run.seed, failed(run))).collect(),
            worst: worst(runs),
            transitions: count_transitions(runs),
            seconds_median: planned(0.5),
            seconds_90: planned(0.9),
            backtracks_least: whole(&|run| run.backtracks, 0.0),
            backtracks_median: whole(&|run| run.backtracks, 0.5),
            backtracks_90: whole(&|run| run.backtracks, 0.9),
            expansions_median: whole(&|run| run.expansions, 0.5),
            frames_median: whole(&|run| run.frames as u64, 0.5),
            frames_90: whole(&|run| run.frames as u64, 0.9),
            speed: Speed::new(runs),
            digest: format!("{:016x}", fnv1a(&digests)),
        }
    }

    /// What the checker found at worst, and the transitions.
    pub fn details(&self) -> String {
        let worst = self.worst.iter().map(|Worst { property, value, limit, unit }| {
            format!("{property} {value:.5} of {limit} {unit}").trim_end().to_owned()
        });
        let transitions = self.transitions.iter().map(|(transition, count)| format!("{transition} {count}"));
        let seeds = |seeds: &[u64]| seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        let invalid = self.invalid_seeds.iter().map(|(seed, failed)| format!("{seed} ({})", failed.join(", ")));
        let lines = [
            ("worst", worst.collect::<Vec<_>>().join("; ")),
            ("transitions", transitions.collect::<Vec<_>>().join("; ")),
            ("unsolved", seeds(&self.unsolved_seeds)),
            ("invalid", invalid.collect::<Vec<_>>().join(" ")),
        ];
        let text = lines.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("    {name}: {text}"));
        text.collect::<Vec<_>>().join("\n")
    }

    /// Its line of the table.
    pub fn text(&self) -> String {
        format!(
            "{:<20}{:>5}{:>7}{:>7}{:>13}{:>10}{:>13}{:>8}{:>6}{:>16}{:>15}{:>7}  {}",
            self.scene,
            self.seeds,
            self.solved,
            self.valid,
            seconds(self.seconds_median),
            seconds(self.seconds_90),
            self.backtracks_least,
            self.backtracks_median,
            self.backtracks_90,
            self.expansions_median,
            self.frames_median,
            self.frames_90,
            self.digest
        )
    }
}

/// The properties that failed.
fn failed(run: &Run) -> Vec<&'static str> {
    run.report.findings.iter().filter(|finding| !finding.passed).map(|finding| finding.property).collect()
}

fn worst(runs: &[Run]) -> Vec<Worst> {
    let mut worst: Vec<Worst> = Vec::new();
    for Finding { property, worst: value, limit, unit, .. } in
        runs.iter().filter(|run| run.solved).flat_map(|run| run.report.findings.iter().cloned())
    {
        // The least is the worst of times between frames; the greatest of everything else.
        match worst.iter_mut().find(|known| known.property == property) {
            Some(known) if property == "time" => known.value = known.value.min(value),
            Some(known) => known.value = known.value.max(value),
            None => worst.push(Worst { property, value, limit, unit }),
        }
    }
    worst
}

fn count_transitions(runs: &[Run]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for transition in runs.iter().filter(|run| run.solved).flat_map(|run| &run.transitions) {
        *counts.entry(transition.clone()).or_insert(0) += 1;
    }
    counts
}
