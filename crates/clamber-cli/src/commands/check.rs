//! `clamber check`: judge a motion.

use clamber::check::quality::{Comparison, Quality, compare, quality};
use clamber::check::{CheckSettings, Finding, check};
use clamber::io::read_scene;
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
    let comparison = quality.as_ref().zip(other);
    let comparison = comparison.and_then(|(this, other)| compare(&scene.problem, this, motion.duration(), &other));
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

#[derive(Serialize)]
struct Json<'a> {
    valid: bool,
    findings: &'a [Finding],
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<Quality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<Comparison>,
}
