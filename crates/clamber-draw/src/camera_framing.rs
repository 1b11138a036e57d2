//! Viewing direction, visible region and camera of a picture.

use clamber_model::character::RootJoint;
use clamber_model::math::{Vec3, atan2};
use clamber_model::world::Obstacle;
use clamber_model::{Motion, Problem};

use crate::camera::{Camera, View, ViewAxes};
use crate::sampled_motion::SampledMotion;
use crate::settings::DrawSettings;
use crate::view_rectangle::Extent;

/// Maximum world size, in body sizes. A larger world is not shown whole, or the body would be too small.
const MAX_WORLD: f32 = 30.0;

/// Margin around the motion, in body sizes.
const MOTION_MARGIN: f32 = 0.1;

/// Margins around the motion in a world that is too large: in body sizes, plus as a share of the motion's extent.
const LARGE_WORLD_MARGIN: f32 = 2.0;
const LARGE_WORLD_MARGIN_SHARE: f32 = 0.1;

/// Thickness of the walls shown around the bounds of a world in three dimensions, as a share of its longest side.
const WALL_SHARE: f32 = 0.06;

/// Margin of a picture and its minimum height, as shares of its width.
const PICTURE_MARGIN: f32 = 0.01;
const MIN_ASPECT: f32 = 0.1;

/// Maximum height of a picture relative to its width.
const MAX_ASPECT: f32 = 1.5;

/// Maximum number of pixels of a picture: bounds memory.
const MAX_PIXELS: f32 = 12e6;

/// Returns the axes of the chosen view, or of the default view for the character.
pub(crate) fn view_axes(problem: &Problem, motion: &Motion, settings: &DrawSettings) -> ViewAxes {
    let default = || match problem.character.root_joint {
        RootJoint::Planar => View::FROM_RIGHT,
        RootJoint::Free => {
            // Turn the view by quarter turns until the motion goes right: walls then look alike in all pictures.
            let ends = motion.frames.first().zip(motion.frames.last());
            let displacement = ends.map_or(Vec3::ZERO, |(first, last)| {
                last.configuration.root.translation - first.configuration.root.translation
            });
            let quarter = std::f32::consts::FRAC_PI_2;
            let quarters = (atan2(-displacement.z, displacement.x) / quarter).round();
            let quarters = if quarters.is_finite() { quarters } else { 0.0 };
            View { azimuth: View::OBLIQUE.azimuth + quarters * quarter, ..View::OBLIQUE }
        }
    };
    ViewAxes::new(settings.view.unwrap_or_else(default))
}

/// Returns the region to show: the world and the motion, or only the surroundings of the motion if the world is too
/// large.
pub(crate) fn scene_extent(problem: &Problem, sampled: &SampledMotion, axes: &ViewAxes) -> Extent {
    let world = world_extent(problem, axes);
    if sampled.samples.is_empty() {
        return world;
    }
    let body = sampled.body_size().max(1e-3);
    let motion = sampled.extent();
    let around = motion.expanded(MOTION_MARGIN * body);
    let all = world.union(around);
    let [width, height] = all.size();
    let [motion_width, motion_height] = motion.size();
    let longest = motion_width.max(motion_height);
    if width.max(height) > (MAX_WORLD * body).max(2.0 * longest) {
        motion.expanded(LARGE_WORLD_MARGIN * body + LARGE_WORLD_MARGIN_SHARE * longest)
    } else {
        all
    }
}

/// Returns the extent of the obstacles inside the world's bounds, or of the bounds if there are none.
fn world_extent(problem: &Problem, axes: &ViewAxes) -> Extent {
    let world = &problem.world;
    // In three dimensions include the walls around the bounds: a room without walls is hard to read.
    let walls = if problem.character.root_joint == RootJoint::Free {
        WALL_SHARE * (world.max - world.min).max_element()
    } else {
        0.0
    };
    let (min, max) = (world.min - Vec3::splat(walls), world.max + Vec3::splat(walls));
    let flat = if problem.character.root_joint == RootJoint::Planar { Vec3::new(1.0, 1.0, 0.0) } else { Vec3::ONE };
    let mut extent = Extent::EMPTY;
    let mut add = |low: Vec3, high: Vec3| {
        for corner in 0..8 {
            let pick = |k: usize| if corner >> k & 1 == 1 { high[k] } else { low[k] };
            extent.add_disc(axes.coordinates(Vec3::new(pick(0), pick(1), pick(2)) * flat), 0.0);
        }
    };
    let boxes = world.obstacles.iter().flat_map(Obstacle::bounding_boxes);
    let inside = boxes.map(|(low, high)| (low.max(min), high.min(max)));
    let inside: Vec<(Vec3, Vec3)> = inside.filter(|(low, high)| (*high - *low).min_element() >= 0.0).collect();
    inside.iter().for_each(|(low, high)| add(*low, *high));
    if inside.is_empty() {
        add(world.min, world.max);
    }
    extent
}

/// Returns the camera that shows this extent on a picture of this width, and the size of the picture.
pub(crate) fn camera_for_extent(axes: ViewAxes, extent: Extent, width: u32) -> (Camera, [u32; 2]) {
    let positive = |length: f32| if length.is_finite() { length.max(1e-3) } else { 1.0 };
    let [width_m, high] = extent.size().map(positive);
    let pixels = width as f32;
    let margin = PICTURE_MARGIN * pixels;
    let max_height = (MAX_ASPECT * pixels).min(MAX_PIXELS / pixels);
    let scale = ((pixels - 2.0 * margin) / width_m).min((max_height - 2.0 * margin) / high);
    let height = (high * scale + 2.0 * margin).ceil().clamp(MIN_ASPECT * pixels, max_height) as u32;
    let half = [0.5 * pixels / scale, 0.5 * height as f32 / scale];
    let middle: [f32; 2] = std::array::from_fn(|k| {
        let middle = 0.5 * (extent.low[k] + extent.high[k]);
        if middle.is_finite() { middle } else { 0.0 }
    });
    (Camera { axes, corner: [middle[0] - half[0], middle[1] + half[1]], scale }, [width, height.max(1)])
}
