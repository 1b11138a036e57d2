//! Tuning of the body at ease. Weights are those of residuals, on the scale of those of
//! [`COMFORT_WEIGHT`](super::tuning::COMFORT_WEIGHT).

/// Weight of a hinge at its limit.
pub const HINGE: f32 = 0.3;
/// Least range of a hinge on one side of its rest angle that it is measured by, in radians.
pub const MIN_RANGE: f32 = 0.2;
/// Weight of the head's rotation, per radian.
pub const GAZE: f32 = 0.6;
/// Weight of the direction of a limb without contacts, for a limb across its direction at rest.
pub const FREE_LIMB: f32 = 0.3;
/// Weight of the lever of the load on a limb, for a lever as long as the limb.
pub const CARRYING_LIMB: f32 = 1.2;
/// Weight of a joint a body size behind a steep hold.
pub const BEHIND: f32 = 10.0;
/// Weight of the direction of a patch, per radian.
pub const PATCH: f32 = 0.6;
/// Weight of the lean of the trunk to a side, for a trunk on its side.
pub const LEVEL_TRUNK: f32 = 1.0;
/// Weight of the heading of the trunk, for a trunk across it.
pub const HEADING: f32 = 1.0;
/// Squared horizontal part of a patch's unit direction below which it points nowhere.
pub const LEVEL_PATCH: f32 = 0.1;
/// Least such part that a slope is computed for. Guards a division.
pub const MIN_SQUARE: f32 = 1e-2;

/// Weight of the tilt of a sole, per radian: more than without ease, since steps keep soles flat.
pub const SOLE: f32 = 3.0;
/// Factor on the weight of the center of mass: ease must not pull it off its support.
pub const CENTER: f32 = 5.0;

/// Most steps in which a posture settles.
pub const MAX_ITERATIONS: usize = 80;
/// Most steps tried in one iteration, each with more damping than the one before.
pub const MAX_TRIALS: usize = 8;
/// Steps that reduce the cost by a smaller share count as no progress.
pub const MIN_DECREASE: f32 = 1e-3;
/// Steps without progress after which the posture has settled.
pub const PATIENCE: usize = 3;
/// Damping of the first step, per squared radian.
pub const INITIAL_DAMPING: f32 = 1e-2;
/// Least damping.
pub const MIN_DAMPING: f32 = 1e-3;
/// Factor on the damping after a step that did not reduce the cost.
pub const DAMPING_INCREASE: f32 = 5.0;
/// Factor on the damping after a step that did.
pub const DAMPING_DECREASE: f32 = 0.2;
