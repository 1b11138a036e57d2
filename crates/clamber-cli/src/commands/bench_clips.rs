//! `clamber bench --clips`: plan, refine and check the clip, for many seeds.

use std::time::Instant;

use clamber::check::check;
use clamber::clip::{ClipSettings, refine};
use clamber::io::read_scene;
use clamber::model::{Motion, Problem};
use miette::IntoDiagnostic;
use rayon::prelude::*;
use serde::Serialize;

use super::bench::{digits, plan_settings, quantile_of, seconds, stop_after};
use crate::Status;
use crate::args::BenchArgs;
use crate::outcome::{Settings, plan};

const HEADER: &str = "scene               clips  valid  planned (median)  refined (median)  refined/planned (median, 90%)  plays (s)  stiff";

pub fn run(args: &BenchArgs) -> miette::Result<Status> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.max(1)).build().into_diagnostic()?;
    let settings = plan_settings(args);
    let mut rows = Vec::new();
    for scene in &args.scenes {
        let problem = read_scene(scene)?.problem;
        let clip = |seed: u64| {
            let began = Instant::now();
            let outcome = plan(&problem, &settings.plan, seed, &mut stop_after(args.max_seconds));
            let planned = began.elapsed().as_secs_f64();
            outcome.failure.is_none().then(|| Clip::new(&problem, &outcome.motion, &settings, seed, planned))
        };
        let clips = pool.install(|| (1..=args.seeds).into_par_iter().filter_map(clip).collect());
        rows.push(Row::new(&problem.name, clips));
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows).expect("plain data has a JSON form"));
    } else {
        println!("{HEADER}");
        rows.iter().for_each(|row| println!("{}", row.text(args.report)));
    }
    Ok(if rows.iter().all(|row| row.invalid.is_empty()) { Status::Done } else { Status::Invalid })
}

/// What one solved seed gave.
pub struct Clip {
    pub seed: u64,
    planned: f64,
    refined: f64,
    plays: f64,
    stiff: f64,
    /// The properties in which the clip is invalid.
    pub failed: Vec<&'static str>,
}

impl Clip {
    /// Refines a motion that took so long to plan, and checks the clip.
    pub fn new(problem: &Problem, motion: &Motion, settings: &Settings, seed: u64, planned: f64) -> Self {
        let began = Instant::now();
        let clip = refine(problem, motion, &ClipSettings::default()).expect("planned motions belong to their problem");
        let refined = began.elapsed().as_secs_f64();
        let report = check(problem, &clip.motion, &settings.check);
        let failed = report.findings.iter().filter(|finding| !finding.passed).map(|finding| finding.property).collect();
        let plays = f64::from(clip.motion.duration());
        Self { seed, planned, refined, plays, stiff: f64::from(clip.reduced_smoothing), failed }
    }

    /// How long refining took beside planning.
    pub fn by_planned(&self) -> f64 {
        self.refined / self.planned
    }
}

#[derive(Serialize)]
struct Row {
    scene: String,
    clips: usize,
    planned_median: f64,
    refined_median: f64,
    refined_by_planned_median: f64,
    refined_by_planned_90: f64,
    plays_median: f64,
    stiff_median: f64,
    /// Seeds whose clip is invalid, and in what.
    invalid: Vec<(u64, Vec<&'static str>)>,
}

impl Row {
    fn new(scene: &str, clips: Vec<Clip>) -> Self {
        let at = |value: &dyn Fn(&Clip) -> f64, share: f64| quantile_of(clips.iter().map(value), share).unwrap_or(0.0);
        let invalid = clips.iter().filter(|clip| !clip.failed.is_empty());
        Self {
            scene: scene.to_owned(),
            clips: clips.len(),
            planned_median: at(&|clip| clip.planned, 0.5),
            refined_median: at(&|clip| clip.refined, 0.5),
            refined_by_planned_median: at(&Clip::by_planned, 0.5),
            refined_by_planned_90: at(&Clip::by_planned, 0.9),
            plays_median: at(&|clip| clip.plays, 0.5),
            stiff_median: at(&|clip| clip.stiff, 0.5),
            invalid: invalid.map(|clip| (clip.seed, clip.failed.clone())).collect(),
        }
    }

    fn text(&self, report: bool) -> String {
        let line = format!(
            "{:<20}{:>5}{:>7}{:>18}{:>18}{:>23}{:>8}{:>11}{:>6.0}%",
            self.scene,
            self.clips,
            self.clips - self.invalid.len(),
            seconds(self.planned_median),
            seconds(self.refined_median),
            digits(self.refined_by_planned_median),
            digits(self.refined_by_planned_90),
            digits(self.plays_median),
            100.0 * self.stiff_median,
        );
        let invalid =
            self.invalid.iter().map(|(seed, failed)| format!("\n    invalid: {seed} ({})", failed.join(", ")));
        if report { line + &invalid.collect::<String>() } else { line }
    }
}
