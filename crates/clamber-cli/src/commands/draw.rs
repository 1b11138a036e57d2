//! `clamber draw`: a picture of a motion.

use clamber::draw::DrawSettings;
use clamber::io::read_scene;
use clamber::model::Motion;
use miette::Diagnostic;

use crate::Status;
use crate::args::DrawArgs;
use crate::output::{Kind, outputs, read, write, write_sheet};
use crate::progress::Watch;

#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("there is nothing to draw from {from} s to {to} s")]
#[diagnostic(help("the motion lasts {duration:.2} s, and --from must be before --to and before its end"))]
struct NothingToDraw {
    from: f32,
    to: f32,
    duration: f32,
}

pub fn run(args: &DrawArgs) -> miette::Result<Status> {
    let kinds: &[Kind] = if args.sheet { &[Kind::Svg, Kind::Png] } else { &[Kind::Svg, Kind::Png, Kind::Gif] };
    let outputs = outputs(&args.outputs, kinds)?;
    let scene = read_scene(&args.scene)?;
    let motion = read(&args.motion, &scene.problem)?;
    look_at_piece(args, &motion)?;
    let DrawArgs { view, width, poses, at_contacts, no_holds, labels, from, to, whole, .. } = *args;
    let mut settings = DrawSettings::default();
    settings.view = view;
    settings.width = width;
    settings.pose_count = poses;
    settings.poses_at_contacts = at_contacts;
    settings.show_holds = !no_holds;
    settings.show_labels = labels;
    settings.start_time = from;
    settings.end_time = to;
    settings.follow = !whole;
    let watch = Watch::new();
    for output in &outputs {
        if args.sheet {
            write_sheet(output, &scene.problem, &motion, &settings)?;
        } else {
            write(output, &scene.problem, &motion, &settings, &watch)?;
        }
    }
    Ok(Status::Done)
}

/// A piece that is not there is a mistake; all of a motion is always there, be it a moment.
fn look_at_piece(args: &DrawArgs, motion: &Motion) -> Result<(), NothingToDraw> {
    let duration = motion.duration();
    let (from, to) = (args.from.unwrap_or(0.0), args.to.unwrap_or(duration));
    let is_piece = args.from.is_some() || args.to.is_some();
    if is_piece && (from >= to || from >= duration) { Err(NothingToDraw { from, to, duration }) } else { Ok(()) }
}
