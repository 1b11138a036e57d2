//! `clamber pose`: finds a single posture, to exert force for a task, to reach a hold or to lean.

use clamber::draw::DrawSettings;
use clamber::io::nearest_word;
use clamber::model::Problem;
use clamber::model::math::Vec3;
use clamber::posture::limb_contacts::PathEnd;
use clamber::{Contact, Pose, PoseError, PoseOutcome, PoseRequest, PoseTask, pose};
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
enum PoseInputError {
    #[error("`{given}` is no direction")]
    #[diagnostic(help(
        "use up, down, forward, backward, left or right, as the body faces at the start, or x,y,z in the world, such as 1,0,0"
    ))]
    Direction { given: String },
    #[error("`{given}` is no point")]
    #[diagnostic(help("use x,y,z in the world, in meters, such as 1,0.9,0"))]
    Point { given: String },
}

#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{reason}")]
struct UnknownHolds {
    reason: PoseError,
    #[help]
    help: Option<String>,
}

impl UnknownHolds {
    fn new(problem: &Problem, name: String) -> Self {
        let obstacles = problem.world.obstacles.iter().map(|obstacle| obstacle.name.as_str());
        let known: Vec<&str> = obstacles.chain(problem.world.holds.iter().map(|hold| hold.name.as_str())).collect();
        let help = nearest_word(&name, &known).filter(|word| *word != name);
        let help = help.map(|word| format!("did you mean `{word}`?"));
        Self { reason: PoseError::UnknownObject { name }, help }
    }
}

pub fn run(args: &PoseArgs) -> miette::Result<Status> {
    let outputs = parse_outputs(&args.outputs, &FileFormat::ALL)?;
    let scene = read_scene_file(&args.scene)?;
    let mut request = PoseRequest::new(task(&scene.problem, args)?);
    request.limbs = args.limbs.clone();
    request.comfort = f64::from(args.comfort);
    request.samples = args.samples;
    let found = match pose(&scene.problem, &request) {
        Err(error) if error.is_infeasible() => {
            eprintln!("no posture: {error}");
            return Ok(Status::NoPlan);
        }
        Err(PoseError::UnknownObject { name }) => return Err(UnknownHolds::new(&scene.problem, name).into()),
        found => found.into_diagnostic()?,
    };
    print_pose(&scene.problem, &found);
    let monitor = ProgressMonitor::new();
    for output in &outputs {
        write_output(output, &scene.problem, &found.motion, &DrawSettings::default(), &monitor)?;
    }
    Ok(Status::Success)
}

/// What the arguments ask for.
fn task(problem: &Problem, args: &PoseArgs) -> Result<PoseTask, PoseInputError> {
    if let Some(hold) = &args.reach {
        return Ok(PoseTask::Reach { hold: hold.clone() });
    }
    if let Some(given) = &args.lean {
        return Ok(PoseTask::Lean { direction: direction(problem, given)? });
    }
    if !args.through.is_empty() {
        let point = |given: &String| triple(given).ok_or_else(|| PoseInputError::Point { given: given.clone() });
        return Ok(PoseTask::Follow { path: args.through.iter().map(point).collect::<Result<_, _>>()? });
    }
    let direction = direction(problem, args.task.as_deref().unwrap_or_default())?;
    Ok(match args.object.clone() {
        Some(object) if args.push => PoseTask::Push { direction, object },
        Some(object) => PoseTask::Pull { direction, object },
        None => PoseTask::Move { direction },
    })
}

/// A named direction, relative to the heading at the start, or three numbers.
fn direction(problem: &Problem, given: &str) -> Result<Vec3, PoseInputError> {
    if let Some((name, direction)) = DIRECTIONS.into_iter().find(|(name, _)| *name == given) {
        let is_vertical = ["up", "down"].contains(&name);
        let rotation = problem.start.configuration.root.rotation;
        let turned = rotation * direction;
        return Ok(if is_vertical { direction } else { turned.with_y(0.0).normalize_or(direction) });
    }
    let vector = triple(given).filter(|vector| *vector != Vec3::ZERO);
    vector.ok_or_else(|| PoseInputError::Direction { given: given.to_owned() })
}

/// Three finite numbers with commas between them.
fn triple(given: &str) -> Option<Vec3> {
    let numbers: Option<Vec<f32>> = given.split(',').map(|number| number.trim().parse().ok()).collect();
    let numbers: Option<[f32; 3]> = numbers.and_then(|numbers| numbers.try_into().ok());
    numbers.map(Vec3::from_array).filter(|vector| vector.is_finite())
}

fn print_pose(problem: &Problem, Pose { stance, imbalance, outcome, .. }: &Pose) {
    let names = |contact: &Contact| {
        (&problem.character.effectors[contact.effector].name, &problem.world.holds[contact.hold].name)
    };
    for contact in stance {
        let (effector, hold) = names(contact);
        let Vec3 { x, y, z } = contact.point;
        println!("{effector} on `{hold}` at {x:.2}, {y:.2}, {z:.2}");
    }
    let balance = match imbalance {
        None => "these contacts cannot carry the body".to_owned(),
        Some(0.0) => "in balance".to_owned(),
        Some(distance) => format!("the body is not in balance: its center of mass is {distance:.2} m too far out"),
    };
    match outcome {
        PoseOutcome::Exerts(Some(force)) if *imbalance == Some(0.0) => {
            println!("{balance}; exerts {force:.0} N for the task");
        }
        PoseOutcome::Reaches(contact) => {
            let (effector, hold) = names(contact);
            println!("{effector} reaches `{hold}`; {balance}");
        }
        PoseOutcome::Follows(distance, end) => {
            let why = match end {
                PathEnd::Arrived => "to its end",
                PathEnd::Collides => "until the body would collide",
                PathEnd::NotCarried => "until no contact in reach carries the body on",
            };
            println!("the root follows the path for {distance:.2} m, {why}");
        }
        PoseOutcome::Leans(distance) => println!("{balance}; the center of mass moves by {distance:.3} m"),
        _ => println!("{balance}"),
    }
}
