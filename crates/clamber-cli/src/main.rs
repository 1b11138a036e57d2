//! The `clamber` command.
//!
//! Exit status: 0 done, 1 the motion is invalid, 2 bad use or input, 3 no plan.

mod args;
mod progress;
mod outcome;
mod output;
mod memory;
mod commands;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.command {
        Command::Plan(args) => commands::plan::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Refine(args) => commands::refine::run(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Draw(args) => commands::draw::run(&args),
        Command::Generate(args) => commands::generate::run(&args),
        Command::Bench(args) => match (args.generated, &args.growth) {
            (None, None) if args.clips => commands::bench_clips::run(&args),
            (Some(count), _) => commands::bench_generated::run(&args, count),
            (None, Some(lengths)) => commands::bench_growth::run(&args, lengths),
            (None, None) => commands::bench::run(&args),
        },
    };
    match done {
        Ok(status) => ExitCode::from(status as u8),
        Err(report) => {
            eprintln!("{report:?}");
            ExitCode::from(Status::BadInput as u8)
        }
    }
}

/// How the command ended, as the shell sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Done = 0,
    Invalid = 1,
    BadInput = 2,
    NoPlan = 3,
}
