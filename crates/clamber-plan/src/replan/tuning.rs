//! Tuning of replanning. Lengths are in body sizes, written as meters of the reference body.

use clamber_model::character::REFERENCE_BODY_SIZE;
use clamber_model::obstacle_collision::Clearance;

/// Contact changes before an invalid frame at which a search begins again. A step has two, leaving a hold and taking the next,
/// so this is a step of each of two limbs, with which the search may arrive on the other foot or hand.
pub const LEAD_IN: usize = 4;
/// Contact changes before the invalid frames at which a replaced piece begins, in the order tried. The first mostly works.
pub const PIECE_LEAD_INS: [usize; 3] = [2 * LEAD_IN, LEAD_IN, 4 * LEAD_IN];
/// The budget is divided by this for a piece: it is small, so more would be wasted.
pub const PIECE_BUDGET: u64 = 64;

/// Configurations and points that are nearer to each other are the same: files round.
pub const SAME: f32 = 1e-3 / REFERENCE_BODY_SIZE;
/// Unit vectors that differ by less are the same.
pub const SAME_DIRECTION: f32 = 1e-3;
/// A body deeper inside an obstacle than this collides. Contacts touch, and files round.
pub const COLLISION: Clearance =
    Clearance { margin: -2e-3 / REFERENCE_BODY_SIZE, interpolation_tolerance: 5e-4 / REFERENCE_BODY_SIZE };
