//! Vertices of the hold graph.

use clamber_model::id::HoldId;
use clamber_model::math::Vec3;
use clamber_model::world::{Hold, HoldShape, UP};

use super::tuning::FLOOR_COSINE;

/// A point of a hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    pub hold: HoldId,
    pub point: Vec3,
    pub normal: Vec3,
}

impl Vertex {
    pub fn is_on_floor(&self) -> bool {
        UP.dot(self.normal) > FLOOR_COSINE
    }
}

/// Calls `add` with points of a hold; those of a surface are evenly spread, at most `spacing` apart.
pub(super) fn sample_hold(hold: &Hold, spacing: f32, add: &mut dyn FnMut(Vec3)) {
    let intervals = |length: f32| (length / spacing).ceil().max(1.0) as usize;
    match hold.shape {
        HoldShape::Point(at) => add(at),
        HoldShape::Segment([a, b]) => {
            let count = intervals((b - a).length());
            (0..=count).for_each(|i| add(a.lerp(b, i as f32 / count as f32)));
        }
        HoldShape::Triangle([a, b, c]) => {
            let count = intervals((b - a).length().max((c - a).length()).max((c - b).length()));
            for i in 0..=count {
                for j in 0..=count - i {
                    add(a + (b - a) * (i as f32 / count as f32) + (c - a) * (j as f32 / count as f32));
                }
            }
        }
    }
}
