//! What the colours and the marks of a picture mean, in lines below it.

use clamber_model::motion::FLYING;
use clamber_model::world::HoldType;

use crate::holds::{contact_dot, mark};
use crate::labels::INK;
use crate::picture::{Color, Picture, Point, Shape};
use crate::tint::Tint;

const GROUND: Color = Color::rgb(0xffffff);

/// In letters: the room for the sign before each word, and after each word.
const SIGN: f32 = 1.6;
const GAP: f32 = 0.9;

/// What is to be explained.
pub(crate) struct Legend<'a> {
    /// The modes that are shown.
    pub modes: Vec<(&'a str, Tint)>,
    /// The types of hold that are marked.
    pub holds: Vec<HoldType>,
    /// Whether contacts are.
    pub contacts: bool,
}

/// What stands before a word.
#[derive(Clone, Copy)]
enum Sign {
    Mode(Tint),
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
        let letter = if picture.width < 2000 { 8.0 } else { 16.0 };
        let (width, top) = (picture.width as f32, picture.height as f32);
        let length = |words: &str| letter * words.chars().count() as f32;
        let whole = |entry: &(&str, Sign)| letter * (SIGN + GAP) + length(entry.0);
        let groups = [self.modes(), self.marks()];
        // Modes and marks are in lines of their own, unless one line has room for all.
        let is_one_line = letter + groups.iter().flatten().map(whole).sum::<f32>() <= width;
        let (mut left, mut middle) = (letter, top + 1.3 * letter);
        let mut shapes = Vec::new();
        for group in &groups {
            for (index, entry) in group.iter().enumerate() {
                let is_full = left + whole(entry) > width || (index == 0 && !is_one_line);
                if is_full && left > letter {
                    (left, middle) = (letter, middle + 1.7 * letter);
                }
                let (words, sign) = *entry;
                shapes.push(sign.shape([left + 0.5 * letter, middle], letter));
                let at = [left + letter * SIGN + 0.5 * length(words), middle];
                shapes.push(Shape::Text { at, words: words.to_owned(), letter, color: INK, halo: GROUND });
                left += whole(entry);
            }
        }
        picture.height = (middle + 1.3 * letter).ceil() as u32;
        let bottom = picture.height as f32;
        let sheet = vec![vec![[0.0, top], [width, top], [width, bottom], [0.0, bottom]]];
        shapes.insert(0, Shape::Area { loops: sheet, fill: GROUND, outline: None });
        picture.shapes.push(Shape::Group { name: "legend", shapes });
        picture
    }

    fn modes(&self) -> Vec<(&str, Sign)> {
        self.modes.iter().map(|(mode, tint)| (*mode, Sign::Mode(*tint))).collect()
    }

    fn marks(&self) -> Vec<(&str, Sign)> {
        let mut marks: Vec<(&str, Sign)> = self.holds.iter().map(|hold| (hold.word(), Sign::Hold(*hold))).collect();
        marks.extend(self.contacts.then_some(("contact", Sign::Contact)));
        marks
    }
}

impl Sign {
    fn shape(self, [x, y]: Point, letter: f32) -> Shape {
        match self {
            Self::Mode(tint) => {
                let points = vec![[x - 0.2 * letter, y], [x + 0.3 * letter, y]];
                Shape::Line { points, width: 0.8 * letter, color: tint.middle }
            }
            Self::Hold(hold_type) => {
                let normal = if hold_type == HoldType::Pendent { [0.0, 1.0] } else { [0.0, -1.0] };
                // A mark stands on its place rather than around it.
                mark(hold_type, [x, y - 0.35 * letter * normal[1]], normal, 0.7 * letter)
            }
            Self::Contact => contact_dot([x, y], 7.0 * letter),
        }
    }
}
