//! Marks on holds, and dots at contacts.

use clamber_model::World;
use clamber_model::math::Vec3;
use clamber_model::world::{HoldShape, HoldType};

use crate::camera::Camera;
use crate::vector_picture::{Color, Point, Shape};

/// Outline that separates marks from the background.
const RIM: Color = Color::from_hex(0xfbf8f2);

const CONTACT: Color = Color::from_hex(0xffd02e);
const CONTACT_RIM: Color = Color::from_hex(0x2a1a08);

/// Size of a mark on a picture 1600 pixels wide, in pixels, and limits of its scaling on others.
const MARK_SIZE: f32 = 4.8;
const MARK_SCALE_LIMITS: [f32; 2] = [0.45, 1.5];

/// Diameter of a contact dot in meters, and its limits in pixels.
const DOT_DIAMETER: f32 = 0.07;
const DOT_LIMITS: [f32; 2] = [1.8, 12.0];

/// Returns the size of a mark on a picture of this width, in pixels: hundreds of marks must not hide the figure.
fn mark_size(width: u32) -> f32 {
    MARK_SIZE * (width as f32 / 1600.0).sqrt().clamp(MARK_SCALE_LIMITS[0], MARK_SCALE_LIMITS[1])
}

/// Returns marks for the visible holds, with their types.
///
/// Surface holds in space get no mark: it would cover the whole obstacle.
pub(crate) fn hold_marks(
    world: &World,
    camera: &Camera,
    size: [u32; 2],
    is_seen: &dyn Fn(Vec3) -> bool,
) -> Vec<(HoldType, Shape)> {
    let mark_size = mark_size(size[0]);
    let is_on_picture = |[x, y]: Point| x >= 0.0 && y >= 0.0 && x <= size[0] as f32 && y <= size[1] as f32;
    let mut marks = Vec::new();
    for hold in &world.holds {
        let along = [hold.normal.dot(camera.axes.right), -hold.normal.dot(camera.axes.up)];
        match hold.shape {
            HoldShape::Point(at) if is_on_picture(camera.project(at)) && is_seen(at) => {
                marks.push((hold.hold_type, mark(hold.hold_type, camera.project(at), along, mark_size)));
            }
            HoldShape::Segment([a, b]) if [a, 0.5 * (a + b), b].into_iter().all(is_seen) => {
                // Beside the outline of the surface, on the outer side.
                let width = 0.5 * mark_size;
                let beside = |[x, y]: Point| [x + along[0] * 0.5 * width, y + along[1] * 0.5 * width];
                let points = vec![beside(camera.project(a)), beside(camera.project(b))];
                marks.push((hold.hold_type, Shape::Polyline { points, width, color: hold_color(hold.hold_type) }));
            }
            _ => {}
        }
    }
    marks
}

/// Returns the color of a hold type.
pub(crate) fn hold_color(hold_type: HoldType) -> Color {
    match hold_type {
        HoldType::LoadBearing => Color::from_hex(0x2f6b3a),
        HoldType::Pendent => Color::from_hex(0x5d3a96),
        HoldType::Hybrid => Color::from_hex(0xa8480c),
    }
}

/// Returns the mark of a hold at a point of the picture, with this outward surface normal: a square to stand on, a
/// triangle to hang from, a diamond for either.
pub(crate) fn mark(hold_type: HoldType, [x, y]: Point, normal: Point, size: f32) -> Shape {
    let length = (normal[0] * normal[0] + normal[1] * normal[1]).sqrt();
    // The normal of a surface that faces the viewer has no direction on the picture.
    let [nx, ny] = if length > 0.1 { normal.map(|x| x / length) } else { [0.0, -1.0] };
    let corner = |[across, out]: [f32; 2]| {
        let (across, out) = (across * size, out * size);
        [x + nx * out - ny * across, y + ny * out + nx * across]
    };
    let corners: &[[f32; 2]] = match hold_type {
        HoldType::LoadBearing => &[[-0.5, 0.0], [0.5, 0.0], [0.5, 1.0], [-0.5, 1.0]],
        HoldType::Pendent => &[[-0.65, 0.0], [0.65, 0.0], [0.0, 1.2]],
        HoldType::Hybrid => &[[-0.7, 0.4], [0.0, -0.3], [0.7, 0.4], [0.0, 1.1]],
    };
    let loops = vec![corners.iter().copied().map(corner).collect()];
    Shape::Polygon { loops, fill: hold_color(hold_type), outline: Some((RIM.with_alpha(170), 0.12 * size)) }
}

/// Returns the dot of a contact.
pub(crate) fn contact_dot(at: Point, scale: f32) -> Shape {
    let width = (DOT_DIAMETER * scale).clamp(DOT_LIMITS[0], DOT_LIMITS[1]);
    let disc = |width: f32, color: Color| Shape::Polyline { points: vec![at], width, color };
    Shape::Group { name: "contact", shapes: vec![disc(1.45 * width, CONTACT_RIM), disc(width, CONTACT)] }
}
