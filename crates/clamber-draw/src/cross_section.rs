//! Cross sections of obstacles, for planar worlds seen from the side.

use std::collections::BTreeMap;

use clamber_model::math::Vec3;
use clamber_model::world::Obstacle;

use crate::camera::Camera;
use crate::vector_picture::{Color, Point, Shape};

const ROCK: Color = Color::from_hex(0xc2a98c);
const ROCK_OUTLINE: Color = Color::from_hex(0x7a6249);

/// The cross section of an obstacle in the plane of the motion.
#[derive(Clone, Debug)]
pub(crate) struct CrossSection {
    /// In pixels; closed, unless the obstacle is a surface without volume.
    pub loops: Vec<Vec<Point>>,
    is_solid: bool,
}

impl CrossSection {
    /// Cuts an obstacle, clipped to a picture of this size.
    pub fn new(obstacle: &Obstacle, camera: &Camera, size: [f32; 2]) -> Self {
        let lines = cut(&obstacle.triangles());
        if lines.is_empty() {
            // The plane misses the obstacle, but it may be close enough to touch the body's volume.
            return Self::silhouette(obstacle, camera, size);
        }
        Self::on_picture(lines, obstacle.is_solid(), camera, size)
    }

    /// Returns the outline of an obstacle as seen from outside, clipped to a picture of this size.
    pub fn silhouette(obstacle: &Obstacle, camera: &Camera, size: [f32; 2]) -> Self {
        let facing = |t: &[Vec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]).dot(camera.axes.toward) > 0.0;
        let loops = obstacle.triangles().into_iter().filter(facing).map(|t| t.to_vec()).collect();
        Self::on_picture(loops, true, camera, size)
    }

    fn on_picture(loops: Vec<Vec<Vec3>>, is_solid: bool, camera: &Camera, size: [f32; 2]) -> Self {
        let on_picture = |corners: Vec<Vec3>| {
            let points: Vec<Point> = corners.into_iter().map(|corner| camera.project(corner)).collect();
            if is_solid { clip(points, size) } else { points }
        };
        let loops = loops.into_iter().map(on_picture).filter(|points| points.len() > 1).collect();
        Self { loops, is_solid }
    }

    /// Returns the shapes to draw.
    pub fn shapes(&self) -> Vec<Shape> {
        if !self.is_solid {
            let line =
                |points: &Vec<Point>| Shape::Polyline { points: points.clone(), width: 2.0, color: ROCK_OUTLINE };
            return self.loops.iter().map(line).collect();
        }
        vec![Shape::Polygon { loops: self.loops.clone(), fill: ROCK, outline: Some((ROCK_OUTLINE, 1.2)) }]
    }

    /// Whether a point of the picture is inside (nonzero winding number).
    pub fn contains(&self, [x, y]: Point) -> bool {
        let mut winding = 0;
        for corners in self.loops.iter().filter(|_| self.is_solid) {
            for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                let side = (b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1]);
                winding += i32::from(a[1] <= y && b[1] > y && side > 0.0);
                winding -= i32::from(b[1] <= y && a[1] > y && side < 0.0);
            }
        }
        winding != 0
    }
}

/// Intersects the triangles with the plane z = 0 and joins the segments end to end.
fn cut(triangles: &[[Vec3; 3]]) -> Vec<Vec<Vec3>> {
    // Corners in the plane count as in front of it. Every triangle that crosses the plane has one edge going behind it
    // and one coming back, and its neighbor traverses the shared edge in the opposite direction: so the segments join
    // end to start.
    let mut segments: Vec<(Vec3, Vec3)> = Vec::new();
    for triangle in triangles {
        let (mut inward, mut outward) = (None, None);
        for k in 0..3 {
            let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
            match (from.z >= 0.0, to.z >= 0.0) {
                (true, false) => inward = Some(crossing(from, to)),
                (false, true) => outward = Some(crossing(to, from)),
                _ => {}
            }
        }
        if let (Some(inward), Some(outward)) = (inward, outward) {
            segments.push((inward, outward));
        }
    }
    join(&segments)
}

/// Returns the point where an edge crosses z = 0. Both triangles of an edge get the same bits, because both start from
/// the corner in front.
fn crossing(before: Vec3, behind: Vec3) -> Vec3 {
    before + (behind - before) * (before.z / (before.z - behind.z))
}

fn join(segments: &[(Vec3, Vec3)]) -> Vec<Vec<Vec3>> {
    let key = |point: Vec3| [point.x.to_bits(), point.y.to_bits()];
    let mut starts_at: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
    let mut ends: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for (index, (from, to)) in segments.iter().enumerate() {
        starts_at.entry(key(*from)).or_default().push(index);
        *ends.entry(key(*to)).or_default() += 1;
    }
    // Open lines start at their first points, closed ones anywhere.
    let (open, closed): (Vec<usize>, Vec<usize>) =
        (0..segments.len()).partition(|&index| !ends.contains_key(&key(segments[index].0)));
    let mut used = vec![false; segments.len()];
    let mut lines = Vec::new();
    for first in open.into_iter().chain(closed) {
        if used[first] {
            continue;
        }
        let mut line = vec![segments[first].0];
        let mut next = Some(first);
        while let Some(index) = next {
            used[index] = true;
            let end = segments[index].1;
            line.push(end);
            next = starts_at.get(&key(end)).and_then(|starting| starting.iter().copied().find(|&index| !used[index]));
        }
        lines.push(without_straight_corners(line));
    }
    lines
}

/// Removes corners at which a line does not turn: the triangles of a flat side leave many.
fn without_straight_corners(line: Vec<Vec3>) -> Vec<Vec3> {
    let mut kept: Vec<Vec3> = Vec::with_capacity(line.len());
    for point in line {
        while let [.., before, last] = kept[..] {
            let (incoming, outgoing) = (last - before, point - last);
            let cross = (incoming.x * outgoing.y - incoming.y * outgoing.x).abs();
            if cross > 1e-5 * incoming.length() * outgoing.length() || incoming.dot(outgoing) < 0.0 {
                break;
            }
            kept.pop();
        }
        kept.push(point);
    }
    kept
}

/// Clips a polygon to the picture and a small margin (Sutherland and Hodgman, 1974): coordinates of large worlds would
/// exceed the precision of the rasterizer.
fn clip(mut corners: Vec<Point>, size: [f32; 2]) -> Vec<Point> {
    const MARGIN: f32 = 8.0;
    for axis in 0..2 {
        for (sign, limit) in [(1.0, -MARGIN), (-1.0, -(size[axis] + MARGIN))] {
            let inside = |point: Point| sign * point[axis] - limit;
            let mut clipped = Vec::with_capacity(corners.len() + 4);
            for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                let (at_from, at_to) = (inside(*from), inside(*to));
                if at_from >= 0.0 {
                    clipped.push(*from);
                }
                if (at_from >= 0.0) != (at_to >= 0.0) {
                    let share = at_from / (at_from - at_to);
                    clipped.push(std::array::from_fn(|k| from[k] + (to[k] - from[k]) * share));
                }
            }
            corners = clipped;
        }
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_of_an_extruded_polygon_has_its_corners() {
        let corners = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        let obstacle = Obstacle::polygon("ell", &corners, -1.0, 1.0).unwrap();
        let lines = cut(&obstacle.triangles());
        assert_eq!(lines.len(), 1);
        for [x, y] in corners {
            assert!(lines[0].iter().any(|point| (point.x - x).abs() < 1e-5 && (point.y - y).abs() < 1e-5), "{x} {y}");
        }
        // The first point may lie on a side; it then occurs twice.
        assert!(lines[0].len() <= corners.len() + 2, "{lines:?}");
    }

    #[test]
    fn a_section_is_clipped_to_the_picture() {
        let far = 1e7;
        let clipped = clip(vec![[-far, 50.0], [far, 50.0], [far, far], [-far, far]], [100.0, 100.0]);
        assert!(clipped.iter().flatten().all(|x| (-8.0..=108.0).contains(x)), "{clipped:?}");
        assert!(clipped.iter().any(|point| point[1] == 50.0));
    }
}
