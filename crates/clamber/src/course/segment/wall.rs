//! What is climbed: walls up and down, ledges, overhangs.

use clamber_io::InfeasibleCause;

use super::super::layout::{Holds, Outline, round_to_centimeters};
use super::builder::{OUT_OF_REACH, SegmentBuilder, WALL_THICKNESS};

pub(super) fn up(builder: &mut SegmentBuilder) {
    if builder.is_broken {
        return bare(builder);
    }
    let (height, hold_spacing) =
        (builder.dimensions.by_difficulty(1.6, 3.0), builder.dimensions.by_difficulty(0.2, 0.3));
    let [x, y] = builder.layout.at;
    builder.add_wall("wall", [x, y], height, WALL_THICKNESS, hold_spacing);
    let (length, spacing) = (0.2 + builder.sample_run_out(), builder.sample_spacing());
    builder.add_floor_at([x + WALL_THICKNESS, y + height], length, spacing);
    builder.describe(format_args!("{height:.2} m up"));
}

/// A wall with holds only at its foot.
fn bare(builder: &mut SegmentBuilder) {
    let (lower, hold_spacing) = (builder.dimensions.uniform(0.5, 0.9), builder.dimensions.by_difficulty(0.2, 0.3));
    // Keep a distance from the segment before: its high holds, such as bars, could be within reach of the edge.
    let spacing = builder.sample_spacing();
    builder.layout.add_floor(builder.obstacle_name("foot"), 1.0, spacing);
    let [x, y] = builder.layout.at;
    let height = round_to_centimeters(lower + OUT_OF_REACH + builder.dimensions.uniform(0.0, 0.4));
    builder.add_wall("wall", [x, y], lower, WALL_THICKNESS, hold_spacing);
    let corners = [[x, y + lower], [x + WALL_THICKNESS, y + height]];
    builder.layout.add_obstacle(builder.obstacle_name("bare wall"), Outline::Box(corners), Holds::Bare);
    let bare = height - lower;
    builder.describe(format_args!("{height:.2} m up, of which {bare:.2} m are without holds"));
    let why = format!("{bare:.2} m of the wall have no holds");
    builder.set_broken(InfeasibleCause::TooFar, [x, y], [x + WALL_THICKNESS + 0.2, y + height], why);
    let length = 0.2 + builder.sample_run_out();
    builder.add_floor_at([x + WALL_THICKNESS, y + height], length, spacing);
}

pub(super) fn down(builder: &mut SegmentBuilder) {
    let (height, hold_spacing) =
        (builder.dimensions.by_difficulty(0.8, 2.0), builder.dimensions.by_difficulty(0.2, 0.3));
    let [x, y] = builder.layout.at;
    builder.add_wall("wall", [x, y - height], height, WALL_THICKNESS, hold_spacing);
    let (length, spacing) = (0.2 + builder.sample_run_out(), builder.sample_spacing());
    builder.add_floor_at([x + WALL_THICKNESS, y - height], length, spacing);
    builder.describe(format_args!("{height:.2} m down"));
}

pub(super) fn ledges(builder: &mut SegmentBuilder) {
    let (first, second) = (builder.dimensions.by_difficulty(1.2, 1.8), builder.dimensions.by_difficulty(1.2, 1.8));
    let (ledge, hold_spacing) =
        (builder.dimensions.by_difficulty(1.0, 0.6), builder.dimensions.by_difficulty(0.2, 0.3));
    let [x, y] = builder.layout.at;
    builder.add_wall("lower wall", [x, y], first, ledge, hold_spacing);
    builder.add_wall("upper wall", [x + ledge, y + first], second, WALL_THICKNESS, hold_spacing);
    let (length, spacing) = (0.2 + builder.sample_run_out(), builder.sample_spacing());
    builder.add_floor_at([x + ledge + WALL_THICKNESS, y + first + second], length, spacing);
    builder.describe(format_args!("{first:.2} m up to a ledge {ledge:.2} m deep, {second:.2} m up again"));
}

pub(super) fn overhang(builder: &mut SegmentBuilder) {
    match builder.dimensions.below(2) {
        0 => jutting_wall(builder),
        _ => hanging_rock(builder),
    }
}

/// A wall whose upper part protrudes beyond its foot.
fn jutting_wall(builder: &mut SegmentBuilder) {
    let (height, out) = (builder.dimensions.by_difficulty(2.2, 3.0), builder.dimensions.by_difficulty(0.1, 0.25));
    let (begins, hold_spacing) = (builder.dimensions.uniform(0.9, 1.2), builder.dimensions.by_difficulty(0.2, 0.25));
    let [x, y] = builder.layout.at;
    let bottom = y - 0.5;
    builder.add_rock_below("wall", [x, x + WALL_THICKNESS], bottom);
    // Steep enough for the slanted part to be a hold for the feet as well.
    let full = round_to_centimeters(y + begins + 2.5 * out);
    let corners = vec![
        [x, bottom],
        [x, y + begins],
        [x - out, full],
        [x - out, y + height],
        [x + WALL_THICKNESS, y + height],
        [x + WALL_THICKNESS, bottom],
    ];
    builder.layout.add_obstacle(builder.obstacle_name("wall"), Outline::Polygon(corners), Holds::Wall(hold_spacing));
    let (length, spacing) = (0.2 + builder.sample_run_out(), builder.sample_spacing());
    builder.add_floor_at([x + WALL_THICKNESS, y + height], length, spacing);
    builder.describe(format_args!("{height:.2} m up a wall that juts out by {out:.2} m"));
}

/// A rock above the ground, with a chimney between it and the wall.
fn hanging_rock(builder: &mut SegmentBuilder) {
    let (height, hold_spacing) =
        (builder.dimensions.by_difficulty(2.2, 3.0), builder.dimensions.by_difficulty(0.2, 0.3));
    let (chimney, clearance) =
        (builder.dimensions.by_difficulty(1.1, 0.85), builder.dimensions.by_difficulty(2.1, 1.9));
    let (thickness, width) = (builder.dimensions.uniform(0.4, 0.7), builder.dimensions.uniform(0.7, 1.1));
    let spacing = builder.sample_spacing();
    let from = builder.layout.at[0];
    builder.layout.add_floor(builder.obstacle_name("foot"), width + chimney, spacing);
    let [x, y] = builder.layout.at;
    let (under, end) = (y + clearance, x - chimney);
    let corners = vec![
        [from + 0.1, under + 0.1],
        [end - 0.1, under],
        [end, under + 0.5 * thickness],
        [end - 0.2, under + thickness],
        [from, under + thickness],
    ];
    builder.layout.add_obstacle(builder.obstacle_name("hanging rock"), Outline::Polygon(corners), Holds::Bare);
    builder.add_wall("wall", [x, y], height, WALL_THICKNESS, hold_spacing);
    let length = 0.2 + builder.sample_run_out();
    builder.add_floor_at([x + WALL_THICKNESS, y + height], length, spacing);
    builder.describe(format_args!("{height:.2} m up, {chimney:.2} m beside a hanging rock"));
}
