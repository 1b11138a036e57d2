//! `clamber refine`: turns a motion into a clip.

use std::time::Instant;

use clamber::clip::{Clip, ClipSettings};
use clamber::draw::DrawSettings;

use crate::args::{RefineArgs, SpeedCurve};
use crate::cancellable_work::{check, refine};
use crate::exit_status::Status;
use crate::file_format::{FileFormat, parse_outputs, read_motion_file, read_scene_file, write_output};
use crate::progress::ProgressMonitor;
use crate::run_planner::Settings;

/// A clip that lasts this many times its requested duration is noticeably slower.
const NOTICEABLE: f32 = 1.2;

pub fn run(args: &RefineArgs) -> miette::Result<Status> {
    let outputs = parse_outputs(&args.outputs, &FileFormat::ALL)?;
    let scene = read_scene_file(&args.scene)?;
    let motion = read_motion_file(&args.motion, &scene.problem)?;
    let settings = Settings::default();
    let monitor = ProgressMonitor::new();
    let start = Instant::now();
    let clip_settings = clip_settings(&args.speed, args.frames_per_second);
    let refined = refine(&scene.problem, &motion, &clip_settings, &monitor)?;
    let seconds = start.elapsed().as_secs_f64();
    let report = check(&scene.problem, &refined.motion, &settings.check, &monitor)?;
    for output in &outputs {
        write_output(output, &scene.problem, &refined.motion, &DrawSettings::default(), &monitor)?;
    }
    drop(monitor);
    println!(
        "{}: {} frames, {:.1} s of motion, refined in {:.1} ms (obstacles and limits reduced smoothing in {:.0}% of it)",
        scene.problem.name,
        refined.motion.frames.len(),
        refined.motion.duration(),
        1e3 * seconds,
        100.0 * refined.reduced_smoothing_fraction
    );
    if let Some(line) = limit_line(&refined) {
        println!("{line}");
    }
    if outputs.is_empty() {
        eprintln!("nothing was written; add -o FILE to keep the clip");
    }
    if !report.passed() {
        eprintln!("{report}");
    }
    Ok(if report.passed() { Status::Success } else { Status::InvalidMotion })
}

/// Names the limit that slows a clip down, if it is noticeably slower than requested.
pub fn limit_line(clip: &Clip) -> Option<String> {
    let (duration, requested) = (clip.motion.duration(), clip.duration_without_limits);
    let limit = clip.binding_limit.as_ref().filter(|_| duration > NOTICEABLE * requested)?;
    Some(format!("limited by {limit}: {duration:.1} s instead of {requested:.1} s"))
}

/// The settings of a clip with this speed and frame rate.
pub fn clip_settings(speed: &SpeedCurve, frames_per_second: f32) -> ClipSettings {
    let mut settings = ClipSettings::default();
    settings.speed_curve = speed.0.clone();
    settings.frames_per_second = frames_per_second;
    settings
}
