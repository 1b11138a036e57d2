//! Single postures: exert force for a task, put a limb on a hold, or lean.

mod tuning;
mod request;
mod error;
mod named_parts;
mod posing_table;
mod exert_force;
mod reach;
mod lean;

pub use error::PoseError;
pub use request::{PoseRequest, PoseTask};

use self::exert_force::{Exertion, exert_force};
use clamber_model::motion::{ContactSpan, FLYING_MODE};
use clamber_model::{Configuration, Contact, Motion, Problem};

/// A posture that was asked for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pose {
    /// A motion of one frame, so that it can be drawn and exported like any other.
    pub motion: Motion,
    /// The contacts: those of the start that are kept, and the new ones.
    pub stance: Vec<Contact>,
    /// How far the center of mass is, in meters, from where the contacts carry the body within friction and the strength of its hinges: 0 in
    /// balance. `None` if they cannot carry it wherever it is.
    pub imbalance: Option<f64>,
    /// What the body does.
    pub outcome: PoseOutcome,
}

/// What a body does in a posture that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PoseOutcome {
    /// It exerts this force for the task, in newtons: the greatest that its contacts allow. `None` if they cannot carry it.
    Exerts(Option<f64>),
    /// An effector is on the hold.
    Reaches(Contact),
    /// Its center of mass is this far from where it was, along the direction, in meters.
    Leans(f32),
}

/// Finds the posture that a request asks for, from the body at the start of a problem.
///
/// - To move the body, to push or to pull, limbs make contact where they exert the most force, and are at ease. The root stays where it is.
/// - To reach, the whole body moves and keeps the contacts of the start. It need not be in balance; see [`Pose::imbalance`].
/// - To lean, the whole body moves, keeps the contacts of the start and its balance.
///
/// # Errors
///
/// Returns what is wrong with the request, or why there is no such posture.
pub fn pose(problem: &Problem, request: &PoseRequest) -> Result<Pose, PoseError> {
    problem.validate_references()?;
    let exert = |direction, object, pushes| exert_force(problem, Exertion { direction, object, pushes }, request);
    match &request.task {
        PoseTask::Move { direction } => exert(*direction, None, false),
        PoseTask::Push { direction, object } => exert(*direction, Some(object.as_str()), true),
        PoseTask::Pull { direction, object } => exert(*direction, Some(object.as_str()), false),
        PoseTask::Reach { hold } => reach::reach(problem, hold, &request.limbs),
        PoseTask::Lean { direction } => lean::lean(problem, *direction),
    }
}

/// A body on contacts.
struct PosedBody {
    configuration: Configuration,
    stance: Vec<Contact>,
    imbalance: Option<f64>,
}

impl PosedBody {
    fn into_pose(self, problem: &Problem, outcome: PoseOutcome) -> Pose {
        let Self { configuration, stance, imbalance } = self;
        let table = problem.modes.as_deref();
        let allowing =
            table.and_then(|table| Some(&table.modes[table.first_mode_allowing_stance(&stance, &problem.world)?].name));
        let mode = allowing.map_or(FLYING_MODE, String::as_str);
        let mut motion = Motion::from_configurations(&problem.character.name, mode, vec![configuration], 1.0);
        let span = |&contact: &Contact| ContactSpan { contact, first_frame: 0, last_frame: 0 };
        motion.contacts = stance.iter().map(span).collect();
        motion.in_equilibrium = imbalance == Some(0.0);
        Pose { motion, stance, imbalance, outcome }
    }
}
