//! `clamber check`: checks a motion.

use clamber::check::quality::{Comparison, Quality, compare_with_reference, quality, with_evenly_spaced_times};
use clamber::check::{CheckSettings, PropertyResult};
use clamber::model::{Motion, Problem};
use clamber::problem_with_hands_and_feet;
use serde::Serialize;

use crate::args::CheckArgs;
use crate::cancellable_work::check;
use crate::exit_status::Status;
use crate::file_format::{read_motion_file, read_scene_file};
use crate::progress::ProgressMonitor;

pub fn run(args: &CheckArgs) -> miette::Result<Status> {
    let scene = read_scene_file(&args.scene)?;
    let motion = read_motion_file(&args.motion, &scene.problem)?;
    let reference = args.against.as_ref().map(|file| read_motion_file(file, &scene.problem)).transpose()?;
    let monitor = ProgressMonitor::new();
    let mut settings = CheckSettings::default();
    settings.equilibrium = args.equilibrium;
    let report = check(&scene.problem, &motion, &settings, &monitor)?;
    drop(monitor);
    let quality = if args.quality { quality(&scene.problem, &motion) } else { None };
    let comparison = quality.as_ref().zip(reference).and_then(|(this, reference)| {
        let mut comparison = compare_with_reference(&scene.problem, this, motion.duration(), &reference)?;
        let reference = with_evenly_spaced_times(&reference, motion.duration());
        comparison.reference_quality = with_displayed_gait(comparison.reference_quality, &scene.problem, &reference);
        Some(comparison)
    });
    let quality = quality.map(|quality| with_displayed_gait(quality, &scene.problem, &motion));
    if args.json {
        let json = CheckResultJson { valid: report.passed(), findings: &report.properties, quality, comparison };
        println!("{}", serde_json::to_string_pretty(&json).expect("plain data serializes"));
    } else {
        println!("{report}");
        if let Some(quality) = quality {
            println!("\n{quality}");
        }
        if let Some(comparison) = comparison {
            println!("\nreference motion\n{comparison}");
        }
    }
    Ok(if report.passed() { Status::Success } else { Status::InvalidMotion })
}

/// Measures the gait of the motion with its feet, which planning leaves out.
fn with_displayed_gait(quality: Quality, problem: &Problem, motion: &Motion) -> Quality {
    let (problem, motion) = problem_with_hands_and_feet(problem, motion);
    quality.with_gait_of_motion(&problem, &motion)
}

#[derive(Serialize)]
struct CheckResultJson<'a> {
    valid: bool,
    findings: &'a [PropertyResult],
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<Quality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<Comparison>,
}
