//! Why a motion cannot be exported.

use clamber_model::{Character, Configuration, Motion};
use miette::Diagnostic;

/// Why a motion cannot be exported.
#[derive(Clone, Debug, PartialEq, thiserror::Error, Diagnostic)]
#[non_exhaustive]
pub enum ExportError {
    /// The motion has no frames.
    #[error("the motion has no frames")]
    #[diagnostic(help("plan it first; `--partial` writes the partial motion when planning fails"))]
    Empty,
    /// The character is not valid, or was changed after it was built.
    #[error("the character: {reason}")]
    #[diagnostic(help("build the character again from its description"))]
    InvalidCharacter {
        /// What is wrong with it.
        reason: String,
    },
    /// The motion belongs to another character.
    #[error("the motion is for character `{found}`, not `{expected}`")]
    #[diagnostic(help("use the scene that the motion was planned for"))]
    WrongCharacter {
        /// The character that the motion names.
        found: String,
        /// The character that was given.
        expected: String,
    },
    /// A frame has the wrong number of angles.
    #[error("frame {frame} has {angles} angles for {hinges} hinges")]
    #[diagnostic(help("the character has changed since the motion was planned; plan it again"))]
    AngleCount {
        /// The frame, counted from 0.
        frame: usize,
        /// The number of angles in the frame.
        angles: usize,
        /// The number of hinges of the character.
        hinges: usize,
    },
    /// A frame has a value that is not finite, or a rotation that is not a unit quaternion.
    #[error("frame {frame} has a value that is not finite, or a rotation that is not a unit quaternion")]
    #[diagnostic(help("plan the motion again; `clamber check` lists all violations"))]
    InvalidFrame {
        /// The frame, counted from 0.
        frame: usize,
    },
    /// A frame is earlier than its predecessor.
    #[error("frame {frame} is earlier than the frame before it")]
    #[diagnostic(help("sort the frames by time"))]
    TimeOrder {
        /// The frame, counted from 0.
        frame: usize,
    },
    /// A contact or a mode span refers to a frame, effector or hold that does not exist.
    #[error("{referrer} {index} refers to a frame, effector or hold that does not exist")]
    #[diagnostic(help("use the scene that the motion was planned for"))]
    DanglingReference {
        /// `contact` or `span`.
        referrer: &'static str,
        /// Its index, counted from 0.
        index: usize,
    },
    /// glTF stores lengths in 32 bits.
    #[error("the file would exceed 4 GiB")]
    #[diagnostic(help("split the motion into shorter ones"))]
    TooLarge,
}

/// Checks that a motion is one of the character: frames in the order of time, with as many angles as hinges, all finite.
pub(crate) fn check_motion(character: &Character, motion: &Motion) -> Result<(), ExportError> {
    character.validate().map_err(|error| ExportError::InvalidCharacter { reason: error.to_string() })?;
    if motion.character != character.name {
        let (motion, character) = (motion.character.clone(), character.name.clone());
        return Err(ExportError::WrongCharacter { found: motion, expected: character });
    }
    let mut before = f32::NEG_INFINITY;
    for (frame, at) in motion.frames.iter().enumerate() {
        let Configuration { root, angles } = &at.configuration;
        if angles.len() != character.hinges.len() {
            return Err(ExportError::AngleCount { frame, angles: angles.len(), hinges: character.hinges.len() });
        }
        // The tolerance of motion files.
        let is_rotation = (root.rotation.length() - 1.0).abs() < 2e-3;
        let is_finite = root.translation.is_finite() && at.time.is_finite() && angles.iter().all(|a| a.is_finite());
        if !(is_rotation && is_finite) {
            return Err(ExportError::InvalidFrame { frame });
        }
        if at.time < before {
            return Err(ExportError::TimeOrder { frame });
        }
        before = at.time;
    }
    if motion.frames.is_empty() { Err(ExportError::Empty) } else { Ok(()) }
}
