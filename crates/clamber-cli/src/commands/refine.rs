//! `clamber refine`: make a clip of a motion.

use std::time::Instant;

use clamber::check::check;
use clamber::clip::{ClipSettings, refine};
use clamber::draw::DrawSettings;
use clamber::io::read_scene;
use miette::IntoDiagnostic;

use crate::Status;
use crate::args::{RefineArgs, SpeedCurve};
use crate::outcome::Settings;
use crate::output::{Kind, outputs, read, write};
use crate::progress::Watch;

pub fn run(args: &RefineArgs) -> miette::Result<Status> {
    let outputs = outputs(&args.outputs, &Kind::EVERY)?;
    let scene = read_scene(&args.scene)?;
    let motion = read(&args.motion, &scene.problem)?;
    let settings = Settings::default();
    let began = Instant::now();
    let clip_settings = refine_settings(&args.speed, args.frames_per_second);
    let refined = refine(&scene.problem, &motion, &clip_settings).into_diagnostic()?;
    let seconds = began.elapsed().as_secs_f64();
    let report = check(&scene.problem, &refined.motion, &settings.check);
    let watch = Watch::new();
    for output in &outputs {
        write(output, &scene.problem, &refined.motion, &DrawSettings::default(), &watch)?;
    }
    drop(watch);
    println!(
        "{}: {} frames, {:.1} s of motion, refined in {:.1} ms ({:.0}% stiff)",
        scene.problem.name,
        refined.motion.frames.len(),
        refined.motion.duration(),
        1e3 * seconds,
        100.0 * refined.reduced_smoothing
    );
    if !report.passed() {
        eprintln!("{report}");
    }
    Ok(if report.passed() { Status::Done } else { Status::Invalid })
}

/// The settings of a clip with this speed.
pub fn refine_settings(speed: &SpeedCurve, frames_per_second: f32) -> ClipSettings {
    let mut settings = ClipSettings::default();
    settings.speed = speed.0.clone();
    settings.frames_per_second = frames_per_second;
    settings
}
