//! Why there is no posture.

use clamber_model::ProblemError;
use clamber_posture::{LeanError, StandError};

/// Why there is no posture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// The problem refers to something that does not exist, or was changed after it was built.
    #[error(transparent)]
    InvalidProblem(#[from] ProblemError),
    /// The direction is zero or not finite.
    #[error("the direction has no length")]
    NoDirection,
    /// The points of the path are not finite, or too far away.
    #[error("the path is too long, or not finite")]
    PathTooLong,
    /// There is no limb and no effector of this name.
    #[error("`{character}` has no limb and no effector `{name}`; it has the limbs {known}")]
    UnknownLimb {
        /// The character.
        character: String,
        /// The name.
        name: String,
        /// The names of its limbs.
        known: String,
    },
    /// Two of the names are of one limb, which can make one contact.
    #[error("`{name}` is of the same limb as `{other}`; name each limb once")]
    SameLimb {
        /// The name.
        name: String,
        /// The earlier name.
        other: String,
    },
    /// There are no holds on the object.
    #[error("there are no holds on `{name}`: neither an obstacle with holds nor a hold has this name")]
    UnknownObject {
        /// The name.
        name: String,
    },
    /// No limb can make contact from where the body is.
    #[error("no limb can make contact: nothing is within reach, or every contact collides")]
    NoContact,
    /// The start has no contacts, and the posture is to keep them.
    #[error(
        "the start has no contacts to keep; add them to the scene's [start], such as `contacts = {{ {example} = [x, y, z] }}`"
    )]
    NoStance {
        /// An effector of the character.
        example: String,
    },
    /// No effector gets to the hold from the contacts of the start.
    #[error("`{effector}` does not reach `{hold}`: it stays {distance:.2} m away, even out of balance")]
    OutOfReach {
        /// The effector that comes closest.
        effector: String,
        /// The hold.
        hold: String,
        /// How far it stays away, in meters.
        distance: f32,
    },
    /// No effector is able to press or to grip the hold.
    #[error("no limb that may make contact can use `{hold}`: it can only be gripped")]
    Unusable {
        /// The hold.
        hold: String,
    },
    /// The effector gets to the hold, but not in a valid posture.
    #[error("there is no posture with `{effector}` on `{hold}`: {reason}")]
    NoPosture {
        /// The effector.
        effector: String,
        /// The hold.
        hold: String,
        /// What is wrong with the posture that comes closest.
        reason: StandError,
    },
    /// The body cannot lean.
    #[error(transparent)]
    CannotLean(#[from] LeanError),
}

impl PoseError {
    /// Whether the request is valid and there is just no such posture.
    pub fn is_infeasible(&self) -> bool {
        match self {
            Self::NoContact | Self::OutOfReach { .. } | Self::NoPosture { .. } | Self::Unusable { .. } => true,
            Self::CannotLean(reason) => matches!(reason, LeanError::Start(_) | LeanError::TooWeak),
            _ => false,
        }
    }
}
