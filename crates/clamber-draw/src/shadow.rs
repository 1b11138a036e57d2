//! Shadows straight below bodies. They show the height above the ground, which an orthographic view alone does not.

use clamber_model::character::Capsule;
use clamber_model::math::Vec3;

use crate::camera::Camera;
use crate::cutaway::CutawayView;
use crate::vector_picture::{Color, Image, Shape};

/// Minimum upward component of the normal of ground.
const MIN_GROUND_NORMAL: f32 = 0.3;

/// Outer radius of a shadow and width of its soft edge, in radii of the capsule.
const SHADOW_RADIUS: f32 = 1.5;
const SOFT_EDGE: f32 = 0.7;

/// How fast shadows fade with height, per meter.
const HEIGHT_FADING: f32 = 0.35;

/// Opacity of the darkest shadow, 0 to 255.
const MAX_ALPHA: f32 = 85.0;

const SHADOW: Color = Color::from_hex(0x33261a);

/// The visible ground of a picture.
pub(crate) struct Ground {
    /// In pixels.
    size: [u32; 2],
    /// Nearness of the ground at each pixel, in meters; NaN where no ground is visible.
    nearness: Vec<f32>,
}

impl Ground {
    /// Collects the surfaces that shadows can fall on: all that are not steep.
    pub fn new(cutaway: &CutawayView, size: [u32; 2]) -> Self {
        let nearness_at = |pixel: usize| {
            let is_ground =
                cutaway.face_at(&cutaway.shown, pixel).is_some_and(|face| face.normal.y > MIN_GROUND_NORMAL);
            if is_ground { cutaway.shown.nearness[cutaway.first_subsample(pixel)] } else { f32::NAN }
        };
        let nearness = (0..size[0] as usize * size[1] as usize).map(nearness_at).collect();
        Self { size, nearness }
    }
}

/// Draws the shadows of these bodies on the ground.
pub(crate) fn shadow(ground: &Ground, camera: &Camera, bodies: &[Vec<Capsule>]) -> Shape {
    let [width, height] = ground.size;
    let boxes: Vec<(Vec3, Vec3)> = bodies.iter().map(|body| shadow_bounds(body)).collect();
    let columns = columns(camera, &boxes, width as usize);
    let axes = &camera.axes;
    let color = |(at, nearness): (usize, &f32)| {
        if nearness.is_nan() || !columns[at % width as usize] {
            return SHADOW.with_alpha(0);
        }
        let (x, y) = ((at % width as usize) as f32 + 0.5, (at / width as usize) as f32 + 0.5);
        let point = axes.right * (camera.corner[0] + x / camera.scale)
            + axes.up * (camera.corner[1] - y / camera.scale)
            + axes.toward * *nearness;
        let mut dark: f32 = 0.0;
        for (body, (low, high)) in bodies.iter().zip(&boxes) {
            let below = (low.x..high.x).contains(&point.x) && (low.z..high.z).contains(&point.z) && point.y < high.y;
            if below {
                dark = body.iter().fold(dark, |dark, capsule| dark.max(darkness(capsule, point)));
            }
        }
        SHADOW.with_alpha((MAX_ALPHA * dark) as u8)
    };
    let pixels = ground.nearness.iter().enumerate().map(color).collect();
    Shape::Image(Image { width, height, pixels })
}

/// Marks the columns that can contain shadows: the picture's right axis is horizontal, so a shadow lies in the columns
/// of its body.
fn columns(camera: &Camera, boxes: &[(Vec3, Vec3)], width: usize) -> Vec<bool> {
    let mut columns = vec![false; width];
    for (low, high) in boxes {
        let corners = [(low.x, low.z), (low.x, high.z), (high.x, low.z), (high.x, high.z)];
        let across = corners.map(|(x, z)| camera.project(Vec3::new(x, low.y, z))[0]);
        let left = across.into_iter().fold(f32::INFINITY, f32::min).max(0.0) as usize;
        let right = across.into_iter().fold(0.0, f32::max).ceil() as usize;
        if let Some(covered) = columns.get_mut(left..right.min(width)) {
            covered.fill(true);
        }
    }
    columns
}

/// Returns the bounding box of a body and the soft edge of its shadow.
fn shadow_bounds(body: &[Capsule]) -> (Vec3, Vec3) {
    let mut corners = (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY));
    for capsule in body {
        let margin = Vec3::splat(SHADOW_RADIUS * capsule.radius);
        corners.0 = corners.0.min(capsule.a - margin).min(capsule.b - margin);
        corners.1 = corners.1.max(capsule.a + margin).max(capsule.b + margin);
    }
    corners
}

/// Returns the darkness of a capsule's shadow at a point: 1 directly below it, fading at the edge and with height.
fn darkness(capsule: &Capsule, point: Vec3) -> f32 {
    let along = (capsule.b - capsule.a).with_y(0.0);
    let to_point = (point - capsule.a).with_y(0.0);
    let share = (to_point.dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
    let height = capsule.a.y + (capsule.b.y - capsule.a.y) * share - point.y;
    if height < -capsule.radius {
        return 0.0;
    }
    let offset = (to_point - along * share).length() / capsule.radius;
    ((SHADOW_RADIUS - offset) / SOFT_EDGE).clamp(0.0, 1.0) / (1.0 + HEIGHT_FADING * height.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shadows_fall_below_a_body_and_not_beside_or_above_it() {
        let capsule = Capsule { a: Vec3::new(0.0, 1.0, 0.0), b: Vec3::new(1.0, 1.0, 0.0), radius: 0.1 };
        let at = |x, y, z| darkness(&capsule, Vec3::new(x, y, z));
        assert!(at(0.5, 0.0, 0.0) > 0.5);
        assert!(at(0.5, 0.8, 0.05) > at(0.5, 0.0, 0.05), "it fades with the height");
        assert_eq!([at(0.5, 0.0, 0.2), at(1.3, 0.0, 0.0), at(0.5, 1.2, 0.0)], [0.0; 3]);
    }
}
