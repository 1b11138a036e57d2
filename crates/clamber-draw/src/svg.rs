//! Writes pictures as SVG.

use std::fmt::Write;

use crate::base64::base64;
use crate::font::{HALO_WIDTH, Segment, text_outline};
use crate::raster;
use crate::vector_picture::{Color, Image, Picture, Point, Shape};

impl Picture {
    /// Writes the picture as an SVG document. Text is drawn as outlines, with the words as labels;
    /// pixel images are embedded as PNG.
    pub fn to_svg(&self) -> String {
        let mut svg = String::new();
        let Self { width, height, .. } = self;
        // Common attributes are set once: hundreds of poses have tens of thousands of lines. Writing into a string
        // cannot fail, so results are dropped here and below.
        let _ = writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" fill="none" stroke-linecap="round" stroke-linejoin="round">"#
        );
        let _ = writeln!(svg, "<title>{}</title>", escaped(&self.title));
        write_content(&mut svg, self);
        svg.push_str("</svg>\n");
        svg
    }
}

fn write_content(svg: &mut String, picture: &Picture) {
    let ground = paint("fill", picture.background);
    let _ = writeln!(svg, r#"<rect width="{}" height="{}"{ground}/>"#, picture.width, picture.height);
    for shape in &picture.shapes {
        write_shape(svg, shape);
    }
}

fn write_shape(svg: &mut String, shape: &Shape) {
    match shape {
        Shape::Polygon { loops, fill, outline } => {
            let data: String = loops.iter().map(|corners| path_data(corners) + "Z").collect();
            let _ = write!(svg, r#"<path d="{data}"{}"#, paint("fill", *fill));
            if let Some((color, width)) = outline {
                let _ = write!(svg, r#"{} stroke-width="{}""#, paint("stroke", *color), number(*width));
            }
            svg.push_str("/>\n");
        }
        Shape::Polyline { points, width, color } => match points.as_slice() {
            [] => {}
            // Some viewers draw a line without length as a disc, others draw nothing.
            [[x, y]] => {
                let (x, y, radius) = (number(*x), number(*y), number(0.5 * width));
                let _ = writeln!(svg, r#"<circle cx="{x}" cy="{y}" r="{radius}"{}/>"#, paint("fill", *color));
            }
            points => {
                let _ = writeln!(
                    svg,
                    r#"<path d="{}"{} stroke-width="{}"/>"#,
                    path_data(points),
                    paint("stroke", *color),
                    number(*width)
                );
            }
        },
        Shape::Text { center, text, font_size, color, halo } => {
            let _ = writeln!(
                svg,
                r#"<path class="text" aria-label="{}" d="{}"{}{} stroke-width="{}" paint-order="stroke"/>"#,
                escaped(text),
                outline_data(&text_outline(text, *center, *font_size)),
                paint("fill", *color),
                paint("stroke", *halo),
                number(HALO_WIDTH * font_size),
            );
        }
        Shape::Image(image) => write_image(svg, image),
        Shape::Group { name, shapes } => {
            let _ = writeln!(svg, r#"<g class="{name}">"#);
            for shape in shapes {
                write_shape(svg, shape);
            }
            svg.push_str("</g>\n");
        }
        Shape::Inset { at: [x, y], picture } => {
            let Picture { width, height, .. } = picture;
            let _ = writeln!(svg, r#"<svg x="{x}" y="{y}" width="{width}" height="{height}">"#);
            write_content(svg, picture);
            svg.push_str("</svg>\n");
        }
    }
}

fn write_image(svg: &mut String, image: &Image) {
    let _ = writeln!(
        svg,
        r#"<image width="{}" height="{}" href="data:image/png;base64,{}"/>"#,
        image.width,
        image.height,
        base64(&raster::png(&raster::pixmap_of(image)))
    );
}

fn path_data(points: &[Point]) -> String {
    let mut data = String::new();
    for (index, [x, y]) in points.iter().enumerate() {
        let _ = write!(data, "{}{} {}", if index == 0 { 'M' } else { 'L' }, number(*x), number(*y));
    }
    data
}

/// Writes an outline with relative coordinates, which are half as long as absolute ones.
fn outline_data(segments: &[Segment]) -> String {
    let mut data = String::new();
    let (mut at, mut start) = ([0; 2], [0; 2]);
    for segment in segments {
        match *segment {
            Segment::MoveTo(to) => {
                at = write_relative(&mut data, 'm', at, &[to]);
                start = at;
            }
            Segment::LineTo(to) => at = write_relative(&mut data, 'l', at, &[to]),
            Segment::QuadraticTo(control, to) => at = write_relative(&mut data, 'q', at, &[control, to]),
            Segment::Close => {
                data.push('z');
                at = start;
            }
        }
    }
    data
}

/// Writes a path command with points relative to `from`, in hundredths of a pixel, and returns the last point. Differences
/// of rounded points are exact, so errors do not add up.
fn write_relative(data: &mut String, command: char, from: [i32; 2], points: &[Point]) -> [i32; 2] {
    data.push(command);
    let mut last = from;
    for (index, point) in points.iter().enumerate() {
        last = point.map(|x| (100.0 * x).round() as i32);
        for k in 0..2 {
            let text = number(last[k].saturating_sub(from[k]) as f32 / 100.0);
            // Numbers may begin with their decimal point.
            let text = match (text.strip_prefix("0."), text.strip_prefix("-0.")) {
                (Some(decimals), _) => format!(".{decimals}"),
                (_, Some(decimals)) => format!("-.{decimals}"),
                _ => text,
            };
            // A minus sign separates numbers, too.
            if (index, k) != (0, 0) && !text.starts_with('-') {
                data.push(' ');
            }
            data.push_str(&text);
        }
    }
    last
}

/// Formats a number with at most two decimals: a hundredth of a pixel is invisible.
fn number(value: f32) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn paint(property: &str, color: Color) -> String {
    let Color { red, green, blue, alpha } = color;
    let mut text = format!(r##" {property}="#{red:02x}{green:02x}{blue:02x}""##);
    if alpha < 255 {
        let _ = write!(text, r#" {property}-opacity="{}""#, number(f32::from(alpha) / 255.0));
    }
    text
}

/// Escapes text for XML and drops characters that XML 1.0 does not allow.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_are_relative() {
        let square = [
            Segment::MoveTo([10.0, 10.0]),
            Segment::LineTo([20.0, 9.5]),
            Segment::QuadraticTo([20.0, 20.0], [10.0, 20.5]),
            Segment::Close,
            Segment::MoveTo([11.0, 11.0]),
        ];
        assert_eq!(outline_data(&square), "m10 10l10-.5q0 10.5-10 11zm1 1");
    }

    #[test]
    fn numbers_are_short_and_text_is_escaped() {
        assert_eq!([1.0, -0.001, 2.504, 10.0].map(number), ["1", "0", "2.5", "10"]);
        assert_eq!(number(f32::NAN), "0");
        assert_eq!(escaped("a<b & \"c\"\u{7}"), "a&lt;b &amp; &quot;c&quot;");
    }
}
