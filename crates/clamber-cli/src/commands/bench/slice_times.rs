//! `clamber bench SCENE... --slice-time MS`: plans in slices of a given time, and measures how long they really take.

use std::ops::Range;
use std::time::Duration;

use clamber::io::read_scene;
use clamber::plan::{PlanSettings, Planner};
use clamber::{Problem, Scene};
use miette::IntoDiagnostic;
use serde::Serialize;

use super::settings::plan_settings;
use super::statistics::{format_seconds, quantile_of};
use crate::args::BenchArgs;
use crate::exit_status::Status;
use crate::thread_time::thread_time;

const HEADER: &str =
    "scene                solved  slices      median         99%     longest   too long       world        plan";

/// The slices of all seeds of a scene, in seconds of thread time.
#[derive(Serialize)]
struct SliceRow {
    scene: String,
    seeds: u64,
    solved: u64,
    slices: usize,
    median: f64,
    quantile_99: f64,
    longest: f64,
    /// Slices that took longer than asked for.
    too_long: usize,
    /// Preparing the world.
    world: f64,
    /// All slices of a plan: the median over the seeds.
    plan_median: f64,
}

pub fn run(args: &BenchArgs, milliseconds: f32) -> miette::Result<Status> {
    let settings = plan_settings(args).plan;
    let slice = Duration::from_secs_f32(milliseconds / 1000.0);
    if !args.json {
        println!("{HEADER}");
    }
    let mut rows = Vec::new();
    for scene in &args.scenes {
        let before = thread_time();
        let Scene { problem, .. } = read_scene(scene)?;
        let problem = problem.scaled(args.scale).into_diagnostic()?;
        let world = (thread_time() - before).as_secs_f64();
        let row = SliceRow { world, ..SliceRow::new(&problem, &settings, args.seed_range(), slice) };
        if !args.json {
            println!("{}", row.text());
        }
        rows.push(row);
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows).expect("plain data serializes"));
    }
    let all_solved = rows.iter().all(|row| row.solved == row.seeds);
    Ok(if all_solved { Status::Success } else { Status::NoPlan })
}

impl SliceRow {
    fn new(problem: &Problem, settings: &PlanSettings, seeds: Range<u64>, slice: Duration) -> Self {
        let (mut times, mut plans, mut solved) = (Vec::new(), Vec::new(), 0);
        for seed in seeds.clone() {
            let mut planner = Planner::new(problem.clone()).settings(*settings).seed(seed);
            let begin = thread_time();
            loop {
                let before = thread_time();
                let is_over = planner.advance_for(slice);
                times.push((thread_time() - before).as_secs_f64());
                if is_over {
                    break;
                }
            }
            plans.push((thread_time() - begin).as_secs_f64());
            solved += u64::from(planner.into_result().is_ok());
        }
        let quantile = |fraction| quantile_of(times.iter().copied(), fraction).unwrap_or(0.0);
        Self {
            scene: problem.name.clone(),
            seeds: seeds.end - seeds.start,
            solved,
            slices: times.len(),
            median: quantile(0.5),
            quantile_99: quantile(0.99),
            longest: quantile(1.0),
            too_long: times.iter().filter(|time| **time > slice.as_secs_f64()).count(),
            world: 0.0,
            plan_median: quantile_of(plans.into_iter(), 0.5).unwrap_or(0.0),
        }
    }

    fn text(&self) -> String {
        format!(
            "{:<20}{:>7}{:>8}{:>12}{:>12}{:>12}{:>11}{:>12}{:>12}",
            self.scene,
            self.solved,
            self.slices,
            format_seconds(self.median),
            format_seconds(self.quantile_99),
            format_seconds(self.longest),
            self.too_long,
            format_seconds(self.world),
            format_seconds(self.plan_median),
        )
    }
}
