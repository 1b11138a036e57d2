//! `clamber convert`: writes a motion in another format.

use clamber::draw::DrawSettings;

use crate::args::ConvertArgs;
use crate::exit_status::Status;
use crate::file_format::{FileFormat, parse_outputs, read_motion_file, read_scene_file, write_output};
use crate::progress::ProgressMonitor;

pub fn run(args: &ConvertArgs) -> miette::Result<Status> {
    let formats = [FileFormat::Motion, FileFormat::Bvh, FileFormat::Glb, FileFormat::Usda];
    let outputs = parse_outputs(&args.outputs, &formats)?;
    let scene = read_scene_file(&args.scene)?;
    let motion = read_motion_file(&args.motion, &scene.problem)?;
    let monitor = ProgressMonitor::new();
    for output in &outputs {
        write_output(output, &scene.problem, &motion, &DrawSettings::default(), &monitor)?;
    }
    Ok(Status::Success)
}
