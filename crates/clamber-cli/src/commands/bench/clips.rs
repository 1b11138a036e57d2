//! `clamber bench SCENE... --clips`: plans, refines and checks clips of many seeds.

use std::time::Instant;

use clamber::check::check_motion;
use clamber::clip::{ClipSettings, refine};
use clamber::io::read_scene;
use clamber::model::{Motion, Problem};
use miette::IntoDiagnostic;
use rayon::prelude::*;
use serde::Serialize;

use super::settings::{plan_settings, stop_after, thread_pool};
use super::statistics::{format_digits, format_seconds, quantile_of};
use crate::args::BenchArgs;
use crate::exit_status::Status;
use crate::run_planner::{Settings, plan};

const HEADER: &str = "scene               clips  valid  planned (median)  refined (median)  refined/planned (median, 90%)  plays (s)  less smooth";

pub fn run(args: &BenchArgs) -> miette::Result<Status> {
    let pool = thread_pool(args)?;
    let settings = plan_settings(args);
    let mut rows = Vec::new();
    for scene in &args.scenes {
        let problem = read_scene(scene)?.problem.scaled(args.scale).into_diagnostic()?;
        let clip = |seed: u64| {
            let start = Instant::now();
            let outcome = plan(&problem, &settings.plan, seed, &mut stop_after(args.max_seconds));
            let planned = start.elapsed().as_secs_f64();
            outcome
                .failure
                .is_none()
                .then(|| ClipResult::new(&problem, &outcome.motion, &settings, args, seed, planned))
        };
        let clips = pool.install(|| args.seed_range().into_par_iter().filter_map(clip).collect());
        rows.push(ClipRow::new(&problem.name, clips));
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows).expect("plain data serializes"));
    } else {
        println!("{HEADER}");
        rows.iter().for_each(|row| println!("{}", row.text(args.report)));
    }
    Ok(if rows.iter().all(|row| row.invalid.is_empty()) { Status::Success } else { Status::InvalidMotion })
}

pub fn clip_settings(args: &BenchArgs) -> ClipSettings {
    let mut settings = ClipSettings::default();
    settings.frames_per_second = args.frames_per_second;
    settings
}

/// The clip of one solved seed.
pub struct ClipResult {
    pub seed: u64,
    /// Planning time, in seconds.
    planned: f64,
    /// Refining time, in seconds.
    refined: f64,
    /// Duration of the clip, in seconds.
    duration: f64,
    reduced_smoothing_fraction: f64,
    /// The properties that the clip fails.
    pub failed: Vec<&'static str>,
}

impl ClipResult {
    /// Refines a motion, which took `planned` seconds to plan, and checks the clip.
    pub fn new(
        problem: &Problem,
        motion: &Motion,
        settings: &Settings,
        args: &BenchArgs,
        seed: u64,
        planned: f64,
    ) -> Self {
        let start = Instant::now();
        let clip = refine(problem, motion, &clip_settings(args)).expect("planned motions belong to their problem");
        let refined = start.elapsed().as_secs_f64();
        let report = check_motion(problem, &clip.motion, &settings.check);
        let failed = report.properties.iter().filter(|result| !result.passed).map(|result| result.property).collect();
        let duration = f64::from(clip.motion.duration());
        Self {
            seed,
            planned,
            refined,
            duration,
            reduced_smoothing_fraction: f64::from(clip.reduced_smoothing_fraction),
            failed,
        }
    }

    /// Refining time divided by planning time.
    pub fn refined_by_planned(&self) -> f64 {
        self.refined / self.planned
    }
}

#[derive(Serialize)]
struct ClipRow {
    scene: String,
    clips: usize,
    planned_median: f64,
    refined_median: f64,
    refined_by_planned_median: f64,
    refined_by_planned_90: f64,
    plays_median: f64,
    stiff_median: f64,
    /// Seeds with an invalid clip, and the properties that failed.
    invalid: Vec<(u64, Vec<&'static str>)>,
}

impl ClipRow {
    fn new(scene: &str, clips: Vec<ClipResult>) -> Self {
        let clip_quantile = |value: &dyn Fn(&ClipResult) -> f64, fraction: f64| {
            quantile_of(clips.iter().map(value), fraction).unwrap_or(0.0)
        };
        let invalid = clips.iter().filter(|clip| !clip.failed.is_empty());
        Self {
            scene: scene.to_owned(),
            clips: clips.len(),
            planned_median: clip_quantile(&|clip| clip.planned, 0.5),
            refined_median: clip_quantile(&|clip| clip.refined, 0.5),
            refined_by_planned_median: clip_quantile(&ClipResult::refined_by_planned, 0.5),
            refined_by_planned_90: clip_quantile(&ClipResult::refined_by_planned, 0.9),
            plays_median: clip_quantile(&|clip| clip.duration, 0.5),
            stiff_median: clip_quantile(&|clip| clip.reduced_smoothing_fraction, 0.5),
            invalid: invalid.map(|clip| (clip.seed, clip.failed.clone())).collect(),
        }
    }

    fn text(&self, report: bool) -> String {
        let line = format!(
            "{:<20}{:>5}{:>7}{:>18}{:>18}{:>23}{:>8}{:>11}{:>12.0}%",
            self.scene,
            self.clips,
            self.clips - self.invalid.len(),
            format_seconds(self.planned_median),
            format_seconds(self.refined_median),
            format_digits(self.refined_by_planned_median),
            format_digits(self.refined_by_planned_90),
            format_digits(self.plays_median),
            100.0 * self.stiff_median,
        );
        let invalid =
            self.invalid.iter().map(|(seed, failed)| format!("\n    invalid: {seed} ({})", failed.join(", ")));
        if report { line + &invalid.collect::<String>() } else { line }
    }
}
