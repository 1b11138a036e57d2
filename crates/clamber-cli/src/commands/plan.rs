//! `clamber plan`: find a motion, check it, write it.

use std::time::Instant;

use clamber::Settings;
use clamber::check::{Finding, check};
use clamber::draw::DrawSettings;
use clamber::io::{Edit, edit, read_scene};
use clamber::model::Problem;
use clamber::plan::{Failure, Progress, Statistics, plan, plan_from, replan};
use serde::Serialize;

use crate::Status;
use crate::args::PlanArgs;
use crate::output::{Kind, OutputError, outputs, read, write};
use crate::progress::Watch;

pub fn run(args: &PlanArgs) -> miette::Result<Status> {
    let outputs = outputs(&args.outputs, &[Kind::Motion, Kind::Bvh, Kind::Svg, Kind::Png, Kind::Gif])?;
    let mut scene = read_scene(&args.scene)?;
    scene.problem = edit(&scene.problem, &edits(args, &scene.problem))?;
    let mut settings = Settings::default();
    settings.plan.planner = args.planner.into();
    settings.plan.smooth = !args.raw;
    if let Some(max_expansions) = args.max_expansions {
        settings.plan.max_expansions = max_expansions;
    }
    let before = args.from.as_ref().map(|file| read(file, &scene.problem)).transpose()?;
    let watch = Watch::new();
    let began = Instant::now();
    let mut observer = |progress: &Progress| watch.plan(progress);
    let outcome = match (&before, args.at) {
        (None, _) => plan(&scene.problem, &settings.plan, args.seed, &mut observer),
        (Some(motion), None) => replan(&scene.problem, motion, &settings.plan, args.seed, &mut observer),
        (Some(motion), Some(at)) => plan_from(&scene.problem, motion, at, &settings.plan, args.seed, &mut observer),
    };
    let seconds = began.elapsed().as_secs_f64();
    let report = check(&scene.problem, &outcome.motion, &settings.check);

    let mut stopped = false;
    if outcome.failure.is_none() || args.partial {
        for output in &outputs {
            match write(output, &scene.problem, &outcome.motion, &DrawSettings::default(), &watch) {
                Err(OutputError::Stopped) => stopped = true,
                other => other?,
            }
        }
    }
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
        Some(failure) => eprintln!("no plan for {}: {failure}", scene.problem.name),
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

#[derive(Serialize)]
struct Summary<'a> {
    scene: &'a str,
    seed: u64,
    solved: bool,
    valid: bool,
    failure: Option<FailureJson>,
    seconds: f64,
    frames: usize,
    duration: f32,
    statistics: StatisticsJson,
    report: &'a [Finding],
}

/// Why there is no plan: a word for programs, a sentence for people, and what the sentence names.
#[derive(Serialize)]
struct FailureJson {
    kind: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    posture: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    obstacle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining: Option<f32>,
}

impl FailureJson {
    fn new(failure: &Failure) -> Self {
        let message = failure.to_string();
        let mut json =
            Self { kind: "", message, posture: None, link: None, obstacle: None, distance: None, remaining: None };
        match failure {
            Failure::BadSetting { .. } => json.kind = "bad-setting",
            Failure::Collides { posture, link, obstacle, distance } => {
                json.kind = "collides";
                json.posture = Some(posture.clone());
                json.link = Some(link.clone());
                json.obstacle = Some(obstacle.clone());
                json.distance = Some(*distance);
            }
            Failure::BadPosture { posture, .. } => {
                json.kind = "bad-posture";
                json.posture = Some((*posture).to_owned());
            }
            Failure::OutOfBounds { posture, .. } => {
                json.kind = "out-of-bounds";
                json.posture = Some((*posture).to_owned());
            }
            Failure::NoModes => json.kind = "no-modes",
            Failure::NoPins { .. } => json.kind = "no-pins",
            Failure::NoContacts { posture } => {
                json.kind = "no-contacts";
                json.posture = Some((*posture).to_owned());
            }
            Failure::NoWay { .. } => json.kind = "no-way",
            Failure::BudgetSpent { remaining, .. } => {
                json.kind = "budget-spent";
                json.remaining = Some(*remaining);
            }
            Failure::Impasse(_) => json.kind = "impasse",
            Failure::Cancelled => json.kind = "cancelled",
        }
        json
    }
}

#[derive(Serialize)]
struct StatisticsJson {
    expansions: u64,
    collision_checks: u64,
    engine_queries: u64,
    edges: u64,
    descents: u64,
    walks: u64,
    walks_escaped: u64,
    backtracks: u64,
    raw_frames: u64,
}

impl StatisticsJson {
    fn new(statistics: &Statistics) -> Self {
        let Statistics {
            expansions,
            collision_checks,
            engine_queries,
            edges,
            descents,
            walks,
            walks_escaped,
            backtracks,
            raw_frames,
            frames: _,
        } = *statistics;
        Self {
            expansions,
            collision_checks,
            engine_queries,
            edges,
            descents,
            walks,
            walks_escaped,
            backtracks,
            raw_frames,
        }
    }
}
