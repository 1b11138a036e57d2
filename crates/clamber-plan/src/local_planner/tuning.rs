//! Tuning of the local planner. Lengths are in body sizes, written as meters of the reference body.

use clamber_model::character::REFERENCE_BODY_SIZE;

/// Neighbors sampled for one step of posture correction.
pub const COMFORT_SAMPLES: usize = 60;
/// Random walks tried at a local minimum of the discomfort.
pub const COMFORT_WALKS: usize = 3;
/// Samples of such a walk.
pub const COMFORT_WALK_LENGTH: usize = 8;
/// Least gain of a step of posture correction, in units of discomfort. Less is noise of the sampling.
pub const MIN_COMFORT_GAIN: f32 = 2e-4;

/// Postures of which no point is farther apart count as one.
pub const SIMILAR: f32 = 0.05 / REFERENCE_BODY_SIZE;
/// Samples around the contacts for starts of the posture solver.
pub const START_SAMPLES: usize = 120;
/// Samples with the least cost that are kept.
pub const STARTS: usize = 4;
/// Largest displacement of the root of a sample along each axis.
pub const START_DISTANCE: f32 = 0.9 / REFERENCE_BODY_SIZE;
/// Largest turn of the root of a sample, in radians.
pub const START_TURN: f32 = 1.6;
/// Largest turn of a hinge of a sample, in radians.
pub const START_BEND: f32 = 0.6;

/// Heights by which a limb is lifted off the surfaces between two holds.
pub const LIFTS: [f32; 4] =
    [0.08 / REFERENCE_BODY_SIZE, 0.18 / REFERENCE_BODY_SIZE, 0.32 / REFERENCE_BODY_SIZE, 0.5 / REFERENCE_BODY_SIZE];

/// Share of what a mode allows its center of mass to be outside that bodies in space use: others may judge a polygon instead of a circle,
/// and frames of clips are a little off the planned ones.
pub const SPATIAL_ALLOWANCE: f32 = 0.95;
/// Distance inside of the allowed region that postures aim for with their center of mass.
pub const CENTER_MARGIN: f32 = 0.03 / REFERENCE_BODY_SIZE;
/// Distance outside that counts as rounding: less than the checker tolerates.
pub const CENTER_ROUNDING: f32 = 1e-3 / REFERENCE_BODY_SIZE;

/// Steps of a path on contacts between two checkpoints.
pub const STEPS_PER_CHECKPOINT: usize = 8;

/// Largest slip of a contact halfway between two configurations of a straight path, in body sizes: a sole that rolls suddenly slips.
pub const MAX_SLIP: f32 = 7e-4 / REFERENCE_BODY_SIZE;
/// How much farther inside than its mode allows the center of mass is kept at first where a clip adds a gait.
pub const GAIT_ROOM: f32 = 0.07 / REFERENCE_BODY_SIZE;
