//! Bars to hang from, over a pit.

use clamber_io::InfeasibleCause;

use super::super::builder::SegmentBuilder;
use super::super::dimensions::{
    BAR_THICKNESS, BARS_BEYOND_PIT, BARS_HEIGHT, BARS_PIT_LENGTH, BARS_SPACING, BARS_WIDTH, BROKEN_BARS_BEGINNING,
    BROKEN_BARS_GAP, BROKEN_BARS_PIT_LENGTH, PIT_DEPTH,
};
use super::super::layout::{Extent, Holds};
use super::over_pits::add_pit;

pub(super) fn bars(builder: &mut SegmentBuilder) {
    builder.add_flat("near floor");
    let depth = builder.length(&PIT_DEPTH);
    let (height, spacing) = (builder.length(&BARS_HEIGHT), builder.length(&BARS_SPACING));
    let (width, thickness) = (builder.length(&BARS_WIDTH), builder.length(&BAR_THICKNESS));
    let [before, behind] = [builder.length(&BARS_BEYOND_PIT), builder.length(&BARS_BEYOND_PIT)];
    let pit = builder.length(if builder.is_broken { &BROKEN_BARS_PIT_LENGTH } else { &BARS_PIT_LENGTH });
    let count = ((before + pit + behind) / spacing).ceil() as usize;
    let mut positions: Vec<f64> = (0..=count).map(|bar| bar as f64 * spacing - before).collect();
    builder.describe(format_args!(
        "a pit {pit:.2} m wide and {depth:.2} m deep under bars {spacing:.2} m apart, {height:.2} m above the floor"
    ));
    if builder.is_broken {
        let gap = take_out_bars(&mut positions);
        let why = format!("bars are missing: the next is {gap:.2} m away");
        builder.set_broken(InfeasibleCause::TooFar, pit, height, why);
        builder.describe(format_args!("a pit {pit:.2} m wide under bars, some of which are missing"));
    }
    let bottom = builder.at.height + height;
    let extent = Extent::Between { bottom, top: bottom + thickness };
    for (bar, position) in positions.into_iter().enumerate() {
        let along = position - 0.5 * thickness..=position + 0.5 * thickness;
        builder.add_solid(&format!("bar {}", bar + 1), along, -0.5 * width..=0.5 * width, extent, Holds::Bar);
    }
    add_pit(builder, pit, depth);
    builder.add_flat("far floor");
}

/// Takes out bars in the middle. Returns the distance that is left between two of them.
fn take_out_bars(positions: &mut Vec<f64>) -> f64 {
    let last = positions.iter().copied().rfind(|position| *position < BROKEN_BARS_BEGINNING).unwrap_or(0.0);
    positions.retain(|position| *position <= last || *position >= last + BROKEN_BARS_GAP);
    positions.iter().find(|position| **position > last).map_or(BROKEN_BARS_GAP, |next| next - last)
}
