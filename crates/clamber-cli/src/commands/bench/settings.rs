//! What all benchmarks share: threads, planner settings, time limit.

use std::ops::ControlFlow;
use std::time::Instant;

use clamber::plan::Progress;
use miette::IntoDiagnostic;

use crate::args::BenchArgs;
use crate::run_planner::Settings;

pub fn thread_pool(args: &BenchArgs) -> miette::Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(args.threads).build().into_diagnostic()
}

/// The settings that the command line asks for.
pub fn plan_settings(args: &BenchArgs) -> Settings {
    let mut settings = Settings::default();
    settings.plan.algorithm = args.planner.into();
    settings.plan.equilibrium = !args.no_equilibrium;
    settings.plan.variety = args.variety;
    if args.no_backtracking {
        settings.plan.max_backtracks = 0;
    }
    if let Some(max_expansions) = args.max_expansions {
        settings.plan.max_expansions = max_expansions;
    }
    settings
}

/// An observer that stops a plan after this time, counted from now.
pub fn stop_after(max_seconds: Option<f64>) -> impl FnMut(&Progress) -> ControlFlow<()> + Send {
    let start = Instant::now();
    move |_| match max_seconds {
        Some(limit) if start.elapsed().as_secs_f64() > limit => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}
