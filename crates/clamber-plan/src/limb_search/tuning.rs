//! Tuning of the limb search. Lengths are in body sizes; the comments give those of the shipped figure.

/// Distance between the spheres that stand for a capsule (9 cm): they cover it but for a few millimeters.
pub const SPHERE_SPACING: f32 = 0.0968;
/// Largest clearance that is measured (8 cm).
pub const MAX_CLEARANCE: f32 = 0.086;
/// Clearance below which a state costs extra (3 cm).
pub const COMFORTABLE_CLEARANCE: f32 = 0.0323;
/// Overlap that the distance field may show for a limb that only touches (5 mm).
pub const FIELD_ERROR: f32 = 5.38e-3;
/// With more clearance than this at both ends, a step between neighbor cells needs no check in between: no point of a limb of
/// usual length moves farther in half a step (7 cm).
pub const SAFE_CLEARANCE: f32 = 0.0753;

/// Spacing of the angles, in radians.
pub const ANGLE_STEP: f32 = 0.15;
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
/// Rounds of straightening.
pub const STRAIGHTENING_ROUNDS: usize = 4;
