//! `clamber bench --generated`: plans many generated courses, once each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clamber::check::{PropertyResult, check_motion};
use clamber::io::{InfeasibleCause, InfeasibleSegment};
use clamber::model::rng::Stream;
use clamber::plan::{Failure, ImpasseCause};
use rayon::prelude::*;
use serde::Serialize;

use super::super::generated_course::{CourseMaker, CourseShape};
use super::clips::ClipResult;
use super::segment_kinds::{KindCount, TriedSegments, count_by_kind};
use super::settings::{plan_settings, stop_after, thread_pool};
use super::statistics::quantile_of;
use crate::args::{BenchArgs, SegmentRange};
use crate::exit_status::Status;
use crate::file_format::OutputError;
use crate::progress::counting_bar;
use crate::run_planner::{Settings, plan};

/// Every course whose seed is a multiple of this is impossible.
const IMPOSSIBLE_EVERY: u64 = 5;

pub fn run(args: &BenchArgs, count: u64) -> miette::Result<Status> {
    let pool = thread_pool(args)?;
    let settings = plan_settings(args);
    // A course that is not kept is parsed as if it were in the current folder.
    let folder = args.keep.clone().unwrap_or_default();
    if args.keep.is_some() && !folder.is_dir() {
        return Err(OutputError::NoFolder { file: folder.join("course-1.toml"), folder }.into());
    }
    let scene_folder = if args.keep.is_some() { &folder } else { Path::new(".") };
    let maker = CourseMaker::new(scene_folder, &args.character, &args.kinds, args.space)?;
    let bench = GeneratedBench { args, settings, folder, maker };
    let seeds = args.seeds_from..args.seeds_from.saturating_add(count);
    let bar = counting_bar(count, "courses");
    let run = |seed| bench.run(seed).inspect(|_| bar.inc(1));
    let results: Vec<CourseResult> = pool.install(|| seeds.into_par_iter().map(run).collect::<Result<_, _>>())?;
    bar.finish_and_clear();
    let summary = GeneratedSummary::new(&results);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&summary).expect("plain data serializes"));
    } else {
        println!("{}", summary.text());
        if args.report {
            let failures = results.iter().filter_map(CourseResult::failure_line);
            failures.for_each(|line| println!("{line}"));
            let invalid = results.iter().filter(|result| result.is_invalid());
            invalid.for_each(|result| println!("    {}: invalid: {}", result.seed, result.failed.join(", ")));
        }
    }
    Ok(summary.status())
}

/// What all courses share.
struct GeneratedBench<'a> {
    args: &'a BenchArgs,
    settings: Settings,
    folder: PathBuf,
    maker: CourseMaker,
}

/// The result of one course.
struct CourseResult {
    seed: u64,
    segments: TriedSegments,
    is_broken: bool,
    failure: Option<Failure>,
    /// Whether the failure names the cause and the place that the course was broken by.
    is_right_reason: bool,
    /// The properties of the motion that failed.
    failed: Vec<String>,
    seconds: f64,
    /// The clip of a solved course, with --clips.
    clip: Option<ClipResult>,
}

impl CourseResult {
    /// Whether there is a motion, but not a valid one.
    fn is_invalid(&self) -> bool {
        self.failure.is_none() && !self.failed.is_empty()
    }

    /// The reason of a failure, and the segment near which the course ended.
    fn failure_line(&self) -> Option<String> {
        let (failure, segment) = (self.failure.as_ref()?, self.segments.ended_at?);
        let kind = self.segments.kinds[segment - 1];
        let mark = if self.is_broken { " (impossible)" } else { "" };
        Some(format!("    {}{mark}: near segment {segment}, {kind}: {failure}", self.seed))
    }

    /// Whether there is a way, and it was found.
    fn is_solved(&self) -> bool {
        !self.is_broken && self.failure.is_none()
    }
}

impl GeneratedBench<'_> {
    fn run(&self, seed: u64) -> miette::Result<CourseResult> {
        let shape = course_shape(self.args, seed);
        let course = self.maker.make(seed, &shape);
        let file = self.folder.join(format!("course-{seed}.toml"));
        if self.args.keep.is_some() {
            course.write(&file)?;
        }
        let scene = course.scene(&file)?;
        let start = Instant::now();
        let outcome = plan(&scene.problem, &self.settings.plan, seed, &mut stop_after(self.args.max_seconds));
        let seconds = start.elapsed().as_secs_f64();
        let report = check_motion(&scene.problem, &outcome.motion, &self.settings.check);
        let is_right = |broken: &InfeasibleSegment| {
            outcome.failure.as_ref().is_some_and(|failure| matches_broken(failure, broken))
        };
        Ok(CourseResult {
            seed,
            segments: TriedSegments::new(course.kinds, &scene.problem, &outcome),
            is_broken: scene.infeasible_segment.is_some(),
            is_right_reason: scene.infeasible_segment.as_ref().is_some_and(is_right),
            failed: report.properties.iter().filter(|result| !result.passed).map(failed_text).collect(),
            clip: (self.args.clips && outcome.failure.is_none())
                .then(|| ClipResult::new(&scene.problem, &outcome.motion, &self.settings, self.args, seed, seconds)),
            failure: outcome.failure,
            seconds,
        })
    }
}

/// The worst value of a property that failed, and where.
fn failed_text(result: &PropertyResult) -> String {
    let PropertyResult { property, worst, limit, unit, time, worst_place, .. } = result;
    format!("{property} {worst:.4} {unit} (limit {limit:.4}) at {time:.2} s: {worst_place}")
}

/// The shape depends on the seed alone, so a course is the same whichever others are generated.
fn course_shape(args: &BenchArgs, seed: u64) -> CourseShape {
    let SegmentRange { min, max } = args.segments;
    let mut stream = Stream::new(seed, "bench");
    CourseShape {
        segment_count: min + stream.below(max - min + 1),
        difficulty: stream.uniform(),
        impossible: seed.is_multiple_of(IMPOSSIBLE_EVERY),
        surroundings: None,
    }
}

/// Whether a failure names the cause and the place that the course was broken by.
fn matches_broken(failure: &Failure, broken: &InfeasibleSegment) -> bool {
    let Failure::Impasse(impasse) = failure else { return false };
    let is_cause = match impasse.cause {
        ImpasseCause::TooFar { .. } => broken.cause == InfeasibleCause::TooFar,
        ImpasseCause::Blocked { .. } => broken.cause == InfeasibleCause::Blocked,
        _ => false,
    };
    is_cause && broken.contains(impasse.blocked_position)
}

#[derive(Serialize)]
struct GeneratedSummary {
    solvable: u64,
    solved: u64,
    unsolved_seeds: Vec<u64>,
    /// Segments of the solved courses.
    solved_segments: usize,
    /// The same and one for each unsolved course: the segment at which it ended.
    tried_segments: usize,
    /// By kind, all segments of the courses that are possible, up to the one near which a course ended.
    kinds: BTreeMap<&'static str, KindCount>,
    /// Solved courses, possible or not, with an invalid motion.
    invalid_seeds: Vec<u64>,
    impossible: u64,
    /// Impossible courses for which a motion was returned.
    impossible_solved_seeds: Vec<u64>,
    right_reasons: u64,
    /// Impossible courses that failed for another reason.
    wrong_reason_seeds: Vec<u64>,
    seconds_median: f64,
    seconds_90: f64,
    clips: Option<ClipSummary>,
}

#[derive(Serialize)]
struct ClipSummary {
    clips: u64,
    /// Courses with an invalid clip, and the properties that failed.
    invalid_seeds: Vec<(u64, Vec<&'static str>)>,
    /// Refining time divided by planning time.
    refined_by_planned_median: f64,
    refined_by_planned_90: f64,
}

impl ClipSummary {
    /// Returns `None` without clips.
    fn new(results: &[CourseResult]) -> Option<Self> {
        let clips = || results.iter().filter_map(|result| result.clip.as_ref());
        let refined_by_planned = |fraction: f64| quantile_of(clips().map(ClipResult::refined_by_planned), fraction);
        let invalid = clips().filter(|clip| !clip.failed.is_empty());
        Some(Self {
            clips: clips().count() as u64,
            invalid_seeds: invalid.map(|clip| (clip.seed, clip.failed.clone())).collect(),
            refined_by_planned_median: refined_by_planned(0.5)?,
            refined_by_planned_90: refined_by_planned(0.9)?,
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

impl GeneratedSummary {
    fn new(results: &[CourseResult]) -> Self {
        let seeds = |keep: &dyn Fn(&CourseResult) -> bool| -> Vec<u64> {
            results.iter().filter(|result| keep(result)).map(|result| result.seed).collect()
        };
        let count = |keep: &dyn Fn(&CourseResult) -> bool| seeds(keep).len() as u64;
        let seconds = |fraction: f64| quantile_of(results.iter().map(|result| result.seconds), fraction).unwrap_or(0.0);
        let solved_segments =
            results.iter().filter(|result| result.is_solved()).map(|result| result.segments.kinds.len()).sum();
        let unsolved_seeds = seeds(&|result| !result.is_broken && result.failure.is_some());
        Self {
            solvable: count(&|result| !result.is_broken),
            solved: count(&CourseResult::is_solved),
            tried_segments: solved_segments + unsolved_seeds.len(),
            solved_segments,
            kinds: count_by_kind(results.iter().filter(|result| !result.is_broken).map(|result| &result.segments)),
            unsolved_seeds,
            invalid_seeds: seeds(&CourseResult::is_invalid),
            impossible: count(&|result| result.is_broken),
            impossible_solved_seeds: seeds(&|result| result.is_broken && result.failure.is_none()),
            right_reasons: count(&|result| result.is_right_reason),
            wrong_reason_seeds: seeds(&|result| {
                result.is_broken && result.failure.is_some() && !result.is_right_reason
            }),
            seconds_median: seconds(0.5),
            seconds_90: seconds(0.9),
            clips: ClipSummary::new(results),
        }
    }

    fn text(&self) -> String {
        let seeds = |name: &str, seeds: &[u64]| match seeds {
            [] => String::new(),
            _ => format!("\n    {name}: {}", seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")),
        };
        let kinds: Vec<String> =
            self.kinds.iter().map(|(kind, count)| format!("{kind} {}/{}", count.passed, count.tried)).collect();
        format!(
            "{} of {} solvable courses solved, at least {} of {} segments tried{}\npassed by kind: {}\n{} of {} impossible courses solved, {} failed for the right reason{}{}\n\
             {} motions invalid{}\nseconds: median {:.2}, 90% {:.2}",
            self.solved,
            self.solvable,
            self.solved_segments,
            self.tried_segments,
            seeds("unsolved", &self.unsolved_seeds),
            kinds.join(", "),
            self.impossible_solved_seeds.len(),
            self.impossible,
            self.right_reasons,
            seeds("solved", &self.impossible_solved_seeds),
            seeds("failed for another reason", &self.wrong_reason_seeds),
            self.invalid_seeds.len(),
            seeds("invalid", &self.invalid_seeds),
            self.seconds_median,
            self.seconds_90,
        ) + &self.clips.as_ref().map_or(String::new(), ClipSummary::text)
    }

    fn status(&self) -> Status {
        let clips_are_valid = self.clips.as_ref().is_none_or(|clips| clips.invalid_seeds.is_empty());
        if !self.invalid_seeds.is_empty() || !self.impossible_solved_seeds.is_empty() || !clips_are_valid {
            Status::InvalidMotion
        } else if self.unsolved_seeds.is_empty() && self.wrong_reason_seeds.is_empty() {
            Status::Success
        } else {
            Status::NoPlan
        }
    }
}
