//! Obstacle names, each near the center of the visible part of its obstacle.

use clamber_model::World;
use clamber_model::math::Vec3;
use clamber_model::world::Obstacle;

use crate::camera::Camera;
use crate::text_placement::Label;
use crate::vector_picture::{Color, Point, Shape};

/// Text color.
pub(crate) const INK: Color = Color::from_hex(0x3b2a1a);
const HALO: Color = Color::from_hex(0xfaf6ee);

/// Cell size of the grid in which visibility is sampled, in pixels: about a letter.
const CELL: u32 = 8;

/// Samples per side of an obstacle that is smaller than the cells.
const FINE_SAMPLES: u32 = 24;

/// Returns the font size of legends and timelines, in pixels: the smallest legible letters for the picture width.
pub(crate) fn small_font_size(picture_width: u32) -> f32 {
    if picture_width < 2000 { 13.0 } else { 24.0 }
}

/// Returns the index of the obstacle that is visible at a point of the picture.
pub(crate) type ObstacleAt<'a> = dyn Fn(Point) -> Option<usize> + 'a;

/// Places the names of the obstacles. An obstacle that is not visible in the first buffer may be visible in the next.
pub(crate) fn labels(world: &World, camera: &Camera, size: [u32; 2], buffers: &[&ObstacleAt]) -> Vec<Shape> {
    let [columns, rows] = size.map(|pixels| (pixels / CELL).max(1) as usize);
    let middle = |cell: usize| [cell % columns, cell / columns].map(|index| (index as f32 + 0.5) * CELL as f32);
    let scan = |buffer: &&ObstacleAt| -> (Vec<Option<usize>>, Vec<u32>) {
        let seen: Vec<Option<usize>> = (0..columns * rows).map(|cell| buffer(middle(cell))).collect();
        let depths = depths(&seen, columns);
        (seen, depths)
    };
    let scans: Vec<_> = buffers.iter().map(scan).collect();
    let font_size = if size[0] < 1000 { 13.0 } else { 20.0 };
    let picture = size.map(|pixels| pixels as f32);
    let (mut labels, mut shapes): (Vec<Label>, Vec<Shape>) = (Vec::new(), Vec::new());
    for (index, obstacle) in world.obstacles.iter_enumerated() {
        let cell = scans.iter().find_map(|(seen, depths)| best_cell(seen, depths, columns, index.index()));
        let small =
            || buffers.iter().find_map(|buffer| small_obstacle(obstacle, index.index(), camera, picture, buffer));
        let Some(point) = cell.map(middle).or_else(small) else { continue };
        let label = Label::place(&obstacle.name, font_size, |_| point, picture, &labels);
        shapes.extend(label.leader(point, INK.with_alpha(140)));
        labels.push(label);
    }
    shapes.extend(labels.iter().map(|label| label.shape(INK, HALO)));
    shapes
}

/// Returns a visible point of an obstacle that lies between the sampled cells, such as a thin rung.
fn small_obstacle(
    obstacle: &Obstacle,
    index: usize,
    camera: &Camera,
    picture: [f32; 2],
    buffer: &ObstacleAt,
) -> Option<Point> {
    let (mut low, mut high): (Point, Point) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for (least, greatest) in obstacle.bounding_boxes() {
        for corner in 0..8 {
            let pick = |k: usize| if corner >> k & 1 == 0 { least[k] } else { greatest[k] };
            let at = camera.project(Vec3::new(pick(0), pick(1), pick(2)));
            low = std::array::from_fn(|k| low[k].min(at[k]));
            high = std::array::from_fn(|k| high[k].max(at[k]));
        }
    }
    low = low.map(|x| x.max(0.0));
    high = std::array::from_fn(|k| high[k].min(picture[k] - 1.0));
    let share = |sample: u32| (sample as f32 + 0.5) / FINE_SAMPLES as f32;
    let samples =
        (0..FINE_SAMPLES * FINE_SAMPLES).map(|sample| [sample % FINE_SAMPLES, sample / FINE_SAMPLES].map(share));
    let mut points = samples.map(|shares| std::array::from_fn(|k| low[k] + shares[k] * (high[k] - low[k])));
    if low[0] > high[0] || low[1] > high[1] { None } else { points.find(|point| buffer(*point) == Some(index)) }
}

/// Among the cells deep inside an obstacle's visible region, returns the one closest to the region's center.
fn best_cell(seen: &[Option<usize>], depths: &[u32], columns: usize, obstacle: usize) -> Option<usize> {
    let own = || (0..seen.len()).filter(|&cell| seen[cell] == Some(obstacle));
    let deepest = own().map(|cell| depths[cell]).max()?;
    let position = |cell: usize| [(cell % columns) as f32, (cell / columns) as f32];
    let count = own().count() as f32;
    let middle: [f32; 2] = std::array::from_fn(|k| own().map(|cell| position(cell)[k]).sum::<f32>() / count);
    let distance = |cell: &usize| (0..2).map(|k| position(*cell)[k] - middle[k]).map(|d| d * d).sum::<f32>();
    own().filter(|&cell| 4 * depths[cell] >= 3 * deepest).min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Returns for each cell the distance to the nearest cell of another obstacle or beyond the picture, counting diagonal
/// steps as one. Two passes, from the top left and from the bottom right, give exact distances.
fn depths(seen: &[Option<usize>], columns: usize) -> Vec<u32> {
    let rows = seen.len() / columns;
    let mut depths = vec![u32::MAX; seen.len()];
    let near = |depths: &[u32], x: usize, y: usize, dx: i32, dy: i32| {
        let (Some(other_x), Some(other_y)) = (x.checked_add_signed(dx as isize), y.checked_add_signed(dy as isize))
        else {
            return 0;
        };
        let inside = other_x < columns && other_y < rows;
        let other = other_y * columns + other_x;
        if inside && seen[other] == seen[y * columns + x] { depths[other] } else { 0 }
    };
    let mut pass = |cell: usize, neighbors: [(i32, i32); 4]| {
        let (x, y) = (cell % columns, cell / columns);
        let least = neighbors.into_iter().map(|(dx, dy)| near(&depths, x, y, dx, dy)).fold(u32::MAX, u32::min);
        depths[cell] = depths[cell].min(least.saturating_add(1));
    };
    for cell in 0..seen.len() {
        pass(cell, [(-1, 0), (-1, -1), (0, -1), (1, -1)]);
    }
    for cell in (0..seen.len()).rev() {
        pass(cell, [(1, 0), (1, 1), (0, 1), (-1, 1)]);
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_cell_is_in_the_center() {
        let mut seen = vec![None; 7 * 7];
        for y in 1..6 {
            for x in 1..6 {
                seen[y * 7 + x] = Some(0);
            }
        }
        let depths = depths(&seen, 7);
        assert_eq!(depths[3 * 7 + 3], 3);
        assert_eq!(depths[7 + 1], 1);
        assert_eq!(depths.iter().filter(|depth| **depth == 3).count(), 1);
    }
}
