//! What the colours and the marks of a picture mean, in lines below it.

use clamber_model::motion::FLYING;
use clamber_model::world::HoldType;

use crate::hold_marks::{contact_dot, mark};
use crate::labels::INK;
use crate::mode_colors::BodyColors;
use crate::picture::{Color, Picture, Point, Shape};

const GROUND: Color = Color::rgb(0xffffff);

/// In letters: the room for the symbol before each word, and after each word.
const SYMBOL: f32 = 1.6;
const GAP: f32 = 0.9;

/// What is to be explained.
pub(crate) struct Legend<'a> {
    /// The modes that are shown.
    pub modes: Vec<(&'a str, BodyColors)>,
    /// The types of hold that are hold_types.
    pub holds: Vec<HoldType>,
    /// Whether contacts are.
    pub contacts: bool,
}

/// What stands before a word.
#[derive(Clone, Copy)]
enum Symbol {
    Mode(BodyColors),
    Hold(HoldType),
    Contact,
}

impl Legend<'_> {
    /// The picture with this legend below it. Where all is in the air, there is nothing to tell apart and no legend.
    pub fn below(&self, mut picture: Picture) -> Picture {
        if self.modes.iter().all(|(mode, _)| *mode == FLYING) {
            return picture;
        }
        // It is read once and then out of the way: its letters are as small as letters can be, as long as they are legible.
        let letter_width = if picture.width < 2000 { 8.0 } else { 16.0 };
        let (width, top) = (picture.width as f32, picture.height as f32);
        let length = |words: &str| letter_width * words.chars().count() as f32;
        let whole = |entry: &(&str, Symbol)| letter_width * (SYMBOL + GAP) + length(entry.0);
        let groups = [self.modes(), self.marks()];
        // Modes and marks are in lines of their own, unless one line has room for all.
        let is_one_line = letter_width + groups.iter().flatten().map(whole).sum::<f32>() <= width;
        let (mut left, mut middle) = (letter_width, top + 1.3 * letter_width);
        let mut shapes = Vec::new();
        for group in &groups {
            for (index, entry) in group.iter().enumerate() {
                let is_full = left + whole(entry) > width || (index == 0 && !is_one_line);
                if is_full && left > letter_width {
                    (left, middle) = (letter_width, middle + 1.7 * letter_width);
                }
                let (words, symbol) = *entry;
                shapes.push(symbol.shape([left + 0.5 * letter_width, middle], letter_width));
                let at = [left + letter_width * SYMBOL + 0.5 * length(words), middle];
                shapes.push(Shape::Text { center: at, text: words.to_owned(), letter_width, color: INK, halo: GROUND });
                left += whole(entry);
            }
        }
        picture.height = (middle + 1.3 * letter_width).ceil() as u32;
        let bottom = picture.height as f32;
        let sheet = vec![vec![[0.0, top], [width, top], [width, bottom], [0.0, bottom]]];
        shapes.insert(0, Shape::Polygon { loops: sheet, fill: GROUND, outline: None });
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
                // A mark stands on its place rather than around it.
                mark(hold_type, [x, y - 0.35 * letter_width * normal[1]], normal, 0.7 * letter_width)
            }
            Self::Contact => contact_dot([x, y], 7.0 * letter_width),
        }
    }
}
