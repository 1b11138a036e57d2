//! Edges of the hold graph: their costs, and whether a limb may pass.

use clamber_model::World;
use clamber_model::math::Vec3;
use clamber_model::world::UP;

use super::tuning::{EASY_SIDE_STEP, HEIGHT_WEIGHT, Lengths, MAX_SAMPLES, SIDE_STEP_WEIGHT};
use super::vertex::Vertex;

/// The cost of an edge, in meters; `max_distance` is the largest distance between two holds of the body.
pub(super) fn edge_cost(world: &World, lengths: &Lengths, ends: [&Vertex; 2], max_distance: f32) -> f32 {
    let [from, to] = ends;
    (to.point - from.point).length()
        + height_cost(lengths, from, to)
        + side_step_cost(world, lengths, from, to, max_distance)
}

/// Extra cost of a large height change between floors. A body does that only where there is no hold between them.
fn height_cost(lengths: &Lengths, from: &Vertex, to: &Vertex) -> f32 {
    let height = UP.dot(to.point - from.point).abs();
    let is_on_floors = from.is_on_floor() && to.is_on_floor();
    if is_on_floors { HEIGHT_WEIGHT * (height - lengths.easy_height).max(0.0) } else { 0.0 }
}

/// Extra cost of a long step to a side, except along a floor: a body reaches farther up than across. Hand and foot can be
/// two meters apart, so the guide would otherwise lead from the edge of a ditch through the air to the wall behind it.
fn side_step_cost(world: &World, lengths: &Lengths, from: &Vertex, to: &Vertex, max_distance: f32) -> f32 {
    let step = to.point - from.point;
    let excess = (step - UP * UP.dot(step)).length() - EASY_SIDE_STEP * max_distance;
    let is_along_floor = || {
        from.is_on_floor()
            && to.is_on_floor()
            && world.distance_field.estimate(from.point.midpoint(to.point)) <= lengths.floor_clearance
    };
    if excess > 0.0 && !is_along_floor() { SIDE_STEP_WEIGHT * excess } else { 0.0 }
}

/// Whether a limb may move from one vertex to another, straight or in an arc, through space that the distance field considers
/// free. Optimistic: an open edge may still be infeasible.
pub(crate) fn is_open(world: &World, lengths: &Lengths, from: &Vertex, to: &Vertex) -> bool {
    let [a, b] = [from, to].map(|vertex| vertex.point + vertex.normal * lengths.limb_offset);
    let outward = (from.normal + to.normal).try_normalize().unwrap_or(from.normal);
    lengths.arcs.iter().any(|height| {
        let middle = 0.5 * (a + b) + outward * *height;
        is_segment_open(world, lengths, a, middle) && is_segment_open(world, lengths, middle, b)
    })
}

/// Whether a limb may move along the surfaces of two vertices, around the edge where the surfaces meet. That is farther than
/// the arcs of [`is_open`] lead, for instance up a wall and onto its top.
pub(crate) fn is_open_around_edge(world: &World, lengths: &Lengths, from: &Vertex, to: &Vertex) -> bool {
    let [a, b] = [from, to].map(|vertex| vertex.point + vertex.normal * lengths.limb_offset);
    let edge = a + to.normal * to.normal.dot(b - a);
    is_segment_open(world, lengths, a, edge) && is_segment_open(world, lengths, edge, b)
}

fn is_segment_open(world: &World, lengths: &Lengths, a: Vec3, b: Vec3) -> bool {
    let count = ((b - a).length() / lengths.sample_step).ceil().clamp(1.0, MAX_SAMPLES) as usize;
    let depth = -lengths.tolerated_depth;
    (0..=count).all(|i| world.distance_field.estimate(a.lerp(b, i as f32 / count as f32)) > depth)
}
