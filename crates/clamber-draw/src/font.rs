//! The embedded font: widths and outlines of text.
//!
//! DejaVu Sans, reduced to Latin, Greek, Cyrillic, punctuation and arrows by `tools/subset_font.sh`. Characters outside it
//! become boxes. Text is set from left to right without kerning. Outlines look the same on every machine.

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::vector_picture::Point;

const FONT: &[u8] = include_bytes!("../font/DejaVuSans-subset.ttf");

/// Height of capitals, relative to the font size.
const CAPITAL_HEIGHT: f32 = 0.729;

/// Width of the line around text in the halo's color, relative to the font size; half of it is outside the letters.
pub(crate) const HALO_WIDTH: f32 = 0.28;

/// The box that replaces missing characters, relative to the font size: its advance, side bearing and line width.
const BOX_ADVANCE: f32 = 0.65;
const BOX_BEARING: f32 = 0.08;
const BOX_LINE: f32 = 0.07;

/// The largest font size, in pixels. Larger text would leave the numeric range of the rasterizer.
const MAX_SIZE: f32 = 1000.0;

/// A step of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Segment {
    MoveTo(Point),
    LineTo(Point),
    /// A quadratic Bézier curve: control point and end.
    QuadraticTo(Point, Point),
    Close,
}

/// How a character is drawn.
enum Glyph {
    Outline(GlyphId),
    Box,
    Invisible,
}

/// Returns the width of a text, in pixels.
pub(crate) fn text_width(text: &str, font_size: f32) -> f32 {
    let face = face();
    font_size * text.chars().map(|c| advance(&face, c)).sum::<f32>()
}

/// Returns the outline of a text whose capitals are centered on a point. Fill it with the nonzero rule.
pub(crate) fn text_outline(text: &str, center: Point, font_size: f32) -> Vec<Segment> {
    if !(font_size > 0.0 && font_size <= MAX_SIZE) {
        return Vec::new();
    }
    let face = face();
    // A baseline on a pixel border keeps the feet of letters sharp.
    let baseline = (center[1] + 0.5 * CAPITAL_HEIGHT * font_size).round();
    let mut left = center[0] - 0.5 * text_width(text, font_size);
    let mut segments = Vec::new();
    for c in text.chars() {
        let mut pen = Pen { origin: [left, baseline], scale: font_size, segments: &mut segments };
        match glyph(&face, c) {
            Glyph::Outline(id) => {
                pen.scale /= f32::from(face.units_per_em());
                // Spaces have no outline.
                let _ = face.outline_glyph(id, &mut pen);
            }
            Glyph::Box => pen.draw_box(),
            Glyph::Invisible => {}
        }
        left += font_size * advance(&face, c);
    }
    segments
}

fn face() -> Face<'static> {
    Face::parse(FONT, 0).expect("the embedded font is valid")
}

fn glyph(face: &Face, c: char) -> Glyph {
    match (face.glyph_index(c), c) {
        (Some(id), _) => Glyph::Outline(id),
        // Joiners, marks of direction and selectors of variants only affect other characters.
        (None, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}') => Glyph::Invisible,
        (None, '\u{fe00}'..='\u{fe0f}' | '\u{feff}') => Glyph::Invisible,
        (None, _) => Glyph::Box,
    }
}

/// Returns the advance of a character, relative to the font size.
fn advance(face: &Face, c: char) -> f32 {
    match glyph(face, c) {
        Glyph::Outline(id) => {
            f32::from(face.glyph_hor_advance(id).unwrap_or_default()) / f32::from(face.units_per_em())
        }
        Glyph::Box => BOX_ADVANCE,
        Glyph::Invisible => 0.0,
    }
}

/// Converts coordinates of the font, with y upward, to pixels.
struct Pen<'a> {
    origin: Point,
    scale: f32,
    segments: &'a mut Vec<Segment>,
}

impl Pen<'_> {
    fn point(&self, x: f32, y: f32) -> Point {
        [self.origin[0] + self.scale * x, self.origin[1] - self.scale * y]
    }

    /// A rectangle, and a smaller one in the other direction, which the nonzero rule leaves empty.
    fn draw_box(&mut self) {
        let (left, right) = (BOX_BEARING, BOX_ADVANCE - BOX_BEARING);
        let (bottom, top) = (0.0, CAPITAL_HEIGHT);
        let outer = [[left, bottom], [left, top], [right, top], [right, bottom]];
        let [low_x, low_y, high_x, high_y] = [left + BOX_LINE, bottom + BOX_LINE, right - BOX_LINE, top - BOX_LINE];
        let inner = [[low_x, low_y], [high_x, low_y], [high_x, high_y], [low_x, high_y]];
        for corners in [outer, inner] {
            for (index, [x, y]) in corners.into_iter().enumerate() {
                if index == 0 { self.move_to(x, y) } else { self.line_to(x, y) }
            }
            self.close();
        }
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.segments.push(Segment::MoveTo(self.point(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.segments.push(Segment::LineTo(self.point(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.segments.push(Segment::QuadraticTo(self.point(x1, y1), self.point(x, y)));
    }

    /// Not called: TrueType outlines have no cubic curves.
    fn curve_to(&mut self, _x1: f32, _y1: f32, _x2: f32, _y2: f32, x: f32, y: f32) {
        self.line_to(x, y);
    }

    fn close(&mut self) {
        self.segments.push(Segment::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_latin_greek_cyrillic_and_arrows() {
        let face = face();
        for c in "Übung ñ ő ł Δελτα стена ґ ї → ↔ ≤ – … €".chars() {
            assert!(matches!(glyph(&face, c), Glyph::Outline(_)), "{c}");
        }
    }

    #[test]
    fn missing_characters_are_boxes_and_direction_marks_are_invisible() {
        let boxes =
            |text: &str| text_outline(text, [0.0; 2], 10.0).iter().filter(|s| **s == Segment::Close).count() / 2;
        assert_eq!([boxes("木"), boxes("壁🧱"), boxes("\u{7}"), boxes("\u{202e}\u{fe0f}")], [1, 2, 1, 0]);
        assert_eq!(text_width("\u{202e}", 10.0), 0.0);
    }

    #[test]
    fn an_outline_is_centered_on_its_point() {
        let segments = text_outline("HHH", [50.0, 20.0], 20.0);
        let points = segments.iter().filter_map(|segment| match segment {
            Segment::MoveTo(point) | Segment::LineTo(point) | Segment::QuadraticTo(_, point) => Some(*point),
            Segment::Close => None,
        });
        let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
        for point in points {
            low = std::array::from_fn(|k| low[k].min(point[k]));
            high = std::array::from_fn(|k| high[k].max(point[k]));
        }
        assert!((0.5 * (low[0] + high[0]) - 50.0).abs() < 0.1, "{low:?} {high:?}");
        // The baseline is rounded to a pixel.
        assert!((0.5 * (low[1] + high[1]) - 20.0).abs() < 0.6, "{low:?} {high:?}");
        assert!(high[0] - low[0] < text_width("HHH", 20.0));
    }

    #[test]
    fn invalid_sizes_have_no_outline() {
        for size in [f32::NAN, f32::INFINITY, 1e30, -1.0, 0.0] {
            assert_eq!(text_outline("a", [0.0; 2], size), []);
        }
    }
}
