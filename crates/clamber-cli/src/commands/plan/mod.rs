//! `clamber plan`: find a motion, check it, write it.

mod summary;
mod why;

use std::time::Instant;

use clamber::Settings;
use clamber::check::check;
use clamber::draw::DrawSettings;
use clamber::io::read_scene;
use clamber::plan::{Progress, Statistics, plan, plan_from};

use crate::Status;
use crate::args::PlanArgs;
use crate::output::{Kind, OutputError, outputs, read, write};
use crate::progress::Watch;
use summary::{FailureJson, StatisticsJson, Summary};

pub fn run(args: &PlanArgs) -> miette::Result<Status> {
    let outputs = outputs(&args.outputs, &[Kind::Motion, Kind::Bvh, Kind::Svg, Kind::Png, Kind::Gif])?;
    let scene = read_scene(&args.scene)?;
    let mut settings = Settings::default();
    settings.plan.planner = args.planner.into();
    settings.plan.smooth = !args.raw;
    if let Some(max_expansions) = args.max_expansions {
        settings.plan.max_expansions = max_expansions;
    }
    let before = match (&args.from, args.at) {
        (Some(file), Some(at)) => Some((read(file, &scene.problem)?, at)),
        _ => None,
    };
    let watch = Watch::new();
    let began = Instant::now();
    let mut observer = |progress: &Progress| watch.plan(progress);
    let outcome = match &before {
        None => plan(&scene.problem, &settings.plan, args.seed, &mut observer),
        Some((motion, at)) => plan_from(&scene.problem, motion, *at, &settings.plan, args.seed, &mut observer),
    };
    let seconds = began.elapsed().as_secs_f64();
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
