//! Segments with something on the floor to step on or over.

use super::super::builder::SegmentBuilder;
use super::super::dimensions::{
    HURDLE_HEIGHT, HURDLE_THICKNESS, RUBBLE_COUNT, RUBBLE_FLOOR_LENGTH, RUBBLE_FLOOR_WIDTH, RUBBLE_HEIGHT, RUBBLE_SIDE,
};
use super::super::layout::{Extent, Holds};
use super::super::rectangle::Rectangle;

/// How often a box of the rubble is placed anew if it overlaps others.
const PLACINGS: usize = 40;

pub(super) fn rubble(builder: &mut SegmentBuilder) {
    builder.add_flat("near floor");
    let (length, width) = (builder.length(&RUBBLE_FLOOR_LENGTH), builder.length(&RUBBLE_FLOOR_WIDTH));
    let count = builder.sampler.count(&RUBBLE_COUNT);
    let mut placed: Vec<Rectangle> = Vec::new();
    for _ in 0..count {
        let Some(footprint) = place_box(builder, length, width, &placed) else { continue };
        placed.push(footprint);
        let height = builder.length(&RUBBLE_HEIGHT);
        let floor = builder.at.height;
        let extent = Extent::Between { bottom: floor - height, top: floor + height };
        builder.add_turned(&format!("box {}", placed.len()), footprint, extent, Holds::Floor);
    }
    builder.add_floor("floor", length, width);
    builder.add_flat("far floor");
    builder.describe(format_args!("{} boxes on {length:.2} m", placed.len()));
}

/// A place for a box that overlaps no other, if one is found.
fn place_box(builder: &mut SegmentBuilder, length: f64, width: f64, placed: &[Rectangle]) -> Option<Rectangle> {
    let sides = [builder.length(&RUBBLE_SIDE), builder.length(&RUBBLE_SIDE)];
    // However it is turned, it stays on the floor.
    let inset = 0.5 * (sides[0] * sides[0] + sides[1] * sides[1]).sqrt();
    (0..PLACINGS).find_map(|_| {
        let along = builder.length(&(inset..=length - inset));
        let across = builder.length(&(inset - 0.5 * width..=0.5 * width - inset));
        let heading = builder.at.heading + builder.sampler.degrees(&(0.0..=90.0));
        let center = builder.at.point(along, across);
        let footprint = Rectangle { center, heading, length: sides[0], width: sides[1] };
        (!placed.iter().any(|other| other.is_within(0.0, &footprint))).then_some(footprint)
    })
}

pub(super) fn hurdle(builder: &mut SegmentBuilder) {
    builder.add_flat("near floor");
    let (height, thickness) = (builder.length(&HURDLE_HEIGHT), builder.length(&HURDLE_THICKNESS));
    let is_bar = builder.sampler.sign() > 0.0;
    let (name, bottom) = if is_bar { ("bar", height - thickness) } else { ("low wall", 0.0) };
    let half = 0.5 * builder.width;
    builder.add_block(name, 0.0..=thickness, -half..=half, [bottom, height]);
    builder.add_far_floor(thickness);
    builder.describe(format_args!("a {name} {height:.2} m high and {thickness:.2} m thick"));
}
