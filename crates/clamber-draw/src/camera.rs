//! Viewing directions and the orthographic projection from the world onto a picture.

use std::str::FromStr;

use clamber_model::math::{Vec3, sin_cos};

use crate::vector_picture::Point;

/// An orthographic viewing direction.
///
/// The two angles give the viewer's position as seen from the scene. A character at rest faces +x, so azimuth 0 is in
/// front of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Radians from +x, counterclockwise seen from above.
    pub azimuth: f32,
    /// Radians above the horizon; a quarter turn is straight above.
    pub elevation: f32,
}

impl View {
    /// From the character's right, looking along -z: +x points right on the picture.
    pub const FROM_RIGHT: Self = Self::from_degrees(-90.0, 0.0);
    /// From the character's left, looking along +z.
    pub const FROM_LEFT: Self = Self::from_degrees(90.0, 0.0);
    /// From the front of the character, looking along -x.
    pub const FROM_FRONT: Self = Self::from_degrees(0.0, 0.0);
    /// From behind the character, looking along +x.
    pub const FROM_BACK: Self = Self::from_degrees(180.0, 0.0);
    /// From straight above; +x points right on the picture.
    pub const FROM_TOP: Self = Self::from_degrees(-90.0, 90.0);
    /// From the right, slightly from the front and from above.
    pub const OBLIQUE: Self = Self::from_degrees(-62.0, 28.0);

    /// Creates a view from angles in degrees.
    pub const fn from_degrees(azimuth: f32, elevation: f32) -> Self {
        Self { azimuth: azimuth.to_radians(), elevation: elevation.to_radians() }
    }
}

/// Views that have a name.
const NAMED: [(&str, View); 6] = [
    ("right", View::FROM_RIGHT),
    ("left", View::FROM_LEFT),
    ("front", View::FROM_FRONT),
    ("back", View::FROM_BACK),
    ("top", View::FROM_TOP),
    ("oblique", View::OBLIQUE),
];

/// A text that is not a view.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseViewError {
    /// The rejected text.
    pub given: String,
}

impl std::fmt::Display for ParseViewError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
        write!(
            f,
            "unknown view `{}`; use one of {}, or a heading and an elevation (-90 to 90) in degrees, such as \
             `-60,25`",
            self.given,
            names.join(", ")
        )
    }
}

impl std::error::Error for ParseViewError {}

impl FromStr for View {
    type Err = ParseViewError;

    /// Parses the name of a view, or an azimuth and an elevation in degrees, separated by a comma.
    fn from_str(text: &str) -> Result<Self, ParseViewError> {
        let name = text.trim().to_ascii_lowercase();
        if let Some((_, view)) = NAMED.iter().find(|(known, _)| *known == name) {
            return Ok(*view);
        }
        let error = || ParseViewError { given: text.to_owned() };
        let (azimuth, elevation) = name.split_once(',').ok_or_else(error)?;
        let number = |text: &str| text.trim().parse::<f32>().ok().filter(|degrees| degrees.abs() <= 360.0);
        let azimuth = number(azimuth).ok_or_else(error)?;
        let elevation = number(elevation).filter(|degrees| degrees.abs() <= 90.0).ok_or_else(error)?;
        Ok(Self::from_degrees(azimuth, elevation))
    }
}

/// Axes of the picture in world coordinates: perpendicular unit vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ViewAxes {
    /// Right on the picture.
    pub right: Vec3,
    /// Up on the picture.
    pub up: Vec3,
    /// Out of the picture, toward the viewer.
    pub toward: Vec3,
}

impl ViewAxes {
    pub fn new(view: View) -> Self {
        // A non-finite angle would make every coordinate NaN.
        let finite = |angle: f32| if angle.is_finite() { angle } else { 0.0 };
        // 90 degrees are not exactly a quarter turn in radians; without snapping, faces seen edge-on would be visible.
        let exact = |(sin, cos): (f32, f32)| {
            let snap = |x: f32| if x.abs() < 1e-6 { 0.0 } else { x };
            (snap(sin), snap(cos))
        };
        let (azimuth_sin, azimuth_cos) = exact(sin_cos(finite(view.azimuth)));
        let (elevation_sin, elevation_cos) = exact(sin_cos(finite(view.elevation)));
        let toward = Vec3::new(azimuth_cos * elevation_cos, elevation_sin, -azimuth_sin * elevation_cos);
        let right = Vec3::new(-azimuth_sin, 0.0, -azimuth_cos);
        Self { right, up: toward.cross(right), toward }
    }

    /// Converts a world point to view coordinates, in meters: right, up and toward the viewer.
    #[inline]
    pub fn coordinates(&self, point: Vec3) -> [f32; 3] {
        [point.dot(self.right), point.dot(self.up), point.dot(self.toward)]
    }

    /// Whether a planar scene is seen from the side, so that a cross section shows everything.
    pub fn is_from_side(&self) -> bool {
        self.toward.z.abs() > 1.0 - 1e-6
    }
}

/// An orthographic camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    pub axes: ViewAxes,
    /// View coordinates (right, up) of the picture's upper left corner, in meters.
    pub corner: [f32; 2],
    /// Pixels per meter.
    pub scale: f32,
}

impl Camera {
    /// Returns the pixel of a point in view coordinates.
    #[inline]
    pub fn pixel(&self, right: f32, up: f32) -> Point {
        [(right - self.corner[0]) * self.scale, (self.corner[1] - up) * self.scale]
    }

    /// Returns the pixel of a point in the world.
    #[inline]
    pub fn project(&self, point: Vec3) -> Point {
        let [right, up, _] = self.axes.coordinates(point);
        self.pixel(right, up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(view: View, point: Vec3) -> [i32; 3] {
        ViewAxes::new(view).coordinates(point).map(|x| (100.0 * x).round() as i32)
    }

    #[test]
    fn named_views_show_the_side_they_name() {
        // Right, up, toward the viewer.
        assert_eq!(seen(View::FROM_RIGHT, Vec3::X), [100, 0, 0]);
        assert_eq!(seen(View::FROM_RIGHT, Vec3::Z), [0, 0, 100]);
        assert_eq!(seen(View::FROM_LEFT, Vec3::X), [-100, 0, 0]);
        assert_eq!(seen(View::FROM_FRONT, Vec3::X), [0, 0, 100]);
        assert_eq!(seen(View::FROM_FRONT, Vec3::Z), [-100, 0, 0]);
        assert_eq!(seen(View::FROM_BACK, Vec3::X), [0, 0, -100]);
        assert_eq!(seen(View::FROM_TOP, Vec3::X), [100, 0, 0]);
        assert_eq!(seen(View::FROM_TOP, Vec3::Y), [0, 0, 100]);
        for (name, view) in NAMED {
            assert_eq!(name.parse(), Ok(view));
            assert!(name == "top" || seen(view, Vec3::Y)[1] > 80, "{name}: up is up");
        }
    }

    #[test]
    fn angles_are_read_in_degrees() {
        assert_eq!(" -60 , 25".parse(), Ok(View::from_degrees(-60.0, 25.0)));
        assert_eq!("Top".parse(), Ok(View::FROM_TOP));
    }

    #[test]
    fn an_unknown_view_is_rejected_with_a_list_of_views() {
        for text in ["", "above", "10", "10,", "10,95", "nan,0", "inf,0", "1,2,3"] {
            let error = text.parse::<View>().unwrap_err();
            assert_eq!(error.given, text);
            assert!(error.to_string().contains("oblique") && error.to_string().contains("-60,25"), "{error}");
        }
    }
}
