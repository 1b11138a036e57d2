//! Where obstacles' names stand: in the middle of what is seen of each.

use clamber_model::World;

use crate::picture::{Color, Point, Shape};

/// The colour of words.
pub(crate) const INK: Color = Color::rgb(0x3b2a1a);
const HALO: Color = Color::rgb(0xfaf6ee);

/// The side of the squares in which the picture is looked at, in pixels: no finer than letters are.
const SQUARE: u32 = 8;

/// Says which obstacle is seen at a point of a picture.
pub(crate) type ObstacleAt<'a> = dyn Fn(Point) -> Option<usize> + 'a;

/// The names of the obstacles on a picture of this size. What is not seen on the first layer may be on the next.
pub(crate) fn labels(world: &World, size: [u32; 2], layers: &[&ObstacleAt]) -> Vec<Shape> {
    let [columns, rows] = size.map(|pixels| (pixels / SQUARE).max(1) as usize);
    let middle = |square: usize| [square % columns, square / columns].map(|place| (place as f32 + 0.5) * SQUARE as f32);
    let look = |layer: &&ObstacleAt| -> (Vec<Option<usize>>, Vec<u32>) {
        let seen: Vec<Option<usize>> = (0..columns * rows).map(|square| layer(middle(square))).collect();
        let depths = depths(&seen, columns);
        (seen, depths)
    };
    let layers: Vec<_> = layers.iter().map(look).collect();
    let letter_width = if size[0] < 1000 { 8.0 } else { 16.0 };
    let mut shapes = Vec::new();
    let mut taken: Vec<(Point, f32)> = Vec::new();
    for (index, obstacle) in world.obstacles.iter().enumerate() {
        let square = layers.iter().find_map(|(seen, depths)| best_square(seen, depths, columns, index));
        let Some(square) = square else { continue };
        let half = 0.5 * letter_width * (obstacle.name.chars().count() as f32 + 1.0);
        let at = free_place(middle(square), [half, 0.7 * letter_width], size.map(|pixels| pixels as f32), &taken);
        taken.push((at, half));
        shapes.push(Shape::Text { center: at, text: obstacle.name.clone(), letter_width, color: INK, halo: HALO });
    }
    shapes
}

/// The place for a name of this half size that is whole on the picture and over no name before, nearest below or above
/// the place that is best; that place itself where there is none.
pub(crate) fn free_place([x, y]: Point, [half, line]: [f32; 2], size: [f32; 2], taken: &[(Point, f32)]) -> Point {
    let x = if 2.0 * half < size[0] { x.clamp(half, size[0] - half) } else { 0.5 * size[0] };
    let on_picture = |y: f32| line < y && y < size[1] - line;
    let is_free = |y: f32| {
        taken.iter().all(|(other, width)| (other[0] - x).abs() > width + half || (other[1] - y).abs() > 2.0 * line)
    };
    let lines = (0..16).map(|step: i32| ((step + 1) / 2 * (1 - step % 2 * 2)) as f32);
    let mut places = lines.map(|lines| y + 2.0 * line * lines);
    [x, places.find(|&y| on_picture(y) && is_free(y)).unwrap_or(y)]
}

/// Of the squares deep inside what is seen of an obstacle, the one nearest to its middle.
fn best_square(seen: &[Option<usize>], depths: &[u32], columns: usize, obstacle: usize) -> Option<usize> {
    let own = || (0..seen.len()).filter(|&square| seen[square] == Some(obstacle));
    let deepest = own().map(|square| depths[square]).max()?;
    let place = |square: usize| [(square % columns) as f32, (square / columns) as f32];
    let count = own().count() as f32;
    let middle: [f32; 2] = std::array::from_fn(|k| own().map(|square| place(square)[k]).sum::<f32>() / count);
    let distance = |square: &usize| (0..2).map(|k| place(*square)[k] - middle[k]).map(|d| d * d).sum::<f32>();
    own().filter(|&square| 4 * depths[square] >= 3 * deepest).min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// For each square, how many squares it is from the nearest one of something else; the picture's frame is something
/// else. Two passes over the picture, the one from above and the one from below, give the exact count of king's moves.
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
    let mut pass = |square: usize, neighbours: [(i32, i32); 4]| {
        let (x, y) = (square % columns, square / columns);
        let least = neighbours.into_iter().map(|(dx, dy)| near(&depths, x, y, dx, dy)).fold(u32::MAX, u32::min);
        depths[square] = depths[square].min(least.saturating_add(1));
    };
    for square in 0..seen.len() {
        pass(square, [(-1, 0), (-1, -1), (0, -1), (1, -1)]);
    }
    for square in (0..seen.len()).rev() {
        pass(square, [(1, 0), (1, 1), (0, 1), (-1, 1)]);
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_square_is_the_middle() {
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
