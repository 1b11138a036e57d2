//! Renders pictures as pixels.

use tiny_skia::{
    Color as SkiaColor, FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, PixmapPaint, PremultipliedColorU8,
    Stroke, Transform,
};

use crate::font::{HALO_WIDTH, Segment, text_outline};
use crate::vector_picture::{Color, Image, Picture, Point, Shape};

/// Maximum side of a pixmap, in pixels: bounds memory for any picture.
const MAX_SIDE: u32 = 8192;

impl Picture {
    /// Renders the picture as a PNG file.
    pub fn to_png(&self) -> Vec<u8> {
        png(&render(self))
    }
}

/// Encodes a PNG file.
pub(crate) fn png(pixmap: &Pixmap) -> Vec<u8> {
    pixmap.encode_png().expect("a pixmap has a size, and memory takes every byte")
}

/// Renders the picture.
pub(crate) fn render(picture: &Picture) -> Pixmap {
    let mut pixmap = blank(picture.width, picture.height);
    pixmap.fill(skia_color(picture.background));
    draw(&mut pixmap, &picture.shapes);
    pixmap
}

/// Draws shapes over the existing content.
pub(crate) fn draw(pixmap: &mut Pixmap, shapes: &[Shape]) {
    for shape in shapes {
        match shape {
            Shape::Polygon { loops, fill, outline } => draw_area(pixmap, loops, *fill, *outline),
            Shape::Polyline { points, width, color } => draw_line(pixmap, points, *width, *color),
            Shape::Text { center, text, font_size, color, halo } => {
                let segments = text_outline(text, *center, *font_size);
                draw_text(pixmap, &segments, *color, *halo, HALO_WIDTH * font_size);
            }
            Shape::Image(image) => draw_over(pixmap, &pixmap_of(image), [0, 0]),
            Shape::Group { shapes, .. } => draw(pixmap, shapes),
            Shape::Inset { at, picture } => draw_over(pixmap, &render(picture), *at),
        }
    }
}

/// Converts an image to a pixmap.
pub(crate) fn pixmap_of(image: &Image) -> Pixmap {
    let mut pixmap = blank(image.width, image.height);
    for (pixel, color) in pixmap.pixels_mut().iter_mut().zip(&image.pixels) {
        let times_alpha = |x: u8| ((u32::from(x) * u32::from(color.alpha) + 127) / 255) as u8;
        let [red, green, blue] = [color.red, color.green, color.blue].map(times_alpha);
        // Premultiplied channels never exceed alpha, so the conversion always succeeds.
        *pixel = PremultipliedColorU8::from_rgba(red, green, blue, color.alpha).unwrap_or(*pixel);
    }
    pixmap
}

fn blank(width: u32, height: u32) -> Pixmap {
    let side = |pixels: u32| pixels.clamp(1, MAX_SIDE);
    Pixmap::new(side(width), side(height)).expect("sides are neither none nor too long")
}

fn draw_over(pixmap: &mut Pixmap, above: &Pixmap, [x, y]: [u32; 2]) {
    let (x, y) = (x.min(MAX_SIDE) as i32, y.min(MAX_SIDE) as i32);
    pixmap.draw_pixmap(x, y, above.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
}

/// Copies a rectangle of another pixmap to the upper left corner.
pub(crate) fn copy_part(pixmap: &mut Pixmap, from: &Pixmap, [x, y]: [u32; 2], [width, height]: [u32; 2]) {
    let (width_px, from_across) = (pixmap.width() as usize, from.width() as usize);
    let width = (width as usize).min(width_px).min(from_across.saturating_sub(x as usize));
    let rows = from.pixels().chunks(from_across).skip(y as usize).take(height as usize);
    for (to, from) in pixmap.pixels_mut().chunks_mut(width_px).zip(rows) {
        to[..width].copy_from_slice(&from[x as usize..x as usize + width]);
    }
}

fn draw_area(pixmap: &mut Pixmap, loops: &[Vec<Point>], fill: Color, outline: Option<(Color, f32)>) {
    let mut builder = PathBuilder::new();
    for corners in loops {
        add_points(&mut builder, corners);
        builder.close();
    }
    // Degenerate and NaN points make no path; there is nothing to draw.
    let Some(path) = builder.finish() else { return };
    pixmap.fill_path(&path, &paint(fill), FillRule::Winding, Transform::identity(), None);
    if let Some((color, width)) = outline {
        let stroke = Stroke { width, line_join: LineJoin::Round, ..Stroke::default() };
        pixmap.stroke_path(&path, &paint(color), &stroke, Transform::identity(), None);
    }
}

fn draw_line(pixmap: &mut Pixmap, points: &[Point], width: f32, color: Color) {
    let mut builder = PathBuilder::new();
    if let [[x, y]] = points {
        builder.push_circle(*x, *y, 0.5 * width);
        if let Some(path) = builder.finish() {
            pixmap.fill_path(&path, &paint(color), FillRule::Winding, Transform::identity(), None);
        }
        return;
    }
    add_points(&mut builder, points);
    let Some(path) = builder.finish() else { return };
    let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
    pixmap.stroke_path(&path, &paint(color), &stroke, Transform::identity(), None);
}

fn add_points(builder: &mut PathBuilder, points: &[Point]) {
    for (index, &[x, y]) in points.iter().enumerate() {
        if index == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
}

fn draw_text(pixmap: &mut Pixmap, segments: &[Segment], color: Color, halo: Color, halo_width: f32) {
    let mut builder = PathBuilder::new();
    for segment in segments {
        match *segment {
            Segment::MoveTo([x, y]) => builder.move_to(x, y),
            Segment::LineTo([x, y]) => builder.line_to(x, y),
            Segment::QuadraticTo([control_x, control_y], [x, y]) => builder.quad_to(control_x, control_y, x, y),
            Segment::Close => builder.close(),
        }
    }
    let Some(path) = builder.finish() else { return };
    let stroke = Stroke { width: halo_width, line_join: LineJoin::Round, ..Stroke::default() };
    pixmap.stroke_path(&path, &paint(halo), &stroke, Transform::identity(), None);
    pixmap.fill_path(&path, &paint(color), FillRule::Winding, Transform::identity(), None);
}

fn paint(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(skia_color(color));
    paint
}

fn skia_color(color: Color) -> SkiaColor {
    SkiaColor::from_rgba8(color.red, color.green, color.blue, color.alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_shapes_do_not_panic() {
        let red = Color::from_hex(0xff0000);
        let invalid = [f32::NAN, f32::INFINITY, 1e30, -1e9, 0.0];
        for x in invalid {
            let points = vec![[x, 1.0], [2.0, x], [x, x]];
            let mut shapes = vec![
                Shape::Polygon { loops: vec![points.clone(), Vec::new()], fill: red, outline: Some((red, x)) },
                Shape::Polyline { points: Vec::new(), width: 1.0, color: red },
                Shape::Text { center: [x, x], text: "ä\u{0}漢".to_owned(), font_size: x, color: red, halo: red },
            ];
            shapes.extend([x, 2.0].map(|width| Shape::Polyline { points: vec![[x, x]], width, color: red }));
            shapes.extend([x, 2.0].map(|width| Shape::Polyline { points: points.clone(), width, color: red }));
            let picture = Picture { title: String::new(), width: 0, height: 9, background: red, shapes };
            assert!(!picture.to_png().is_empty());
            assert!(picture.to_svg().ends_with("</svg>\n"));
        }
    }
}
