//! Placing text: near its point, inside the picture, clear of other text, and never left out.

use crate::font::text_width;
use crate::vector_picture::{Color, Point, Shape};

/// Font sizes that are tried, relative to the preferred one.
const SIZES: [f32; 3] = [1.0, 0.85, 0.7];

/// The smallest font size, in pixels. Text that is still too wide is cut.
const MIN_SIZE: f32 = 8.0;

/// Half of the height of a line, and the margin left and right of text, in font sizes.
const HALF_LINE: f32 = 0.6;
const MARGIN: f32 = 0.25;

/// A label that is farther from its point gets a line to it, in font sizes.
const LEADER_DISTANCE: f32 = 0.5;

/// Lines above and below the preferred position that are tried.
const MAX_LINES: i32 = 8;

/// A placed text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    text: String,
    font_size: f32,
    center: Point,
    /// Half of its width and height, margins included.
    half: [f32; 2],
}

impl Label {
    /// Places text at the nearest free position to the preferred one, which depends on half of the text's width and height:
    /// above, below, left or right of it, with smaller letters if there is no room for larger ones. If all is occupied, it
    /// overlaps other text.
    pub fn place(
        text: &str,
        font_size: f32,
        preferred: impl Fn([f32; 2]) -> Point,
        size: [f32; 2],
        occupied: &[Self],
    ) -> Self {
        let of_size = |font_size: f32| {
            let half = [0.5 * text_width(text, font_size) + MARGIN * font_size, HALF_LINE * font_size];
            Self { text: text.to_owned(), font_size, center: preferred(half), half }
        };
        let labels = SIZES.map(|share| of_size((share * font_size).max(MIN_SIZE)));
        let fits = |label: &&Self| 2.0 * label.half[0] <= size[0];
        let free = labels.iter().filter(fits).find_map(|label| label.free_position(size, occupied));
        free.or_else(|| labels.iter().find(fits).map(|label| label.moved_inside(size)))
            .unwrap_or_else(|| of_size(MIN_SIZE).cut_to(size))
    }

    /// Returns the label as a shape.
    pub fn shape(&self, color: Color, halo: Color) -> Shape {
        Shape::Text { center: self.center, text: self.text.clone(), font_size: self.font_size, color, halo }
    }

    /// Returns a thin line from the labeled point to the label if the label had to move away from it.
    pub fn leader(&self, point: Point, color: Color) -> Option<Shape> {
        let nearest: Point =
            std::array::from_fn(|k| point[k].clamp(self.center[k] - self.half[k], self.center[k] + self.half[k]));
        let [x, y] = [nearest[0] - point[0], nearest[1] - point[1]];
        let is_away = x * x + y * y > LEADER_DISTANCE * LEADER_DISTANCE * self.font_size * self.font_size;
        is_away.then(|| Shape::Polyline { points: vec![point, nearest], width: 1.0, color })
    }

    fn moved_inside(&self, size: [f32; 2]) -> Self {
        let inside = |k: usize| {
            let (low, high) = (self.half[k], size[k] - self.half[k]);
            if low < high { self.center[k].clamp(low, high) } else { 0.5 * size[k] }
        };
        Self { center: std::array::from_fn(inside), ..self.clone() }
    }

    /// Returns the label at the nearest position that is inside the picture and clear of others.
    fn free_position(&self, size: [f32; 2], occupied: &[Self]) -> Option<Self> {
        let start = self.moved_inside(size);
        let steps = (0..=2 * MAX_LINES).map(|step| ((step + 1) / 2 * (1 - step % 2 * 2)) as f32);
        let [half_width, half_height] = self.half;
        let shift =
            |lines: f32| [0.0, -1.0, 1.0, -2.0, 2.0].map(|halves| [halves * half_width, 2.0 * lines * half_height]);
        let mut shifts: Vec<[f32; 2]> = steps.flat_map(shift).collect();
        shifts.sort_by(|a, b| (a[0] * a[0] + a[1] * a[1]).total_cmp(&(b[0] * b[0] + b[1] * b[1])));
        let mut labels = shifts.into_iter().map(|[x, y]| {
            let center = [start.center[0] + x, start.center[1] + y];
            (Self { center, ..self.clone() }.moved_inside(size), center[1])
        });
        // A position above or below the picture would be moved back over a line that was tried before.
        let free =
            |(label, y): &(Self, f32)| label.center[1] == *y && occupied.iter().all(|other| !label.overlaps(other));
        labels.find(free).map(|(label, _)| label)
    }

    fn overlaps(&self, other: &Self) -> bool {
        (0..2).all(|k| (self.center[k] - other.center[k]).abs() < self.half[k] + other.half[k])
    }

    /// Cuts the text to the width of the picture.
    fn cut_to(mut self, size: [f32; 2]) -> Self {
        let width = |text: &str| text_width(text, self.font_size) + 2.0 * MARGIN * self.font_size;
        let ends = self.text.char_indices().map(|(end, _)| format!("{}…", &self.text[..end]));
        self.text = ends.take_while(|text| width(text) <= size[0]).last().unwrap_or_else(|| "…".to_owned());
        self.half[0] = 0.5 * size[0];
        self.moved_inside(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [f32; 2] = [200.0, 100.0];

    fn place(text: &str, at: Point, occupied: &[Label]) -> Label {
        Label::place(text, 20.0, |_| at, SIZE, occupied)
    }

    #[test]
    fn text_is_moved_inside_the_picture() {
        let label = place("wall", [199.0, -50.0], &[]);
        assert!((label.center[0] + label.half[0] - 200.0).abs() < 1e-3, "{label:?}");
        assert!((label.center[1] - label.half[1]).abs() < 1e-3, "{label:?}");
        assert_eq!((label.text.as_str(), label.font_size), ("wall", 20.0));
    }

    #[test]
    fn labels_of_one_place_do_not_overlap() {
        let mut labels: Vec<Label> = Vec::new();
        for name in ["first", "second", "third", "fourth", "fifth", "sixth"] {
            let label = place(name, [100.0, 50.0], &labels);
            assert!(labels.iter().all(|other| !label.overlaps(other)), "{label:?} {labels:?}");
            labels.push(label);
        }
    }

    #[test]
    fn wide_text_shrinks_and_is_cut_at_last() {
        let wide = place("a long name of a wall", [100.0, 50.0], &[]);
        assert!(wide.font_size < 20.0 && wide.text.ends_with("wall"), "{wide:?}");
        let cut = place(&"very ".repeat(50), [100.0, 50.0], &[]);
        assert!(cut.text.starts_with("very very") && cut.text.ends_with('…'), "{cut:?}");
        assert!(text_width(&cut.text, cut.font_size) <= 200.0, "{cut:?}");
    }
}
