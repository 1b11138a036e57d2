//! Planar worlds seen from the side: the section of each obstacle through the plane of the motion.

use std::collections::BTreeMap;

use clamber_model::math::Vec3;
use clamber_model::world::Obstacle;

use crate::camera::Camera;
use crate::picture::{Color, Point, Shape};

const ROCK: Color = Color::rgb(0xc2a98c);
const ROCK_OUTLINE: Color = Color::rgb(0x7a6249);

/// What a planar motion meets of an obstacle.
#[derive(Clone, Debug)]
pub(crate) struct CrossSection {
    /// On the picture; closed, unless the obstacle is a mere surface.
    pub loops: Vec<Vec<Point>>,
    is_solid: bool,
}

impl CrossSection {
    /// The section of an obstacle, as far as it is on a picture of this size.
    pub fn new(obstacle: &Obstacle, camera: &Camera, size: [f32; 2]) -> Self {
        let lines = cut(&obstacle.triangles());
        if lines.is_empty() {
            // Beside the plane, but perhaps near enough for the body's thickness.
            return Self::silhouette(obstacle, camera, size);
        }
        Self::on_picture(lines, obstacle.is_solid(), camera, size)
    }

    /// An obstacle as it is seen from outside, as far as it is on a picture of this size.
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

    /// How it is drawn.
    pub fn shapes(&self) -> Vec<Shape> {
        if !self.is_solid {
            let line =
                |points: &Vec<Point>| Shape::Polyline { points: points.clone(), width: 2.0, color: ROCK_OUTLINE };
            return self.loops.iter().map(line).collect();
        }
        vec![Shape::Polygon { loops: self.loops.clone(), fill: ROCK, outline: Some((ROCK_OUTLINE, 1.2)) }]
    }

    /// Whether a point of the picture is inside: the loops go around it.
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

/// The lines in which the triangles cross the plane z = 0, joined end to end.
fn cut(triangles: &[[Vec3; 3]]) -> Vec<Vec<Vec3>> {
    // Corners in the plane count as before it. Every triangle that crosses has one edge into the plane's far side and
    // one out of it, and its neighbour mode_intervals along the shared edge the other way: so the pieces join end to beginning.
    let mut pieces: Vec<(Vec3, Vec3)> = Vec::new();
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
            pieces.push((inward, outward));
        }
    }
    join(&pieces)
}

/// Where an edge crosses z = 0. The same for both triangles of the edge, to the bit, since both ask from before the plane.
fn crossing(before: Vec3, behind: Vec3) -> Vec3 {
    before + (behind - before) * (before.z / (before.z - behind.z))
}

fn join(pieces: &[(Vec3, Vec3)]) -> Vec<Vec<Vec3>> {
    let key = |point: Vec3| [point.x.to_bits(), point.y.to_bits()];
    let mut beginning_at: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
    let mut ends: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for (index, (from, to)) in pieces.iter().enumerate() {
        beginning_at.entry(key(*from)).or_default().push(index);
        *ends.entry(key(*to)).or_default() += 1;
    }
    // Open lines are begun at their beginnings, closed ones anywhere.
    let (open, closed): (Vec<usize>, Vec<usize>) =
        (0..pieces.len()).partition(|&index| !ends.contains_key(&key(pieces[index].0)));
    let mut used = vec![false; pieces.len()];
    let mut lines = Vec::new();
    for first in open.into_iter().chain(closed) {
        if used[first] {
            continue;
        }
        let mut line = vec![pieces[first].0];
        let mut next = Some(first);
        while let Some(index) = next {
            used[index] = true;
            let end = pieces[index].1;
            line.push(end);
            next = beginning_at.get(&key(end)).and_then(|begun| begun.iter().copied().find(|&index| !used[index]));
        }
        lines.push(without_needless_corners(line));
    }
    lines
}

/// Leaves out corners at which a line goes straight on: the triangles of a flat side leave many.
fn without_needless_corners(line: Vec<Vec3>) -> Vec<Vec3> {
    let mut kept: Vec<Vec3> = Vec::with_capacity(line.len());
    for point in line {
        while let [.., before, last] = kept[..] {
            let (way, on) = (last - before, point - last);
            let aside = (way.x * on.y - way.y * on.x).abs();
            if aside > 1e-5 * way.length() * on.length() || way.dot(on) < 0.0 {
                break;
            }
            kept.pop();
        }
        kept.push(point);
    }
    kept
}

/// The part of an area that is on the picture or a little beyond its frame (Sutherland and Hodgman, 1974): worlds may be
/// larger than a picture's numbers can tell apart.
fn clip(mut corners: Vec<Point>, size: [f32; 2]) -> Vec<Point> {
    const BEYOND: f32 = 8.0;
    for axis in 0..2 {
        for (sign, limit) in [(1.0, -BEYOND), (-1.0, -(size[axis] + BEYOND))] {
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
    fn an_extruded_polygon_is_cut_into_its_corners() {
        let corners = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        let obstacle = Obstacle::polygon("ell", &corners, -1.0, 1.0).unwrap();
        let lines = cut(&obstacle.triangles());
        assert_eq!(lines.len(), 1);
        for [x, y] in corners {
            assert!(lines[0].iter().any(|point| (point.x - x).abs() < 1e-5 && (point.y - y).abs() < 1e-5), "{x} {y}");
        }
        // The beginning may lie on a side and is then there twice.
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
