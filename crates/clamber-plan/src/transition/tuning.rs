//! Tuning of transitions. Lengths are in body sizes, written as meters of the reference body.

use clamber_model::character::REFERENCE_BODY_SIZE;

/// Most keyframes of a straight path of the body.
pub const MAX_KEYFRAMES: f32 = 16.0;
/// Length of a swinging effector's arc relative to its chord.
pub const SWING_ARC: f32 = 1.2;
/// Heights of an effector's arc that are tried.
pub const LIFTS: [f32; 3] = [0.07 / REFERENCE_BODY_SIZE, 0.2 / REFERENCE_BODY_SIZE, 0.4 / REFERENCE_BODY_SIZE];
/// The same in space, in addition to [`CURVE_CLEARANCE`]: higher, the thigh of a walker would be almost level.
pub const LIFTS_IN_SPACE: [f32; 3] = [0.04 / REFERENCE_BODY_SIZE, 0.2 / REFERENCE_BODY_SIZE, 0.4 / REFERENCE_BODY_SIZE];
/// What an arc of a limb in space counts as, in configurations.
pub const EXPANSIONS_PER_ARC: u64 = 4;
/// Intervals of the curve of a swinging effector in space.
pub const CURVE_INTERVALS: usize = 12;
/// Distance of that curve from obstacles, in addition to the effector's radius.
pub const CURVE_CLEARANCE: f32 = 0.02 / REFERENCE_BODY_SIZE;
/// Side of the cells in which the end of a limb is led around obstacles.
pub const TIP_CELL: f32 = 0.05 / REFERENCE_BODY_SIZE;
/// Most such cells that are looked at for one path, and how many count as one expansion.
pub const MAX_TIP_CELLS: usize = 2000;
pub const TIP_CELLS_PER_EXPANSION: usize = 16;
/// Weight of the straight distance there.
pub const TIP_ESTIMATE_WEIGHT: f32 = 1.5;
/// Clearance per distance from the ends of such a path.
pub const TIP_LEAVING: f32 = 0.25;
/// The end of a limb begins before a link that is shorter than this.
pub const SHORT_LINK: f32 = 0.2 / REFERENCE_BODY_SIZE;
/// Most steps in which a point of it is lifted.
pub const CURVE_LIFT_STEPS: usize = 16;
/// How far arcs of limbs in space lead to a side.
pub const ASIDE: [f32; 3] = [0.0, 0.1 / REFERENCE_BODY_SIZE, 0.2 / REFERENCE_BODY_SIZE];
/// The number of these for a body that may lean.
pub const LEANING_LIFTS: usize = 2;
/// Distance from obstacles of an effector lifted half-way, in addition to its radius.
pub const LIFT_CLEARANCE: f32 = 0.12 / REFERENCE_BODY_SIZE;
/// Extra distance of each step away from obstacles.
pub const LIFT_EXTRA: f32 = 0.02 / REFERENCE_BODY_SIZE;
/// Most such steps.
pub const LIFT_STEPS: usize = 6;
/// Share of the range to its limit by which a knee or elbow is tucked.
pub const TUCK: f32 = 0.85;

/// Keyframes at which the body may yield to obstacles, in quick and in thorough attempts.
pub const BODY_YIELDS_QUICK: usize = 6;
pub const BODY_YIELDS_THOROUGH: usize = 16;
/// Keyframes at which the whole body may yield while it follows a path.
pub const YIELDS_QUICK: usize = 4;
pub const YIELDS_THOROUGH: usize = 12;
/// Steps that may be needed to reach the last keyframe after yielding.
pub const MAX_LATE: usize = 4;

/// Largest slip of a contact between two frames; longer steps are halved.
pub const MAX_SLIP: f32 = 3e-4 / REFERENCE_BODY_SIZE;
/// A larger slip of a shortest step means that its ends are not neighbors: a stretched limb lets the body flip from one
/// posture to another, both on the contacts. It is measured halfway, where it need not be largest; the checker allows 1 mm.
pub const MAX_LEAP: f32 = 7e-4 / REFERENCE_BODY_SIZE;
/// Steps are not halved below this share of the whole path.
pub const MIN_STRIDE: f32 = 0.05;

/// Times that the body moves sideways to where its contacts carry it.
pub const CENTER_ROUNDS: usize = 4;
/// Displacement of the body relative to that of its center of mass: limbs in contact follow by half.
pub const CENTER_GAIN: f32 = 1.1;
/// Distance that it moves farther.
pub const CENTER_OVERSHOOT: f32 = 4e-3 / REFERENCE_BODY_SIZE;

/// Times that the random trees grow.
pub const TREE_GROWTHS: usize = 40;
/// Most steps of a tree toward a random target, and toward the other tree.
pub const STEPS_TO_TARGET: usize = 3;
pub const STEPS_TO_TREE: usize = 40;
/// Largest displacement of the root of a random target from the straight path along each axis.
pub const TARGET_DISTANCE: f32 = 0.3 / REFERENCE_BODY_SIZE;
/// Largest turn of the root of a random target, in radians.
pub const TARGET_TURN: f32 = 0.7;
/// Largest turn of a hinge of the trunk of a random target, in radians.
pub const TARGET_BEND: f32 = 0.9;
/// Squared distance between nodes: weight of the squared turn of the root, and of its squared displacement in body sizes (4 per
/// square meter). Hinge angles have weight 1.
pub const ROOT_TURN_WEIGHT: f32 = 2.0;
pub const ROOT_DISTANCE_WEIGHT: f32 = 4.0 * REFERENCE_BODY_SIZE * REFERENCE_BODY_SIZE;
/// Configurations of which no point is farther apart are the same.
pub const SAME: f32 = 1e-4 / REFERENCE_BODY_SIZE;

/// States of the limb search that count as one expansion.
pub const LIMB_STATES_PER_EXPANSION: usize = 8;

/// The farthest that a hinge of a limb turns from keyframe to keyframe when the limb avoids obstacles, in radians.
pub const LIMB_TURN: f32 = 0.35;
/// Postures of a limb that follow from one: two, and random ones.
pub const LIMB_BRANCHES: usize = 10;
/// Postures of a limb that are kept at a keyframe.
pub const LIMB_LAYER: usize = 6;
/// Postures of a limb that count as one expansion.
pub const LIMB_POSTURES_PER_EXPANSION: usize = 8;
