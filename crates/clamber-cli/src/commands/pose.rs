//! `clamber pose`: finds the contacts with which a body exerts the most force for a task.

use clamber::draw::DrawSettings;
use clamber::model::Problem;
use clamber::model::math::Vec3;
use clamber::{Pose, PoseError, PoseRequest, pose};
use miette::{Diagnostic, IntoDiagnostic};

use crate::args::PoseArgs;
use crate::exit_status::Status;
use crate::file_format::{FileFormat, parse_outputs, read_scene_file, write_output};
use crate::progress::ProgressMonitor;

/// Directions that have names.
const DIRECTIONS: [(&str, Vec3); 6] = [
    ("up", Vec3::Y),
    ("down", Vec3::NEG_Y),
    ("forward", Vec3::X),
    ("backward", Vec3::NEG_X),
    ("left", Vec3::NEG_Z),
    ("right", Vec3::Z),
];

#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("`{given}` is no direction")]
#[diagnostic(help(
    "use up, down, forward, backward, left or right, as the body faces at the start, or x,y,z in the world, such as 1,0,0"
))]
struct UnknownDirection {
    given: String,
}

pub fn run(args: &PoseArgs) -> miette::Result<Status> {
    let outputs = parse_outputs(&args.outputs, &FileFormat::ALL)?;
    let scene = read_scene_file(&args.scene)?;
    let mut request = PoseRequest::new(direction(&scene.problem, &args.task)?);
    request.pushes = args.push;
    request.object = args.object.clone();
    request.limbs = args.limbs.clone();
    request.comfort = f64::from(args.comfort);
    request.samples = args.samples;
    let found = match pose(&scene.problem, &request) {
        Err(error @ PoseError::NoContact) => {
            eprintln!("no posture: {error}");
            return Ok(Status::NoPlan);
        }
        found => found.into_diagnostic()?,
    };
    print_pose(&scene.problem, &found);
    let monitor = ProgressMonitor::new();
    for output in &outputs {
        write_output(output, &scene.problem, &found.motion, &DrawSettings::default(), &monitor)?;
    }
    Ok(Status::Success)
}

/// A named direction, relative to the heading at the start, or three numbers.
fn direction(problem: &Problem, given: &str) -> Result<Vec3, UnknownDirection> {
    if let Some((name, direction)) = DIRECTIONS.into_iter().find(|(name, _)| *name == given) {
        let is_vertical = ["up", "down"].contains(&name);
        let rotation = problem.start.configuration.root.rotation;
        let turned = rotation * direction;
        return Ok(if is_vertical { direction } else { turned.with_y(0.0).normalize_or(direction) });
    }
    let numbers: Option<Vec<f32>> = given.split(',').map(|number| number.trim().parse().ok()).collect();
    let numbers: Option<[f32; 3]> = numbers.and_then(|numbers| numbers.try_into().ok());
    let vector = numbers.map(Vec3::from_array).filter(|vector| vector.is_finite() && *vector != Vec3::ZERO);
    vector.ok_or_else(|| UnknownDirection { given: given.to_owned() })
}

fn print_pose(problem: &Problem, Pose { stance, force, .. }: &Pose) {
    for contact in stance {
        let effector = &problem.character.effectors[contact.effector].name;
        let hold = &problem.world.holds[contact.hold].name;
        let Vec3 { x, y, z } = contact.point;
        println!("{effector} on `{hold}` at {x:.2}, {y:.2}, {z:.2}");
    }
    match force {
        None => println!("these contacts cannot carry the body"),
        Some(force) if force.imbalance > 0.0 => {
            println!("the body is not in balance: its center of mass is {:.2} m too far out", force.imbalance);
        }
        Some(force) => println!("in balance; exerts {:.0} N for the task", force.force),
    }
}
