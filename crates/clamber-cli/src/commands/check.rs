//! `clamber check`: judge a motion.

use clamber::check::quality::{Comparison, Quality, compare, quality, retimed_evenly};
use clamber::check::{CheckSettings, Finding, check};
use clamber::io::read_scene;
use clamber::model::{Motion, Problem};
use clamber::with_hands_and_feet;
use serde::Serialize;

use crate::Status;
use crate::args::CheckArgs;
use crate::output::read;

pub fn run(args: &CheckArgs) -> miette::Result<Status> {
    let scene = read_scene(&args.scene)?;
    let motion = read(&args.motion, &scene.problem)?;
    let other = args.against.as_ref().map(|file| read(file, &scene.problem)).transpose()?;
    let report = check(&scene.problem, &motion, &CheckSettings::default());
    let quality = if args.quality { quality(&scene.problem, &motion) } else { None };
    let comparison = quality.as_ref().zip(other).and_then(|(this, other)| {
        let mut comparison = compare(&scene.problem, this, motion.duration(), &other)?;
        let evenly = retimed_evenly(&other, motion.duration());
        comparison.against = as_shown(comparison.against, &scene.problem, &evenly);
        Some(comparison)
    });
    let quality = quality.map(|quality| as_shown(quality, &scene.problem, &motion));
    if args.json {
        let json = Json { valid: report.passed(), findings: &report.findings, quality, comparison };
        println!("{}", serde_json::to_string_pretty(&json).expect("plain data has a JSON form"));
    } else {
        println!("{report}");
        if let Some(quality) = quality {
            println!("\n{quality}");
        }
        if let Some(comparison) = comparison {
            println!("\nagainst\n{comparison}");
        }
    }
    Ok(if report.passed() { Status::Done } else { Status::Invalid })
}

/// With the gait of the feet that are shown.
fn as_shown(quality: Quality, problem: &Problem, motion: &Motion) -> Quality {
    let (problem, motion) = with_hands_and_feet(problem, motion);
    quality.with_gait_of(&problem, &motion)
}

#[derive(Serialize)]
struct Json<'a> {
    valid: bool,
    findings: &'a [Finding],
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<Quality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<Comparison>,
}
