//! Tuning of [`stand_at`](super::stand_at()). Lengths are in body sizes.

/// Effectors that are this much higher than the lowest at rest stand on the ground, too.
pub const NEAR_GROUND: f32 = 0.1;
/// Farthest that the ground may be from the place, and a contact from the effector at rest.
pub const REACH: f32 = 0.5;
/// Slopes that are flatter, in radians, are taken as level: the body stays upright.
pub const LEVEL: f32 = 0.05;
/// How far every other effector stands ahead, and the others back.
pub const STRIDES: [f32; 2] = [0.1, -0.1];
/// Turns from the heading, in degrees.
pub const TURNS: [f32; 4] = [10.0, -10.0, 20.0, -20.0];
/// Distances from the place.
pub const SHIFTS: [f32; 3] = [0.1, 0.2, 0.3];
/// How deep a body at rest may be inside of an obstacle for its posture to be sought nearby.
pub const BENDS_OUT: f32 = 0.1;
/// How far the root of a posture may be from where the reference configuration has it, without looking for a better posture nearby.
pub const LIKE_REFERENCE: f32 = 0.2;
/// How far it may be turned, in radians.
pub const LIKE_REFERENCE_TURN: f32 = 0.2;
