//! What may be chosen about a picture.

use crate::camera::View;

const FRAMES_PER_SECOND: f32 = 25.0;

/// How a motion is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawSettings {
    /// From where it is seen. Default `None`: from the right for planar characters, for free ones a raised oblique
    /// view in which the motion goes from left to right.
    pub view: Option<View>,
    /// The width of the picture in pixels, taken into 64 to 4096; the height follows from what is shown. Default
    /// `None`: 1600 for a filmstrip or a contact sheet, 560 for an animation.
    pub width: Option<u32>,
    /// How many poses a filmstrip or a contact sheet shows, taken into 1 to 200; an animation does not ask. Default
    /// `None`: in a filmstrip as many as fit beside each other, and one of each mode, or with `at_contacts` all of
    /// those; in a contact sheet one every two seconds or so.
    pub poses: Option<usize>,
    /// Whether a filmstrip or a contact sheet shows the moments at which contacts begin, rather than poses spread along
    /// the way or over time; a motion without contacts is not asked. Default false.
    pub at_contacts: bool,
    /// Whether holds are marked. Default true.
    pub holds: bool,
    /// Whether obstacles are named. Default false.
    pub labels: bool,
    /// The first moment that is shown, in seconds. Default `None`: the motion's beginning.
    pub from: Option<f32>,
    /// The last moment that is shown, in seconds. Default `None`: the motion's end.
    pub to: Option<f32>,
    /// Whether an animation of a long way goes along with the body, rather than to show all of the way at once; only
    /// planar scenes that are seen from their side ask. Default true.
    pub follow: bool,
    /// Pictures a second of an animation, taken into 1 to 50, and to where each stays for whole hundredths of a second;
    /// still pictures do not ask. Default 25.
    pub frames_per_second: f32,
}

impl Default for DrawSettings {
    fn default() -> Self {
        Self {
            view: None,
            width: None,
            poses: None,
            at_contacts: false,
            holds: true,
            labels: false,
            from: None,
            to: None,
            follow: true,
            frames_per_second: FRAMES_PER_SECOND,
        }
    }
}

impl DrawSettings {
    /// The width within its limits.
    pub(crate) fn width_or(&self, default: u32) -> u32 {
        self.width.unwrap_or(default).clamp(64, 4096)
    }

    /// The rate within its limits; nonsense is the default.
    pub(crate) fn rate(&self) -> f32 {
        if self.frames_per_second.is_finite() { self.frames_per_second.clamp(1.0, 50.0) } else { FRAMES_PER_SECOND }
    }
}
