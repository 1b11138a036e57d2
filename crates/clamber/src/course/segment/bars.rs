//! Segments to swing along: bars over a pit.

use clamber_io::InfeasibleCause;

use super::super::layout::{Holds, Outline, round_to_centimeters};
use super::builder::{OUT_OF_REACH, SegmentBuilder};

/// Thickness of a bar, in meters.
const BAR_THICKNESS: f64 = 0.06;

/// Distances of the first bar before the pit and of the last one after it (at least), in meters: the figure grasps and releases
/// them while it stands.
const BEFORE_PIT: f64 = 0.3;
const AFTER_PIT: f64 = 0.4;

pub(super) fn bars(builder: &mut SegmentBuilder) {
    let (height, between) = (builder.dimensions.by_difficulty(1.9, 2.03), builder.dimensions.by_difficulty(0.3, 0.5));
    let pit = if builder.is_broken {
        builder.dimensions.uniform(4.4, 5.2)
    } else {
        builder.dimensions.by_difficulty(2.2, 3.2)
    };
    let [x, y] = builder.layout.at;
    let count = ((BEFORE_PIT + pit + AFTER_PIT) / between).ceil() as usize;
    let mut positions: Vec<f64> =
        (0..=count).map(|bar| round_to_centimeters(x - BEFORE_PIT + bar as f64 * between)).collect();
    builder.describe(format_args!("{pit:.2} m along bars {between:.2} m apart, {height:.2} m above the ground"));
    if builder.is_broken {
        let last = positions.iter().copied().rfind(|position| *position < x + 0.7).unwrap_or(x);
        positions.retain(|position| *position <= last || *position >= last + OUT_OF_REACH);
        let next = positions.iter().copied().find(|position| *position > last).unwrap_or(last);
        let why = format!("bars are missing: the next is {:.2} m away", next - last);
        builder.describe(format_args!("{pit:.2} m along bars, some of which are missing"));
        // From edge to edge, because the next hold may also be one on the other side of the pit.
        builder.set_broken(InfeasibleCause::TooFar, [x, y], [x + pit, y + height], why);
    }
    for (bar, position) in positions.iter().enumerate() {
        let corners = [
            [position - 0.5 * BAR_THICKNESS, y + height],
            [position + 0.5 * BAR_THICKNESS, y + height + BAR_THICKNESS],
        ];
        builder.layout.add_obstacle(
            builder.obstacle_name(&format!("bar {}", bar + 1)),
            Outline::Box(corners),
            Holds::Bar,
        );
    }
    let (length, spacing) = (0.6 + builder.sample_run_out(), builder.sample_close_spacing());
    builder.add_floor_at([x + pit, y], length, spacing);
}
