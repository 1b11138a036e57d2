//! Extruded polygons and boxes.

use clamber_model::math::double::{Rotation, Vec3};

use super::box_tree::{Bounds, BoxTree};
use super::segment_distance::{between_segments, point_to_segment};

/// A polygon in the plane z = 0 of its frame, extruded along z.
pub(super) struct Prism {
    origin: Vec3,
    from_world: Rotation,
    /// The sides of the polygon, at z = 0.
    sides: Vec<[Vec3; 2]>,
    tree: BoxTree,
    low: f64,
    high: f64,
}

impl Prism {
    pub fn new(origin: Vec3, rotation: Rotation, corners: &[[f64; 2]], [low, high]: [f64; 2]) -> Self {
        let corner = |index: usize| {
            let [x, y] = corners[index % corners.len()];
            Vec3::new(x, y, 0.0)
        };
        let sides: Vec<[Vec3; 2]> = (0..corners.len()).map(|index| [corner(index), corner(index + 1)]).collect();
        let boxes: Vec<Bounds> = sides.iter().map(|side| Bounds::of_points(*side)).collect();
        Self { origin, from_world: rotation.inverse(), tree: BoxTree::new(boxes), sides, low, high }
    }

    /// Its bounding box in the world.
    pub fn bounds(&self) -> Bounds {
        let to_world = self.from_world.inverse();
        let corners = self.sides.iter().flat_map(|[corner, _]| [corner.with_z(self.low), corner.with_z(self.high)]);
        Bounds::of_points(corners.map(|corner| self.origin + to_world * corner))
    }

    /// Returns the distance of a segment, if it is less than `bound`; 0 if the segment intersects the prism or is inside.
    pub fn segment_distance(&self, segment: [Vec3; 2], bound: f64) -> Option<f64> {
        let segment = self.to_local(segment);
        let mut least = None;
        // Above and below, the nearest point of the prism is on its end; beside it, the distance is that in the plane.
        for (part, end) in [
            (clipped(segment, f64::NEG_INFINITY, self.low), Some(self.low)),
            (clipped(segment, self.low, self.high), None),
            (clipped(segment, self.high, f64::INFINITY), Some(self.high)),
        ] {
            let Some(part) = part else { continue };
            let found = match end {
                None => self.distance_in_plane(part, least.unwrap_or(bound)),
                Some(z) => self.distance_to_end(part, z, least.unwrap_or(bound)),
            };
            least = found.or(least);
        }
        least
    }

    /// Returns the depth of a point inside the prism; 0 outside.
    pub fn depth(&self, point: Vec3) -> f64 {
        let [point, _] = self.to_local([point; 2]);
        let from_ends = (point.z - self.low).min(self.high - point.z);
        if from_ends <= 0.0 || !self.contains_in_plane(point) {
            return 0.0;
        }
        let flat = point.with_z(0.0);
        let query = Bounds::of_points([flat]);
        let distance = |side: usize| point_to_segment(flat, self.sides[side]);
        self.tree.least_distance(&query, from_ends, distance).unwrap_or(from_ends)
    }

    fn to_local(&self, segment: [Vec3; 2]) -> [Vec3; 2] {
        segment.map(|end| self.from_world * (end - self.origin))
    }

    /// The distance of a segment that is between the planes of the ends.
    fn distance_in_plane(&self, segment: [Vec3; 2], bound: f64) -> Option<f64> {
        let flat = segment.map(|end| end.with_z(0.0));
        if self.contains_in_plane(flat[0]) {
            return Some(0.0);
        }
        let distance = |side: usize| between_segments(flat, self.sides[side]);
        self.tree.least_distance(&Bounds::of_points(flat), bound, distance)
    }

    /// The distance of a segment that is beyond the end at height z: to its border, or straight to its inside.
    fn distance_to_end(&self, segment: [Vec3; 2], z: f64, bound: f64) -> Option<f64> {
        let at_zero = segment.map(|end| end - Vec3::Z * z);
        let above = at_zero.iter().filter(|end| self.contains_in_plane(**end)).map(|end| end.z.abs());
        let above = above.fold(f64::INFINITY, f64::min);
        let distance = |side: usize| between_segments(at_zero, self.sides[side]);
        let border = self.tree.least_distance(&Bounds::of_points(at_zero), bound.min(above), distance);
        border.or_else(|| (above < bound).then_some(above))
    }

    /// Whether the polygon contains a point: the number of sides that a ray along +x crosses is odd.
    fn contains_in_plane(&self, point: Vec3) -> bool {
        let mut is_inside = false;
        let is_ahead = |bounds: &Bounds| bounds.min.y <= point.y && point.y <= bounds.max.y && bounds.max.x >= point.x;
        self.tree.visit(is_ahead, |side| {
            let [a, b] = self.sides[side];
            // A corner belongs to the side above it, so that a ray through it counts once.
            if (a.y > point.y) != (b.y > point.y) {
                let x = a.x + (b.x - a.x) * ((point.y - a.y) / (b.y - a.y));
                is_inside ^= point.x < x;
            }
        });
        is_inside
    }
}

/// Returns the part of a segment between two heights, if there is any.
fn clipped([a, b]: [Vec3; 2], low: f64, high: f64) -> Option<[Vec3; 2]> {
    if a.z.max(b.z) < low || a.z.min(b.z) > high {
        return None;
    }
    let clip = |end: Vec3, other: Vec3| {
        let z = end.z.clamp(low, high);
        if z == end.z { end } else { (end + (other - end) * ((z - end.z) / (other.z - end.z))).with_z(z) }
    };
    Some([clip(a, b), clip(b, a)])
}
