//! Segments that are climbed, up or down: ladders, walls with ledges, edges.

use clamber_io::InfeasibleCause;

use super::super::builder::{Across, SegmentBuilder};
use super::super::dimensions::{
    BAR_THICKNESS, BROKEN_CLIMB_ABOVE, BROKEN_CLIMB_BELOW, BROKEN_CLIMB_GAP, BROKEN_STEP_HEIGHT, CLIMB_HEIGHT,
    LEDGE_COLUMN_SPACING, LEDGE_DEPTH, LEDGE_DOWN_HEIGHT, LEDGE_OFF_COLUMN, LEDGE_OFF_ROW, LEDGE_ROOT,
    LEDGE_ROW_SPACING, LEDGE_THICKNESS, LEDGE_TO_TOP, LEDGE_UP_HEIGHT, LEDGE_WIDTH, LOWEST_HOLD, RUNG_DISTANCE,
    RUNG_SPACING, RUNG_TO_TOP, RUNG_WIDTH,
};
use super::super::layout::{Extent, Holds};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
}

impl Direction {
    fn word(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
        }
    }
}

pub(super) fn ladder(builder: &mut SegmentBuilder, direction: Direction) {
    builder.add_flat("near floor");
    let wall = ClimbedWall::sample(builder, direction);
    let (lowest, spacing) = (builder.length(&LOWEST_HOLD), builder.length(&RUNG_SPACING));
    let (width, thickness) = (builder.length(&RUNG_WIDTH), builder.length(&BAR_THICKNESS));
    let distance = builder.length(&RUNG_DISTANCE);
    let is_above_top = builder.sampler.sign() > 0.0;
    let tops = (0..).map(|rung| lowest + f64::from(rung) * spacing);
    let below = tops.clone().take_while(|top| *top <= wall.height - RUNG_TO_TOP);
    // One rung above the platform, if it is not level with it.
    let above = tops.skip_while(|top| *top < wall.height + RUNG_TO_TOP).take(usize::from(is_above_top));
    let mut count = 0;
    for top in below.chain(above).filter(|top| wall.has_holds([top - thickness, *top])) {
        count += 1;
        let along = wall.in_front(distance - 0.5 * thickness, distance + 0.5 * thickness);
        wall.add_hold(builder, &format!("rung {count}"), along, -0.5 * width..=0.5 * width, [top - thickness, top]);
    }
    wall.add_far_floor(builder, Holds::Floor);
    let (height, word) = (wall.height, direction.word());
    let beyond = if is_above_top { "one of them above the platform, " } else { "" };
    builder.describe(format_args!(
        "a ladder of {count} rungs {spacing:.2} m apart, {beyond}{height:.2} m {word}{}",
        wall.gap_text()
    ));
}

pub(super) fn wall(builder: &mut SegmentBuilder, direction: Direction) {
    builder.add_flat("near floor");
    let wall = ClimbedWall::sample(builder, direction);
    let (lowest, row_spacing) = (builder.length(&LOWEST_HOLD), builder.length(&LEDGE_ROW_SPACING));
    let columns = (builder.width / builder.length(&LEDGE_COLUMN_SPACING)).floor();
    let column_width = builder.width / columns;
    let mut count = 0;
    for row in (0..).map(|row| lowest + f64::from(row) * row_spacing).take_while(|row| *row <= wall.height) {
        for column in 0..columns as usize {
            let (thickness, depth) = (builder.length(&LEDGE_THICKNESS), builder.length(&LEDGE_DEPTH));
            let top = row + builder.length(&LEDGE_OFF_ROW);
            let half = 0.5 * builder.length(&LEDGE_WIDTH);
            let offset = builder.length(&LEDGE_OFF_COLUMN);
            // It does not stick out beside the wall.
            let farthest = 0.5 * builder.width - half;
            let middle = (column as f64 + 0.5) * column_width - 0.5 * builder.width + offset;
            let middle = middle.clamp(-farthest, farthest);
            let heights = [top - thickness, top];
            if top > wall.height - LEDGE_TO_TOP || !wall.has_holds(heights) {
                continue;
            }
            count += 1;
            let along = wall.in_front(-LEDGE_ROOT, depth);
            wall.add_hold(builder, &format!("ledge {count}"), along, middle - half..=middle + half, heights);
        }
    }
    wall.add_far_floor(builder, Holds::Floor);
    let (height, word) = (wall.height, direction.word());
    builder.describe(format_args!("a wall with {count} ledges, {height:.2} m {word}{}", wall.gap_text()));
}

/// An edge that is got onto or down from with hands on it. Feet can press against the face below it, as shoes do.
pub(super) fn ledge(builder: &mut SegmentBuilder, direction: Direction) {
    let height = match direction {
        Direction::Up if builder.is_broken => builder.length(&BROKEN_STEP_HEIGHT),
        Direction::Up => builder.length(&LEDGE_UP_HEIGHT),
        Direction::Down => builder.length(&LEDGE_DOWN_HEIGHT),
    };
    let wall = ClimbedWall { direction, foot: 0.0, height, gap: None };
    match direction {
        Direction::Up => {
            builder.add_flat("near floor");
            if builder.is_broken {
                let why = format!("the edge is {height:.2} m high");
                builder.set_broken(InfeasibleCause::TooFar, 0.2, height, why);
            }
            wall.add_far_floor(builder, if builder.is_broken { Holds::Floor } else { Holds::RoughBlock });
        }
        Direction::Down => {
            builder.add_flat_with("near floor", Holds::RoughBlock);
            wall.add_far_floor(builder, Holds::Floor);
        }
    }
    builder.describe(format_args!("an edge, {height:.2} m {}", direction.word()));
}

/// A wall between the end of the floor so far and the next floor, higher or lower.
struct ClimbedWall {
    direction: Direction,
    /// The height of its foot relative to the floor so far.
    foot: f64,
    /// From the foot to the top.
    height: f64,
    /// Between these heights above the foot there are no holds, because the wall is impassable.
    gap: Option<[f64; 2]>,
}

impl ClimbedWall {
    fn sample(builder: &mut SegmentBuilder, direction: Direction) -> Self {
        if !builder.is_broken {
            let height = builder.length(&CLIMB_HEIGHT);
            let foot = if direction == Direction::Up { 0.0 } else { -height };
            return Self { direction, foot, height, gap: None };
        }
        let (from, length) = (builder.length(&BROKEN_CLIMB_BELOW), builder.length(&BROKEN_CLIMB_GAP));
        let height = from + length + builder.length(&BROKEN_CLIMB_ABOVE);
        let why = format!("{length:.2} m of the wall have no holds");
        builder.set_broken(InfeasibleCause::TooFar, 0.2, height, why);
        Self { direction, foot: 0.0, height, gap: Some([from, from + length]) }
    }

    /// Whether something between these heights above the foot is outside the gap.
    fn has_holds(&self, [bottom, top]: [f64; 2]) -> bool {
        self.gap.is_none_or(|[from, to]| top <= from || bottom >= to)
    }

    /// Positions along the course from one distance in front of the wall to another.
    fn in_front(&self, near: f64, far: f64) -> Across {
        match self.direction {
            Direction::Up => -far..=-near,
            Direction::Down => near..=far,
        }
    }

    /// Adds a rung or a ledge at heights above the foot.
    fn add_hold(&self, builder: &mut SegmentBuilder, name: &str, along: Across, across: Across, heights: [f64; 2]) {
        let [bottom, top] = heights.map(|height| builder.at.height + self.foot + height);
        builder.add_solid(name, along, across, Extent::Between { bottom, top }, Holds::Everywhere);
    }

    /// Adds the floor behind the wall or at its foot.
    fn add_far_floor(&self, builder: &mut SegmentBuilder, holds: Holds) {
        builder.at.height += match self.direction {
            Direction::Up => self.height,
            Direction::Down => -self.height,
        };
        builder.add_flat_with("far floor", holds);
    }

    fn gap_text(&self) -> String {
        self.gap.map_or(String::new(), |[from, to]| format!(", without holds from {from:.2} to {to:.2} m"))
    }
}
