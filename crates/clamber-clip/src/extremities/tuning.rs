//! Tuning constants of hands and feet.
//!
//! Units: `size` is the body's size and `time` is `sqrt(size / gravity)`, both from
//! [`BodyScale`](crate::body_units::BodyScale). For the shipped figure, `size` is 0.93 m and `time` is 0.308 s.

// Hinges. Ankles and wrists turn farther than living ones: the planner bends knees and elbows regardless of feet and hands,
// and feet and hands inside the rock would be worse.

/// Limits of the ankle, in degrees. Positive lifts the toes.
pub(crate) const ANKLE: [f32; 2] = [-95.0, 90.0];
/// Limits of the toes, in degrees. Positive lifts them.
pub(crate) const TOES: [f32; 2] = [-30.0, 65.0];
/// Limits of the wrist, in degrees. Positive bends the back of the hand toward the forearm.
pub(crate) const WRIST: [f32; 2] = [-80.0, 162.0];
/// Limits of the fingers, in degrees. Negative closes them.
pub(crate) const FINGERS: [f32; 2] = [-110.0, 40.0];
/// Rest angles, in degrees.
pub(crate) const ANKLE_REST: f32 = -12.0;
pub(crate) const TOES_REST: f32 = 6.0;
pub(crate) const WRIST_REST: f32 = 12.0;
pub(crate) const FINGERS_REST: f32 = -30.0;
/// Speed limit of these hinges, in radians per `time`.
pub(crate) const HINGE_SPEED: f32 = 3.695;
/// Acceleration limit of these hinges, in radians per `time²`.
pub(crate) const HINGE_ACCELERATION: f32 = 33.18;

// Targets.

/// How long before a contact an extremity prepares for it, in `time`.
pub(crate) const APPROACH_TIME: f32 = 0.7145;
/// How long after a contact an extremity is still affected by it, in `time`.
pub(crate) const LEAVE_TIME: f32 = 0.5846;
/// Contacts at the same point with a shorter gap between them are one, in `time`.
pub(crate) const MIN_GAP: f32 = 0.3248;
/// Points nearer than this are the same, in `size`.
pub(crate) const SAME_POINT: f32 = 0.01075;
/// How far a landing foot lifts its toes, in degrees, if there is room.
pub(crate) const HEEL_FIRST: f32 = 22.0;
/// How far a leaving foot lifts its heel, in degrees, if there is room.
pub(crate) const TOES_LAST: f32 = 55.0;
/// A foot whose ankle would bend farther than this, in degrees, to lie flat throughout its contact lies on its instep instead:
/// the shin lies on the ground or goes up along a wall.
pub(crate) const INSTEP_FROM: f32 = 62.0;
/// The angle between the instep and the face, in degrees; the face limits how far the foot gets.
pub(crate) const INSTEP: f32 = 30.0;
/// A hand that hangs from a bar goes up behind it and closes around it: its angle from lying flat, in degrees.
pub(crate) const HOOK: f32 = 42.0;
/// Angle of fingers that are about to hold on or have just let go, in degrees.
pub(crate) const OPEN_FINGERS: f32 = -15.0;

// Collision-free ranges.

/// The spacing of frames at which collisions are checked, in `time`: just below 1/60 s for the figure.
pub(crate) const KEY_INTERVAL: f32 = 0.05359;
/// Penetration that counts as touching, in `size`: a shape that rests on a face is inside it by a rounding.
pub(crate) const TOUCH: f32 = 2.15e-3;
/// Penetration up to which an exact target is kept, in `size`.
pub(crate) const EXACT_TOUCH: f32 = 6.45e-3;
/// The step in which the end of a range is searched, in radians.
pub(crate) const RANGE_STEP: f32 = 0.12;
/// Bisections that refine the end of a range.
pub(crate) const RANGE_BISECTIONS: u32 = 5;
/// The most steps to either side: a range need not be wider, since the curve stays near its targets.
pub(crate) const RANGE_STEPS: i32 = 9;

/// Penetration of toes or fingers from which on both hinges are solved again, in `size`.
pub(crate) const MAX_SECOND_LINK_DEPTH: f32 = 6.45e-3;
/// How often both hinges are solved at most.
pub(crate) const MAX_ROUNDS: usize = 4;

// The route.

/// The spacing of angles, in radians.
pub(crate) const ANGLE_GRID: f32 = 0.09;
/// Penetration that costs [`PENETRATION_COST`], in `size`.
pub(crate) const DEEP: f32 = 0.0215;
/// The cost of that penetration, in radians off the target for as long.
pub(crate) const PENETRATION_COST: f32 = 40.0;
/// The weight of exact targets.
pub(crate) const EXACT_WEIGHT: f32 = 1e3;
/// The weight of squared speed, in `time²`: a small cost of turning, so that waiting is not free.
pub(crate) const TURN_WEIGHT: f32 = 0.01055;

// The curve.

/// Speed limit of the curve, in radians per `time`.
pub(crate) const MAX_SPEED: f32 = 3.387;
/// The time in which the curve follows a jump of its target, in `time`.
pub(crate) const SOFTNESS: f32 = 0.1462;
/// Sweeps over all values; fewer if none changes by more than [`CONVERGED`].
pub(crate) const SWEEPS: usize = 250;
/// Sweeps from values that are nearly right.
pub(crate) const FEW_SWEEPS: usize = 20;
/// In radians.
pub(crate) const CONVERGED: f64 = 2e-5;
/// Times closer to each other count as this far apart, in `time`.
pub(crate) const MIN_TIME_STEP: f32 = 3.248e-3;
