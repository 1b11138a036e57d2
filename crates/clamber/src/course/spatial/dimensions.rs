//! The dimensions of segments, all in one place: what a healthy adult of the size of the built-in human manages: easily where it
//! walks, with some strength where it climbs; and for impassable segments what none does without a jump.
//!
//! Lengths are in meters of the built-in human; the scene file scales them to the character. They say what courses are, not
//! what a planner solves: do not tune them to a planner.

use std::ops::RangeInclusive;

/// The body size for which the lengths are written, in meters: that of the built-in human.
pub(super) const HUMAN_BODY_SIZE: f64 = 1.05504;

/// A range of lengths, or of angles in degrees.
pub(super) type Span = RangeInclusive<f64>;

// Floors. Every segment begins and ends with one.
/// Length of the level floor at either end of a segment.
pub(super) const FLAT_LENGTH: Span = 0.8..=1.2;
/// Its width.
pub(super) const FLAT_WIDTH: Span = 1.2..=1.8;
/// Length of the level floor at either end of an impassable segment: long enough that the floors of the segments before and after
/// it are [`CLEARANCE`] apart.
pub(super) const BROKEN_FLAT_LENGTH: f64 = 1.4;
/// The same in courses in which something is climbed: what is high above the segments before and after it must be out of reach too.
pub(super) const BROKEN_FLAT_LENGTH_BESIDE_HEIGHTS: f64 = 2.8;
/// Length of the floors on which the body starts and ends.
pub(super) const END_LENGTH: f64 = 1.6;
/// Their width.
pub(super) const END_WIDTH: f64 = 1.6;

// Walls.
/// Height of walls.
pub(super) const WALL_HEIGHT: f64 = 2.2;
/// Thickness of walls.
pub(super) const WALL_THICKNESS: f64 = 0.12;

// A corridor with a turn.
pub(super) const CORRIDOR_WIDTH: Span = 0.9..=1.4;
pub(super) const CORRIDOR_TURN: Span = 30.0..=110.0;
/// Length of the corridor's center line before and after the turn.
pub(super) const CORRIDOR_LEG: Span = 1.5..=3.0;

// Stairs.
pub(super) const STAIRS_COUNT: RangeInclusive<usize> = 3..=8;
pub(super) const STAIRS_RISER: Span = 0.12..=0.20;
pub(super) const STAIRS_TREAD: Span = 0.26..=0.34;
pub(super) const STAIRS_WIDTH: Span = 1.0..=1.6;

// Slopes.
pub(super) const SLOPE_DEGREES: Span = 8.0..=18.0;
/// Length along the slope.
pub(super) const SLOPE_LENGTH: Span = 2.0..=4.0;
/// Thickness of the plate.
pub(super) const SLOPE_THICKNESS: f64 = 0.2;

// Pits.
pub(super) const PIT_DEPTH: Span = 1.0..=2.0;
pub(super) const BEAM_WIDTH: Span = 0.22..=0.40;
pub(super) const BEAM_LENGTH: Span = 1.5..=3.5;
pub(super) const BEAM_THICKNESS: f64 = 0.2;
pub(super) const STONE_COUNT: RangeInclusive<usize> = 3..=6;
/// Length and width of a stone's top.
pub(super) const STONE_SIDE: Span = 0.32..=0.5;
/// Between the tops of two stones, and between a stone and the floor.
pub(super) const STONE_GAP: Span = 0.15..=0.40;
/// Height of a top relative to the floor: two of them differ by at most 0.12 m.
pub(super) const STONE_HEIGHT: Span = -0.06..=0.06;
/// Sideways from the middle.
pub(super) const STONE_OFFSET: Span = -0.2..=0.2;

// Passages.
pub(super) const DUCK_HEIGHT: Span = 1.40..=1.65;
pub(super) const DUCK_LENGTH: Span = 0.3..=1.0;
pub(super) const CRAWL_HEIGHT: Span = 0.75..=0.95;
pub(super) const CRAWL_WIDTH: Span = 0.8..=1.2;
pub(super) const CRAWL_LENGTH: Span = 1.2..=2.5;
pub(super) const SIDLE_WIDTH: Span = 0.38..=0.48;
pub(super) const SIDLE_LENGTH: Span = 0.3..=0.8;

// Rubble.
pub(super) const RUBBLE_COUNT: RangeInclusive<usize> = 10..=25;
/// Height of the tops above the floor.
pub(super) const RUBBLE_HEIGHT: Span = 0.03..=0.16;
pub(super) const RUBBLE_SIDE: Span = 0.25..=0.6;
/// The floor with the rubble.
pub(super) const RUBBLE_FLOOR_LENGTH: Span = 2.8..=4.0;
pub(super) const RUBBLE_FLOOR_WIDTH: Span = 1.8..=2.4;

// A bar or a low wall.
pub(super) const HURDLE_HEIGHT: Span = 0.2..=0.4;
pub(super) const HURDLE_THICKNESS: Span = 0.08..=0.2;

// A field of obstacles.
pub(super) const FIELD_COUNT: RangeInclusive<usize> = 6..=14;
pub(super) const FIELD_LENGTH: Span = 4.0..=6.0;
pub(super) const FIELD_WIDTH: Span = 3.0..=4.0;
/// Least width of a way between the obstacles, from one end of the field to the other.
pub(super) const FIELD_WAY: f64 = 0.8;
pub(super) const POST_SIDE: Span = 0.08..=0.3;
pub(super) const POST_HEIGHT: Span = 1.0..=2.2;
pub(super) const BOX_SIDE: Span = 0.3..=0.8;
pub(super) const BOX_HEIGHT: Span = 0.4..=1.2;
pub(super) const TABLE_LENGTH: Span = 0.8..=1.4;
pub(super) const TABLE_WIDTH: Span = 0.5..=0.8;
pub(super) const TABLE_HEIGHT: Span = 0.68..=0.78;
pub(super) const TABLE_THICKNESS: f64 = 0.05;
pub(super) const TABLE_LEG: f64 = 0.06;

// What is climbed, up or down. Rungs and ledges begin at most a high step above the foot and end at most as far below the top.
/// Height of walls with ledges and of ladders.
pub(super) const CLIMB_HEIGHT: Span = 2.0..=3.5;
/// Height of the lowest rung or row of ledges above the foot.
pub(super) const LOWEST_HOLD: Span = 0.25..=0.40;
/// From a rung to the next.
pub(super) const RUNG_SPACING: Span = 0.25..=0.33;
pub(super) const RUNG_WIDTH: Span = 0.45..=0.70;
/// Thickness of rungs and of bars to hang from.
pub(super) const BAR_THICKNESS: Span = 0.03..=0.05;
/// From the wall to the middle of a rung: room for the front of a foot.
pub(super) const RUNG_DISTANCE: Span = 0.15..=0.20;
/// A rung is at least this far below the top of the ladder, or as far above it.
pub(super) const RUNG_TO_TOP: f64 = 0.06;
/// From a row of ledges to the next, and from a ledge to the next in a row.
pub(super) const LEDGE_ROW_SPACING: Span = 0.32..=0.42;
pub(super) const LEDGE_COLUMN_SPACING: Span = 0.34..=0.46;
/// How far ledges are from their row, up or down, and from their column, to either side.
pub(super) const LEDGE_OFF_ROW: Span = -0.07..=0.07;
pub(super) const LEDGE_OFF_COLUMN: Span = -0.07..=0.07;
/// Least distance from the top of a ledge to the top of the wall.
pub(super) const LEDGE_TO_TOP: f64 = 0.10;
pub(super) const LEDGE_DEPTH: Span = 0.06..=0.10;
pub(super) const LEDGE_THICKNESS: Span = 0.04..=0.07;
pub(super) const LEDGE_WIDTH: Span = 0.10..=0.20;
/// How far ledges reach into the wall, so that no gap opens between them by rounding.
pub(super) const LEDGE_ROOT: f64 = 0.001;
/// Height of an edge to get onto, between the hips and the top of the head.
pub(super) const LEDGE_UP_HEIGHT: Span = 1.0..=1.8;
/// Height of an edge to get down from.
pub(super) const LEDGE_DOWN_HEIGHT: Span = 0.6..=1.2;

// Bars to hang from, over a pit.
/// Height of their undersides above the floor. A raised hand is 2.15 m above it.
pub(super) const BARS_HEIGHT: Span = 1.90..=2.05;
pub(super) const BARS_SPACING: Span = 0.30..=0.45;
pub(super) const BARS_WIDTH: Span = 0.8..=1.2;
pub(super) const BARS_PIT_LENGTH: Span = 1.6..=3.2;
/// How far before the pit the first bar is and, at least, behind it the last one: bars are taken and left by bodies that stand.
pub(super) const BARS_BEYOND_PIT: Span = 0.10..=0.30;

// Impassable segments.
/// A pit without a beam. The widest step of an adult is about half of this.
pub(super) const BROKEN_PIT_LENGTH: Span = 2.6..=3.5;
/// A passage. The chest is 0.21 m deep.
pub(super) const BROKEN_SIDLE_WIDTH: Span = 0.10..=0.14;
/// A ceiling. A lying body is 0.21 m high at its chest, and more when it moves on.
pub(super) const BROKEN_CRAWL_HEIGHT: Span = 0.18..=0.25;
pub(super) const BROKEN_CRAWL_LENGTH: f64 = 1.5;
/// A single step. A raised hand is 2.15 m above the floor.
pub(super) const BROKEN_STEP_HEIGHT: Span = 2.6..=3.2;
/// Between two rungs or ledges, or between one of them and the top of the wall.
pub(super) const BROKEN_CLIMB_GAP: Span = 2.7..=3.1;
/// Height of the wall below that gap, and above it.
pub(super) const BROKEN_CLIMB_BELOW: Span = 0.0..=0.7;
pub(super) const BROKEN_CLIMB_ABOVE: Span = 0.0..=0.6;
/// Between two bars. Stretched arms span 1.8 m.
pub(super) const BROKEN_BARS_GAP: f64 = 2.7;
/// Pits below bars of which some are missing, and how far into the pit there are bars before those.
pub(super) const BROKEN_BARS_PIT_LENGTH: Span = 4.6..=5.4;
pub(super) const BROKEN_BARS_BEGINNING: f64 = 0.7;
/// How far walls around an impassable passage reach beyond the floor on either side, so that no body gets around them.
pub(super) const BROKEN_WING: f64 = 1.0;
/// Their height, so that no body gets over them.
pub(super) const BROKEN_WALL_HEIGHT: f64 = 4.0;
/// The recorded box around an impassable place is larger than the place by this on each side.
pub(super) const BROKEN_BOX_MARGIN: f64 = 0.5;

// The layout.
/// Floors of segments that do not follow each other are this far apart, so that no body gets from one to the other.
pub(super) const CLEARANCE: f64 = 2.7;
/// The course turns away from its first heading by at most this, in degrees, so that it leads on instead of around itself.
pub(super) const MAX_HEADING: f64 = 110.0;
/// Corridors are drawn this much more often than other kinds, because only they turn the course.
pub(super) const CORRIDOR_WEIGHT: usize = 3;
/// Turns of a course that leads on almost straight, see `lay_out`.
pub(super) const CALM_TURN: Span = 30.0..=40.0;
/// Where the course is higher than this above the start, no segment leads up; where it is lower than this below the start, none
/// leads down.
pub(super) const MAX_HEIGHT: f64 = 1.5;
/// Depth of the ground below the lowest floor or pit.
pub(super) const GROUND_DEPTH: f64 = 0.5;
/// Height of the scene's bounds above the highest floor.
pub(super) const HEADROOM: f64 = 3.0;
/// Distance of the scene's bounds from the course, to the sides.
pub(super) const SIDE_ROOM: f64 = 0.5;
