//! `clamber draw`: a picture of a motion.

use clamber::draw::DrawSettings;
use clamber::io::read_scene;

use crate::Status;
use crate::args::DrawArgs;
use crate::output::{Kind, outputs, read, write};
use crate::progress::Watch;

pub fn run(args: &DrawArgs) -> miette::Result<Status> {
    let outputs = outputs(&args.outputs, &[Kind::Svg, Kind::Png, Kind::Gif])?;
    let scene = read_scene(&args.scene)?;
    let motion = read(&args.motion, &scene.problem)?;
    let DrawArgs { view, width, poses, at_contacts, no_holds, labels, .. } = *args;
    let settings = DrawSettings { view, width, poses, at_contacts, holds: !no_holds, labels, ..Default::default() };
    let watch = Watch::new();
    for output in &outputs {
        write(output, &scene.problem, &motion, &settings, &watch)?;
    }
    Ok(Status::Done)
}
