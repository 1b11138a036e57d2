//! Drawing options.

use crate::camera::View;

/// Frames per second of an animation by default.
const FRAMES_PER_SECOND: f32 = 25.0;

/// Range of [`DrawSettings::frames_per_second`].
const RATE_LIMITS: [f32; 2] = [1.0, 50.0];

/// Range of [`DrawSettings::width`], in pixels.
const WIDTH_LIMITS: [u32; 2] = [64, 4096];

/// Drawing options. Start from the default and change fields:
///
/// ```
/// let mut settings = clamber_draw::DrawSettings::default();
/// settings.width = Some(1200);
/// settings.show_obstacle_names = true;
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DrawSettings {
    /// Viewing direction. Default `None`: from the right for planar characters; for free ones a raised oblique view in
    /// which the motion goes from left to right.
    pub view: Option<View>,
    /// Width of the picture in pixels, clamped to 64 to 4096; the height follows from the content. Default `None`: 1600
    /// for a pose overlay or a contact timeline, 1200 for a close-up, 560 for an animation.
    pub width: Option<u32>,
    /// Number of poses in a pose overlay or a contact timeline, clamped to 1 to 200. Default `None`: in a pose overlay
    /// as many as fit beside each other and at least one per mode, or one per contact with `poses_at_contacts`; in a
    /// contact timeline about one every two seconds.
    pub pose_count: Option<usize>,
    /// Whether a pose overlay or a contact timeline shows the poses in which contacts begin, instead of poses spread
    /// along the path or over time. Ignored for a motion without contacts. Default false.
    pub poses_at_contacts: bool,
    /// Whether holds are marked. Default true.
    pub show_holds: bool,
    /// Whether obstacles are labeled with their names. Default false.
    pub show_obstacle_names: bool,
    /// First time to show, in seconds. Default `None`: the start of the motion.
    pub start_time: Option<f32>,
    /// Last time to show, in seconds. Default `None`: the end of the motion.
    pub end_time: Option<f32>,
    /// Whether an animation of a long path follows the body instead of showing the whole path at once. Only affects
    /// planar scenes seen from the side. Default true.
    pub follow: bool,
    /// Frames per second of an animation, clamped to 1 to 50 and rounded so that each frame lasts whole hundredths of a
    /// second. Default 25.
    pub frames_per_second: f32,
}

impl Default for DrawSettings {
    fn default() -> Self {
        Self {
            view: None,
            width: None,
            pose_count: None,
            poses_at_contacts: false,
            show_holds: true,
            show_obstacle_names: false,
            start_time: None,
            end_time: None,
            follow: true,
            frames_per_second: FRAMES_PER_SECOND,
        }
    }
}

impl DrawSettings {
    /// Returns the width within its limits, in pixels.
    pub(crate) fn width_or(&self, default: u32) -> u32 {
        self.width.unwrap_or(default).clamp(WIDTH_LIMITS[0], WIDTH_LIMITS[1])
    }

    /// Returns the frame rate within its limits; the default rate if it is not finite.
    pub(crate) fn frame_rate(&self) -> f32 {
        let rate = self.frames_per_second;
        if rate.is_finite() { rate.clamp(RATE_LIMITS[0], RATE_LIMITS[1]) } else { FRAMES_PER_SECOND }
    }
}
