//! The legend below a picture: its colors and marks.

use clamber_model::motion::FLYING;
use clamber_model::world::HoldType;

use crate::hold_marks::{contact_dot, mark};
use crate::mode_colors::BodyColors;
use crate::obstacle_labels::{INK, small_letter_width};
use crate::picture::{Color, Picture, Point, Shape};

const BACKGROUND: Color = Color::from_hex(0xffffff);

/// Width of the symbol before each entry and of the gap after it, in letters.
const SYMBOL_WIDTH: f32 = 1.6;
const GAP: f32 = 0.9;

/// Distance of the first line from the top and of the last from the bottom, and between lines, in letters.
const EDGE: f32 = 1.3;
const LINE_HEIGHT: f32 = 1.7;

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
        if self.modes.iter().all(|(mode, _)| *mode == FLYING) {
            return picture;
        }
        let letter_width = small_letter_width(picture.width);
        let (width, top) = (picture.width as f32, picture.height as f32);
        let length = |text: &str| letter_width * text.chars().count() as f32;
        let whole = |entry: &(&str, Symbol)| letter_width * (SYMBOL_WIDTH + GAP) + length(entry.0);
        let groups = [self.modes(), self.marks()];
        // Modes and marks get separate lines unless all fit on one.
        let is_one_line = letter_width + groups.iter().flatten().map(whole).sum::<f32>() <= width;
        let (mut left, mut middle) = (letter_width, top + EDGE * letter_width);
        let mut shapes = Vec::new();
        for group in &groups {
            for (index, entry) in group.iter().enumerate() {
                let is_full = left + whole(entry) > width || (index == 0 && !is_one_line);
                if is_full && left > letter_width {
                    (left, middle) = (letter_width, middle + LINE_HEIGHT * letter_width);
                }
                let (text, symbol) = *entry;
                shapes.push(symbol.shape([left + 0.5 * letter_width, middle], letter_width));
                let at = [left + letter_width * SYMBOL_WIDTH + 0.5 * length(text), middle];
                shapes.push(Shape::Text {
                    center: at,
                    text: text.to_owned(),
                    letter_width,
                    color: INK,
                    halo: BACKGROUND,
                });
                left += whole(entry);
            }
        }
        picture.height = (middle + EDGE * letter_width).ceil() as u32;
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
        let mut marks: Vec<(&str, Symbol)> = self.holds.iter().map(|hold| (hold.word(), Symbol::Hold(*hold))).collect();
        marks.extend(self.contacts.then_some(("contact", Symbol::Contact)));
        marks
    }
}

impl Symbol {
    fn shape(self, [x, y]: Point, letter_width: f32) -> Shape {
        match self {
            Self::Mode(body_colors) => {
                let points = vec![[x - 0.2 * letter_width, y], [x + 0.3 * letter_width, y]];
                Shape::Polyline { points, width: 0.8 * letter_width, color: body_colors.middle }
            }
            Self::Hold(hold_type) => {
                let normal = if hold_type == HoldType::Pendent { [0.0, 1.0] } else { [0.0, -1.0] };
                // A mark stands on its anchor point; center it.
                mark(hold_type, [x, y - 0.35 * letter_width * normal[1]], normal, 0.7 * letter_width)
            }
            Self::Contact => contact_dot([x, y], 7.0 * letter_width),
        }
    }
}
