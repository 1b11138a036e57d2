//! Obstacle names, each near the center of the visible part of its obstacle.

use clamber_model::World;

use crate::picture::{Color, Point, Shape};

/// Text color.
pub(crate) const INK: Color = Color::from_hex(0x3b2a1a);
const HALO: Color = Color::from_hex(0xfaf6ee);

/// Cell size of the grid in which visibility is sampled, in pixels: about a letter.
const CELL: u32 = 8;

/// Positions tried for a label, above and below the preferred one.
const MAX_POSITIONS: i32 = 16;

/// Returns the letter width of legends and timelines, in pixels: the smallest legible letters for the picture width.
pub(crate) fn small_letter_width(picture_width: u32) -> f32 {
    if picture_width < 2000 { 8.0 } else { 16.0 }
}

/// Returns the index of the obstacle that is visible at a point of the picture.
pub(crate) type ObstacleAt<'a> = dyn Fn(Point) -> Option<usize> + 'a;

/// Places the names of the obstacles. An obstacle that is not visible in the first buffer may be visible in the next.
pub(crate) fn labels(world: &World, size: [u32; 2], buffers: &[&ObstacleAt]) -> Vec<Shape> {
    let [columns, rows] = size.map(|pixels| (pixels / CELL).max(1) as usize);
    let middle = |cell: usize| [cell % columns, cell / columns].map(|index| (index as f32 + 0.5) * CELL as f32);
    let scan = |buffer: &&ObstacleAt| -> (Vec<Option<usize>>, Vec<u32>) {
        let seen: Vec<Option<usize>> = (0..columns * rows).map(|cell| buffer(middle(cell))).collect();
        let depths = depths(&seen, columns);
        (seen, depths)
    };
    let buffers: Vec<_> = buffers.iter().map(scan).collect();
    let letter_width = if size[0] < 1000 { 8.0 } else { 16.0 };
    let mut shapes = Vec::new();
    let mut occupied: Vec<(Point, f32)> = Vec::new();
    for (index, obstacle) in world.obstacles.iter_enumerated() {
        let cell = buffers.iter().find_map(|(seen, depths)| best_cell(seen, depths, columns, index.index()));
        let Some(cell) = cell else { continue };
        let half = 0.5 * letter_width * (obstacle.name.chars().count() as f32 + 1.0);
        let at = free_position(middle(cell), [half, 0.7 * letter_width], size.map(|pixels| pixels as f32), &occupied);
        occupied.push((at, half));
        shapes.push(Shape::Text { center: at, text: obstacle.name.clone(), letter_width, color: INK, halo: HALO });
    }
    shapes
}

/// Returns the closest free position, straight above or below the preferred one, at which a label of this half size
/// lies inside the picture and overlaps no other; the preferred position if there is none.
pub(crate) fn free_position([x, y]: Point, [half, line]: [f32; 2], size: [f32; 2], occupied: &[(Point, f32)]) -> Point {
    let x = if 2.0 * half < size[0] { x.clamp(half, size[0] - half) } else { 0.5 * size[0] };
    let on_picture = |y: f32| line < y && y < size[1] - line;
    let is_free = |y: f32| {
        occupied.iter().all(|(other, width)| (other[0] - x).abs() > width + half || (other[1] - y).abs() > 2.0 * line)
    };
    let steps = (0..MAX_POSITIONS).map(|step: i32| ((step + 1) / 2 * (1 - step % 2 * 2)) as f32);
    let mut heights = steps.map(|steps| y + 2.0 * line * steps);
    [x, heights.find(|&y| on_picture(y) && is_free(y)).unwrap_or(y)]
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
