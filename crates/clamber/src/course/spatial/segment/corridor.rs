//! A corridor with one turn.

use clamber_model::math::double::sin_cos;

use super::super::builder::{Across, SegmentBuilder};
use super::super::dimensions::{
    CALM_TURN, CORRIDOR_LEG, CORRIDOR_TURN, CORRIDOR_WIDTH, MAX_HEADING, WALL_HEIGHT, WALL_THICKNESS,
};
use super::super::layout::Holds;

pub(super) fn corridor(builder: &mut SegmentBuilder) {
    let width = builder.length(&CORRIDOR_WIDTH);
    let legs = [builder.length(&CORRIDOR_LEG), builder.length(&CORRIDOR_LEG)];
    let turn = sample_turn(builder);
    builder.add_flat("near floor");
    let corner = Corner::new(turn, width);
    let [first, second] = legs;
    // Both floors reach beyond the corner, so that no corner of the corridor is without floor.
    let floor_width = width + 2.0 * WALL_THICKNESS;
    builder.add_ground("floor 1", first + corner.outer_edge, floor_width, builder.at.height, Holds::Floor);
    corner.add_walls(builder, "1", 0.0..=first + corner.outer_edge, 0.0..=first - corner.inner_face);
    builder.advance(first);
    builder.at.heading += turn;
    builder.add_ground("floor 2", second, floor_width, builder.at.height, Holds::Floor);
    corner.add_walls(builder, "2", -corner.outer_edge..=second, corner.inner_face..=second);
    builder.advance(second);
    builder.add_flat("far floor");
    let side = if turn > 0.0 { "left" } else { "right" };
    builder.describe(format_args!("{width:.2} m wide, turns {side} by {:.0} degrees", turn.abs()));
}

/// Samples a turn in degrees, positive to the left, that does not turn the course around.
fn sample_turn(builder: &mut SegmentBuilder) -> f64 {
    let heading = builder.at.heading;
    let sign = builder.sampler.sign();
    if builder.is_calm {
        let toward_start = if heading > 0.0 { -1.0 } else { 1.0 };
        return toward_start * builder.sampler.degrees(&CALM_TURN);
    }
    let turn = sign * builder.sampler.degrees(&CORRIDOR_TURN);
    if (heading + turn).abs() > MAX_HEADING { -turn } else { turn }
}

/// A corner between two walls that have thickness.
struct Corner {
    /// 1 if the inner side of the turn is on the right, -1 if it is on the left.
    inner_side: f64,
    width: f64,
    /// From the turn of the center line to where the outer walls' outer edges meet, along the corridor.
    outer_edge: f64,
    /// From where the inner walls end to the turn of the center line, along the corridor.
    inner_face: f64,
}

impl Corner {
    fn new(turn: f64, width: f64) -> Self {
        let (half_sin, half_cos) = sin_cos(0.5 * turn.abs().to_radians());
        let (sin, cos) = sin_cos(turn.abs().to_radians());
        let tangent = half_sin / half_cos;
        // Beyond a right angle, an inner wall would reach into the other leg with its outer edge.
        let shortened = (-WALL_THICKNESS * cos / sin).max(0.0);
        Self {
            inner_side: -turn.signum(),
            width,
            outer_edge: (0.5 * width + WALL_THICKNESS) * tangent,
            inner_face: 0.5 * width * tangent + shortened,
        }
    }

    /// Adds the outer and the inner wall of a leg.
    fn add_walls(&self, builder: &mut SegmentBuilder, leg: &str, outer: Across, inner: Across) {
        let [near, far] = [0.5 * self.width, 0.5 * self.width + WALL_THICKNESS];
        for (name, along, side) in [("outer wall", outer, -self.inner_side), ("inner wall", inner, self.inner_side)] {
            let across = if side > 0.0 { near..=far } else { -far..=-near };
            builder.add_block(&format!("{name} {leg}"), along, across, [0.0, WALL_HEIGHT]);
        }
    }
}
