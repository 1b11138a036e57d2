//! `clamber bench --generated`: many courses, one plan each.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clamber::check::check;
use clamber::course::{CourseSettings, generate};
use clamber::io::{InfeasibleCause, InfeasibleSegment};
use clamber::model::rng::Stream;
use clamber::plan::{Cause, Failure};
use miette::IntoDiagnostic;
use rayon::prelude::*;
use serde::Serialize;

use super::bench::{plan_settings, quantile_of, stop_after};
use super::bench_clips::Clip;
use super::generate::{character_from, scene_of};
use crate::Status;
use crate::args::{BenchArgs, SegmentRange};
use crate::outcome::{Settings, plan};
use crate::output::OutputError;

/// Every so many courses, one cannot be solved.
const IMPOSSIBLE_EVERY: u64 = 5;

pub fn run(args: &BenchArgs, count: u64) -> miette::Result<Status> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.max(1)).build().into_diagnostic()?;
    let settings = plan_settings(args);
    // A course that is not kept is read as if it were in the current folder.
    let folder = args.keep.clone().unwrap_or_default();
    if args.keep.is_some() && !folder.is_dir() {
        return Err(OutputError::NoFolder { file: folder.join("course-1.toml"), folder }.into());
    }
    let named_from = if args.keep.is_some() { &folder } else { Path::new(".") };
    let character = character_from(named_from, &args.character)?;
    let bench = Bench { args, settings, folder, character };
    let seeds = args.seeds_from..args.seeds_from.saturating_add(count);
    let runs: Vec<Run> =
        pool.install(|| seeds.into_par_iter().map(|seed| bench.run(seed)).collect::<Result<_, _>>())?;
    let summary = Summary::new(&runs);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&summary).expect("plain data has a JSON form"));
    } else {
        println!("{}", summary.text());
        if args.report {
            let failed = runs.iter().filter_map(|run| Some(format!("    {}: {}", run.seed, run.failure.as_ref()?)));
            failed.for_each(|line| println!("{line}"));
        }
    }
    Ok(summary.status())
}

/// What all runs share.
struct Bench<'a> {
    args: &'a BenchArgs,
    settings: Settings,
    folder: PathBuf,
    character: String,
}

/// What one course gave.
struct Run {
    seed: u64,
    is_broken: bool,
    failure: Option<Failure>,
    /// Whether the reason given is where and what the course says it is.
    is_right_reason: bool,
    is_valid: bool,
    seconds: f64,
    /// Of a motion that was found, where clips are asked for.
    clip: Option<Clip>,
}

impl Bench<'_> {
    fn run(&self, seed: u64) -> miette::Result<Run> {
        let course = generate(seed, &course_settings(self.args, &self.character, seed));
        let file = self.folder.join(format!("course-{seed}.toml"));
        if self.args.keep.is_some() {
            let unwritable = |source| OutputError::Unwritable { file: file.clone(), source };
            std::fs::write(&file, &course.text).map_err(unwritable)?;
        }
        let scene = scene_of(&course, &file)?;
        let began = Instant::now();
        let outcome = plan(&scene.problem, &self.settings.plan, seed, &mut stop_after(self.args.max_seconds));
        let seconds = began.elapsed().as_secs_f64();
        let report = check(&scene.problem, &outcome.motion, &self.settings.check);
        let is_right =
            |broken: &InfeasibleSegment| outcome.failure.as_ref().is_some_and(|failure| fits(failure, broken));
        Ok(Run {
            seed,
            is_broken: scene.infeasible.is_some(),
            is_right_reason: scene.infeasible.as_ref().is_some_and(is_right),
            is_valid: outcome.failure.is_none() && report.passed(),
            clip: (self.args.clips && outcome.failure.is_none())
                .then(|| Clip::new(&scene.problem, &outcome.motion, &self.settings, seed, seconds)),
            failure: outcome.failure,
            seconds,
        })
    }
}

/// The seed says all: the same course comes from it, whichever others are asked for.
fn course_settings(args: &BenchArgs, character: &str, seed: u64) -> CourseSettings {
    let SegmentRange { least, most } = args.segments;
    let mut stream = Stream::new(seed, "bench");
    CourseSettings {
        segments: least + stream.below(most - least + 1),
        difficulty: stream.unit(),
        impossible: seed.is_multiple_of(IMPOSSIBLE_EVERY),
        kinds: args.kinds.clone(),
        character: character.to_owned(),
    }
}

/// Whether a failure names what is broken.
fn fits(failure: &Failure, broken: &InfeasibleSegment) -> bool {
    let Failure::Impasse(impasse) = failure else { return false };
    let is_cause = match impasse.cause {
        Cause::TooFar { .. } => broken.cause == InfeasibleCause::TooFar,
        Cause::Blocked { .. } => broken.cause == InfeasibleCause::Blocked,
        Cause::NoPosture { .. } => false,
    };
    is_cause && broken.contains(impasse.place)
}

#[derive(Serialize)]
struct Summary {
    solvable: u64,
    solved: u64,
    unsolved_seeds: Vec<u64>,
    /// Courses of either kind whose motion arrives but is not valid.
    invalid_seeds: Vec<u64>,
    impossible: u64,
    /// Impossible courses that were answered with a motion.
    impossible_solved_seeds: Vec<u64>,
    right_reasons: u64,
    /// Impossible courses that were answered with another reason than theirs.
    wrong_reason_seeds: Vec<u64>,
    seconds_median: f64,
    seconds_90: f64,
    clips: Option<Clips>,
}

#[derive(Serialize)]
struct Clips {
    clips: u64,
    /// Courses whose clip is not valid, and in what.
    invalid_seeds: Vec<(u64, Vec<&'static str>)>,
    /// How long refining took beside planning.
    refined_by_planned_median: f64,
    refined_by_planned_90: f64,
}

impl Clips {
    /// `None` where there are none.
    fn new(runs: &[Run]) -> Option<Self> {
        let clips = || runs.iter().filter_map(|run| run.clip.as_ref());
        let by_planned = |share: f64| quantile_of(clips().map(Clip::by_planned), share);
        let invalid = clips().filter(|clip| !clip.failed.is_empty());
        Some(Self {
            clips: clips().count() as u64,
            invalid_seeds: invalid.map(|clip| (clip.seed, clip.failed.clone())).collect(),
            refined_by_planned_median: by_planned(0.5)?,
            refined_by_planned_90: by_planned(0.9)?,
        })
    }

    fn text(&self) -> String {
        let invalid = self.invalid_seeds.iter().map(|(seed, failed)| format!("\n    {seed}: {}", failed.join(", ")));
        format!(
            "\n{} of {} clips invalid{}\nrefined/planned: median {:.2}, 90% {:.2}",
            self.invalid_seeds.len(),
            self.clips,
            invalid.collect::<String>(),
            self.refined_by_planned_median,
            self.refined_by_planned_90,
        )
    }
}

impl Summary {
    fn new(runs: &[Run]) -> Self {
        let seeds = |keep: &dyn Fn(&Run) -> bool| -> Vec<u64> {
            runs.iter().filter(|run| keep(run)).map(|run| run.seed).collect()
        };
        let count = |keep: &dyn Fn(&Run) -> bool| seeds(keep).len() as u64;
        let seconds = |share: f64| quantile_of(runs.iter().map(|run| run.seconds), share).unwrap_or(0.0);
        Self {
            solvable: count(&|run| !run.is_broken),
            solved: count(&|run| !run.is_broken && run.failure.is_none()),
            unsolved_seeds: seeds(&|run| !run.is_broken && run.failure.is_some()),
            invalid_seeds: seeds(&|run| run.failure.is_none() && !run.is_valid),
            impossible: count(&|run| run.is_broken),
            impossible_solved_seeds: seeds(&|run| run.is_broken && run.failure.is_none()),
            right_reasons: count(&|run| run.is_right_reason),
            wrong_reason_seeds: seeds(&|run| run.is_broken && run.failure.is_some() && !run.is_right_reason),
            seconds_median: seconds(0.5),
            seconds_90: seconds(0.9),
            clips: Clips::new(runs),
        }
    }

    fn text(&self) -> String {
        let seeds = |name: &str, seeds: &[u64]| match seeds {
            [] => String::new(),
            _ => format!("\n    {name}: {}", seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")),
        };
        format!(
            "{} of {} solvable courses solved{}\n{} of {} impossible courses solved, {} with the right reason{}{}\n\
             {} motions invalid{}\nseconds: median {:.2}, 90% {:.2}",
            self.solved,
            self.solvable,
            seeds("unsolved", &self.unsolved_seeds),
            self.impossible_solved_seeds.len(),
            self.impossible,
            self.right_reasons,
            seeds("solved", &self.impossible_solved_seeds),
            seeds("another reason", &self.wrong_reason_seeds),
            self.invalid_seeds.len(),
            seeds("invalid", &self.invalid_seeds),
            self.seconds_median,
            self.seconds_90,
        ) + &self.clips.as_ref().map_or(String::new(), Clips::text)
    }

    fn status(&self) -> Status {
        let clips_are_valid = self.clips.as_ref().is_none_or(|clips| clips.invalid_seeds.is_empty());
        if !self.invalid_seeds.is_empty() || !self.impossible_solved_seeds.is_empty() || !clips_are_valid {
            Status::Invalid
        } else if self.unsolved_seeds.is_empty() && self.wrong_reason_seeds.is_empty() {
            Status::Done
        } else {
            Status::NoPlan
        }
    }
}
