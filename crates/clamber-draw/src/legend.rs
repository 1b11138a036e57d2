//! The legend below a picture: its colors and marks.

use clamber_model::motion::FLYING_MODE;
use clamber_model::world::HoldType;

use crate::font::text_width;
use crate::hold_marks::{contact_dot, mark};
use crate::mode_colors::BodyColors;
use crate::obstacle_labels::{INK, small_font_size};
use crate::vector_picture::{Color, Picture, Point, Shape};

const BACKGROUND: Color = Color::from_hex(0xffffff);

/// Width of the symbol before each entry and of the gap after it, in font sizes.
const SYMBOL_WIDTH: f32 = 1.3;
const GAP: f32 = 0.9;

/// Distance of the first line from the top and of the last from the bottom, and between lines, in font sizes.
const EDGE: f32 = 0.9;
const LINE_HEIGHT: f32 = 1.35;

/// Contents of a legend.
pub(crate) struct Legend<'a> {
    /// The visible modes.
    pub modes: Vec<(&'a str, BodyColors)>,
    /// The marked hold types.
    pub holds: Vec<HoldType>,
    /// Whether contacts are marked.
    pub contacts: bool,
}

/// The symbol of an entry.
#[derive(Clone, Copy)]
enum Symbol {
    Mode(BodyColors),
    Hold(HoldType),
    Contact,
}

impl Legend<'_> {
    /// Adds the legend below the picture. A motion that only flies needs no legend.
    pub fn below(&self, mut picture: Picture) -> Picture {
        if self.modes.iter().all(|(mode, _)| *mode == FLYING_MODE) {
            return picture;
        }
        let font_size = small_font_size(picture.width);
        let (width, top) = (picture.width as f32, picture.height as f32);
        let length = |text: &str| text_width(text, font_size);
        let whole = |entry: &(&str, Symbol)| font_size * (SYMBOL_WIDTH + GAP) + length(entry.0);
        let groups = [self.modes(), self.marks()];
        // Modes and marks get separate lines unless all fit on one.
        let is_one_line = font_size + groups.iter().flatten().map(whole).sum::<f32>() <= width;
        let (mut left, mut middle) = (font_size, top + EDGE * font_size);
        let mut shapes = Vec::new();
        for group in &groups {
            for (index, entry) in group.iter().enumerate() {
                let is_full = left + whole(entry) > width || (index == 0 && !is_one_line);
                if is_full && left > font_size {
                    (left, middle) = (font_size, middle + LINE_HEIGHT * font_size);
                }
                let (text, symbol) = *entry;
                shapes.push(symbol.shape([left + 0.5 * font_size, middle], font_size));
                let at = [left + font_size * SYMBOL_WIDTH + 0.5 * length(text), middle];
                shapes.push(Shape::Text { center: at, text: text.to_owned(), font_size, color: INK, halo: BACKGROUND });
                left += whole(entry);
            }
        }
        picture.height = (middle + EDGE * font_size).ceil() as u32;
        let bottom = picture.height as f32;
        let area = vec![vec![[0.0, top], [width, top], [width, bottom], [0.0, bottom]]];
        shapes.insert(0, Shape::Polygon { loops: area, fill: BACKGROUND, outline: None });
        picture.shapes.push(Shape::Group { name: "legend", shapes });
        picture
    }

    fn modes(&self) -> Vec<(&str, Symbol)> {
        self.modes.iter().map(|(mode, body_colors)| (*mode, Symbol::Mode(*body_colors))).collect()
    }

    fn marks(&self) -> Vec<(&str, Symbol)> {
        let mut marks: Vec<(&str, Symbol)> =
            self.holds.iter().map(|hold| (hold.keyword(), Symbol::Hold(*hold))).collect();
        marks.extend(self.contacts.then_some(("contact", Symbol::Contact)));
        marks
    }
}

impl Symbol {
    fn shape(self, [x, y]: Point, font_size: f32) -> Shape {
        match self {
            Self::Mode(body_colors) => {
                let points = vec![[x - 0.15 * font_size, y], [x + 0.2 * font_size, y]];
                Shape::Polyline { points, width: 0.5 * font_size, color: body_colors.middle }
            }
            Self::Hold(hold_type) => {
                let normal = if hold_type == HoldType::Pendent { [0.0, 1.0] } else { [0.0, -1.0] };
                // A mark stands on its anchor point; center it.
                mark(hold_type, [x, y - 0.25 * font_size * normal[1]], normal, 0.5 * font_size)
            }
            Self::Contact => contact_dot([x, y], 4.5 * font_size),
        }
    }
}
