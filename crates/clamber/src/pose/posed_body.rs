//! What a request for a posture gives.

use clamber_model::motion::{ContactSpan, FLYING_MODE};
use clamber_model::{Configuration, Contact, Motion, Problem};
use clamber_posture::limb_contacts::{PathEnd, PathStep};

use super::tuning;

/// A posture that was asked for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pose {
    /// A motion, so that it can be drawn and exported like any other: of one frame, or of one for each step along a path.
    pub motion: Motion,
    /// The contacts at the end: those of the start that are kept, and the new ones.
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
    /// Its root followed the path for this many meters, and why no farther.
    Follows(f32, PathEnd),
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
        let step = PathStep { configuration, stance };
        let mut motion = motion_of(problem, std::slice::from_ref(&step));
        motion.in_equilibrium = imbalance == Some(0.0);
        Pose { motion, stance: step.stance, imbalance, outcome }
    }
}

/// A motion with a frame for each step.
pub(super) fn motion_of(problem: &Problem, steps: &[PathStep]) -> Motion {
    let (table, world) = (problem.modes.as_deref(), &problem.world);
    let name = |stance: &[Contact]| {
        table.and_then(|table| Some(&table.modes[table.first_mode_allowing_stance(stance, world)?].name))
    };
    let mode = steps.first().and_then(|step| name(&step.stance)).map_or(FLYING_MODE, String::as_str);
    let configurations = steps.iter().map(|step| step.configuration.clone()).collect();
    let mut motion =
        Motion::from_configurations(&problem.character.name, mode, configurations, tuning::STEPS_PER_SECOND);
    for (frame, step) in steps.iter().enumerate() {
        for &contact in &step.stance {
            let goes_on = |span: &&mut ContactSpan| span.contact == contact && span.last_frame + 1 == frame;
            match motion.contacts.iter_mut().find(goes_on) {
                Some(span) => span.last_frame = frame,
                None => motion.contacts.push(ContactSpan { contact, first_frame: frame, last_frame: frame }),
            }
        }
    }
    motion
}
