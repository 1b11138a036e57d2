//! Tuning of smoothing. Lengths are in body sizes, written as meters of the reference body.

use clamber_model::character::REFERENCE_BODY_SIZE;

/// Most passes of shortcuts over a path.
pub const PASSES: usize = 6;
/// Length of the stretches to shorten relative to the length before: for the whole body, and for a limb.
pub const BODY_SHRINK: f32 = 0.7;
pub const LIMB_SHRINK: f32 = 0.6;
/// A pass that leaves a larger share of the path's length is the last.
pub const MIN_PASS_GAIN: f32 = 0.99;
/// A shortcut leaves at most this share of the stretch's length.
pub const MIN_SHORTCUT_GAIN: f32 = 0.999;
/// Least gain of straightening a limb, in radians over all hinges.
pub const MIN_LIMB_GAIN: f32 = 1e-3;

/// Largest slip of an effector in contact between two frames.
pub const MAX_SLIP: f32 = 4e-4 / REFERENCE_BODY_SIZE;
/// How far a configuration between two frames in space may be from the straight way between them.
pub const MAX_ASTRAY: f32 = 2e-3 / REFERENCE_BODY_SIZE;
/// How often a step between two frames is halved to avoid slip.
pub const MAX_HALVINGS: usize = 4;
/// Waypoints that are resampled between two checkpoints.
pub const WAYPOINTS_PER_CHECKPOINT: usize = 8;
/// Steps of a path that are measured between two checkpoints.
pub const STEPS_PER_CHECKPOINT: usize = 64;
