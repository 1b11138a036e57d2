//! What a request for a posture gives.

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

/// A body on contacts.
pub(super) struct PosedBody {
    pub configuration: Configuration,
    pub stance: Vec<Contact>,
    pub imbalance: Option<f64>,
}

impl PosedBody {
    pub fn into_pose(self, problem: &Problem, outcome: PoseOutcome) -> Pose {
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
