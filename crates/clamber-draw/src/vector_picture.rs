//! Pictures as lists of shapes, which can be written as SVG or rendered as pixels.

/// A position in pixels, right of and below the upper left corner.
pub type Point = [f32; 2];

/// A color with opacity, 0 to 255 per channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// Opacity: 255 is opaque, 0 is transparent.
    pub alpha: u8,
}

impl Color {
    /// Creates an opaque color from 0xRRGGBB.
    pub(crate) const fn from_hex(hex: u32) -> Self {
        Self { red: (hex >> 16) as u8, green: (hex >> 8) as u8, blue: hex as u8, alpha: 255 }
    }

    /// Returns the color with another opacity.
    pub const fn with_alpha(self, alpha: u8) -> Self {
        Self { alpha, ..self }
    }

    /// Interpolates linearly: this color at share 0, the other at share 1.
    pub(crate) fn mix(self, other: Self, share: f32) -> Self {
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

/// A pixel image, row by row from the upper left corner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// One color per pixel.
    pub pixels: Vec<Color>,
}

/// A shape to draw. Later shapes cover earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled polygon of closed loops; inner loops in the opposite direction are holes.
    Polygon {
        /// The corners of each loop.
        loops: Vec<Vec<Point>>,
        /// Fill color.
        fill: Color,
        /// Color and width of the outline, in pixels.
        outline: Option<(Color, f32)>,
    },
    /// A line with round caps and joins. With two points it has the shape of a projected capsule.
    Polyline {
        /// Its corners; a line with one point is a disc.
        points: Vec<Point>,
        /// Width in pixels.
        width: f32,
        /// Line color.
        color: Color,
    },
    /// A line of text.
    Text {
        /// Center of the text: half of its width, and half of the height of capitals.
        center: Point,
        /// The text.
        text: String,
        /// Font size, in pixels.
        font_size: f32,
        /// Text color.
        color: Color,
        /// Color of the thin outline that keeps text legible on any background.
        halo: Color,
    },
    /// An image in the upper left corner of the picture.
    Image(Image),
    /// A named group of shapes; SVG stores the name as a class.
    Group {
        /// Name, for example `pose`.
        name: &'static str,
        /// The shapes.
        shapes: Vec<Shape>,
    },
    /// A picture inside the picture, clipped to its frame.
    Inset {
        /// Upper left corner.
        at: [u32; 2],
        /// The picture.
        picture: Picture,
    },
}

/// A picture: a background and shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Short description.
    pub title: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Background color.
    pub background: Color,
    /// From bottom to top.
    pub shapes: Vec<Shape>,
}
