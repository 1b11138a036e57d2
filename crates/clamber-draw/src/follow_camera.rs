//! What an animation shows at each moment: all of the way at once, or a window that goes along with the body.

use clamber_model::Problem;
use clamber_model::character::Root;

use crate::camera::{Camera, ViewAxes};
use crate::extent::Extent;
use crate::framing::{fit_camera, scene_extent};
use crate::sampled_motion::SampledMotion;
use crate::settings::DrawSettings;

/// The window's width and height, in bodies.
const BODIES: [f32; 2] = [3.6, 2.0];

/// All is shown at once as long as it is at most this many times as wide and as high as the window.
const ROOMY: f32 = 1.3;

/// In seconds to either side: over what the window's way is evened out. It neither rocks with the steps nor is it late.
const CALM: f32 = 1.2;

/// How the picture is taken.
pub(crate) struct FollowCamera {
    axes: ViewAxes,
    /// Pixels a metre.
    scale: f32,
    /// The picture's width and height, in pixels.
    pub size: [u32; 2],
    /// When, and what is then seen at the window's upper left corner, along the axes's right and up, in metres.
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
        let window = BODIES.map(|bodies| bodies * sampled.body_size().max(1e-3));
        let is_roomy = (0..2).all(|k| all.size()[k] <= ROOMY * window[k]);
        // A shaded world changes in every pixel when the window moves: ten times the bytes.
        let is_shaded = problem.character.root == Root::Free || !axes.is_from_side();
        if is_roomy || is_shaded || !settings.follow || sampled.samples.is_empty() {
            let (camera, size) = fit_camera(axes, all, width);
            return Self { axes, scale: camera.scale, size, corners: vec![(0.0, camera.corner)] };
        }
        let scale = width as f32 / window[0];
        let size = [width, ((window[1] * scale) as u32).max(1)];
        let middles: Vec<[f32; 2]> = sampled.samples.iter().map(|moment| middle(moment.extent, all, window)).collect();
        // Twice, so that it neither starts nor stops at once.
        let middles = evened(sampled, &evened(sampled, &middles));
        let corner = |[right, up]: [f32; 2]| [right - 0.5 * window[0], up + 0.5 * window[1]];
        let corners =
            sampled.samples.iter().zip(middles).map(|(moment, middle)| (moment.time, corner(middle))).collect();
        Self { axes, scale, size, corners }
    }

    /// Whether the window moves.
    pub fn is_moving(&self) -> bool {
        self.corners.len() > 1
    }

    /// The window's upper left corner at a time, in scene_extent pixels: what does not move in the world then moves on the picture
    /// by scene_extent pixels, and does not flicker.
    pub fn corner_at(&self, time: f32) -> [i32; 2] {
        let next = self.corners.partition_point(|(moment, _)| *moment <= time);
        let (from, to) = (next.saturating_sub(1), next.min(self.corners.len() - 1));
        let ((since, from), (until, to)) = (self.corners[from], self.corners[to]);
        let share = ((time - since) / (until - since).max(1e-6)).clamp(0.0, 1.0);
        let [right, up] = std::array::from_fn(|k| from[k] + (to[k] - from[k]) * share);
        [(right * self.scale).round() as i32, (-up * self.scale).round() as i32]
    }

    /// The camera with this upper left corner.
    pub fn camera_at(&self, [x, y]: [i32; 2]) -> Camera {
        let corner =
            if self.is_moving() { [x as f32 / self.scale, -(y as f32) / self.scale] } else { self.corners[0].1 };
        Camera { axes: self.axes, corner, scale: self.scale }
    }
}

/// Where the middle of the window should be for a body: around it, and not beyond the end of what there is to see.
fn middle(body: Extent, all: Extent, window: [f32; 2]) -> [f32; 2] {
    std::array::from_fn(|k| {
        let (low, high) = (all.low[k] + 0.5 * window[k], all.high[k] - 0.5 * window[k]);
        let middle = 0.5 * (body.low[k] + body.high[k]);
        if low < high { middle.max(low).min(high) } else { 0.5 * (low + high) }
    })
}

/// The mean over a while before and after each moment; the while is shorter near the ends, which so stay where they are.
fn evened(sampled: &SampledMotion, values: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let last = values.len() - 1;
    let (_, duration) = sampled.span().unwrap_or((0.0, 0.0));
    let reach = (CALM * last as f32 / duration.max(1e-3)) as usize;
    let mean = |index: usize| {
        let reach = reach.min(index).min(last - index);
        let near = &values[index - reach..=index + reach];
        std::array::from_fn(|k| near.iter().map(|value| value[k]).sum::<f32>() / near.len() as f32)
    };
    (0..values.len()).map(mean).collect()
}
