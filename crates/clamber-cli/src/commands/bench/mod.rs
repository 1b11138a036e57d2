//! `clamber bench`: plans many seeds or generated courses and prints a table.

mod settings;
mod statistics;
mod seed_result;
mod planning_time;
mod scene_row;
mod scenes;
mod clips;
mod quality;
mod segment_kinds;
mod generated_courses;
mod growth_with_length;
mod slice_times;

use crate::args::BenchArgs;
use crate::exit_status::Status;

pub fn run(args: &BenchArgs) -> miette::Result<Status> {
    if let Some(milliseconds) = args.slice_time {
        return slice_times::run(args, milliseconds);
    }
    match (args.generated, &args.growth) {
        (Some(count), _) => generated_courses::run(args, count),
        (None, Some(lengths)) => growth_with_length::run(args, lengths),
        (None, None) if args.quality => quality::run(args),
        (None, None) if args.clips => clips::run(args),
        (None, None) => scenes::run(args),
    }
}
