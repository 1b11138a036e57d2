//! `clamber check`: judge a motion.

use clamber::check::{CheckSettings, Finding, check};
use clamber::io::read_scene;
use serde::Serialize;

use crate::Status;
use crate::args::CheckArgs;
use crate::output::read;

pub fn run(args: &CheckArgs) -> miette::Result<Status> {
    let scene = read_scene(&args.scene)?;
    let motion = read(&args.motion, &scene.problem)?;
    let report = check(&scene.problem, &motion, &CheckSettings::default());
    if args.json {
        let json = Json { valid: report.passed(), findings: &report.findings };
        println!("{}", serde_json::to_string_pretty(&json).expect("plain data has a JSON form"));
    } else {
        println!("{report}");
    }
    Ok(if report.passed() { Status::Done } else { Status::Invalid })
}

#[derive(Serialize)]
struct Json<'a> {
    valid: bool,
    findings: &'a [Finding],
}
