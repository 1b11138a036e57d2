//! Faces: connected triangles of a surface without a sharp edge between them.

use super::obstacle::ObstacleShape;
use crate::math::{Vec3, atan2, sin_cos};

/// The cosine of the angle at which an edge is sharp, 30 degrees, as modeling programs shade it: a scanned floor is one face, and
/// a box has six.
pub(super) const SHARP_EDGE_COSINE: f32 = 0.866;

/// Connected triangles, each with its unit normal.
#[derive(Debug, Default)]
pub(super) struct Face {
    pub triangles: Vec<([Vec3; 3], Vec3)>,
}

/// Splits the triangles of a shape into faces, in the order of their first triangles. Triangles of different types are in
/// different faces, and those without a type in none.
pub(super) fn faces<T: PartialEq>(shape: &ObstacleShape, type_of: impl Fn(Vec3) -> Option<T>) -> Vec<Face> {
    let (vertices, triangles) = shape.indexed_triangles();
    let corners = |index: usize| triangles[index].map(|vertex| vertices[vertex as usize]);
    let normal = |index: usize| {
        let [a, b, c] = corners(index);
        (b - a).cross(c - a).try_normalize()
    };
    let normals: Vec<Option<(Vec3, T)>> =
        (0..triangles.len()).map(|index| normal(index).and_then(|normal| Some((normal, type_of(normal)?)))).collect();
    let mut representative: Vec<u32> = (0..triangles.len() as u32).collect();
    let edges = sorted_edges(&triangles);
    // Triangles at one edge are consecutive.
    for pair in edges.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let [a, b] = [pair[0].1, pair[1].1];
        let (Some((normal_a, type_a)), Some((normal_b, type_b))) = (&normals[a as usize], &normals[b as usize]) else {
            continue;
        };
        if type_a == type_b && normal_a.dot(*normal_b) > SHARP_EDGE_COSINE {
            let (a, b) = (find_representative(&mut representative, a), find_representative(&mut representative, b));
            representative[a.max(b) as usize] = a.min(b);
        }
    }
    let mut face_of: Vec<Option<usize>> = vec![None; triangles.len()];
    let mut faces: Vec<Face> = Vec::new();
    for (index, normal) in normals.iter().enumerate() {
        let Some((normal, _)) = normal else { continue };
        let first = find_representative(&mut representative, index as u32) as usize;
        let face = *face_of[first].get_or_insert_with(|| {
            faces.push(Face::default());
            faces.len() - 1
        });
        faces[face].triangles.push((corners(index), *normal));
    }
    faces
}

/// Returns the edges of triangles, each with its triangle: sorted, so that those of adjacent triangles are consecutive.
fn sorted_edges(triangles: &[[u32; 3]]) -> Vec<([u32; 2], u32)> {
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for (index, &[a, b, c]) in triangles.iter().enumerate() {
        edges.extend([[a, b], [b, c], [c, a]].map(|[a, b]| ([a.min(b), a.max(b)], index as u32)));
    }
    edges.sort_unstable();
    edges
}

fn find_representative(representative: &mut [u32], mut index: u32) -> u32 {
    while representative[index as usize] != index {
        // Path halving keeps later lookups short.
        representative[index as usize] = representative[representative[index as usize] as usize];
        index = representative[index as usize];
    }
    index
}

impl Face {
    /// Returns whether the face is narrower than this.
    pub fn is_narrower_than(&self, width: f32) -> bool {
        let extent = Extent::of(self);
        extent.across_max - extent.across_min < width
    }

    /// Returns points in the middle of the face's width that divide its length into parts of about this spacing, each with its
    /// normal; at least one. `None` if they need more than `remaining` intersections, which are subtracted from it.
    pub fn middle_row(&self, spacing: f32, remaining: &mut usize) -> Option<Vec<(Vec3, Vec3)>> {
        let extent = Extent::of(self);
        let count = (extent.length() / spacing).round().max(1.0) as usize;
        *remaining = remaining.checked_sub(count)?;
        let across = |point: Vec3| point.dot(extent.across);
        let mut widths = vec![(f32::INFINITY, f32::NEG_INFINITY); count];
        self.for_sections(&extent, count, remaining, |station, ends, _| {
            let (low, high) = &mut widths[station];
            (*low, *high) =
                (low.min(across(ends[0]).min(across(ends[1]))), high.max(across(ends[0]).max(across(ends[1]))));
        })?;
        // The point nearest to the middle: the cross section of a ring has none there. The first of equals.
        let mut nearest = vec![(f32::INFINITY, Vec3::ZERO, Vec3::ZERO); count];
        self.for_sections(&extent, count, remaining, |station, [a, b], normal| {
            let (low, high) = widths[station];
            let (from, to, middle) = (across(a), across(b), 0.5 * (low + high));
            let share = if from == to { 0.5 } else { ((middle - from) / (to - from)).clamp(0.0, 1.0) };
            let point = a + (b - a) * share;
            let distance = (across(point) - middle).abs();
            if distance < nearest[station].0 {
                nearest[station] = (distance, point, normal);
            }
        })?;
        Some(
            nearest.into_iter().filter(|point| point.0.is_finite()).map(|(_, point, normal)| (point, normal)).collect(),
        )
    }

    /// Calls `visit` with the intersections of triangles with the planes that stand across the length of the face in the middles of
    /// `count` equal parts. `None` if there are more than `remaining`.
    fn for_sections(
        &self,
        extent: &Extent,
        count: usize,
        remaining: &mut usize,
        mut visit: impl FnMut(usize, [Vec3; 2], Vec3),
    ) -> Option<()> {
        let part = extent.length() / count as f32;
        for (corners, normal) in &self.triangles {
            let (low, high) = range(corners.iter().map(|corner| corner.dot(extent.along)));
            let station = |at: f32| (((at - extent.along_min) / part).max(0.0) as usize).min(count - 1);
            for index in station(low)..=station(high) {
                *remaining = remaining.checked_sub(1)?;
                let at = extent.along_min + part * (index as f32 + 0.5);
                if let Some(ends) = cut(*corners, extent.along, at) {
                    visit(index, ends, *normal);
                }
            }
        }
        Some(())
    }
}

/// The directions of a face's length and width, and its extent along them.
struct Extent {
    along: Vec3,
    across: Vec3,
    along_min: f32,
    along_max: f32,
    across_min: f32,
    across_max: f32,
}

impl Extent {
    fn length(&self) -> f32 {
        self.along_max - self.along_min
    }

    fn of(face: &Face) -> Self {
        let normal: Vec3 = face.triangles.iter().map(|(corners, normal)| *normal * area(*corners)).sum();
        let first = face.triangles.first().map_or(Vec3::Y, |(_, normal)| *normal);
        // The normals of a pole cancel.
        let normal = normal.try_normalize().unwrap_or(first);
        let along = principal_direction(face, normal);
        let across = normal.cross(along).normalize_or_zero();
        let corners = || face.triangles.iter().flat_map(|(corners, _)| corners);
        let (along_min, along_max) = range(corners().map(|corner| corner.dot(along)));
        let (across_min, across_max) = range(corners().map(|corner| corner.dot(across)));
        Self { along, across, along_min, along_max, across_min, across_max }
    }
}

/// Returns the direction, perpendicular to the normal, in which the area of a face extends farthest.
fn principal_direction(face: &Face, normal: Vec3) -> Vec3 {
    let (u, v) = normal.any_orthonormal_pair();
    let total: f32 = face.triangles.iter().map(|(corners, _)| area(*corners)).sum();
    let middle = |[a, b, c]: [Vec3; 3]| (a + b + c) / 3.0;
    let center: Vec3 = face.triangles.iter().map(|(corners, _)| middle(*corners) * (area(*corners) / total)).sum();
    // Second moments of the area: those of a triangle are those of three points in the middle of its sides.
    let (mut uu, mut uv, mut vv) = (0.0, 0.0, 0.0);
    for ([a, b, c], _) in &face.triangles {
        for point in [(*a + *b) * 0.5, (*b + *c) * 0.5, (*c + *a) * 0.5] {
            let (x, y) = ((point - center).dot(u), (point - center).dot(v));
            let weight = area([*a, *b, *c]) / total;
            uu += weight * x * x;
            uv += weight * x * y;
            vv += weight * y * y;
        }
    }
    let (sin, cos) = sin_cos(0.5 * atan2(2.0 * uv, uu - vv));
    u * cos + v * sin
}

fn area([a, b, c]: [Vec3; 3]) -> f32 {
    0.5 * (b - a).cross(c - a).length()
}

fn range(values: impl Iterator<Item = f32>) -> (f32, f32) {
    values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// Returns the intersection of a triangle with the plane at this distance along a direction.
fn cut(corners: [Vec3; 3], along: Vec3, station: f32) -> Option<[Vec3; 2]> {
    let mut ends = [Vec3::ZERO; 2];
    let mut count = 0;
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let (a, b) = (corners[from].dot(along) - station, corners[to].dot(along) - station);
        if (a < 0.0) != (b < 0.0) && count < 2 {
            ends[count] = corners[from] + (corners[to] - corners[from]) * (a / (a - b));
            count += 1;
        }
    }
    (count == 2).then_some(ends)
}
