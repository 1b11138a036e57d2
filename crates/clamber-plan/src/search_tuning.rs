//! Tuning shared by the searches.
//!
//! Here and in the `tuning` modules of the algorithms, lengths are in body sizes
//! ([`Character::body_size`](clamber_model::Character::body_size)), so a problem whose lengths are all doubled takes the same search. They
//! are written as meters of a body of [`REFERENCE_BODY_SIZE`].

use clamber_model::character::REFERENCE_BODY_SIZE;

/// How far bodies on contacts in space may undercut their clearance between two checked configurations, in body sizes: less than the
/// checker allows.
pub const TOLERANCE_IN_SPACE: f32 = 1.2e-3 / REFERENCE_BODY_SIZE;
/// The farthest that a sampled change of one coordinate moves any point of the character.
pub const STEP: f32 = 0.1 / REFERENCE_BODY_SIZE;
/// The greatest speed of any point in the frames of a plan, as a fraction of the root's speed limit. The checker allows 1.
pub const MAX_SPEED: f32 = 0.8;
/// How much more often a sampled hinge turns toward its rest angle than away from it, from 0 (equally often, as published) to 1
/// (always).
pub const RELAX: f32 = 0.3;
/// Most cells of the guide's map; beyond, cells are made larger.
pub const MAX_CELLS: usize = 1_500_000;
/// Neighbors sampled for one step of the descent.
pub const MAX_NEIGHBORS: usize = 40;
/// Random walks tried at a local minimum before the search backtracks.
pub const MAX_WALKS: usize = 12;
/// Most steps of a random walk.
pub const WALK_LENGTH: usize = 120;
/// Least gain of a descent step, as a share of a cell. Less is noise of the sampling.
pub const MIN_DESCENT: f32 = 0.02;
/// Gain with which a random walk counts as an escape, as a share of a cell. The thesis accepts any gain, but a tiny one is lost
/// again at once.
pub const MIN_ESCAPE: f32 = 0.25;
/// Neighbors that are sampled between two checkpoints.
pub const NEIGHBORS_PER_CHECKPOINT: usize = 8;
