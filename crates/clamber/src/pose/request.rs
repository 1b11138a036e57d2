//! What to ask [`pose`](super::pose) for.

use clamber_model::math::Vec3;

/// What a body is to do. Directions have any length but zero. Objects and holds are given by name: that of a hold, or that of an obstacle
/// for any of its holds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PoseTask {
    /// Move itself, such as to get up.
    Move {
        /// Where to.
        direction: Vec3,
    },
    /// Push an object.
    Push {
        /// Where to.
        direction: Vec3,
        /// The object.
        object: String,
    },
    /// Pull an object.
    Pull {
        /// Where to.
        direction: Vec3,
        /// The object.
        object: String,
    },
    /// Put a limb on a hold, and keep the contacts of the start.
    Reach {
        /// The hold. On a large one, the effector goes to the nearest point.
        hold: String,
    },
    /// Keep the contacts of the start, and move the center of mass as far as they carry the body.
    Lean {
        /// Where to; only its horizontal part counts.
        direction: Vec3,
    },
}

/// What to ask [`pose`](super::pose) for. Start from [`PoseRequest::new`] and change fields.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PoseRequest {
    /// What the body is to do.
    pub task: PoseTask,
    /// The names of limbs or effectors that may make contact; what they hold at the start they let go. Default: all limbs without
    /// contact at the start, each with the effector that lies flat or grips, or its last one. Where every limb is in contact, any of them may
    /// let go to reach a hold. To lean needs none.
    pub limbs: Vec<String>,
    /// The force, in body weights, that a limb gives up in order to be at rest instead of at the far ends of its hinges. 0 gives the
    /// greatest force. To reach and to lean need none. Default 2.
    pub comfort: f64,
    /// Samples of each limb, from 1 to 1,000,000. To reach and to lean need none. Default 100,000, which take about a second.
    pub samples: usize,
}

impl PoseRequest {
    /// A request for a task, with the default settings.
    pub fn new(task: PoseTask) -> Self {
        Self { task, limbs: Vec::new(), comfort: 2.0, samples: 100_000 }
    }
}
