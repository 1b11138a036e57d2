//! `clamber bench SCENE...`: plans each scene with many seeds, one row per scene.

use std::borrow::Cow;
use std::path::Path;

use clamber::Problem;
use clamber::io::{read_jittered_scene, read_scene};
use clamber::plan::Algorithm;
use miette::IntoDiagnostic;

use super::planning_time;
use super::scene_row::{self, SceneRow};
use super::seed_result::SeedBench;
use super::settings::{plan_settings, thread_pool};
use crate::args::BenchArgs;
use crate::exit_status::Status;

pub fn run(args: &BenchArgs) -> miette::Result<Status> {
    let pool = thread_pool(args)?;
    let settings = plan_settings(args);
    let against: Option<Algorithm> = args.against.map(Into::into);
    let BenchArgs { max_seconds, slices, .. } = *args;
    let bench = SeedBench { settings, against, seeds: args.seed_range(), max_seconds, slices };
    if !args.json {
        println!("{}", scene_row::HEADER);
    }
    let mut rows = Vec::new();
    for scene in &args.scenes {
        let problem = read_scene(scene)?.problem.scaled(args.scale).into_diagnostic()?;
        let of_seed = |seed| match args.jitter {
            false => Ok(Cow::Borrowed(&problem)),
            true => jittered(scene, seed, args.scale).map(Cow::Owned),
        };
        let row = pool.install(|| SceneRow::new(&problem.name, bench.run_all(of_seed)));
        if !args.json {
            println!("{}", row.text());
            if args.report || !row.rejected.is_empty() {
                println!("{}", row.details());
            }
        }
        rows.push(row);
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows).expect("plain data serializes"));
    } else if args.speed || against.is_some() {
        println!("\n{}", planning_time::HEADER);
        rows.iter().for_each(|row| println!("{}", row.speed.text(&row.scene)));
    }
    let all_valid = rows.iter().all(|row| row.valid == row.solved);
    let all_solved = rows.iter().all(|row| row.solved == row.seeds);
    Ok(match (all_valid, all_solved) {
        (false, _) => Status::InvalidMotion,
        (true, false) => Status::NoPlan,
        (true, true) => Status::Success,
    })
}

/// The problem of a seed, or why the reader rejects it.
fn jittered(scene: &Path, seed: u64, scale: f32) -> Result<Problem, String> {
    let scene = read_jittered_scene(scene, seed).map_err(|error| error.to_string())?;
    scene.problem.scaled(scale).map_err(|error| error.to_string())
}
