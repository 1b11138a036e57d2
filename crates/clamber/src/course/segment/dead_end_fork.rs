//! Segments with two routes, the shorter of which is a dead end.

use super::super::layout::{Holds, Outline, round_to_centimeters};
use super::builder::{OUT_OF_REACH, SegmentBuilder, TOO_LOW, WALL_THICKNESS};

pub(super) fn fork(builder: &mut SegmentBuilder, may_rise: bool) {
    match builder.dimensions.below(2) {
        0 if may_rise => narrowing_passage(builder),
        _ => slippery_bridge(builder),
    }
}

/// The dead end is a rising passage that becomes too narrow. The other route leads over the rock above it.
fn narrowing_passage(builder: &mut SegmentBuilder) {
    let (height, hold_spacing, spacing) = (
        builder.dimensions.by_difficulty(1.6, 2.0),
        builder.dimensions.by_difficulty(0.2, 0.25),
        builder.sample_close_spacing(),
    );
    let (mouth, step) = (builder.dimensions.uniform(0.4, 0.6), 0.4);
    let rise = round_to_centimeters(height - step);
    // About 20 degrees.
    let length = round_to_centimeters(2.7 * rise);
    let [x, y] = builder.layout.at;
    let (from, to) = (round_to_centimeters(x + 0.6), round_to_centimeters(x + 0.6 + length));
    let end = to + builder.sample_run_out();
    let line = vec![[x, y], [from, y], [to, y + rise], [end, y + rise]];
    builder.layout.add_ground(builder.obstacle_name("floor"), line, spacing);
    let corners = vec![[from, y + mouth], [to, y + rise + TOO_LOW], [to, y + height], [from, y + height]];
    builder.layout.add_obstacle(builder.obstacle_name("rock"), Outline::Polygon(corners), Holds::Wall(hold_spacing));
    builder.describe(format_args!("over a rock {height:.2} m high; the passage under it narrows to {TOO_LOW:.2} m"));
}

/// The dead end is a bridge that lacks holds. The other route leads down into the ditch below it and up again.
fn slippery_bridge(builder: &mut SegmentBuilder) {
    const DEPTH: f64 = 1.95;
    const THICKNESS: f64 = 0.12;
    let (opening, hold_spacing, spacing) = (
        builder.dimensions.by_difficulty(1.3, 1.1),
        builder.dimensions.by_difficulty(0.2, 0.3),
        builder.sample_spacing(),
    );
    let (end, bare) = (0.5, OUT_OF_REACH + builder.dimensions.uniform(0.1, 0.6));
    let [x, y] = builder.layout.at;
    builder.add_wall("wall down", [x, y - DEPTH], DEPTH, WALL_THICKNESS, hold_spacing);
    let bridge = x + WALL_THICKNESS + opening;
    for (name, from, length, holds) in [
        ("bridge 1", bridge, end, Holds::Floor(0.25)),
        ("bare bridge", bridge + end, bare, Holds::Bare),
        ("bridge 2", bridge + end + bare, end, Holds::Floor(0.25)),
    ] {
        let outline = Outline::Box([[from, y - THICKNESS], [from + length, y]]);
        builder.layout.add_obstacle(builder.obstacle_name(name), outline, holds);
    }
    let ditch = 2.0 * (opening + end) + bare;
    builder.add_floor_at([x + WALL_THICKNESS, y - DEPTH], ditch, spacing);
    let [x, _] = builder.layout.at;
    builder.add_wall("wall up", [x, y - DEPTH], DEPTH, WALL_THICKNESS, hold_spacing);
    let run_out = builder.sample_run_out();
    builder.layout.at = [x + WALL_THICKNESS, y];
    builder.layout.add_floor(builder.obstacle_name("far floor"), run_out, spacing);
    builder
        .describe(format_args!("through a ditch {DEPTH:.2} m deep; {bare:.2} m of the bridge over it have no holds"));
}
