//! Segments to pass through: low passages, ducts, narrow passages.

use clamber_io::InfeasibleCause;

use super::super::builder::SegmentBuilder;
use super::super::dimensions::{
    BROKEN_CRAWL_HEIGHT, BROKEN_CRAWL_LENGTH, BROKEN_SIDLE_WIDTH, BROKEN_WALL_HEIGHT, BROKEN_WING, CRAWL_HEIGHT,
    CRAWL_LENGTH, CRAWL_WIDTH, DUCK_HEIGHT, DUCK_LENGTH, SIDLE_LENGTH, SIDLE_WIDTH, WALL_HEIGHT, WALL_THICKNESS,
};

pub(super) fn duck(builder: &mut SegmentBuilder) {
    builder.add_flat("near floor");
    let (height, length) = (builder.length(&DUCK_HEIGHT), builder.length(&DUCK_LENGTH));
    // The walls stand beside the floor: the passage is as wide as the floor.
    let half = 0.5 * builder.width;
    add_side_walls(builder, length, [half, half + WALL_THICKNESS], WALL_HEIGHT);
    builder.add_block("ceiling", 0.0..=length, -half..=half, [height, WALL_HEIGHT]);
    builder.add_far_floor(length);
    builder.describe(format_args!("a passage {height:.2} m high and {length:.2} m long"));
}

pub(super) fn crawl(builder: &mut SegmentBuilder) {
    builder.add_flat("near floor");
    let half = 0.5 * builder.width;
    if builder.is_broken {
        let (height, length) = (builder.length(&BROKEN_CRAWL_HEIGHT), BROKEN_CRAWL_LENGTH);
        let why = format!("the ceiling is {height:.2} m above the floor");
        // Includes the height of a body in front of it.
        builder.set_broken(InfeasibleCause::Blocked, length, 0.5, why);
        let wing = half + BROKEN_WING;
        builder.add_block("ceiling", 0.0..=length, -wing..=wing, [height, BROKEN_WALL_HEIGHT]);
        builder.add_far_floor(length);
        builder.describe(format_args!("a ceiling {height:.2} m above the floor"));
    } else {
        let (height, length) = (builder.length(&CRAWL_HEIGHT), builder.length(&CRAWL_LENGTH));
        let width = builder.length(&CRAWL_WIDTH);
        let side = half.max(0.5 * width + WALL_THICKNESS);
        add_side_walls(builder, length, [0.5 * width, side], WALL_HEIGHT);
        builder.add_block("ceiling", 0.0..=length, -0.5 * width..=0.5 * width, [height, WALL_HEIGHT]);
        builder.add_far_floor(length);
        builder.describe(format_args!("a duct {height:.2} m high, {width:.2} m wide and {length:.2} m long"));
    }
}

pub(super) fn sidle(builder: &mut SegmentBuilder) {
    builder.add_flat("near floor");
    let (half, length) = (0.5 * builder.width, builder.length(&SIDLE_LENGTH));
    let (width, side, height) = if builder.is_broken {
        (builder.length(&BROKEN_SIDLE_WIDTH), half + BROKEN_WING, BROKEN_WALL_HEIGHT)
    } else {
        (builder.length(&SIDLE_WIDTH), half, WALL_HEIGHT)
    };
    if builder.is_broken {
        // Includes the height of a body in front of it.
        let why = format!("the passage is {width:.2} m wide");
        builder.set_broken(InfeasibleCause::Blocked, length, WALL_HEIGHT, why);
    }
    add_side_walls(builder, length, [0.5 * width, side], height);
    builder.add_far_floor(length);
    builder.describe(format_args!("a passage {width:.2} m wide and {length:.2} m long"));
}

/// Adds walls beside the next piece of the way, from the floor up.
fn add_side_walls(builder: &mut SegmentBuilder, length: f64, [near, far]: [f64; 2], height: f64) {
    builder.add_block("left wall", 0.0..=length, -far..=-near, [0.0, height]);
    builder.add_block("right wall", 0.0..=length, near..=far, [0.0, height]);
}
