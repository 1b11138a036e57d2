//! Segments to pass under: beams to duck under, tunnels to crawl through.

use clamber_io::InfeasibleCause;

use super::super::layout::{Holds, Outline, round_to_centimeters};
use super::builder::{SegmentBuilder, TOO_LOW};

pub(super) fn duck(builder: &mut SegmentBuilder) {
    let (height, spacing) = (builder.dimensions.by_difficulty(1.5, 1.2), builder.sample_spacing());
    let (before, width, thickness) = (0.6, builder.dimensions.uniform(0.2, 0.5), builder.dimensions.uniform(0.6, 0.9));
    let length = before + width + builder.sample_run_out();
    let [x, y] = builder.layout.at;
    builder.layout.add_floor(builder.obstacle_name("floor"), length, spacing);
    let from = round_to_centimeters(x + before);
    let corners = [[from, y + height], [from + width, y + height + thickness]];
    builder.layout.add_obstacle(builder.obstacle_name("beam"), Outline::Box(corners), Holds::Bare);
    builder.describe(format_args!("a beam {height:.2} m above the ground"));
}

pub(super) fn crawl(builder: &mut SegmentBuilder) {
    let (height, spacing) = (builder.dimensions.by_difficulty(1.0, 0.8), builder.sample_close_spacing());
    let (before, tunnel) = (0.8, builder.dimensions.by_difficulty(1.0, 3.0));
    // The figure stands up only after its whole body has left the tunnel.
    let length = before + tunnel + 0.6 + builder.sample_run_out();
    let [x, y] = builder.layout.at;
    builder.layout.add_floor(builder.obstacle_name("floor"), length, spacing);
    let (from, to) = (round_to_centimeters(x + before), round_to_centimeters(x + before + tunnel));
    let name = builder.obstacle_name("rock");
    if builder.is_broken {
        let roof = y + TOO_LOW;
        builder.layout.add_obstacle(name, Outline::Closing([[from, roof], [to, roof]]), Holds::Bare);
        let why = format!("the tunnel is {TOO_LOW:.2} m high, less than the trunk is thick");
        builder.describe(format_args!("a tunnel {TOO_LOW:.2} m high, {tunnel:.2} m long"));
        // Includes the height of a body in front of the tunnel.
        builder.set_broken(InfeasibleCause::Blocked, [from, y], [to, y + 0.5], why);
        return;
    }
    let (roof, top) = (y + height, y + 2.6);
    let corners = vec![[from, roof], [to, roof], [to + 0.2, top], [from - 0.2, top]];
    builder.layout.add_obstacle(name, Outline::Polygon(corners), Holds::Bare);
    builder.describe(format_args!("a tunnel {height:.2} m high, {tunnel:.2} m long"));
}
