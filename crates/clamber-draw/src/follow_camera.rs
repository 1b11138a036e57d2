//! The camera of an animation: fixed on the whole scene, or a window that follows the body.

use clamber_model::Problem;
use clamber_model::character::RootJoint;

use crate::camera::{Camera, ViewAxes};
use crate::camera_framing::{camera_for_extent, scene_extent};
use crate::sampled_motion::SampledMotion;
use crate::settings::DrawSettings;
use crate::view_rectangle::Extent;

/// Width and height of the window, in body sizes.
const WINDOW: [f32; 2] = [3.6, 2.0];

/// The camera is fixed if the scene is at most this many times as wide and as high as the window.
const FIXED_RATIO: f32 = 1.3;

/// Half width of the smoothing filter for the window's path, in seconds: the window neither shakes with each step nor
/// lags behind.
const SMOOTHING: f32 = 1.2;

/// A fixed or moving camera.
pub(crate) struct FollowCamera {
    axes: ViewAxes,
    /// Pixels per meter.
    scale: f32,
    /// Width and height of the picture, in pixels.
    pub size: [u32; 2],
    /// Times, and the view coordinates (right, up) of the window's upper left corner then, in meters.
    corners: Vec<(f32, [f32; 2])>,
}

impl FollowCamera {
    pub fn new(
        problem: &Problem,
        sampled: &SampledMotion,
        axes: ViewAxes,
        width: u32,
        settings: &DrawSettings,
    ) -> Self {
        let all = scene_extent(problem, sampled, &axes);
        let window = WINDOW.map(|bodies| bodies * sampled.body_size().max(1e-3));
        let is_small = (0..2).all(|k| all.size()[k] <= FIXED_RATIO * window[k]);
        // If the window moved over a shaded world, every pixel would change: ten times the bytes.
        let is_shaded = problem.character.root_joint == RootJoint::Free || !axes.is_from_side();
        if is_small || is_shaded || !settings.follow || sampled.samples.is_empty() {
            let (camera, size) = camera_for_extent(axes, all, width);
            return Self { axes, scale: camera.scale, size, corners: vec![(0.0, camera.corner)] };
        }
        let scale = width as f32 / window[0];
        let size = [width, ((window[1] * scale) as u32).max(1)];
        let centers: Vec<[f32; 2]> =
            sampled.samples.iter().map(|sample| window_center(sample.extent, all, window)).collect();
        // Smoothing twice also smooths starts and stops.
        let centers = smoothed(sampled, &smoothed(sampled, &centers));
        let corner = |[right, up]: [f32; 2]| [right - 0.5 * window[0], up + 0.5 * window[1]];
        let corners =
            sampled.samples.iter().zip(centers).map(|(sample, center)| (sample.time, corner(center))).collect();
        Self { axes, scale, size, corners }
    }

    /// Whether the window moves.
    pub fn is_moving(&self) -> bool {
        self.corners.len() > 1
    }

    /// Returns the window's upper left corner at a time, in whole pixels: static objects then move by whole pixels and
    /// do not flicker.
    pub fn corner_at(&self, time: f32) -> [i32; 2] {
        let next = self.corners.partition_point(|(at, _)| *at <= time);
        let (from, to) = (next.saturating_sub(1), next.min(self.corners.len() - 1));
        let ((start, from), (end, to)) = (self.corners[from], self.corners[to]);
        let share = ((time - start) / (end - start).max(1e-6)).clamp(0.0, 1.0);
        let [right, up] = std::array::from_fn(|k| from[k] + (to[k] - from[k]) * share);
        [(right * self.scale).round() as i32, (-up * self.scale).round() as i32]
    }

    /// Returns the camera whose picture has this upper left corner.
    pub fn camera_at(&self, [x, y]: [i32; 2]) -> Camera {
        let corner =
            if self.is_moving() { [x as f32 / self.scale, -(y as f32) / self.scale] } else { self.corners[0].1 };
        Camera { axes: self.axes, corner, scale: self.scale }
    }
}

/// Returns the center of the window for a body: on the body, but inside the scene where possible.
fn window_center(body: Extent, all: Extent, window: [f32; 2]) -> [f32; 2] {
    std::array::from_fn(|k| {
        let (low, high) = (all.low[k] + 0.5 * window[k], all.high[k] - 0.5 * window[k]);
        let center = 0.5 * (body.low[k] + body.high[k]);
        if low < high { center.max(low).min(high) } else { 0.5 * (low + high) }
    })
}

/// Averages over a window around each sample; the window shrinks toward the ends, so that the ends stay in place.
fn smoothed(sampled: &SampledMotion, values: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let last = values.len() - 1;
    let (_, duration) = sampled.span().unwrap_or((0.0, 0.0));
    let half_width = (SMOOTHING * last as f32 / duration.max(1e-3)) as usize;
    let mean = |index: usize| {
        let half_width = half_width.min(index).min(last - index);
        let near = &values[index - half_width..=index + half_width];
        std::array::from_fn(|k| near.iter().map(|value| value[k]).sum::<f32>() / near.len() as f32)
    };
    (0..values.len()).map(mean).collect()
}
