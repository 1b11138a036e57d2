//! Cross sections of obstacles with the plane of a planar character.

use std::collections::BTreeMap;

use super::faces_between_sharp_edges::SHARP_EDGE_COSINE;
use super::hold::HoldType;
use super::obstacle::Obstacle;
use crate::math::Vec3;

/// Returns the unit normal of a triangle; `None` if it has no area.
pub(super) fn normal_of([a, b, c]: [Vec3; 3]) -> Option<Vec3> {
    (b - a).cross(c - a).try_normalize()
}

/// A side of an obstacle's cross section.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub ends: [Vec3; 2],
    pub normal: Vec3,
}

/// Returns the cross section of an obstacle with the plane z = 0; consecutive collinear sides are joined.
pub(super) fn section(obstacle: &Obstacle) -> Vec<Side> {
    let mut sides: Vec<Option<Side>> =
        obstacle.triangles().into_iter().map(intersect_plane).filter(Option::is_some).collect();
    // Indexed by start and by end, so that a mesh of many triangles is not compared pair by pair.
    let mut starts: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    let mut ends: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (index, side) in sides.iter().flatten().enumerate() {
        starts.entry(key(side.ends[0], side.normal, [0; 3])).or_default().push(index);
        ends.entry(key(side.ends[1], side.normal, [0; 3])).or_default().push(index);
    }
    let mut joined = Vec::new();
    for index in 0..sides.len() {
        let Some(mut side) = sides[index].take() else { continue };
        while let Some(next) = take_near(&starts, &mut sides, side.ends[1], side.normal, 0) {
            side.ends[1] = next.ends[1];
        }
        while let Some(before) = take_near(&ends, &mut sides, side.ends[0], side.normal, 1) {
            side.ends[0] = before.ends[0];
        }
        joined.push(side);
    }
    joined
}

/// Points closer than this are the same, in meters.
const SAME_POINT: f32 = 1e-5;

/// A cell of points and normals.
type Key = [i64; 3];

/// Returns the cell of a point and a normal, shifted by the tolerance times `shift`.
fn key(point: Vec3, normal: Vec3, shift: [i8; 3]) -> Key {
    const CELL: f32 = 10.0 * SAME_POINT;
    let cell = |x: f32, shift: i8| ((x + f32::from(shift) * SAME_POINT) / CELL).floor() as i64;
    // Components of equal normals differ by at most 0.0015.
    let lean = (normal.x + 0.0015 * f32::from(shift[2])) / 0.02;
    [cell(point.x, shift[0]), cell(point.y, shift[1]), lean.floor() as i64]
}

/// Removes and returns a side with this normal and an end at this point.
fn take_near(
    known: &BTreeMap<Key, Vec<usize>>,
    sides: &mut [Option<Side>],
    point: Vec3,
    normal: Vec3,
    end: usize,
) -> Option<Side> {
    // Mostly all the same cell.
    let mut keys: Vec<Key> = Vec::with_capacity(8);
    for x in [-1, 1] {
        for y in [-1, 1] {
            for turn in [-1, 1] {
                keys.push(key(point, normal, [x, y, turn]));
            }
        }
    }
    keys.sort_unstable();
    keys.dedup();
    let matches = |side: &Side| (side.ends[end] - point).length() < SAME_POINT && side.normal.dot(normal) > 1.0 - 1e-6;
    let near = keys.iter().filter_map(|key| known.get(key)).flatten();
    let first = near.copied().filter(|&index| sides[index].as_ref().is_some_and(matches)).min()?;
    sides[first].take()
}

/// Returns the intersection of a triangle with the plane z = 0.
fn intersect_plane(corners: [Vec3; 3]) -> Option<Side> {
    // A corner in the plane counts as above it, so that adjacent triangles intersect the plane exactly once.
    let mut ends = Vec::new();
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let (a, b) = (corners[from], corners[to]);
        if (a.z < 0.0) != (b.z < 0.0) {
            let point = a + (b - a) * (a.z / (a.z - b.z));
            ends.push(point.with_z(0.0));
        }
    }
    let normal = normal_of(corners)?.with_z(0.0).try_normalize()?;
    let &[a, b] = ends.as_slice() else { return None };
    // All sides have the same orientation, so that spread points do not depend on the triangles.
    let [a, b] = if normal.cross(b - a).z > 0.0 { [a, b] } else { [b, a] };
    ((b - a).length() > 1e-5).then_some(Side { ends: [a, b], normal })
}

impl Side {
    pub fn length(&self) -> f32 {
        (self.ends[1] - self.ends[0]).length()
    }
}

/// Groups consecutive sides shorter than half the spacing that have one hold type and no sharp corner between them: the outline of
/// a scan. Each other side is a run of its own.
pub(super) fn smooth_runs(sides: Vec<Side>, spacing: f32) -> Vec<Vec<Side>> {
    let is_short = |side: &Side| side.length() < 0.5 * spacing;
    // The lean does not matter here: sides of any normal may follow.
    let place = |point: Vec3, shift: [i8; 3]| key(point, Vec3::ZERO, shift);
    let mut starts: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (index, side) in sides.iter().enumerate().filter(|(_, side)| is_short(side)) {
        starts.entry(place(side.ends[0], [0; 3])).or_default().push(index);
    }
    let follows = |side: &Side, next: &Side| {
        (next.ends[0] - side.ends[1]).length() < SAME_POINT
            && next.normal.dot(side.normal) > SHARP_EDGE_COSINE
            && HoldType::of_normal(next.normal) == HoldType::of_normal(side.normal)
    };
    let next_of = |index: usize| {
        let side = &sides[index];
        let mut keys = [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(|[x, y]| place(side.ends[1], [x, y, 0])).to_vec();
        keys.dedup();
        let near = keys.iter().filter_map(|key| starts.get(key)).flatten().copied();
        near.filter(|&next| next != index && follows(side, &sides[next])).min()
    };
    let next: Vec<Option<usize>> =
        (0..sides.len()).map(|index| if is_short(&sides[index]) { next_of(index) } else { None }).collect();
    let mut has_previous = vec![false; sides.len()];
    next.iter().flatten().for_each(|&next| has_previous[next] = true);
    let mut is_used = vec![false; sides.len()];
    let mut runs = Vec::new();
    // Runs from their first sides, then rings.
    for first in (0..sides.len()).filter(|&index| !has_previous[index]).chain(0..sides.len()) {
        let mut run = Vec::new();
        let mut at = Some(first);
        while let Some(index) = at.filter(|&index| !is_used[index]) {
            is_used[index] = true;
            run.push(sides[index]);
            at = next[index];
        }
        if !run.is_empty() {
            runs.push(run);
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_of_a_cross_section_are_joined() {
        // A strip of a floor in many pieces, each of two triangles.
        let mut vertices = Vec::new();
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        for i in 0..2000u32 {
            let x = i as f32 * 0.01;
            vertices.extend([Vec3::new(x, 0.0, -1.0), Vec3::new(x, 0.0, 1.0)]);
            if i > 0 {
                let first = 2 * i - 2;
                triangles.extend([[first, first + 1, first + 3], [first, first + 3, first + 2]]);
            }
        }
        let strip = Obstacle::mesh("strip", vertices, triangles).unwrap();
        let sides = section(&strip);
        assert_eq!(sides.len(), 1, "{sides:?}");
        let length = (sides[0].ends[1] - sides[0].ends[0]).length();
        assert!((length - 19.99).abs() < 1e-3, "{length}");
    }

    #[test]
    fn short_sides_without_sharp_corners_form_one_run() {
        let outline = |corners: &[[f32; 2]]| {
            let polygon = Obstacle::polygon("scan", corners, -1.0, 1.0).unwrap();
            let sides = section(&polygon).into_iter().filter(|side| side.normal.y > 0.5).collect();
            let mut runs: Vec<usize> = smooth_runs(sides, 0.3).iter().map(Vec::len).collect();
            runs.sort_unstable();
            runs
        };
        // Two meters with a vertex every 2 cm, a millimeter up or down.
        let noise = (0..=100).map(|i| [2.0 - 0.02 * i as f32, 0.001 * (i * 7 % 3) as f32]);
        let scan: Vec<[f32; 2]> = [[0.0, -1.0], [2.0, -1.0]].into_iter().chain(noise).collect();
        assert_eq!(outline(&scan), [67], "sides in line are joined before");
        // Long sides stay apart, as do steep corners.
        assert_eq!(outline(&[[0.0, -1.0], [2.0, -1.0], [2.0, 0.0], [1.0, 0.05], [0.0, 0.0]]), [1, 1]);
        assert_eq!(outline(&[[0.0, -1.0], [0.2, -1.0], [0.2, 0.0], [0.1, 0.07], [0.0, 0.0]]), [1, 1]);
    }
}
