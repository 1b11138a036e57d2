//! `clamber bench`: many seeds, one row a scene.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use clamber::Settings;
use clamber::check::{Finding, Report, check};
use clamber::io::{read_scene, write_motion};
use clamber::model::Motion;
use clamber::model::rng::fnv1a;
use clamber::plan::{Progress, plan};
use miette::IntoDiagnostic;
use rayon::prelude::*;
use serde::Serialize;

use crate::Status;
use crate::args::BenchArgs;

pub fn run(args: &BenchArgs) -> miette::Result<Status> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.max(1)).build().into_diagnostic()?;
    let settings = plan_settings(args);
    if !args.json {
        println!("{HEADER}");
    }
    let mut rows = Vec::new();
    for scene in &args.scenes {
        let row = pool.install(|| row(scene, args.seeds, args.max_seconds, &settings))?;
        if !args.json {
            println!("{}", row.text());
            if args.report {
                println!("{}", row.details());
            }
        }
        rows.push(row);
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows).expect("plain data has a JSON form"));
    }
    let all_valid = rows.iter().all(|row| row.valid == row.solved);
    let all_solved = rows.iter().all(|row| row.solved == row.seeds);
    Ok(match (all_valid, all_solved) {
        (false, _) => Status::Invalid,
        (true, false) => Status::NoPlan,
        (true, true) => Status::Done,
    })
}

/// The settings that the command line asks for.
pub fn plan_settings(args: &BenchArgs) -> Settings {
    let mut settings = Settings::default();
    settings.plan.planner = args.planner.into();
    if args.no_backtracking {
        settings.plan.max_backtracks = 0;
    }
    if let Some(max_expansions) = args.max_expansions {
        settings.plan.max_expansions = max_expansions;
    }
    settings
}

/// What one seed gave.
struct Run {
    seed: u64,
    solved: bool,
    valid: bool,
    seconds: f64,
    backtracks: u64,
    expansions: u64,
    frames: usize,
    digest: u64,
    report: Report,
    transitions: BTreeSet<String>,
}

/// The worst value of one property over many motions.
#[derive(Serialize)]
struct Worst {
    property: &'static str,
    value: f32,
    limit: f32,
    unit: &'static str,
}

#[derive(Serialize)]
struct Row {
    scene: String,
    seeds: u64,
    solved: u64,
    valid: u64,
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
    /// Of all motion files in the order of their seeds: the same on any machine, with any number of threads.
    digest: String,
}

const HEADER: &str = "scene               seeds solved  valid  seconds (median, 90%)  back (least, median, 90%)  \
                      tried (median)  frames (median, 90%)  digest";

fn row(scene: &Path, seeds: u64, max_seconds: Option<f64>, settings: &Settings) -> miette::Result<Row> {
    let problem = read_scene(scene)?.problem;
    let mut runs: Vec<Run> = (1..=seeds)
        .into_par_iter()
        .map(|seed| {
            let began = Instant::now();
            let mut watch = |_: &Progress| match max_seconds {
                Some(most) if began.elapsed().as_secs_f64() > most => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            };
            let outcome = plan(&problem, &settings.plan, seed, &mut watch);
            let seconds = began.elapsed().as_secs_f64();
            let report = check(&problem, &outcome.motion, &settings.check);
            Run {
                seed,
                solved: outcome.failure.is_none(),
                valid: outcome.failure.is_none() && report.passed(),
                seconds,
                backtracks: outcome.statistics.backtracks,
                expansions: outcome.statistics.expansions,
                frames: outcome.motion.frames.len(),
                transitions: transitions(&outcome.motion),
                report,
                digest: fnv1a(write_motion(&problem, &outcome.motion).as_bytes()),
            }
        })
        .collect();
    runs.sort_by_key(|run| run.seed);
    let digests: Vec<u8> = runs.iter().flat_map(|run| run.digest.to_le_bytes()).collect();
    let count = |keep: &dyn Fn(&Run) -> bool| runs.iter().filter(|run| keep(run)).count() as u64;
    let whole = |value: &dyn Fn(&Run) -> u64, share: f64| quantile(runs.iter().map(value).collect(), share);
    let nanoseconds = |run: &Run| (run.seconds * 1e9) as u64;
    Ok(Row {
        scene: problem.name.clone(),
        seeds,
        solved: count(&|run| run.solved),
        valid: count(&|run| run.valid),
        unsolved_seeds: runs.iter().filter(|run| !run.solved).map(|run| run.seed).collect(),
        invalid_seeds: runs.iter().filter(|run| run.solved && !run.valid).map(|run| (run.seed, failed(run))).collect(),
        worst: worst(&runs),
        transitions: count_transitions(&runs),
        seconds_median: whole(&nanoseconds, 0.5) as f64 * 1e-9,
        seconds_90: whole(&nanoseconds, 0.9) as f64 * 1e-9,
        backtracks_least: whole(&|run| run.backtracks, 0.0),
        backtracks_median: whole(&|run| run.backtracks, 0.5),
        backtracks_90: whole(&|run| run.backtracks, 0.9),
        expansions_median: whole(&|run| run.expansions, 0.5),
        frames_median: whole(&|run| run.frames as u64, 0.5),
        frames_90: whole(&|run| run.frames as u64, 0.9),
        digest: format!("{:016x}", fnv1a(&digests)),
    })
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

/// Which mode follows which in a motion.
fn transitions(motion: &Motion) -> BTreeSet<String> {
    let pairs = motion.spans.windows(2);
    pairs
        .filter(|pair| pair[0].mode != pair[1].mode)
        .map(|pair| format!("{} to {}", pair[0].mode, pair[1].mode))
        .collect()
}

fn count_transitions(runs: &[Run]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for transition in runs.iter().filter(|run| run.solved).flat_map(|run| &run.transitions) {
        *counts.entry(transition.clone()).or_insert(0) += 1;
    }
    counts
}

impl Row {
    /// What the checker found at worst, and the transitions.
    fn details(&self) -> String {
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

    fn text(&self) -> String {
        format!(
            "{:<20}{:>5}{:>7}{:>7}{:>13.2}{:>10.2}{:>13}{:>8}{:>6}{:>16}{:>15}{:>7}  {}",
            self.scene,
            self.seeds,
            self.solved,
            self.valid,
            self.seconds_median,
            self.seconds_90,
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

/// The least value that at least this share of the values does not exceed.
pub fn quantile(mut values: Vec<u64>, share: f64) -> u64 {
    values.sort_unstable();
    let index = ((values.len() as f64 * share).ceil() as usize).max(1) - 1;
    values.get(index).copied().unwrap_or(0)
}
