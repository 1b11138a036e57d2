//! Tuning of the trunk guide. Lengths are in body sizes, written as meters of the reference body.

use clamber_model::character::REFERENCE_BODY_SIZE;

/// Side of a cell.
pub const CELL: f32 = 0.12 / REFERENCE_BODY_SIZE;
/// Cells along each side of a tile: a power of two, and its exponent.
pub const TILE_CELLS: i32 = 1 << TILE_BITS;
pub const TILE_BITS: u32 = 4;

/// Most cells around a tile in which surfaces are looked for.
pub const MAX_MARGIN: f32 = 16.0;

/// How far above a surface is looked for obstacles that cover it, and the distance from the nearest below which they do, in sides of a cell.
pub const COVER_HEIGHT: f32 = 0.5;
pub const COVERED_ROOM: f32 = 0.15;

/// The room for a leg above what it stands on: how high and how wide, in sides of a cell.
pub const LEG_HEIGHT: f32 = 1.6;
pub const LEG_ROOM: f32 = 0.7;
/// Half the diagonal of a cell, in its sides.
pub const CELL_RADIUS: f32 = 0.866;
/// How far around a point a surface goes on on which knees rest, in sides of a cell.
pub const WIDE_DISTANCE: f32 = 1.2;
/// How far below a ledge nothing is, where it ends, in sides of a cell.
pub const LEDGE_DROP: f32 = 0.4;

/// How much lower than in the reference posture a body is without extra cost for a stride.
pub const EASY_DROP: f32 = 0.065 / REFERENCE_BODY_SIZE;
/// The most that limbs are stretched in such a stride, as a share of their length.
pub const EASY_STRETCH: f32 = 0.98;
/// How far limbs may be from their direction in the reference posture, in radians.
pub const LIMB_CONE: f32 = 1.0;
/// The nearest that an effector comes to the first joint of its limb, as a share of its distance in the reference posture: bodies do not
/// walk in a squat.
pub const MIN_REACH: f32 = 0.6;
/// How much slower the body is where every limb is at the end of its reach, as a factor minus 1.
pub const SUPPORT_COST: f32 = 10.0;
/// Strain of limbs that does not slow the body: that of coarse cells, and of stairs.
pub const EASY_STRAIN: f32 = 0.1;
/// How much farther the trunk may be from what the body stands on than where the mode allows its center of mass.
pub const LEAN_SLACK: f32 = 0.1 / REFERENCE_BODY_SIZE;
/// How far ahead of the trunk what carries a body is on average in the reference posture of a mode in which it faces that.
pub const FACING_DISTANCE: f32 = 0.12 / REFERENCE_BODY_SIZE;
/// How far apart the heights of the trunk that the contacts of a stance suggest may be to count as much as a contact that does not carry.
pub const DISAGREEMENT: f32 = 0.5 / REFERENCE_BODY_SIZE;
/// How much less than another mode a stance may resemble one that it changes to, as a number of contacts that do not carry.
pub const MAX_MISFIT_MORE: f32 = 1.2;
/// How far apart they may be at most in a mode in which the body only stands: about as much as a leg can be bent.
pub const MAX_DISAGREEMENT: f32 = 0.75 / REFERENCE_BODY_SIZE;
/// How far from where effectors are in that posture surfaces tell which way it faces, and how little they may face it (a cosine).
pub const FACED_RANGE: f32 = 0.25 / REFERENCE_BODY_SIZE;
pub const FACED_COSINE: f32 = 0.5;
/// How much farther it may be without extra cost.
pub const EASY_LEAN: f32 = 0.03 / REFERENCE_BODY_SIZE;
/// How much slower the body is for each length by which it is farther than that, as a factor minus 1: it gets there for a moment, but does not go on so.
pub const LEAN_COST: f32 = 15.0 * REFERENCE_BODY_SIZE;
/// Rounds in which a posture is turned to fit contacts, and how much it stays as their normals have it.
pub const FIT_ROUNDS: usize = 5;
pub const FIT_DAMPING: f32 = 0.02;
/// The least sine of the angle between the direction to the right of a body and one that is up for it.
pub const LEAST_LEVEL: f32 = 0.05;
/// The least cosine between a direction up and the vertical on a floor or a ceiling.
pub const LEVEL_COSINE: f32 = 0.99;
/// The least cosine between the direction away from the nearest obstacle and one that is up for a body on surfaces.
pub const UP_COSINE: f32 = 0.4;
/// The most that the direction which is up turns in a step, in radians.
pub const MAX_UP_TURN: f32 = 0.5;
/// How far from a point places tell what is up there, in cells.
pub const UP_RANGE: f32 = 1.6;
/// Share of a path on surfaces across which a body turns to it; a steeper one is climbed as the body faces.
pub const LEAST_TURNING_SHARE: f32 = 0.4;
/// Share of the way from the trunk to a surface on which a limb must not be inside of an obstacle.
pub const LIMB_SHARE: f32 = 0.8;
/// The thickness of limbs, as a share of it.
pub const LIMB_RADIUS: f32 = 0.05;
/// The shortest step along that way, as a share of it.
pub const LEAST_MARCH: f32 = 0.03;
/// Surfaces behind obstacles after which no others are looked at.
pub const MAX_HIDDEN_CELLS: usize = 24;

/// How much the part of the body that has to fit is thinner than it is: other postures are.
pub const REQUIRED_SHARE: f32 = 0.85;
/// How high the highest part of the body but for its limbs is above the trunk when it bows, as a share of how high it is otherwise.
pub const BOWED_SHARE: f32 = 0.45;
/// How much slower the body is where nothing but the part that has to fit does, as a factor minus 1.
pub const TIGHT_COST: f32 = 8.0;
/// Clearance beyond which nothing is tight.
pub const TIGHT_CLEARANCE: f32 = 0.06 / REFERENCE_BODY_SIZE;
/// How much slower the body is with obstacles right beside it, as a factor minus 1: a body in motion is not exactly on its path.
pub const CLOSE_COST: f32 = 1.5;
/// Clearance beyond which nothing is close.
pub const CLOSE_CLEARANCE: f32 = 0.2 / REFERENCE_BODY_SIZE;
/// Distance between the spheres that stand for a capsule.
pub const SPHERE_SPACING: f32 = 0.2 / REFERENCE_BODY_SIZE;
/// Height of the slices of the body that are looked at first.
pub const SLICE_HEIGHT: f32 = 0.3 / REFERENCE_BODY_SIZE;

/// How much slower the body moves at an angle to its heading: along it, at 45, 90, 135 and 180 degrees.
pub const HEADING_COST: [f32; 5] = [1.0, 1.4, 2.2, 2.8, 3.0];
/// How much slower a body that only stands moves straight up or down: nobody walks up a wall, however many ledges it has.
pub const LADDER_COST: f32 = 4.0;
/// The most that a body is slowed by facing in a direction in which it does not fit, as a factor.
pub const MAX_MISFIT: f32 = 10.0;
/// Cost of a change of modes.
pub const MODE_CHANGE_COST: f32 = 1.5 / REFERENCE_BODY_SIZE;
/// How much more it costs where the body overlaps obstacles on the way from one posture to the other.
pub const TIGHT_CHANGE_COST: f32 = 12.0 / REFERENCE_BODY_SIZE;
/// How much higher or lower than its effectors suggest the trunk may be before a change of modes in which it does not only stand.
pub const CHANGE_SLACK: f32 = 0.15 / REFERENCE_BODY_SIZE;
/// How far ahead or back the trunk gets over an edge.
pub const OVER_EDGE: f32 = 0.48 / REFERENCE_BODY_SIZE;
/// The distance between such places that are looked at, in cells.
pub const OVER_EDGE_STEP: usize = 2;
/// Steps of that way.
pub const CHANGE_STEPS: usize = 4;
/// How many times as long a way takes in a mode of unknown speed as in the fastest one, if others have a speed.
pub const UNKNOWN_SLOWNESS: f32 = 4.0;

/// How far away a faster mode is soon entered.
pub const SOON: f32 = 0.3 / REFERENCE_BODY_SIZE;
/// Detours that are longer than the shortest path by this much have no cost-to-go.
pub const DETOUR: f32 = 0.8 / REFERENCE_BODY_SIZE;
/// How far a slow mode is assumed to lead where it is considered.
pub const SLOW_DISTANCE: f32 = 3.5 / REFERENCE_BODY_SIZE;
/// How many times longer than a straight path the rest of a path is assumed to be. With 1, no path is longer than the shortest, but land that
/// is as open as the path costs up to five times as many places. With 1.25, paths are at most 0.6% longer on courses; with 1.5, up to 3%.
pub const ESTIMATE_WEIGHT: f32 = 1.25;
/// How much shorter a path must be to replace one from which others went on. With 0, weighted estimates make a search go on from places on
/// open land eleven times on average; with this, three times.
pub const WORTHWHILE_GAIN: f32 = 0.01 / REFERENCE_BODY_SIZE;
/// Distance from the start within which a path has arrived there, in cells.
pub const NEAR_START: f32 = 1.8;
/// Costs that differ by less are the same, in meters.
pub const SAME_COST: f32 = 1e-4;
/// Distance from a penalized ball within which steps may begin that it penalizes, in cells.
pub const PENALTY_MARGIN: f32 = 2.0;
/// What a step or a change of modes costs at most, but for very few.
pub const GREATEST_STEP: f32 = 2.0 / REFERENCE_BODY_SIZE;
/// Cells around a place in which the nearest cell with a cost-to-go is looked for: first few, then more.
pub const NEAR_CELLS: [i32; 2] = [1, 2];
/// Most places that are evaluated: 2 km of open ground.
pub const MAX_PLACES: usize = 4_000_000;
/// Most places that are evaluated to find what separates start and goal.
pub const MAX_BRIDGED_PLACES: usize = 1_000_000;
/// Cells along a side of the blocks that are compared first.
pub const BRIDGE_BLOCK: i32 = 4;
/// How much longer a bridge counts for each unit by which an end of it slows the body.
pub const BRIDGE_STRAIN: f32 = 0.3 / REFERENCE_BODY_SIZE;
/// Cost of a bridge per length.
pub const BRIDGE_COST: f32 = 20.0;
/// Places between two checkpoints.
pub const PLACES_PER_CHECKPOINT: usize = 64;
/// Distance from the goal within which the body faces as it does there.
pub const GOAL_HEADING_DISTANCE: f32 = 0.5 / REFERENCE_BODY_SIZE;
/// How far to a side of its path the trunk may stay, in cells.
pub const OFF_PATH: f32 = 0.8;
/// Points across a path that are compared where it is narrow, in cells, the nearest first.
pub const CENTERING: [f32; 5] = [0.0, -0.25, 0.25, -0.5, 0.5];
/// Distance that the guide looks ahead for the heading of a body whose contacts are side by side.
pub const HEADING_LOOKAHEAD: f32 = 0.45 / REFERENCE_BODY_SIZE;
/// Distance that the guide looks ahead for a place where the body must face what carries it.
pub const TURN_LOOKAHEAD: f32 = 1.8 / REFERENCE_BODY_SIZE;
