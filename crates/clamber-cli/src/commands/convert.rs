//! `clamber convert`: a motion in another format.

use clamber::draw::DrawSettings;
use clamber::io::read_scene;

use crate::Status;
use crate::args::ConvertArgs;
use crate::output::{Kind, outputs, read, write};
use crate::progress::Watch;

pub fn run(args: &ConvertArgs) -> miette::Result<Status> {
    let outputs = outputs(&args.outputs, &[Kind::Motion, Kind::Bvh, Kind::Glb, Kind::Usda])?;
    let scene = read_scene(&args.scene)?;
    let motion = read(&args.motion, &scene.problem)?;
    let watch = Watch::new();
    for output in &outputs {
        write(output, &scene.problem, &motion, &DrawSettings::default(), &watch)?;
    }
    Ok(Status::Done)
}
