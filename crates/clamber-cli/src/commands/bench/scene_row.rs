//! The results of all seeds of one scene as a row of the table.

use std::collections::{BTreeMap, BTreeSet};

use clamber::check::LimitComparison;
use clamber::model::rng::fnv1a;
use serde::Serialize;

use super::planning_time::SpeedSummary;
use super::seed_result::{RejectedDraw, SeedResult};
use super::statistics::{format_seconds, quantile, quantile_of};

pub const HEADER: &str = "scene               seeds solved  valid  seconds (median, 90%)  backtracks (min, median, 90%)  \
                          expansions (median)  frames (median, 90%)  digest";

/// Rejected draws up to this fraction are left out; more of them count as unsolved.
const MAX_REJECTED: f64 = 0.01;

/// The worst value of one property over many motions.
#[derive(Serialize)]
struct WorstProperty {
    property: &'static str,
    value: f32,
    limit: f32,
    unit: &'static str,
    #[serde(skip)]
    limit_kind: LimitComparison,
}

#[derive(Serialize)]
pub struct SceneRow {
    pub scene: String,
    pub seeds: u64,
    pub solved: u64,
    pub valid: u64,
    unsolved_seeds: Vec<u64>,
    /// Seeds whose jittered scene the reader rejects.
    pub rejected: Vec<RejectedDraw>,
    /// Solved seeds with an invalid motion, and the properties that failed.
    invalid_seeds: Vec<(u64, Vec<&'static str>)>,
    /// The worst value of each property over all solved seeds.
    worst: Vec<WorstProperty>,
    /// How many different sequences of contacts the solved seeds have.
    distinct_sequences: usize,
    /// The number of motions with each mode transition.
    transitions: BTreeMap<String, u64>,
    seconds_median: f64,
    seconds_90: f64,
    backtracks_least: u64,
    backtracks_median: u64,
    backtracks_90: u64,
    expansions_median: u64,
    frames_median: u64,
    frames_90: u64,
    pub speed: SpeedSummary,
    /// Hash of all motion files in the order of their seeds: the same on any machine and with any number of threads.
    digest: String,
}

impl SceneRow {
    /// Summarizes results, which must be in the order of their seeds.
    pub fn new(scene: &str, results: Vec<Result<SeedResult, RejectedDraw>>) -> Self {
        let (mut solvable, mut rejected) = (Vec::new(), Vec::new());
        let draws = results.len();
        for result in results {
            match result {
                Ok(result) => solvable.push(result),
                Err(draw) => rejected.push(draw),
            }
        }
        let are_few = rejected.len() as f64 <= MAX_REJECTED * draws as f64;
        let counted = if are_few { solvable.len() } else { draws };
        Self { seeds: counted as u64, rejected, ..Self::summary(scene, &solvable) }
    }

    fn summary(scene: &str, results: &[SeedResult]) -> Self {
        let digests: Vec<u8> = results.iter().flat_map(|result| result.digest.to_le_bytes()).collect();
        let count = |keep: &dyn Fn(&SeedResult) -> bool| results.iter().filter(|result| keep(result)).count() as u64;
        let count_quantile = |value: &dyn Fn(&SeedResult) -> u64, fraction: f64| {
            quantile(results.iter().map(value).collect(), fraction, u64::cmp).unwrap_or(0)
        };
        let seconds = |fraction: f64| quantile_of(results.iter().map(|result| result.seconds), fraction).unwrap_or(0.0);
        let invalid = results.iter().filter(|result| result.solved && !result.valid);
        Self {
            scene: scene.to_owned(),
            seeds: results.len() as u64,
            solved: count(&|result| result.solved),
            valid: count(&|result| result.valid),
            unsolved_seeds: results.iter().filter(|result| !result.solved).map(|result| result.seed).collect(),
            rejected: Vec::new(),
            invalid_seeds: invalid.map(|result| (result.seed, failed_properties(result))).collect(),
            worst: worst_properties(results),
            distinct_sequences: distinct_sequences(results),
            transitions: count_transitions(results),
            seconds_median: seconds(0.5),
            seconds_90: seconds(0.9),
            backtracks_least: count_quantile(&|result| result.backtracks, 0.0),
            backtracks_median: count_quantile(&|result| result.backtracks, 0.5),
            backtracks_90: count_quantile(&|result| result.backtracks, 0.9),
            expansions_median: count_quantile(&|result| result.expansions, 0.5),
            frames_median: count_quantile(&|result| result.frames as u64, 0.5),
            frames_90: count_quantile(&|result| result.frames as u64, 0.9),
            speed: SpeedSummary::new(results),
            digest: format!("{:016x}", fnv1a(&digests)),
        }
    }

    /// The worst properties, the transitions, and the unsolved and invalid seeds.
    pub fn details(&self) -> String {
        let worst = self.worst.iter().map(|worst| {
            let WorstProperty { property, value, limit, unit, limit_kind } = worst;
            match limit_kind {
                LimitComparison::Minimum => format!("{property} {value:.5} {unit} (at least {limit})"),
                LimitComparison::NoViolations => format!("{property} {value} violations"),
                LimitComparison::Reported => format!("{property} {value:.5} {unit}"),
                _ => format!("{property} {value:.5} {unit} (at most {limit})"),
            }
        });
        let transitions = self.transitions.iter().map(|(transition, count)| format!("{transition} {count}"));
        let seeds = |seeds: &[u64]| seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        let invalid = self.invalid_seeds.iter().map(|(seed, failed)| format!("{seed} ({})", failed.join(", ")));
        let rejected = self.rejected.iter().map(|draw| format!("{} ({})", draw.seed, draw.message));
        let lines = [
            ("worst", worst.collect::<Vec<_>>().join("; ")),
            ("transitions", transitions.collect::<Vec<_>>().join("; ")),
            ("distinct contact sequences", self.distinct_sequences.to_string()),
            ("unsolved", seeds(&self.unsolved_seeds)),
            ("invalid", invalid.collect::<Vec<_>>().join(" ")),
            ("rejected by the reader", rejected.collect::<Vec<_>>().join("; ")),
        ];
        let text = lines.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("    {name}: {text}"));
        text.collect::<Vec<_>>().join("\n")
    }

    /// The row as text.
    pub fn text(&self) -> String {
        format!(
            "{:<20}{:>5}{:>7}{:>7}{:>13}{:>10}{:>17}{:>8}{:>6}{:>21}{:>15}{:>7}  {}",
            self.scene,
            self.seeds,
            self.solved,
            self.valid,
            format_seconds(self.seconds_median),
            format_seconds(self.seconds_90),
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
fn failed_properties(result: &SeedResult) -> Vec<&'static str> {
    result.report.properties.iter().filter(|result| !result.passed).map(|result| result.property).collect()
}

fn worst_properties(results: &[SeedResult]) -> Vec<WorstProperty> {
    let mut worst: Vec<WorstProperty> = Vec::new();
    for checked in results.iter().filter(|result| result.solved).flat_map(|result| &result.report.properties) {
        let (property, value, limit_kind) = (checked.property, checked.worst, checked.limit_comparison);
        match worst.iter_mut().find(|known| known.property == property) {
            Some(known) if limit_kind == LimitComparison::Minimum => known.value = known.value.min(value),
            Some(known) => known.value = known.value.max(value),
            None => {
                worst.push(WorstProperty { property, value, limit: checked.limit, unit: checked.unit, limit_kind });
            }
        }
    }
    worst
}

fn distinct_sequences(results: &[SeedResult]) -> usize {
    let solved = results.iter().filter(|result| result.solved);
    solved.map(|result| &result.contact_sequence).collect::<BTreeSet<_>>().len()
}

fn count_transitions(results: &[SeedResult]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for transition in results.iter().filter(|result| result.solved).flat_map(|result| &result.transitions) {
        *counts.entry(transition.clone()).or_insert(0) += 1;
    }
    counts
}
