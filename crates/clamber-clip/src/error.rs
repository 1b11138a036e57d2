//! Errors of this crate.

/// Why no clip can be made: a setting is out of range, or the motion does not belong to the problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClipError {
    /// [`ClipSettings::frames_per_second`](crate::ClipSettings::frames_per_second) is out of range.
    #[error("frames per second must be from 1 to 1000, not {value}")]
    InvalidFramesPerSecond {
        /// The value in the settings.
        value: f32,
    },
    /// A point of [`ClipSettings::speed_curve`](crate::ClipSettings::speed_curve) is out of range or out of order.
    #[error(
        "speed point {index} must have a position from 0 to 1, after the point before it, and a speed from 0.05 to 20"
    )]
    InvalidSpeedCurve {
        /// Index of the point.
        index: usize,
    },
    /// A clearance in the settings is not finite.
    #[error("clearances must be finite")]
    InvalidClearance,
    /// The problem refers to something that does not exist, or is not finite.
    #[error("invalid problem: {0}")]
    InvalidProblem(#[from] clamber_model::ProblemError),
    /// The motion belongs to another character.
    #[error("the motion belongs to character `{found}`, not to `{expected}`")]
    WrongCharacter {
        /// The character of the problem.
        expected: String,
        /// The character of the motion.
        found: String,
    },
    /// A frame has too few or too many hinge angles.
    #[error("frame {frame} has {found} angles for {expected} hinges")]
    InvalidAngleCount {
        /// Index of the frame.
        frame: usize,
        /// The number of hinges of the character.
        expected: usize,
        /// The number of angles in the frame.
        found: usize,
    },
    /// A frame has a number that is not finite, a root beyond 1000 km, a rotation that is not normalized, or a time before that
    /// of its predecessor.
    #[error("frame {frame} must be a finite, normalized configuration, no earlier than the frame before it")]
    InvalidFrame {
        /// Index of the frame.
        frame: usize,
    },
    /// The mode spans do not cover the frames one after the other.
    #[error("mode span {index} must begin where the span before it ends; the last must end with the last frame")]
    InvalidModeSpan {
        /// Index of the span.
        index: usize,
    },
    /// A contact names frames, an effector or a hold that do not exist, or is out of order.
    #[error(
        "contact {index} must name frames, an effector and a hold that exist, and follow the order of first frames"
    )]
    InvalidContact {
        /// Index of the contact.
        index: usize,
    },
    /// The clip would have millions of frames: the motion covers an enormous distance, or limits or speeds are tiny.
    #[error("the clip would be too long: more than 4 million knots or 20 million frames")]
    TooLong,
}
