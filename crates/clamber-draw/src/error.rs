//! Errors of this crate.

use clamber_model::{Problem, ProblemError, validate_character_and_world};

/// Why a motion cannot be drawn. Frames and contacts that do not fit the problem are left out instead.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DrawError {
    /// The character or the world is not valid, or was changed after it was built.
    InvalidProblem(ProblemError),
}

impl std::fmt::Display for DrawError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::InvalidProblem(error) => write!(f, "invalid problem: {error}"),
        }
    }
}

impl std::error::Error for DrawError {}

/// Checks what is drawn of a problem: its character and its world.
pub(crate) fn check(problem: &Problem) -> Result<(), DrawError> {
    validate_character_and_world(&problem.character, &problem.world).map_err(DrawError::InvalidProblem)
}
