//! Segments to walk over: level ground, slopes, steps, gaps, hurdles.

use clamber_io::InfeasibleCause;
use clamber_model::math::sin_cos;

use super::super::layout::{Holds, Outline, Point, even_spacing, round_to_centimeters};
use super::builder::{OUT_OF_REACH, SegmentBuilder};

pub(super) fn flat(builder: &mut SegmentBuilder) {
    let (length, spacing) = (builder.dimensions.uniform(1.5, 3.5), builder.sample_spacing());
    builder.layout.add_floor(builder.obstacle_name("floor"), length, spacing);
    builder.describe(format_args!("{length:.2} m of level ground"));
}

/// `direction` is 1 for up and -1 for down.
pub(super) fn slope(builder: &mut SegmentBuilder, direction: f64) {
    let (run, degrees, spacing) =
        (builder.dimensions.uniform(1.0, 2.4), builder.dimensions.by_difficulty(8.0, 25.0), builder.sample_spacing());
    let (sin, cos) = sin_cos(degrees.to_radians() as f32);
    let rise = round_to_centimeters(run * f64::from(sin / cos));
    let [x, y] = builder.layout.at;
    let (top, end) = (round_to_centimeters(y + direction * rise), x + run + builder.sample_run_out());
    builder.layout.add_ground(builder.obstacle_name("floor"), vec![[x, y], [x + run, top], [end, top]], spacing);
    builder.describe(format_args!("{degrees:.0} degrees, {rise:.2} m {}", if direction > 0.0 { "up" } else { "down" }));
}

/// `direction` is 1 for up and -1 for down.
pub(super) fn steps(builder: &mut SegmentBuilder, direction: f64) {
    let (count, tread) = (1 + builder.dimensions.below(3), builder.dimensions.uniform(0.6, 0.9));
    let (rise, spacing) = (builder.dimensions.by_difficulty(0.1, 0.4), builder.sample_close_spacing());
    let [x, y] = builder.layout.at;
    let mut line: Vec<Point> = Vec::new();
    for step in 0..count {
        let (from, height) = (x + step as f64 * tread, round_to_centimeters(y + direction * rise * (step + 1) as f64));
        let to = if step + 1 == count { from + builder.sample_run_out() } else { from + tread };
        line.extend([[from, height], [to, height]]);
    }
    builder.layout.add_ground(builder.obstacle_name("floor"), line, spacing);
    let up_or_down = if direction > 0.0 { "up" } else { "down" };
    builder.describe(format_args!("{rise:.2} m {up_or_down}, {count} times"));
}

pub(super) fn gap(builder: &mut SegmentBuilder) {
    let spacing = builder.sample_close_spacing();
    let length = builder.sample_run_out();
    let between = if builder.is_broken {
        OUT_OF_REACH + builder.dimensions.uniform(0.0, 0.7)
    } else {
        builder.dimensions.by_difficulty(0.45, 0.7)
    };
    let margins = builder.layout.last_hold_distance + 0.5 * even_spacing(length, spacing);
    let width = round_to_centimeters((between - margins).max(0.1));
    let [x, y] = builder.layout.at;
    let across = width + margins;
    builder.describe(format_args!("{across:.2} m from hold to hold"));
    if builder.is_broken {
        let (from, to) = (x - builder.layout.last_hold_distance, x - builder.layout.last_hold_distance + across);
        builder.set_broken(InfeasibleCause::TooFar, [from, y], [to, y], format!("the next hold is {across:.2} m away"));
    }
    builder.add_floor_at([x + width, y], length, spacing);
}

pub(super) fn hurdle(builder: &mut SegmentBuilder) {
    const THICKNESS: f64 = 0.08;
    let (height, spacing) = (builder.dimensions.by_difficulty(0.1, 0.35), builder.dimensions.by_difficulty(0.3, 0.4));
    let length = 0.8 + builder.sample_run_out();
    let [x, y] = builder.layout.at;
    let positions = builder.layout.add_floor(builder.obstacle_name("floor"), length, spacing);
    // Halfway between two holds, so that a foot has room on either side.
    let after = positions.iter().position(|position| *position > x + 0.7).unwrap_or(1).max(1);
    let middle = round_to_centimeters(0.5 * (positions[after - 1] + positions[after]));
    let corners = [[middle - 0.5 * THICKNESS, y - 0.05], [middle + 0.5 * THICKNESS, y + height]];
    builder.layout.add_obstacle(builder.obstacle_name("board"), Outline::Box(corners), Holds::Bare);
    builder.describe(format_args!("{height:.2} m high"));
}
