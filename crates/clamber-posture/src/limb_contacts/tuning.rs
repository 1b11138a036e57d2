//! Tuning of contact queries. Lengths are in body sizes, written as meters of the reference body.

use clamber_model::character::REFERENCE_BODY_SIZE;

/// A sample touches a surface if its effector is at most this far from where it would be in contact. Inverse kinematics closes the
/// gap.
pub const MAX_GAP: f32 = 0.012 / REFERENCE_BODY_SIZE;
/// The same where candidates are collected: small holds are then found with few samples.
pub const WIDE_GAP: f32 = 0.04 / REFERENCE_BODY_SIZE;
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
/// The least way from rest to an end of a hinge's range, as a share of the range.
pub const LEAST_WAY: f32 = 0.3;
/// What the force of a grip costs: with 1, hands that need not cling leave the work to others.
pub const GRIP_COST: f64 = 1.0;
/// A force that is of little use, in body weights.
pub const LITTLE_FORCE: f64 = 0.1;
/// What the difference between a limb and its mirror image counts, compared with its distance from rest.
pub const ASYMMETRY: f32 = 1.0;
/// Least distance between two candidates of a limb on surfaces that face the same direction.
pub const MIN_SEPARATION: f32 = 0.08 / REFERENCE_BODY_SIZE;
/// The cosine above which two normals count as the same direction.
pub const SAME_NORMAL: f32 = 0.9;
/// Most candidates of an effector: pairs of limbs are combined.
pub const MAX_CANDIDATES_PER_EFFECTOR: usize = 64;

/// How far contacts along a path look ahead.
pub const LOOK_AHEAD: f32 = 0.8;
/// Most poses of the path that they look ahead.
pub const MAX_POSES_AHEAD: usize = 60;
/// What a limb at the far ends of its hinges costs, compared with a contact that it keeps for as far as it looks ahead.
pub const DISCOMFORT_OF_STEPS: f32 = 0.5;
/// What it is worth that every single limb can let go, compared with the same.
pub const FREEDOM: f32 = 0.5;
/// Contacts of an effector that are considered at a step.
pub const CONSIDERED_ON_PATH: usize = 1000;
/// Candidates of an effector at a step.
pub const CANDIDATES_ON_PATH: usize = 12;
