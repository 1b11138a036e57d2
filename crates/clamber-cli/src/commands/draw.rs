//! `clamber draw`: draws a motion.

use clamber::draw::DrawSettings;
use clamber::model::Motion;
use miette::Diagnostic;

use crate::args::DrawArgs;
use crate::exit_status::Status;
use crate::file_format::{FileFormat, parse_outputs, read_motion_file, read_scene_file, write_output, write_sheet};
use crate::progress::ProgressMonitor;

#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("the motion has no frames from {from} s to {to} s")]
#[diagnostic(help("the motion lasts {duration:.2} s; --from must be before --to and before its end"))]
struct EmptyTimeRange {
    from: f32,
    to: f32,
    duration: f32,
}

pub fn run(args: &DrawArgs) -> miette::Result<Status> {
    let formats = [FileFormat::Svg, FileFormat::Png, FileFormat::Gif];
    let formats = if args.sheet { &formats[..2] } else { &formats };
    let outputs = parse_outputs(&args.outputs, formats)?;
    let scene = read_scene_file(&args.scene)?;
    let motion = read_motion_file(&args.motion, &scene.problem)?;
    check_time_range(args, &motion)?;
    let DrawArgs { view, width, poses, at_contacts, no_holds, labels, from, to, whole, .. } = *args;
    let mut settings = DrawSettings::default();
    settings.view = view;
    settings.width = width;
    settings.pose_count = poses;
    settings.poses_at_contacts = at_contacts;
    settings.show_holds = !no_holds;
    settings.show_obstacle_names = labels;
    settings.start_time = from;
    settings.end_time = to;
    settings.follow = !whole;
    let monitor = ProgressMonitor::new();
    for output in &outputs {
        if args.sheet {
            write_sheet(output, &scene.problem, &motion, &settings, &monitor)?;
        } else {
            write_output(output, &scene.problem, &motion, &settings, &monitor)?;
        }
    }
    Ok(Status::Success)
}

/// An empty time range is an error. Without --from and --to, a motion of a single frame is drawn.
fn check_time_range(args: &DrawArgs, motion: &Motion) -> Result<(), EmptyTimeRange> {
    let duration = motion.duration();
    let (from, to) = (args.from.unwrap_or(0.0), args.to.unwrap_or(duration));
    let has_range = args.from.is_some() || args.to.is_some();
    if has_range && (from >= to || from >= duration) { Err(EmptyTimeRange { from, to, duration }) } else { Ok(()) }
}
