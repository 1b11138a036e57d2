//! Segments over a pit.

use clamber_io::InfeasibleCause;

use super::super::builder::SegmentBuilder;
use super::super::dimensions::{
    BEAM_LENGTH, BEAM_THICKNESS, BEAM_WIDTH, BROKEN_PIT_LENGTH, PIT_DEPTH, STONE_COUNT, STONE_GAP, STONE_HEIGHT,
    STONE_OFFSET, STONE_SIDE,
};
use super::super::layout::{Extent, Holds};

pub(super) fn beam(builder: &mut SegmentBuilder) {
    builder.add_flat("near floor");
    let depth = builder.length(&PIT_DEPTH);
    if builder.is_broken {
        let length = builder.length(&BROKEN_PIT_LENGTH);
        builder.set_broken(InfeasibleCause::TooFar, length, 0.0, format!("the pit is {length:.2} m wide"));
        add_pit(builder, length, depth);
        builder.describe(format_args!("a pit {length:.2} m wide without a beam"));
    } else {
        let (length, width) = (builder.length(&BEAM_LENGTH), builder.length(&BEAM_WIDTH));
        let top = builder.at.height;
        let extent = Extent::Between { bottom: top - BEAM_THICKNESS, top };
        builder.add_solid("beam", 0.0..=length, -0.5 * width..=0.5 * width, extent, Holds::Floor);
        add_pit(builder, length, depth);
        builder.describe(format_args!("a beam {width:.2} m wide and {length:.2} m long over a pit {depth:.2} m deep"));
    }
    builder.add_flat("far floor");
}

pub(super) fn stones(builder: &mut SegmentBuilder) {
    builder.add_flat("near floor");
    let depth = builder.length(&PIT_DEPTH);
    let count = builder.sampler.count(&STONE_COUNT);
    let mut end = builder.length(&STONE_GAP);
    for stone in 1..=count {
        let (length, width) = (builder.length(&STONE_SIDE), builder.length(&STONE_SIDE));
        let (middle, height) = (builder.length(&STONE_OFFSET), builder.length(&STONE_HEIGHT));
        let across = middle - 0.5 * width..=middle + 0.5 * width;
        let extent = Extent::Between { bottom: builder.at.height - depth, top: builder.at.height + height };
        builder.add_solid(&format!("stone {stone}"), end..=end + length, across, extent, Holds::Floor);
        end += length + builder.length(&STONE_GAP);
    }
    add_pit(builder, end, depth);
    builder.add_flat("far floor");
    builder.describe(format_args!("{count} stones in a pit {end:.2} m wide and {depth:.2} m deep"));
}

/// Adds a pit without holds, and continues at its far edge.
pub(super) fn add_pit(builder: &mut SegmentBuilder, length: f64, depth: f64) {
    builder.add_ground("pit", length, builder.width, builder.at.height - depth, Holds::Bare);
    builder.advance(length);
}
