//! The `clamber` command.
//!
//! Exit status: 0 success, 1 the motion is invalid, 2 usage or input error, 3 no plan, 130 cancelled.

mod args;
mod exit_status;
mod ctrl_c;
mod progress;
mod run_planner;
mod cancellable_work;
mod file_format;
mod process_memory;
mod thread_time;
mod commands;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use exit_status::{Cancelled, Status};

fn main() -> ExitCode {
    let args = Args::parse();
    ctrl_c::set_handler();
    let result = match args.command {
        Command::Plan(args) => commands::plan::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Refine(args) => commands::refine::run(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Draw(args) => commands::draw::run(&args),
        Command::Generate(args) => commands::generate::run(&args),
        Command::Pose(args) => commands::pose::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
    };
    match result {
        Ok(status) => ExitCode::from(status as u8),
        Err(report) if report.is::<Cancelled>() => {
            eprintln!("{report}");
            ExitCode::from(Status::Cancelled as u8)
        }
        Err(report) => {
            eprintln!("{report:?}");
            ExitCode::from(Status::InputError as u8)
        }
    }
}
