//! Viewing direction, visible region and camera of a picture.

use clamber_model::character::Root;
use clamber_model::math::{Vec3, atan2};
use clamber_model::world::Part;
use clamber_model::{Motion, Problem};

use crate::camera::{Camera, View, ViewAxes};
use crate::extent::Extent;
use crate::sampled_motion::SampledMotion;
use crate::settings::DrawSettings;

/// A world wider than this many bodies is shown around the motion alone, or the body would be too small to see.
const MOST_BODIES: f32 = 30.0;

/// A picture's height is at most this many times its width.
const TALLEST: f32 = 1.5;

/// Pixels of a picture, at most: memory stays bounded.
const MOST_PIXELS: f32 = 12e6;

/// From where the motion is seen.
pub(crate) fn view_axes(problem: &Problem, motion: &Motion, settings: &DrawSettings) -> ViewAxes {
    let default = || match problem.character.root {
        Root::Planar => View::RIGHT,
        Root::Free => {
            // Turned by quarters, so that walls look alike in all pictures, until the motion goes to the right.
            let ends = motion.frames.first().zip(motion.frames.last());
            let way = ends.map_or(Vec3::ZERO, |(first, last)| {
                last.configuration.root.translation - first.configuration.root.translation
            });
            let quarter = std::f32::consts::FRAC_PI_2;
            let quarters = (atan2(-way.z, way.x) / quarter).round();
            let quarters = if quarters.is_finite() { quarters } else { 0.0 };
            View { heading: View::OBLIQUE.heading + quarters * quarter, ..View::OBLIQUE }
        }
    };
    ViewAxes::new(settings.view.unwrap_or_else(default))
}

/// What a picture shows: the world and all of the motion, or the motion alone where the world is too large.
pub(crate) fn scene_extent(problem: &Problem, sampled: &SampledMotion, axes: &ViewAxes) -> Extent {
    let world = world_extent(problem, axes);
    if sampled.samples.is_empty() {
        return world;
    }
    let body = sampled.body_size().max(1e-3);
    let motion = sampled.extent();
    let around = motion.expanded(0.1 * body);
    let all = world.union(around);
    let [width, height] = all.size();
    let [motion_width, motion_height] = motion.size();
    let longest = motion_width.max(motion_height);
    if width.max(height) > (MOST_BODIES * body).max(2.0 * longest) {
        motion.expanded(2.0 * body + 0.1 * longest)
    } else {
        all
    }
}

/// The obstacles as far as they are in the region, or the region where there are none.
fn world_extent(problem: &Problem, axes: &ViewAxes) -> Extent {
    let world = &problem.world;
    // In three dimensions, with the walls around the region: a room without walls is hard to read.
    let walls = if problem.character.root == Root::Free { 0.06 * (world.max - world.min).max_element() } else { 0.0 };
    let (min, max) = (world.min - Vec3::splat(walls), world.max + Vec3::splat(walls));
    let flat = if problem.character.root == Root::Planar { Vec3::new(1.0, 1.0, 0.0) } else { Vec3::ONE };
    let mut extent = Extent::EMPTY;
    let mut add = |low: Vec3, high: Vec3| {
        for corner in 0..8 {
            let pick = |k: usize| if corner >> k & 1 == 1 { high[k] } else { low[k] };
            extent.add_disc(axes.to_view(Vec3::new(pick(0), pick(1), pick(2)) * flat), 0.0);
        }
    };
    let boxes = world.obstacles.iter().flat_map(|obstacle| &obstacle.parts).map(Part::aabb);
    let inside = boxes.map(|wall| (wall.mins.max(min), wall.maxs.min(max)));
    let inside: Vec<(Vec3, Vec3)> = inside.filter(|(low, high)| (*high - *low).min_element() >= 0.0).collect();
    inside.iter().for_each(|(low, high)| add(*low, *high));
    if inside.is_empty() {
        add(world.min, world.max);
    }
    extent
}

/// The camera that shows this extent on a picture of this width, and the picture's size.
pub(crate) fn fit_camera(axes: ViewAxes, extent: Extent, width: u32) -> (Camera, [u32; 2]) {
    let positive = |length: f32| if length.is_finite() { length.max(1e-3) } else { 1.0 };
    let [across, high] = extent.size().map(positive);
    let pixels = width as f32;
    let margin = 0.01 * pixels;
    let tallest = (TALLEST * pixels).min(MOST_PIXELS / pixels);
    let scale = ((pixels - 2.0 * margin) / across).min((tallest - 2.0 * margin) / high);
    let height = (high * scale + 2.0 * margin).ceil().clamp(0.1 * pixels, tallest) as u32;
    let half = [0.5 * pixels / scale, 0.5 * height as f32 / scale];
    let middle: [f32; 2] = std::array::from_fn(|k| {
        let middle = 0.5 * (extent.low[k] + extent.high[k]);
        if middle.is_finite() { middle } else { 0.0 }
    });
    (Camera { axes, corner: [middle[0] - half[0], middle[1] + half[1]], scale }, [width, height.max(1)])
}
