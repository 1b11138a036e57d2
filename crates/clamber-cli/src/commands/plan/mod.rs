//! `clamber plan`: plans a motion, checks it and writes it.

mod json;
mod failure_report;

use std::time::Instant;

use clamber::check::Report;
use clamber::draw::DrawSettings;
use clamber::io::{HoldEdit, apply_hold_edits};
use clamber::model::{Motion, Problem};
use clamber::plan::PlanOutcome;
use clamber::{Algorithm, Failure, Plan, PlanError, PlanSettings, Planner, Progress, Statistics};
use miette::Diagnostic;

use super::refine::{clip_settings, limit_line};
use crate::args::{DEFAULT_FRAMES_PER_SECOND, PlanArgs};
use crate::cancellable_work::{check, refine};
use crate::ctrl_c::acknowledge_cancellation;
use crate::exit_status::{Cancelled, Status};
use crate::file_format::{FileFormat, Output, parse_outputs, read_motion_file, read_scene_file, write_output};
use crate::progress::ProgressMonitor;
use crate::run_planner::Settings;
use json::PlanResultJson;

#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("--raw does not apply to the stance planner, which does not smooth")]
#[diagnostic(help("leave out --raw, or use another planner with --planner rpp"))]
struct NothingToSkip;

#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("--at {time} is not a time of the motion, which lasts {duration:.2} s")]
#[diagnostic(help("give a time from 0 to {duration:.2}"))]
struct TimeOutOfRange {
    time: f32,
    duration: f32,
}

#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("the scene has no goal")]
#[diagnostic(help("add a [goal], or find a single posture with clamber pose"))]
struct NoGoal;

/// A planned and checked motion.
struct PlanResult {
    outcome: PlanOutcome,
    report: Report,
    /// Planning time.
    seconds: f64,
    /// The time to read the scene and to prepare its world, which every plan in it shares.
    world_seconds: f64,
}

pub fn run(args: &PlanArgs) -> miette::Result<Status> {
    let outputs = parse_outputs(&args.outputs, &FileFormat::ALL)?;
    let begin = Instant::now();
    let scene = read_scene_file(&args.scene)?;
    let world_seconds = begin.elapsed().as_secs_f64();
    if !scene.has_goal {
        return Err(NoGoal.into());
    }
    for snapped in &scene.snapped_contacts {
        eprintln!("note: {snapped}");
    }
    let problem = apply_hold_edits(&scene.problem, &edits(args, &scene.problem))?;
    let previous = args.from.as_ref().map(|file| read_motion_file(file, &problem)).transpose()?;
    let monitor = ProgressMonitor::new();
    let result = PlanResult { world_seconds, ..plan_and_check(args, &problem, previous.as_ref(), &monitor)? };
    let PlanResult { outcome, report, .. } = &result;
    let (written, cancelled) = if outcome.failure.is_none() || args.partial {
        write_outputs(&outputs, &problem, outcome, &monitor)?
    } else {
        (Vec::new(), false)
    };
    // Nothing reports progress from here on.
    drop(monitor);
    let picture = match &outcome.failure {
        Some(failure) if !args.no_picture => failure_report::draw(&problem, &outcome.motion, failure, &outputs)?,
        _ => None,
    };

    if args.json {
        let json = PlanResultJson::new(
            &problem.name,
            args.seed,
            outcome,
            report,
            picture.as_deref(),
            [result.world_seconds, result.seconds],
        );
        println!("{}", serde_json::to_string_pretty(&json).expect("plain data serializes"));
    } else {
        if cancelled {
            eprintln!("cancelled; not all outputs were written");
        }
        match &outcome.failure {
            Some(failure) => {
                let picture = picture.as_deref();
                eprintln!("{}", failure_report::text(&problem, &outcome.motion, failure, &written, picture));
            }
            None => print_success(&problem, &result, outputs.is_empty()),
        }
    }
    Ok(match &outcome.failure {
        Some(Failure::CheckFailed { .. }) => Status::InvalidMotion,
        Some(Failure::Cancelled) => Status::Cancelled,
        Some(_) => Status::NoPlan,
        None if cancelled => Status::Cancelled,
        None if report.passed() => Status::Success,
        None => Status::InvalidMotion,
    })
}

fn plan_and_check(
    args: &PlanArgs,
    problem: &Problem,
    previous: Option<&Motion>,
    monitor: &ProgressMonitor,
) -> miette::Result<PlanResult> {
    let settings = settings(args, problem)?;
    let mut observer = |progress: &Progress| monitor.report_plan(progress);
    let start = Instant::now();
    let planner = Planner::new(problem.clone())
        .settings(settings.plan)
        .check_settings(settings.check)
        .seed(args.seed)
        .best_of(args.best_of);
    let result = match (previous, args.at) {
        (None, _) => planner.run_with_progress(&mut observer),
        (Some(motion), None) => planner.replan_with_progress(motion, &mut observer),
        (Some(motion), Some(time)) if !(0.0..=motion.duration()).contains(&time) => {
            return Err(TimeOutOfRange { time, duration: motion.duration() }.into());
        }
        (Some(motion), Some(time)) => planner.replan_from_time_with_progress(motion, time, &mut observer),
    };
    let seconds = start.elapsed().as_secs_f64();
    let (mut outcome, report) = match result {
        Ok(Plan { motion, statistics, check_report: report, .. }) => {
            (PlanOutcome { motion, failure: None, statistics }, Some(report))
        }
        Err(PlanError { reason, statistics, partial_motion: partial, check_report: report, .. }) => {
            (PlanOutcome { motion: *partial, failure: Some(reason), statistics }, report)
        }
    };
    let is_refined = args.refine && outcome.failure.is_none();
    if is_refined {
        let clip = clip_settings(&args.speed, DEFAULT_FRAMES_PER_SECOND);
        let clip = refine(problem, &outcome.motion, &clip, monitor)?;
        if let Some(line) = limit_line(&clip) {
            eprintln!("{line}");
        }
        outcome.motion = clip.motion;
    }
    // Whoever cancels wants the prompt back, and the check of a large world takes a while.
    let is_cancelled = outcome.failure == Some(Failure::Cancelled);
    if is_cancelled {
        acknowledge_cancellation();
    }
    let report = match report.filter(|_| !is_refined) {
        Some(report) => report,
        None if is_cancelled => Report::default(),
        None => check(problem, &outcome.motion, &settings.check, monitor)?,
    };
    Ok(PlanResult { outcome, report, seconds, world_seconds: 0.0 })
}

fn settings(args: &PlanArgs, problem: &Problem) -> Result<Settings, NothingToSkip> {
    let mut settings = Settings::default();
    settings.plan.algorithm = args.planner.into();
    if args.raw && matches!(settings.plan.algorithm_for(problem), Algorithm::Stance | Algorithm::PlainStance) {
        return Err(NothingToSkip);
    }
    let PlanSettings { smooth, equilibrium, variety, max_expansions, .. } = &mut settings.plan;
    (*smooth, *equilibrium, *variety) = (!args.raw, !args.no_equilibrium, args.variety);
    if let Some(expansions) = args.max_expansions {
        *max_expansions = expansions;
    }
    Ok(settings)
}

/// Returns the outputs that were written, and whether Ctrl-C was pressed before all of them were.
fn write_outputs<'a>(
    outputs: &'a [Output],
    problem: &Problem,
    outcome: &PlanOutcome,
    monitor: &ProgressMonitor,
) -> miette::Result<(Vec<&'a Output>, bool)> {
    let mut written = Vec::new();
    for output in outputs {
        match write_output(output, problem, &outcome.motion, &DrawSettings::default(), monitor) {
            Ok(()) => written.push(output),
            Err(error) if error.is::<Cancelled>() => return Ok((written, true)),
            Err(error) => return Err(error),
        }
    }
    Ok((written, false))
}

fn print_success(problem: &Problem, result: &PlanResult, without_outputs: bool) {
    let PlanResult { outcome, report, seconds, world_seconds } = result;
    let Statistics { expansions, backtracks, .. } = outcome.statistics;
    println!(
        "{}: {} frames, {:.1} s of motion, planned in {seconds:.2} s \
         ({expansions} configurations expanded, {backtracks} backtracks), world prepared in {world_seconds:.2} s",
        problem.name,
        outcome.motion.frames.len(),
        outcome.motion.duration(),
    );
    if without_outputs {
        eprintln!("nothing was written; add -o FILE to keep the motion");
    }
    if !report.passed() {
        eprintln!("{report}");
    }
}

/// The edits that --forbid and --pin ask for.
fn edits(args: &PlanArgs, problem: &Problem) -> Vec<HoldEdit> {
    let forbid = |hold: &String| HoldEdit::Forbid { hold: hold.clone() };
    let pin = |text: &String| {
        // A hold's name may contain an equals sign.
        let is_hold = problem.world.holds.iter().any(|hold| hold.name == *text);
        match text.split_once('=').filter(|_| !is_hold) {
            None => HoldEdit::Pin { effector: None, hold: text.clone() },
            Some((effector, hold)) => HoldEdit::Pin { effector: Some(effector.to_owned()), hold: hold.to_owned() },
        }
    };
    args.forbidden.iter().map(forbid).chain(args.pins.iter().map(pin)).collect()
}
