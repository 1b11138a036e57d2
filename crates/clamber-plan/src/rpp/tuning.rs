//! Tuning of the published planner. Lengths are in body sizes, written as meters of the reference body.

use clamber_model::character::REFERENCE_BODY_SIZE;

/// Gain that counts as progress.
pub const MIN_PROGRESS: f32 = 0.05 / REFERENCE_BODY_SIZE;
/// Distance to the goal along the guide within which the last steps into the goal's contacts are tried.
pub const ARRIVAL: f32 = 0.6 / REFERENCE_BODY_SIZE;
/// Farther along the guide than this, no goal is reached without a change of contacts.
pub const FAR_GOAL: f32 = 4.0;
/// Waypoints that the first backtracks may return to.
pub const BACKTRACK_WINDOW: usize = 120;
/// Backtracks without progress after which the window doubles.
pub const BACKTRACKS_PER_DOUBLING: u32 = 4;

/// Most contact changes of the last steps.
pub const MAX_REGRASPS: usize = 8;
/// Most tries to attach an effector to a contact of the goal, each from another posture.
pub const STEP_TRIES: usize = 4;
/// Samples of the random walk before the second try; each further try takes as many more.
pub const STEP_WALK: usize = 10;
/// Samples for turning toward the goal's heading.
pub const HEADING_SAMPLES: usize = 600;
/// Cosine of the angle to the goal's heading that is near enough.
pub const HEADING_COSINE: f32 = 0.95;
/// Samples for moving into the goal's configuration.
pub const SETTLE_SAMPLES: usize = 3000;
/// Samples between two tries of the straight path to the goal's configuration.
pub const SETTLE_INTERVAL: usize = 20;

/// Samples for moving within reach of a hold.
pub const WANDER_SAMPLES: usize = 3000;
/// A sample may be farther from the hold than the best so far by this much.
pub const WANDER_SLACK: f32 = 0.04 / REFERENCE_BODY_SIZE;
/// Share of the limb's reach within which distance to the hold no longer matters.
pub const WANDER_REACH: f32 = 0.6;
/// Range in which holds to wander to are searched, as a multiple of the limb's reach.
pub const WANDER_RANGE: f32 = 3.0;
/// Most holds tried at each sample within reach.
pub const WANDER_HOLDS: usize = 6;
