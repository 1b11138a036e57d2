//! Tuning of the solver of stances. Lengths are in body sizes and angles in radians, so bodies of any size take the same steps.

/// Weight of the direction that a patch faces, per radian, relative to a contact missed by a body size.
pub const FACING_WEIGHT: f32 = 0.3;
/// Weight of the distance of the center of mass from the support region.
pub const CENTER_WEIGHT: f32 = 0.7;
/// Weight of the depth of two links in each other.
pub const SELF_COLLISION_WEIGHT: f32 = 0.4;
/// Clearance between two links that the solver aims for.
pub const SELF_CLEARANCE: f32 = 2e-4;
/// Greatest ratio between the changes of a facing error and of the facing that is used.
pub const MAX_FACING_STRETCH: f32 = 3.0;

/// A contact is met within this distance.
pub const CONTACT_TOLERANCE: f32 = 5e-5;
/// The front of a patch points where it has to within this angle.
pub const FORWARD_TOLERANCE: f32 = 2e-3;
/// A patch is flat within this angle.
pub const FACING_TOLERANCE: f32 = 2.5e-4;
/// The center of mass is carried within this distance of the support region.
pub const CENTER_TOLERANCE: f32 = 5e-4;
/// Two links touch up to this depth.
pub const SELF_COLLISION_TOLERANCE: f32 = 4e-4;

/// Most steps of one attempt.
pub const MAX_ITERATIONS: usize = 60;
/// An attempt that does not reduce its cost by a share within so many steps is stuck.
pub const PATIENCE: usize = 8;
/// That share.
pub const MIN_DECREASE: f32 = 0.1;
/// Most steps tried in one iteration, each with more damping than the one before.
pub const MAX_TRIALS: usize = 8;
/// Largest change of a degree of freedom in one step, in radians or body sizes.
pub const MAX_STEP: f32 = 0.5;
/// Share of the way to its rest angle that a hinge takes in one step where no residual objects.
pub const REST_SHARE: f32 = 0.02;
/// Cost below which hinges no longer turn toward rest, which would delay the end.
pub const REST_COST: f32 = 1e-4;
/// Most rounds of fixing hinges at their limits within one step.
pub const MAX_LIMIT_ROUNDS: usize = 8;

/// Damping per unit of cost: it vanishes with the cost, so the last steps are those of Newton (Sugihara, "Solvability-unconcerned
/// inverse kinematics by the Levenberg-Marquardt method", 2011).
pub const DAMPING: f32 = 0.003;
/// Least damping.
pub const MIN_DAMPING: f32 = 1e-6;
/// Factor on the damping after a step that did not reduce the cost.
pub const DAMPING_INCREASE: f32 = 5.0;
/// Factor on the damping after a step that did.
pub const DAMPING_DECREASE: f32 = 0.3;
/// Least product of these factors.
pub const LEAST_CAUTION: f32 = 0.01;

/// Steps with which a heading of the rest posture is tried.
pub const TRIAL_ITERATIONS: usize = 15;
/// Cost after these steps with which no other heading is tried.
pub const GOOD_TRIAL: f32 = 1e-5;
/// Most support regions computed in one attempt. The region turns with the patches in contact.
pub const MAX_REGIONS: usize = 6;

/// Damping per unit of cost when a given posture is settled: shorter steps stay nearer to it.
pub const SETTLE_DAMPING: f32 = 0.01;
/// Distance from their limits to which hinges are loosened.
pub const LOOSENED: f32 = 0.15;
/// Restarts when the steps from a given posture do not settle it.
pub const SETTLE_RESTARTS: usize = 10;
/// Factor on the tolerances to which a settled posture is improved, down to rounding: later checks need the tolerances for themselves.
pub const SETTLED: f32 = 0.01;
/// Most steps of that.
pub const SETTLED_ITERATIONS: usize = 6;

/// Bodies drawn for a restart, of which the best is solved.
pub const DRAWS: usize = 30;
/// Greatest tilt of a drawn body.
pub const MAX_DRAWN_TILT: f32 = 1.2;
/// Greatest turn of a drawn body from the heading of the start.
pub const MAX_DRAWN_TURN: f32 = 1.0;
/// Weight of the direction that a patch faces when a body is placed on contacts, as a squared distance.
pub const PLACED_FACING_WEIGHT: f32 = 0.05;
/// Weight of the drawn tilt when a drawn body is placed, as a squared distance.
pub const PLACED_UPRIGHT_WEIGHT: f32 = 0.03;
/// Weight of the drawn heading when a drawn body is placed, as a squared distance.
pub const PLACED_HEADING_WEIGHT: f32 = 0.01;
