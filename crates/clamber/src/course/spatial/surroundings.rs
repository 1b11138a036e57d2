//! Land around a course, as a mesh with a given number of triangles: to measure that planning time follows the path and not the map.
//!
//! It is level and below the course near the course, and has hills and blocks farther away. Lengths are in meters of the built-in
//! human until the file is written.

use std::fmt::Write;

use clamber_model::math::double::sin_cos;
use clamber_model::rng::Stream;

use super::dimensions::CLEARANCE;
use super::layout::SegmentLayout;
use super::rectangle::{GroundPoint, extent};

/// How far the land reaches beyond the course.
const MARGIN: f64 = 12.0;

/// Depth of the level land below the bottom of the course.
const BELOW: f64 = 0.05;

/// The hills reach their full height at this distance from the level land.
const RISE: f64 = 6.0;

/// Height of the hills.
const HILL: f64 = 5.0;

/// Distance between the middles of blocks, and how much of it they fill.
const BLOCK_SPACING: f64 = 4.0;
const BLOCK_FILL: f64 = 0.6;

/// Most height of a block above the hill under it.
const BLOCK_HEIGHT: f64 = 3.0;

/// The land around a course.
pub(super) struct Surroundings<'a> {
    segments: &'a [SegmentLayout],
    /// Height of the level land.
    level: f64,
    /// Its corners on the ground.
    pub ground: [GroundPoint; 2],
    /// Cells along x and z.
    cells: [usize; 2],
    /// Triangles in addition to two per cell.
    extra: usize,
    /// The heights of blocks, by row and column.
    blocks: Vec<Vec<f64>>,
}

impl<'a> Surroundings<'a> {
    /// `bottom` is the bottom of the course; there are at least two triangles.
    pub fn new(seed: u64, segments: &'a [SegmentLayout], bottom: f64, triangles: usize) -> Self {
        let [low, high] = extent(segments.iter().flat_map(SegmentLayout::ground));
        let ground = [low.map(|least| least - MARGIN), high.map(|most| most + MARGIN)];
        let size = [0, 1].map(|axis| ground[1][axis] - ground[0][axis]);
        let pairs = (triangles / 2).max(1);
        let columns = ((pairs as f64 * size[0] / size[1]).sqrt().round() as usize).clamp(1, pairs);
        let cells = [columns, pairs / columns];
        let mut stream = Stream::new(seed, "spatial course surroundings");
        let [rows, across] = size.map(|size| (size / BLOCK_SPACING) as usize + 1);
        let mut block = || if stream.below(3) == 0 { BLOCK_HEIGHT * f64::from(stream.uniform()) } else { 0.0 };
        let blocks = (0..rows).map(|_| (0..across).map(|_| block()).collect()).collect();
        let extra = triangles.saturating_sub(2 * cells[0] * cells[1]);
        Self { segments, level: bottom - BELOW, ground, cells, extra, blocks }
    }

    /// The lowest and the highest possible height.
    pub fn heights(&self) -> [f64; 2] {
        [self.level, self.level + HILL + BLOCK_HEIGHT]
    }

    /// Writes an OBJ file at a scale.
    pub fn obj(&self, scale: f64) -> String {
        let [columns, rows] = self.cells;
        let mut text = String::from("# The land around a course.\no surroundings\n");
        let mut heights = Vec::with_capacity((columns + 1) * (rows + 1));
        for column in 0..=columns {
            for row in 0..=rows {
                let [x, z] = self.vertex(column, row);
                let height = self.height([x, z]);
                heights.push(height);
                vertex_line(&mut text, [x, height, z], scale);
            }
        }
        let vertex = |column: usize, row: usize| column * (rows + 1) + row;
        let mut vertex_count = heights.len();
        // A triangle at the border becomes two when its side there is divided. That makes the number of triangles exact.
        let mut divide = |text: &mut String, [from, to]: [(usize, usize); 2]| {
            let ends = [from, to].map(|(column, row)| (self.vertex(column, row), heights[vertex(column, row)]));
            let middle = |axis: usize| 0.5 * (ends[0].0[axis] + ends[1].0[axis]);
            vertex_line(text, [middle(0), 0.5 * (ends[0].1 + ends[1].1), middle(1)], scale);
            vertex_count += 1;
            vertex_count - 1
        };
        for column in 0..columns {
            for row in 0..rows {
                let corner = |right: usize, down: usize| vertex(column + right, row + down);
                let [a, b, c, d] = [corner(0, 0), corner(0, 1), corner(1, 0), corner(1, 1)];
                if row == rows - 1 && column + columns < self.extra {
                    let middle = divide(&mut text, [(column, row + 1), (column + 1, row + 1)]);
                    face_lines(&mut text, &[[a, b, middle], [a, middle, d]]);
                } else {
                    face_lines(&mut text, &[[a, b, d]]);
                }
                if row == 0 && column < self.extra {
                    let middle = divide(&mut text, [(column, 0), (column + 1, 0)]);
                    face_lines(&mut text, &[[a, d, middle], [middle, d, c]]);
                } else {
                    face_lines(&mut text, &[[a, d, c]]);
                }
            }
        }
        text
    }

    fn vertex(&self, column: usize, row: usize) -> GroundPoint {
        let [low, high] = self.ground;
        let share = [column as f64 / self.cells[0] as f64, row as f64 / self.cells[1] as f64];
        [0, 1].map(|axis| low[axis] + share[axis] * (high[axis] - low[axis]))
    }

    fn height(&self, point: GroundPoint) -> f64 {
        let [low, high] = self.ground;
        let cell = [0, 1].map(|axis| (high[axis] - low[axis]) / self.cells[axis] as f64);
        // All corners of a triangle that comes near the course are on the level land.
        let level_to = CLEARANCE + (cell[0] * cell[0] + cell[1] * cell[1]).sqrt();
        let away = self.distance_from_course(point, level_to + RISE) - level_to;
        if away <= 0.0 {
            return self.level;
        }
        let ([x, z], full) = (point, (away / RISE).min(1.0));
        let wave = 0.5 + 0.5 * sin_cos(0.23 * x + 0.11 * z).0 * sin_cos(0.19 * z - 0.07 * x).1;
        self.level + full * (HILL * wave + self.block_height(point))
    }

    fn block_height(&self, point: GroundPoint) -> f64 {
        let place = [0, 1].map(|axis| (point[axis] - self.ground[0][axis]) / BLOCK_SPACING);
        let is_on_block = place.iter().all(|place| (place - place.floor() - 0.5).abs() < 0.5 * BLOCK_FILL);
        let block = self.blocks.get(place[0] as usize).and_then(|row| row.get(place[1] as usize));
        if is_on_block { block.copied().unwrap_or(0.0) } else { 0.0 }
    }

    /// The distance from the footprints of the course, or `most` if that is less.
    fn distance_from_course(&self, point: GroundPoint, most: f64) -> f64 {
        let mut nearest = most;
        for segment in self.segments {
            let [low, high] = segment.ground();
            let beside = [0, 1].map(|axis| (low[axis] - point[axis]).max(point[axis] - high[axis]).max(0.0));
            if beside[0] * beside[0] + beside[1] * beside[1] < nearest * nearest {
                let distances = segment.solids.iter().map(|solid| solid.footprint.distance_to(point));
                nearest = distances.fold(nearest, f64::min);
            }
        }
        nearest
    }
}

fn vertex_line(text: &mut String, point: [f64; 3], scale: f64) {
    let [x, y, z] = point.map(|coordinate| scale * coordinate);
    writeln!(text, "v {x:.4} {y:.4} {z:.4}").expect("writing to a string cannot fail");
}

/// Writes triangles of vertices counted from 0.
fn face_lines(text: &mut String, triangles: &[[usize; 3]]) {
    for triangle in triangles {
        let [a, b, c] = triangle.map(|vertex| vertex + 1);
        writeln!(text, "f {a} {b} {c}").expect("writing to a string cannot fail");
    }
}

#[cfg(test)]
mod tests {
    use super::super::lay_out::{LayoutRequest, lay_out};
    use super::super::segment_kind::SpatialSegmentKind;
    use super::*;

    #[test]
    fn the_land_is_below_the_course_wherever_it_is_near() {
        let allowed_kinds = &SpatialSegmentKind::ALL[..];
        let segments = lay_out(&LayoutRequest { seed: 4, segment_count: 6, allowed_kinds, broken: None }).segments;
        for triangles in [2, 77, 2000, 20_001] {
            let land = Surroundings::new(4, &segments, -3.0, triangles);
            let obj = land.obj(1.0);
            let numbers =
                |line: &str| -> Vec<f64> { line.split(' ').skip(1).map(|word| word.parse().unwrap()).collect() };
            let vertices: Vec<Vec<f64>> = obj.lines().filter(|line| line.starts_with("v ")).map(numbers).collect();
            let faces: Vec<Vec<f64>> = obj.lines().filter(|line| line.starts_with("f ")).map(numbers).collect();
            assert_eq!(faces.len(), triangles);
            let mut is_hilly = false;
            for face in faces {
                let corners = [0, 1, 2].map(|corner| &vertices[face[corner] as usize - 1]);
                let is_level = corners.iter().all(|corner| corner[1] < -3.0);
                is_hilly |= !is_level;
                let middle = [0, 2].map(|axis| corners.iter().map(|corner| corner[axis] / 3.0).sum::<f64>());
                let points = corners.iter().map(|corner| [corner[0], corner[2]]).chain([middle]);
                let is_near = points.into_iter().any(|point| land.distance_from_course(point, 10.0) < 1.0);
                assert!(is_level || !is_near, "{corners:?}");
            }
            assert!(is_hilly || triangles < 1000);
        }
    }
}
