//! The metrics of a motion and their comparison, as data.

use super::gait::Gait;

/// The quality metrics of a motion.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Quality {
    /// One entry per mode, in the order of first appearance.
    pub modes: Vec<ModeQuality>,
    /// The gait of all spans of walking.
    pub gait: Gait,
}

/// The quality metrics of a motion in one mode.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ModeQuality {
    /// The mode's name.
    pub mode: String,
    /// Time spent in the mode.
    pub seconds: f32,
    /// Largest distance of an effector's center from the position that its contact fixes, in millimeters.
    pub slip: f32,
    /// Smallest distance of a link without contacts from an obstacle, in millimeters, at most 1000; negative inside.
    pub clearance: f32,
    /// The link of the smallest distance; empty if no link is within a meter of an obstacle.
    pub nearest_link: String,
    /// Greatest speed of the root, in meters per second.
    pub top_speed: f32,
    /// Mean speed of the root, in meters per second.
    pub mean_speed: f32,
    /// Root mean square of the root's jerk, in meters per second cubed; `None` if the mode is too short.
    pub jerk: Option<f32>,
    /// Greatest change in the velocity of any body point within 1/120 s, impacts excluded, in meters per second.
    pub jump: f32,
    /// Time of that change, in seconds.
    pub jump_time: f32,
    /// The link of that point; empty if there is no change.
    pub jump_link: String,
}

/// A motion's metrics compared with those of a reference motion, usually the same plan without smoothing, played evenly in
/// the same time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Comparison {
    /// The metrics of the reference.
    pub against: Quality,
    /// One entry per mode that both motions have.
    pub ratios: Vec<ModeRatios>,
}

/// The ratios of a motion's metrics to the reference's in one mode; `None` if the reference's metric is zero.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ModeRatios {
    /// The mode's name.
    pub mode: String,
    /// Ratio of the root's jerk.
    pub jerk: Option<f32>,
    /// Ratio of contact slip.
    pub slip: Option<f32>,
    /// Ratio of the root's top speed.
    pub top_speed: Option<f32>,
    /// Ratio of the greatest change of velocity.
    pub jump: Option<f32>,
}
