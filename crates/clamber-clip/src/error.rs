//! Errors of this crate.

/// Why no clip can be made: a setting is out of range, the motion does not belong to the problem, or the caller cancelled.
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
    /// The motion is not one of the character in the world.
    #[error("invalid motion: {0}")]
    InvalidMotion(#[from] clamber_model::MotionError),
    /// The motion is a clip already.
    #[error("the motion is a clip already; refine the planned motion instead")]
    AlreadyRefined,
    /// The clip would have millions of frames: the motion covers an enormous distance, or limits or speeds are tiny.
    #[error("the clip would be too long: more than 4 million knots or 20 million frames")]
    TooLong,
    /// The observer cancelled.
    #[error("cancelled")]
    Cancelled,
}
