//! Refining, checking and adding hands and feet, with progress and cancellation.

use clamber::check::{CheckSettings, check_motion_with_progress};
use clamber::model::{Motion, Problem};
use clamber::{Clip, ClipError, ClipSettings, Report, problem_with_hands_and_feet_with_progress, refine_with_progress};
use miette::IntoDiagnostic;

use crate::exit_status::Cancelled;
use crate::progress::ProgressMonitor;

pub fn refine(
    problem: &Problem,
    motion: &Motion,
    settings: &ClipSettings,
    monitor: &ProgressMonitor,
) -> miette::Result<Clip> {
    let clip = refine_with_progress(problem, motion, settings, &mut |progress| monitor.report_refining(progress));
    match clip {
        Err(ClipError::Cancelled) => Err(Cancelled { what: "refining" }.into()),
        clip => clip.into_diagnostic(),
    }
}

pub fn check(
    problem: &Problem,
    motion: &Motion,
    settings: &CheckSettings,
    monitor: &ProgressMonitor,
) -> Result<Report, Cancelled> {
    let observer = &mut |progress: &_| monitor.report_check(progress);
    check_motion_with_progress(problem, motion, settings, observer).ok_or(Cancelled { what: "the check" })
}

pub fn add_hands_and_feet(
    problem: &Problem,
    motion: &Motion,
    monitor: &ProgressMonitor,
) -> Result<(Problem, Motion), Cancelled> {
    let observer = &mut |progress: &_| monitor.report_hands_and_feet(progress);
    problem_with_hands_and_feet_with_progress(problem, motion, observer)
        .ok_or(Cancelled { what: "adding hands and feet" })
}
