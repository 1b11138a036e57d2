//! `clamber plan`: find a motion, check it, write it.

mod summary;
mod why;

use std::time::Instant;

use clamber::check::check;
use clamber::clip::refine;
use clamber::draw::DrawSettings;
use clamber::io::{Edit, edit, read_scene};
use clamber::model::Problem;
use clamber::plan::{Planner, Progress, Statistics};
use miette::IntoDiagnostic;

use super::refine::refine_settings;
use crate::Status;
use crate::args::{DEFAULT_FRAMES_PER_SECOND, PlanArgs};
use crate::outcome::{Outcome, Settings};
use crate::output::{Kind, OutputError, outputs, read, write};
use crate::progress::Watch;
use summary::{FailureJson, StatisticsJson, Summary};

pub fn run(args: &PlanArgs) -> miette::Result<Status> {
    let outputs = outputs(&args.outputs, &Kind::EVERY)?;
    let mut scene = read_scene(&args.scene)?;
    scene.problem = edit(&scene.problem, &edits(args, &scene.problem))?;
    let mut settings = Settings::default();
    settings.plan.algorithm = args.planner.into();
    settings.plan.smooth = !args.raw;
    if let Some(max_expansions) = args.max_expansions {
        settings.plan.max_expansions = max_expansions;
    }
    let before = args.from.as_ref().map(|file| read(file, &scene.problem)).transpose()?;
    let watch = Watch::new();
    let began = Instant::now();
    let mut observer = |progress: &Progress| watch.plan(progress);
    let planner = Planner::new(scene.problem.clone()).settings(settings.plan).seed(args.seed);
    let result = match (&before, args.at) {
        (None, _) => planner.run_with_progress(&mut observer),
        (Some(motion), None) => planner.replan_with_progress(motion, &mut observer),
        (Some(motion), Some(at)) => planner.continue_from_with_progress(motion, at, &mut observer),
    };
    let mut outcome = Outcome::from(result);
    let seconds = began.elapsed().as_secs_f64();
    if args.refine && outcome.failure.is_none() {
        let clip = refine_settings(&args.speed, DEFAULT_FRAMES_PER_SECOND);
        outcome.motion = refine(&scene.problem, &outcome.motion, &clip).into_diagnostic()?.motion;
    }
    let report = check(&scene.problem, &outcome.motion, &settings.check);

    let mut stopped = false;
    let mut written = Vec::new();
    if outcome.failure.is_none() || args.partial {
        for output in &outputs {
            match write(output, &scene.problem, &outcome.motion, &DrawSettings::default(), &watch) {
                Ok(()) => written.push(output),
                Err(OutputError::Stopped) => stopped = true,
                Err(error) => return Err(error.into()),
            }
        }
    }
    let picture = match &outcome.failure {
        Some(failure) if !args.no_picture => why::draw(&scene.problem, &outcome.motion, failure, &outputs)?,
        _ => None,
    };
    drop(watch);

    let status = match &outcome.failure {
        Some(_) => Status::NoPlan,
        None if stopped => Status::NoPlan,
        None if report.passed() => Status::Done,
        None => Status::Invalid,
    };
    if args.json {
        let summary = Summary {
            scene: &scene.problem.name,
            seed: args.seed,
            solved: outcome.failure.is_none(),
            valid: outcome.failure.is_none() && report.passed(),
            failure: outcome.failure.as_ref().map(FailureJson::new),
            picture,
            seconds,
            frames: outcome.motion.frames.len(),
            duration: outcome.motion.duration(),
            statistics: StatisticsJson::new(&outcome.statistics),
            report: &report.findings,
        };
        println!("{}", serde_json::to_string_pretty(&summary).expect("plain data has a JSON form"));
        return Ok(status);
    }
    if stopped {
        eprintln!("stopped before everything was drawn");
    }
    match &outcome.failure {
        Some(failure) => {
            eprintln!("{}", why::words(&scene.problem, &outcome.motion, failure, &written, picture.as_ref()));
        }
        None => {
            let Statistics { expansions, backtracks, .. } = outcome.statistics;
            println!(
                "{}: {} frames, {:.1} s of motion, planned in {seconds:.2} s \
                 ({expansions} configurations tried, {backtracks} times back)",
                scene.problem.name,
                outcome.motion.frames.len(),
                outcome.motion.duration(),
            );
            if !report.passed() {
                eprintln!("{}", report);
            }
        }
    }
    Ok(status)
}

/// What the options forbid and pin.
fn edits(args: &PlanArgs, problem: &Problem) -> Vec<Edit> {
    let forbid = |hold: &String| Edit::Forbid { hold: hold.clone() };
    let pin = |text: &String| {
        // The name of a hold may have an equals sign of its own.
        let is_hold = problem.world.holds.iter().any(|hold| hold.name == *text);
        match text.split_once('=').filter(|_| !is_hold) {
            None => Edit::Pin { effector: None, hold: text.clone() },
            Some((effector, hold)) => Edit::Pin { effector: Some(effector.to_owned()), hold: hold.to_owned() },
        }
    };
    args.forbidden.iter().map(forbid).chain(args.pins.iter().map(pin)).collect()
}
