//! Tuning constants of the clip maker.
//!
//! Units: `size` is the body's size, `time` is `sqrt(size / gravity)`, `speed` is `sqrt(size * gravity)`, all from
//! [`BodyScale`](crate::body_units::BodyScale). A *knot* is one sample of the grid on which a clip is made. For the shipped
//! figure, `size` is 0.93 m, `time` is 0.308 s, `speed` is 3.02 m/s, and there are 60 knots per second.

use crate::natural_pace::Pace;

// The grid.

/// From one knot to the next at the natural pace, in `time`.
pub(crate) const KNOT_INTERVAL: f32 = 0.05413;
/// The fewest knots between two changes of contacts: accelerations are finite differences over four.
pub(crate) const MIN_KNOTS: usize = 5;
/// The most knots of a clip: 18 hours of the figure.
pub(crate) const MAX_KNOTS: usize = 4_000_000;

/// The farthest that the root may move from one frame of a planned motion to the next, in `size`, and a hinge, in radians.
pub(crate) const MAX_FRAME_TRAVEL: f32 = 100.0;

// The natural pace.

/// Natural speed of a mode for which [`STEADY`] is the pace, in `speed`: the figure climbs 0.3 m/s, as people do.
pub(crate) const STEADY_SPEED: f32 = 0.0993;
/// The least and the greatest natural speed of a mode that a clip follows, relative to [`STEADY_SPEED`].
pub(crate) const RELATIVE_SPEEDS: [f32; 2] = [0.5, 2.0];
/// Pace of everything that is not an unobstructed walk, at [`STEADY_SPEED`].
pub(crate) const STEADY: Pace = Pace { limb_speed: 0.55, body_speed: 0.2317, handover: 9, half_width: 17.0 };
/// Pace of steps that fail at the others: more knots follow the planned path more closely.
pub(crate) const CAUTIOUS: Pace = Pace { limb_speed: 0.4304, body_speed: 0.2317, handover: 12, half_width: 21.0 };
/// Pace of an unobstructed walk. A foot swings for the part of the step's duration that is not handover.
pub(crate) const WALKING: Pace = Pace { limb_speed: 1.059, body_speed: 0.4304, handover: 4, half_width: 6.0 };
/// Speed limit for a foot in a walk, in `speed`.
pub(crate) const MAX_FOOT_SPEED: f32 = 1.49;
/// Step length times step duration, in `size * time`. The ratio of step length to cadence is the same for one person at all
/// speeds, 0.0062 m per step per minute (Sekiya et al. 1996): shorter steps take longer.
pub(crate) const WALK_RATIO: f32 = 1.299;
/// Shorter steps count as this long, in `size`.
pub(crate) const MIN_STEP_LENGTH: f32 = 0.1075;
/// The shortest and the longest duration of a step, in `time`.
pub(crate) const STEP_DURATION: [f32; 2] = [1.559, 2.436];
/// Weight of points that are not effectors, such as elbows, when frames are spaced in time: they may move twice as fast.
pub(crate) const OTHER_POINTS_WEIGHT: f32 = 0.5;

// Passages: prescribed motion, met exactly.

/// A frame whose points are nearer than this to a passage's frame is that frame, in `size`.
pub(crate) const SAME_FRAME: f32 = 2.15e-4;
/// A prescribed path has a corner where its second difference exceeds this: positions in `size`, angles in radians.
pub(crate) const CORNER: [f32; 2] = [5.376e-4, 5e-4];
/// The most by which the clip may miss a passage, in `size`.
pub(crate) const MAX_PASSAGE_ERROR: f32 = 5.376e-4;

// Swings.

/// Heights to which a limb is lifted off its hold, in `size`, tried in order.
pub(crate) const SWING_LIFTS: [f32; 3] = [0.0323, 0.086, 0.172];
/// The fraction of its length to which a limb is stretched, in swings and in the root's height of a gait.
pub(crate) const STRETCH: f32 = 0.985;
/// The same for a limb whose path is smoothed.
pub(crate) const MAX_STRETCH: f32 = 0.996;
/// A swinging limb slows its stretching from this fraction of its length on.
pub(crate) const BENT_STRETCH: f32 = 0.96;
/// The fraction of a mode's balance tolerance that a clip uses.
pub(crate) const BALANCE_FRACTION: f32 = 0.9;

// Contact projection.

/// An effector nearer than this to its contact is there, in `size`.
pub(crate) const PROJECTION_TOLERANCE: f32 = 3.226e-6;
/// The most Gauss-Newton iterations.
pub(crate) const PROJECTION_ITERATIONS: usize = 8;
/// Mobility (inverse weight) of the root's translation relative to that of a hinge, in `size²`: without a gait and with it.
/// A climber's limbs may be stretched, so the body must move; the root of a walk is where it should be already.
pub(crate) const ROOT_TRANSLATION_MOBILITY: [f32; 2] = [1.156e-2, 1.156e-3];
/// The same for the root's rotation.
pub(crate) const ROOT_ROTATION_MOBILITY: [f32; 2] = [0.1, 0.01];
/// Damping, in `size²`: a stretched limb cannot move along itself, and this keeps its step bounded.
pub(crate) const PROJECTION_DAMPING: f32 = 1.156e-6;
/// Damping of the roll of a sole, in squared lengths of the sole: where a limb is stretched, the sole rolls rather than the body moves.
pub(crate) const ROLL_DAMPING: f32 = 0.1;

// Gait.

/// Heights to which a foot is lifted, in `size`; the next is tried where the one before touches something.
pub(crate) const FOOT_LIFTS: [f32; 3] = [0.1505, 0.258, 0.43];
/// Forward lean of the trunk, in radians.
pub(crate) const LEAN: f32 = 0.05;
/// Swing of a limb against the walking ones, in radians for each `size` that the opposite foot is ahead of the root.
pub(crate) const COUNTER_SWING: f32 = 0.93;
/// Swing of a limb in space against the stepping ones, as a share of half the angle between these: arms swing by about as much as thighs.
pub(crate) const COUNTER_SWING_SHARE: f32 = 0.9;
/// The most that it swings, in radians.
pub(crate) const MAX_COUNTER_SWING: f32 = 0.5;
/// Angle of its second hinge while it hangs, in radians.
pub(crate) const COUNTER_BEND: f32 = 0.35;
/// Bend of its second hinge for each radian of its swing.
pub(crate) const BEND_SWING: f32 = 0.3;
/// The most that the root rises between two steps, in `size`.
pub(crate) const MAX_ROOT_RISE: f32 = 0.0699;
/// How far the root is ahead of the ball of a foot when its heel begins to rise, and how much farther when it has risen, in `size`.
pub(crate) const HEEL_RISE: [f32; 2] = [0.1, 0.4];
/// The roll of a foot onto its ball when its heel has risen, in radians.
pub(crate) const HEEL_RISE_ROLL: f32 = 0.7;
/// The greatest roll of a foot onto its ball where its limb is too short, in radians, and the steps in which it is sought.
pub(crate) const MAX_ROLL: f32 = 1.0;
pub(crate) const ROLL_STEP: f32 = 0.02;
/// How far the root is ahead of the middle between the ankles on average, in `size`: feet dwell where they stand, so that the average
/// lags behind.
pub(crate) const ROOT_LEAD: f32 = 0.07;
/// The part of a swing after which the foot is flat again.
pub(crate) const FLAT_AGAIN: f32 = 0.7;
/// Smaller rises count as none, in `size`.
pub(crate) const MIN_ROOT_RISE: f32 = 1.075e-3;
/// The least height of the root above an ankle that carries it, in `size`.
pub(crate) const MIN_ROOT_HEIGHT: f32 = 0.3226;
/// A foot in this part of its swing has no say in the root's height.
pub(crate) const FREE_SWING: std::ops::RangeInclusive<f32> = 0.15..=0.65;
/// Half width, in knots, over which the root's path is smoothed: about a step, so that the speed of feet is hardly felt.
pub(crate) const ROOT_HALF_WIDTH: usize = 30;
/// Half width, in knots, in which the lowest and the highest root are compared.
pub(crate) const ROOT_RISE_RANGE: usize = 18;
/// Half width, in knots, over which the root's height is smoothed.
pub(crate) const ROOT_RISE_HALF_WIDTH: usize = 7;
/// Half of the time, in knots, in which a gait fades in or out.
pub(crate) const FADE: usize = 15;
/// How often the gait's fades are checked for collisions and moved.
pub(crate) const FADE_ROUNDS: usize = 4;

// Smoothing.

/// How often violations are resolved.
pub(crate) const SMOOTHING_ROUNDS: usize = 9;
/// The factor by which a smoothing window is narrowed.
pub(crate) const NARROWING: f32 = 0.35;
/// Narrower windows are closed, in knots.
pub(crate) const MIN_HALF_WIDTH: f32 = 0.5;
/// Distance over which changes of the window's width are spread, in knots.
pub(crate) const WIDTH_SPREAD: usize = 8;
/// The most that an effector may be off its hold, in `size`.
pub(crate) const MAX_SLIP: f32 = 2.15e-4;
/// Collisions are checked halfway between knots where second differences exceed this: positions in `size`, angles in
/// radians.
pub(crate) const BEND: [f32; 2] = [0.0215, 0.02];

// Timing.

/// Time steps for each knot interval.
pub(crate) const STEPS_PER_KNOT: f32 = 4.0;
/// Half width, in time steps, over which speeds are averaged.
pub(crate) const TIME_HALF_WIDTH: usize = 24;
/// The fraction of an acceleration limit that is planned with; averaging may use up the rest.
pub(crate) const HEADROOM: f32 = 0.9;
/// The same for a speed limit: between knots, and where contacts are corrected, hinges may turn faster.
pub(crate) const SPEED_HEADROOM: f32 = 0.9;
/// How often a parameterization is slowed down where it exceeds the limits.
pub(crate) const SLOWDOWNS: usize = 4;
/// The most time steps of a clip.
pub(crate) const MAX_TIME_STEPS: usize = 20_000_000;

// Sampling and the last check.

/// The most frames of a clip.
pub(crate) const MAX_FRAMES: usize = 20_000_000;
/// Evenly timed frames nearer than this to a passage's frame are left out, in seconds. The checker allows 0.001.
pub(crate) const MIN_FRAME_DISTANCE: f32 = 0.0015;
/// A motion that ends this little after a frame ends with it, in frame intervals.
pub(crate) const SAME_TIME: f32 = 0.001;
/// Rounding of a contact's time that still counts as the frame's, in frame intervals.
pub(crate) const CONTACT_TIME_TOLERANCE: f32 = 0.012;
/// How often steps are taken more cautiously.
pub(crate) const MAX_CAUTION_ROUNDS: usize = 5;
/// How many contact phases away from a failure steps are taken more cautiously at most.
pub(crate) const MAX_CAUTION_REACH: usize = 4;
/// Samples for each knot interval at which the timed motion is checked, whatever the frame rate of the clip.
pub(crate) const CHECKS_PER_KNOT: f32 = 2.0;
/// The fraction of a speed limit that the samples may reach. Frames at higher rates are up to 3% faster.
pub(crate) const MAX_SAMPLED_SPEED: f32 = 0.96;
/// How often the timing is slowed down where the samples are too fast.
pub(crate) const SAMPLED_SLOWDOWNS: usize = 6;
/// How often the samples are checked, and the smoothing or the speed reduced.
pub(crate) const MAX_FRAME_CHECKS: usize = 8;
/// The factor by which a clip is slowed down where its frames cut a corner through an obstacle.
pub(crate) const CORNER_SLOWDOWN: f32 = 1.5;
/// The same where the body has left equilibrium before the first frame of a contact, or after the last.
pub(crate) const LATE_SLOWDOWN: f32 = 1.03;
/// Penetration that fails the last check, in `size`.
pub(crate) const MAX_PENETRATION: f32 = 1.29e-3;
/// Moments between two frames at which equilibrium is checked where a sole rolls on or off its patch.
pub(crate) const ROLL_SAMPLES: usize = 15;
/// Distance of the center of mass outside of where a mode allows it that fails the last check, in body sizes. The checker allows
/// 0.005.
pub(crate) const MAX_CENTER_EXCESS: f32 = 3e-3;
/// Acceleration of points that interpolation between frames may miss, in gravities. The checker allows 1.
pub(crate) const INTERPOLATED_ACCELERATION: f32 = 0.9;
/// Handovers are lengthened for at most this multiple of the natural speed: limits prevent more.
pub(crate) const MAX_HANDOVER_SPEED: f32 = 2.0;
/// A pair of samples between which a hinge turns farther is also checked halfway, in radians.
pub(crate) const FAST_TURN: f32 = 0.03;
