//! Pictures as lists of shapes: what is composed once and then written as SVG or drawn as pixels.

/// A place on a picture: pixels to the right of and below its upper left corner.
pub type Point = [f32; 2];

/// A colour with its opacity, 0 to 255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// 255 covers all that is below, 0 none of it.
    pub alpha: u8,
}

impl Color {
    /// An opaque colour, given as 0xRRGGBB.
    pub const fn rgb(hex: u32) -> Self {
        Self { red: (hex >> 16) as u8, green: (hex >> 8) as u8, blue: hex as u8, alpha: 255 }
    }

    /// The same colour with another opacity.
    pub const fn with_alpha(self, alpha: u8) -> Self {
        Self { alpha, ..self }
    }

    /// This colour at a share of 0, the other at 1, evenly between.
    pub fn mix(self, other: Self, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        let between = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share + 0.5) as u8;
        Self {
            red: between(self.red, other.red),
            green: between(self.green, other.green),
            blue: between(self.blue, other.blue),
            alpha: between(self.alpha, other.alpha),
        }
    }
}

/// A picture made of pixels, from the upper left corner row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// One colour a pixel.
    pub pixels: Vec<Color>,
}

/// One thing to draw. Later shapes cover earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// An area inside closed loops; loops inside others that run the other way round are holes.
    Polygon {
        /// The corners of each loop.
        loops: Vec<Vec<Point>>,
        /// The colour inside.
        fill: Color,
        /// The colour and the width of the line around it, in pixels.
        outline: Option<(Color, f32)>,
    },
    /// A line with round ends and corners. Between two points it is also what a capsule looks like from any side.
    Polyline {
        /// Its corners; a line of one point is a disc.
        points: Vec<Point>,
        /// In pixels.
        width: f32,
        /// Its colour.
        color: Color,
    },
    /// A line of words.
    Text {
        /// Their middle.
        center: Point,
        /// The words.
        text: String,
        /// The width of one letter_width, in pixels.
        letter_width: f32,
        /// Their colour.
        color: Color,
        /// The colour of the thin rim that keeps them legible on any ground.
        halo: Color,
    },
    /// Pixels that fill the picture from its upper left corner.
    Image(Image),
    /// Shapes that belong together under a name, which SVG keeps as a class.
    Group {
        /// What they are, for example `pose`.
        name: &'static str,
        /// The shapes.
        shapes: Vec<Shape>,
    },
    /// A picture inside the picture; what leaves its frame is not seen.
    Inset {
        /// Its upper left corner.
        at: [u32; 2],
        /// The picture.
        picture: Picture,
    },
}

/// A drawing: a size, a ground and shapes on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What it shows, in a few words.
    pub title: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The colour of the ground.
    pub background: Color,
    /// From the lowest to the topmost.
    pub shapes: Vec<Shape>,
}
