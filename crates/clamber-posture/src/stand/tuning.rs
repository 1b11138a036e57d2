//! Tuning of [`stand`](super::stand()). Lengths are in body sizes.

use clamber_model::character::REFERENCE_BODY_SIZE;

/// Random seeds drawn in total, over all headings that are tried.
pub const DRAWS: usize = 240;
/// Seeds per heading that are solved: those of least cost.
pub const SEEDS_PER_HEADING: usize = 24;
/// Distance of the rest posture, and of the middle of drawn roots, from steep holds.
pub const IN_FRONT: f32 = 0.35 / REFERENCE_BODY_SIZE;
/// Largest distance of a drawn root from the mean of the contacts, along each axis.
pub const ROOT_OFFSET: f32 = 1.0;
/// Largest turn of a drawn root about each axis, in radians.
pub const ROOT_TURN: f32 = 0.8;
/// Chance that a drawn hinge is at its rest angle rather than anywhere between its limits.
pub const REST_CHANCE: f32 = 0.5;
/// Solves of one seed: each starts from the posture of the one before and stops when that is no better.
pub const POLISH_ROUNDS: usize = 3;
/// How far contacts may be from symmetric for a symmetric posture: in body sizes, and for the components of normals.
pub const SYMMETRY_TOLERANCE: f32 = 0.01;

/// How far the center of mass aims inside of where the contacts carry the body, as a share of the way to its middle.
pub const REGION_SHRINK: f32 = 0.3;
/// How far the center of mass may be outside of where the contacts carry the body: rounding.
pub const CENTER_TOLERANCE: f32 = 2e-3;
/// Factor on forces that counts as no limit.
pub const LIMITLESS: f32 = 1e3;

/// Most times that a posture settles. Between two, the link in collision gets more clearance.
pub const SETTLE_ROUNDS: usize = 6;
/// Most steps in which the whole body moves back onto its contacts.
pub const RETRACT_ITERATIONS: usize = 40;
/// Clearance that a link in collision gets in addition to its depth.
pub const EXTRA_CLEARANCE: f32 = 6e-3 / REFERENCE_BODY_SIZE;
