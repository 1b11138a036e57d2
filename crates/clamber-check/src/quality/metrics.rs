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
    #[cfg_attr(feature = "serde", serde(rename = "slip"))]
    pub max_slip_mm: f32,
    /// Smallest distance of a link without contacts from an obstacle, in millimeters, at most 1000; negative inside.
    #[cfg_attr(feature = "serde", serde(rename = "clearance"))]
    pub min_clearance_mm: f32,
    /// The link of the smallest distance; empty if no link is within a meter of an obstacle.
    pub nearest_link: String,
    /// Greatest speed of the root, in meters per second.
    #[cfg_attr(feature = "serde", serde(rename = "top_speed"))]
    pub root_top_speed: f32,
    /// Mean speed of the root, in meters per second.
    #[cfg_attr(feature = "serde", serde(rename = "mean_speed"))]
    pub root_mean_speed: f32,
    /// Root mean square of the root's jerk, in meters per second cubed; `None` if the mode is too short.
    #[cfg_attr(feature = "serde", serde(rename = "jerk"))]
    pub root_jerk_rms: Option<f32>,
    /// Greatest change in the velocity of any body point within 1/120 s, impacts excluded, in meters per second.
    #[cfg_attr(feature = "serde", serde(rename = "jump"))]
    pub velocity_jump: f32,
    /// Time of that change, in seconds.
    #[cfg_attr(feature = "serde", serde(rename = "jump_time"))]
    pub velocity_jump_time: f32,
    /// The link of that point; empty if there is no change.
    #[cfg_attr(feature = "serde", serde(rename = "jump_link"))]
    pub velocity_jump_link: String,
}

/// A motion's metrics compared with those of a reference motion, usually the same plan without smoothing, played evenly in
/// the same time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Comparison {
    /// The metrics of the reference.
    #[cfg_attr(feature = "serde", serde(rename = "against"))]
    pub reference_quality: Quality,
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
    #[cfg_attr(feature = "serde", serde(rename = "jump"))]
    pub velocity_jump: Option<f32>,
}
