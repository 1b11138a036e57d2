//! Tuning of single postures.

/// Most effectors that are tried on a hold, the nearest ones.
pub const MAX_EFFECTORS: usize = 4;
/// Most holds of an obstacle that are tried with an effector, the nearest ones.
pub const MAX_HOLDS: usize = 3;
/// The greatest share by which a triangle shrinks so that effectors are inside of its edges.
pub const MAX_SHRINK: f32 = 0.5;
/// Halvings of the way to a hold that is out of reach.
pub const REACH_HALVINGS: usize = 10;

/// Frames per second of a motion along a path.
pub const STEPS_PER_SECOND: f32 = 10.0;
/// The length of a step along a path, in body sizes.
pub const STEP_LENGTH: f32 = 0.02;
/// Most steps along a path.
pub const MAX_STEPS: usize = 10_000;
