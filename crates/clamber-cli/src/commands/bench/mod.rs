//! `clamber bench`: many seeds, one row a scene.

mod figures;
mod run;
mod speed;
mod row;

use clamber::io::read_scene;
use miette::IntoDiagnostic;

use crate::Status;
use crate::args::BenchArgs;
use crate::outcome::Settings;
pub use figures::{digits, quantile_of, seconds};
use row::Row;
use run::Course;
pub use run::stop_after;

pub fn run(args: &BenchArgs) -> miette::Result<Status> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.max(1)).build().into_diagnostic()?;
    let settings = plan_settings(args);
    let against = args.against.map(Into::into);
    let BenchArgs { seeds, max_seconds, slices, .. } = *args;
    let course = Course { settings, against, seeds, max_seconds, slices };
    if !args.json {
        println!("{}", row::HEADER);
    }
    let mut rows = Vec::new();
    for scene in &args.scenes {
        let problem = read_scene(scene)?.problem;
        let row = pool.install(|| Row::new(&problem.name, &course.runs(&problem)));
        if !args.json {
            println!("{}", row.text());
            if args.report {
                println!("{}", row.details());
            }
        }
        rows.push(row);
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows).expect("plain data has a JSON form"));
    } else if args.speed || against.is_some() {
        println!("\n{}", speed::HEADER);
        rows.iter().for_each(|row| println!("{}", row.speed.text(&row.scene)));
    }
    let all_valid = rows.iter().all(|row| row.valid == row.solved);
    let all_solved = rows.iter().all(|row| row.solved == row.seeds);
    Ok(match (all_valid, all_solved) {
        (false, _) => Status::Invalid,
        (true, false) => Status::NoPlan,
        (true, true) => Status::Done,
    })
}

/// The settings that the command line asks for.
pub fn plan_settings(args: &BenchArgs) -> Settings {
    let mut settings = Settings::default();
    settings.plan.algorithm = args.planner.into();
    if args.no_backtracking {
        settings.plan.max_backtracks = 0;
    }
    if let Some(max_expansions) = args.max_expansions {
        settings.plan.max_expansions = max_expansions;
    }
    settings
}
