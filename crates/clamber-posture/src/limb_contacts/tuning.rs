//! Tuning of contact queries. Lengths are in body sizes, written as meters of the reference body.

use clamber_model::character::REFERENCE_BODY_SIZE;

/// A sample touches a surface if its effector is at most this far from where it would be in contact. Inverse kinematics closes the
/// gap.
pub const MAX_GAP: f32 = 0.012 / REFERENCE_BODY_SIZE;
/// Greatest angle, in radians, between the facing of a sample's effector and the facing in contact, where that must be flat.
pub const MAX_TILT: f32 = 0.7;
/// Greatest angle between the facing of an effector that grips and the inner normal of a steep surface.
pub const MAX_GRIP_TILT: f32 = 1.05;
/// Greatest angle between the facing of any other effector and the inner normal of a steep surface: soles touch walls with the toes.
pub const MAX_STEEP_TILT: f32 = 1.75;
/// The greatest force transmission ratio, per body size. A stretched limb would transmit an infinite force along its axis.
pub const MAX_FORCE_TRANSMISSION: f32 = 20.0;
/// Most iterations of the inverse kinematics that puts a sample onto a surface.
pub const MAX_ITERATIONS: usize = 12;
/// How far a surface around a contact may be from the plane of the contact, in radii of the effector.
pub const MAX_UNEVENNESS: f32 = 0.3;

/// Surfaces are flat for a sphere of samples if they are no thicker than this share of its radius.
pub const FLAT_THICKNESS: f32 = 0.5;
/// Surfaces are flat if their normals are no farther from the middle of them than this: the noise of scans.
pub const FLAT_DEVIATION: f32 = 0.5;

/// The discomfort of a limb that makes no contact: contacts steady the body.
pub const IDLE_DISCOMFORT: f32 = 0.3;
/// Least distance between two candidates of a limb on surfaces that face the same direction.
pub const MIN_SEPARATION: f32 = 0.08 / REFERENCE_BODY_SIZE;
/// The cosine above which two normals count as the same direction.
pub const SAME_NORMAL: f32 = 0.9;
/// Most valid contacts of a limb that are considered as candidates.
pub const MAX_VALID_CANDIDATES: usize = 1000;
/// Most candidates of a limb: pairs of limbs are combined.
pub const MAX_CANDIDATES_PER_LIMB: usize = 64;
