//! Tuning of the posture solver.
//!
//! Lengths are in body sizes ([`Character::body_size`](clamber_model::Character::body_size)), so a problem whose lengths are all doubled
//! has the same solution, doubled. They are written as meters of a body of
//! [`REFERENCE_BODY_SIZE`].

use clamber_model::character::REFERENCE_BODY_SIZE;

/// Weight of a contact residual, per body size, relative to one unit of a comfort residual.
pub const CONTACT_WEIGHT: f32 = 30.0 * REFERENCE_BODY_SIZE;
/// Weight of the tilt of a sole, per radian. Much less than that of its place: where the limb is too short, the sole rolls.
pub const SOLE_WEIGHT: f32 = 0.3;
/// Weight of the direction of a patch that must not turn, per radian.
pub const PATCH_HEADING_WEIGHT: f32 = 5.0;
/// Weight of the distance of the center of mass from the tolerated region, per body size.
pub const BALANCE_WEIGHT: f32 = 12.0 * REFERENCE_BODY_SIZE;
/// Weight of a violated condition on landmarks, per radian or body size.
pub const CONDITION_WEIGHT: f32 = 5.0;
/// Share of the greatest lean of a condition at which its residual starts.
pub const LEAN_AIM: f32 = 0.95;
/// How much more than its condition a limb is stretched where its residual ends, in lengths of the limb.
pub const STRETCH_AIM: f32 = 0.01;
/// Height difference below which the residual of a landmark that must be higher starts, in body sizes.
pub const HIGHER_AIM: f32 = 0.01;
/// Weight of a violated obstacle clearance, per body size.
pub const OBSTACLE_WEIGHT: f32 = 20.0 * REFERENCE_BODY_SIZE;
/// Weight of a violated clearance between two links of the body, per body size.
pub const SELF_CLEARANCE_WEIGHT: f32 = 20.0 * REFERENCE_BODY_SIZE;
/// Weight of comfort residuals; multiplied by the weight of the heuristic.
pub const COMFORT_WEIGHT: f32 = 0.35;
/// Weight of the difference of a hinge to its rest angle where comfort is the reference, per radian: it decides for the hinges that no
/// heuristic considers.
pub const REST_WEIGHT: f32 = 0.05;
/// Weight of the difference to a reference configuration, per radian.
pub const REFERENCE_WEIGHT: f32 = 0.3;

/// Root translation that counts as much as one radian, in body sizes.
pub const TRANSLATION_PER_RADIAN: f32 = 1.0 / REFERENCE_BODY_SIZE;

/// Share of `Balance::within` at which the balance residual starts: the solver aims a little inside the tolerance.
pub const BALANCE_AIM: f32 = 0.5;
/// Largest number of support points of one group that the balance residual considers, two per contact.
pub const MAX_SUPPORT_POINTS: usize = 16;

/// Distance between the spheres that stand for a capsule, in body sizes: they cover it but for a few millimeters.
pub const SPHERE_SPACING: f32 = 0.08 / REFERENCE_BODY_SIZE;
/// Distance from a contact's effector within which spheres may touch the obstacle, in body sizes.
pub const TOUCH_RADIUS: f32 = 0.05 / REFERENCE_BODY_SIZE;
/// Clearance from obstacles that the solver aims for, in body sizes.
pub const CLEARANCE: f32 = 0.015 / REFERENCE_BODY_SIZE;
/// Distance from obstacles that links aim for which were found in one, in body sizes.
pub const PLANE_CLEARANCE: f32 = 4e-3 / REFERENCE_BODY_SIZE;
/// How far the ends of such a link are moved to see how its distance changes, in body sizes.
pub const PLANE_PROBE: f32 = 2e-3 / REFERENCE_BODY_SIZE;
/// Clearance between two links of the body that the solver aims for, in body sizes.
pub const SELF_CLEARANCE: f32 = 0.008 / REFERENCE_BODY_SIZE;
/// Lower bound for the spacing of a capsule's spheres, in body sizes. Guards a division for capsules of no length.
pub const MIN_SPACING: f32 = 1e-3 / REFERENCE_BODY_SIZE;

/// Most iterations of one solve.
pub const MAX_ITERATIONS: usize = 16;
/// Most steps tried in one iteration, each with more damping than the one before.
pub const MAX_TRIALS: usize = 5;
/// An iteration that reduces the cost by a smaller share ends the solve.
pub const MIN_DECREASE: f32 = 0.05;
/// Largest change of a degree of freedom in one step, in radians or [`TRANSLATION_PER_RADIAN`].
pub const MAX_STEP: f32 = 0.5;

/// Damping of the first step.
pub const INITIAL_DAMPING: f32 = 1e-2;
/// Least damping.
pub const MIN_DAMPING: f32 = 1e-4;
/// Factor on the damping after a step that reduced the cost.
pub const DAMPING_DECREASE: f32 = 0.1;
/// Factor on the damping after a step that did not.
pub const DAMPING_INCREASE: f32 = 5.0;
/// Factor on the damping when the damped system is not positive definite.
pub const DAMPING_INCREASE_SINGULAR: f32 = 10.0;
/// Constant added to the diagonal of the normal equations, per squared radian. Keeps degrees of freedom that hardly matter
/// from taking large steps.
pub const REGULARIZATION: f32 = 0.05;
/// Most rounds of fixing hinges at their limits within one step.
pub const MAX_LIMIT_ROUNDS: usize = 4;
