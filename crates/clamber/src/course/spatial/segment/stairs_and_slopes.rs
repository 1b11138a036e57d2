//! Segments that lead up or down.

use clamber_io::InfeasibleCause;
use clamber_model::math::double::sin_cos;

use super::super::builder::SegmentBuilder;
use super::super::dimensions::{
    BROKEN_STEP_HEIGHT, SLOPE_DEGREES, SLOPE_LENGTH, STAIRS_COUNT, STAIRS_RISER, STAIRS_TREAD, STAIRS_WIDTH,
};
use super::super::layout::{Extent, Holds};

/// `direction` is 1 for up and -1 for down.
pub(super) fn stairs(builder: &mut SegmentBuilder, direction: f64) {
    builder.add_flat("near floor");
    if builder.is_broken {
        return wall(builder);
    }
    let count = builder.sampler.count(&STAIRS_COUNT);
    let (riser, tread) = (builder.length(&STAIRS_RISER), builder.length(&STAIRS_TREAD));
    let width = builder.length(&STAIRS_WIDTH);
    let foot = builder.at.height;
    for step in 1..=count {
        builder.at.height = foot + direction * step as f64 * riser;
        // The far floor is the last step.
        if step < count {
            builder.add_floor(&format!("step {step}"), tread, width);
        }
    }
    builder.add_flat("far floor");
    let up_or_down = up_or_down(direction);
    builder.describe(format_args!("{count} steps of {riser:.2} m {up_or_down}, {tread:.2} m deep, {width:.2} m wide"));
}

/// A single step that is too high.
fn wall(builder: &mut SegmentBuilder) {
    let height = builder.length(&BROKEN_STEP_HEIGHT);
    let why = format!("the step is {height:.2} m high");
    builder.set_broken(InfeasibleCause::TooFar, 0.2, height, why);
    builder.at.height += height;
    builder.add_flat("far floor");
    builder.describe(format_args!("one step of {height:.2} m"));
}

/// `direction` is 1 for up and -1 for down.
pub(super) fn slope(builder: &mut SegmentBuilder, direction: f64) {
    builder.add_flat("near floor");
    let degrees = builder.sampler.degrees(&SLOPE_DEGREES);
    let length = builder.length(&SLOPE_LENGTH);
    let width = builder.width;
    let (sin, cos) = sin_cos(degrees.to_radians());
    let (run, rise, from) = (length * cos, direction * length * sin, builder.at.height);
    let extent = Extent::Ramp { from, degrees: direction * degrees, length };
    builder.add_solid("slope", 0.0..=run, -0.5 * width..=0.5 * width, extent, Holds::Floor);
    // Closes the wedge between the slope and the floor at its foot.
    builder.add_ground("ground below the slope", run, width, from + rise.min(0.0), Holds::Bare);
    builder.advance(run);
    builder.at.height += rise;
    builder.add_flat("far floor");
    let up_or_down = up_or_down(direction);
    builder.describe(format_args!("{degrees:.0} degrees {up_or_down}, {length:.2} m long"));
}

fn up_or_down(direction: f64) -> &'static str {
    if direction > 0.0 { "up" } else { "down" }
}
