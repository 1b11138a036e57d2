//! Vertices of the hold graph.

use clamber_model::id::HoldId;
use clamber_model::math::Vec3;
use clamber_model::world::{Hold, HoldShape, UP};

use super::tuning::{FLOOR_COSINE, MAX_VERTICES};

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

/// Calls `add` with points of a hold; those of a surface are spread evenly, at most `spacing` apart.
pub(crate) fn sample_hold(hold: &Hold, spacing: f32, add: &mut dyn FnMut(Vec3)) {
    let rows = rows(hold, spacing);
    match hold.shape {
        HoldShape::Point(at) => add(at),
        HoldShape::Segment([a, b]) => add_row(a, b, rows.along, add),
        HoldShape::Triangle(corners) => {
            let [a, b, top] = from_longest_side(corners);
            for row in 0..=rows.across {
                let height = row as f32 / rows.across as f32;
                let along = ((1.0 - height) * rows.along as f32).ceil() as usize;
                add_row(a.lerp(top, height), b.lerp(top, height), along, add);
            }
        }
    }
}

/// The spacing of the vertices of a world: `spacing`, or more where that would give more than [`MAX_VERTICES`].
pub(crate) fn bounded_spacing<'a>(holds: impl Iterator<Item = &'a Hold> + Clone, spacing: f32) -> f32 {
    let mut spacing = spacing;
    // A world may have more holds than that: coarser than the holds themselves it does not get.
    let limit = MAX_VERTICES.max(4 * holds.clone().count());
    let count = |spacing: f32| {
        let count_of = |hold: &Hold| {
            let rows = rows(hold, spacing);
            rows.along.saturating_add(1).saturating_mul(rows.across.saturating_add(1))
        };
        holds.clone().map(count_of).fold(0, usize::saturating_add)
    };
    while count(spacing) > limit && spacing.is_finite() {
        spacing *= 2.0;
    }
    spacing
}

/// Intervals between the samples of a hold.
struct Rows {
    /// Along a segment, or along the longest side of a triangle.
    along: usize,
    /// From the longest side of a triangle to the corner opposite; 0 for other shapes.
    across: usize,
}

fn rows(hold: &Hold, spacing: f32) -> Rows {
    let intervals = |length: f32| (length / spacing).ceil().max(1.0) as usize;
    match hold.shape {
        HoldShape::Point(_) => Rows { along: 0, across: 0 },
        HoldShape::Segment([a, b]) => Rows { along: intervals((b - a).length()), across: 0 },
        HoldShape::Triangle(corners) => {
            let [a, b, top] = from_longest_side(corners);
            let base = (b - a).length();
            let height = if base > 0.0 { (b - a).cross(top - a).length() / base } else { 0.0 };
            Rows { along: intervals(base), across: intervals(height) }
        }
    }
}

/// The corners of a triangle, those of the longest side first.
fn from_longest_side([a, b, c]: [Vec3; 3]) -> [Vec3; 3] {
    let turns = [[a, b, c], [b, c, a], [c, a, b]];
    let side = |[a, b, _]: &[Vec3; 3]| (*b - *a).length();
    turns
        .into_iter()
        .reduce(|longest, turn| if side(&turn) > side(&longest) { turn } else { longest })
        .unwrap_or([a, b, c])
}

/// Adds evenly spread points from `a` to `b`.
fn add_row(a: Vec3, b: Vec3, intervals: usize, add: &mut dyn FnMut(Vec3)) {
    (0..=intervals).for_each(|i| add(a.lerp(b, i as f32 / intervals.max(1) as f32)));
}
