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
    /// Move the root along straight lines, and carry the body on the way with contacts that limbs make and break.
    Follow {
        /// The points that the root goes through after its start, in the world.
        path: Vec<Vec3>,
    },
}

/// What to ask [`pose`](super::pose) for. Start from [`PoseRequest::new`] and change fields.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PoseRequest {
    /// What the body is to do.
    pub task: PoseTask,
    /// The names of limbs or effectors that may make contact; what they hold at the start they let go. Default: all limbs without
    /// contact at the start, each with the effector that lies flat or grips and the one that reaches farthest. Where every limb is in contact, any of them may
    /// let go to reach a hold. To lean needs none.
    pub limbs: Vec<String>,
    /// How much ease counts. With 1, a limb at rest is worth as much as 2.7 times the force of a limb at the far ends of its hinges. 0 gives
    /// the greatest force. To reach and to lean need none. Default 2.5.
    pub comfort: f64,
    /// Samples of each limb, from 1 to 1,000,000. To reach and to lean need none. Default 100,000, which take about a second.
    pub samples: usize,
}

impl PoseRequest {
    /// A request for a task, with the default settings.
    pub fn new(task: PoseTask) -> Self {
        Self { task, limbs: Vec::new(), comfort: 2.5, samples: 100_000 }
    }
}
