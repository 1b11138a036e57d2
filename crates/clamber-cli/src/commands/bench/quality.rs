//! `clamber bench SCENE... --quality`: how the bodies of the clips carry themselves, the mean of a scene's seeds, and the total.

use clamber::check::quality::{Bearing, bearing};
use clamber::clip::refine;
use clamber::io::read_scene;
use miette::IntoDiagnostic;
use rayon::prelude::*;
use serde::Serialize;

use super::clips::clip_settings;
use super::settings::{plan_settings, stop_after, thread_pool};
use crate::args::BenchArgs;
use crate::exit_status::Status;
use crate::run_planner::plan;

pub fn run(args: &BenchArgs) -> miette::Result<Status> {
    let pool = thread_pool(args)?;
    let settings = plan_settings(args);
    let mut rows = Vec::new();
    for scene in &args.scenes {
        let problem = read_scene(scene)?.problem.scaled(args.scale).into_diagnostic()?;
        let measure = |seed: u64| {
            let outcome = plan(&problem, &settings.plan, seed, &mut stop_after(args.max_seconds));
            let clip = refine(&problem, &outcome.motion, &clip_settings(args)).ok()?;
            outcome.failure.is_none().then(|| bearing(&problem, &clip.motion))?
        };
        let all: Vec<Bearing> = pool.install(|| args.seed_range().into_par_iter().filter_map(measure).collect());
        let mut mean = Bearing::total(&all);
        mean.divide(all.len());
        rows.push(QualityRow { scene: problem.name.clone(), seeds: all.len(), bearing: mean });
    }
    let bearings: Vec<Bearing> = rows.iter().map(|row| row.bearing.clone()).collect();
    let seeds = rows.iter().map(|row| row.seeds).sum();
    rows.push(QualityRow { scene: "total".to_owned(), seeds, bearing: Bearing::total(&bearings) });
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows).expect("plain data serializes"));
    } else {
        let columns = Bearing::default().values().map(|(name, _)| format!("{name:>17}")).concat();
        println!("{:<20}{:>6}{columns}", "scene", "clips");
        for row in &rows {
            let values = row.bearing.values().map(|(_, value)| format!("{value:>17.2}")).concat();
            println!("{:<20}{:>6}{values}", row.scene, row.seeds);
        }
    }
    let expected = args.scenes.len() as u64 * args.seeds;
    Ok(if seeds as u64 == expected { Status::Success } else { Status::NoPlan })
}

#[derive(Serialize)]
struct QualityRow {
    scene: String,
    /// Seeds that were solved.
    seeds: usize,
    bearing: Bearing,
}
