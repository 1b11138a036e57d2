//! Tuning of the limb search. Lengths are in body sizes, written as meters of the reference body.

use clamber_model::character::REFERENCE_BODY_SIZE;

/// Distance between the spheres that stand for a capsule: they cover it but for a seventh of its radius. Nearer for thin
/// capsules.
pub const SPHERE_SPACING: f32 = 0.09 / REFERENCE_BODY_SIZE;
/// Largest clearance that is measured.
pub const MAX_CLEARANCE: f32 = 0.08 / REFERENCE_BODY_SIZE;
/// Clearance below which a state costs extra.
pub const COMFORTABLE_CLEARANCE: f32 = 0.03 / REFERENCE_BODY_SIZE;
/// Overlap that the distance field may show for a limb that only touches.
pub const FIELD_ERROR: f32 = 0.005 / REFERENCE_BODY_SIZE;
/// With more clearance than this at both ends, a step between neighbor cells needs no check in between: no point of a limb of
/// usual length moves farther in half a step.
pub const SAFE_CLEARANCE: f32 = 0.07 / REFERENCE_BODY_SIZE;

/// Spacing of the angles, in radians.
pub const ANGLE_STEP: f32 = 0.15;
/// Turns of both hinges from an end of a path within which the limb may touch what it touches there, in radians.
pub const END_TURN: f32 = 0.4;
/// Cost of a radian of each hinge.
pub const HINGE_COSTS: [f32; 2] = [1.0, 0.6];
/// Cost of a step from one keyframe of the body to the next, in radians.
pub const KEYFRAME_COST: f32 = 0.02;
/// Cost of a state without clearance, in radians.
pub const TIGHT_COST: f32 = 0.2;
/// Weight of the heuristic. A larger weight finds a path sooner, a smaller one a better path.
pub const HEURISTIC_WEIGHT: f32 = 1.5;
/// Most states expanded.
pub const MAX_EXPANSIONS: usize = 800;
/// The same for a limb that moves to a contact. A leg over a stone of half its length needs 2,000.
pub const MAX_EXPANSIONS_TO_CONTACT: usize = 3000;
/// Rounds of straightening.
pub const STRAIGHTENING_ROUNDS: usize = 4;
/// Expanded states between two checkpoints.
pub const STATES_PER_CHECKPOINT: usize = 64;
