//! How good a valid motion is: figures to compare, none of which fails it.
//!
//! For each mode, how contacts slip, how near to obstacles it goes, how smoothly the hips travel and how suddenly anything
//! changes its speed; and of walking what is measured of people, beside what is published of them.

mod retime;
mod hips;
mod jumps;
mod touch;
mod adults;
mod gait;
mod table;

pub use adults::Published;
pub use gait::{Gait, GaitFigure};
pub use retime::retimed_evenly;

use clamber_model::{Motion, Problem};
use serde::Serialize;

use crate::form;

/// The figures of a motion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quality {
    /// A mode each, in the order of their appearance.
    pub modes: Vec<ModeQuality>,
    /// Of all spans of walking together.
    pub gait: Gait,
}

/// The figures of a motion while it is in one mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModeQuality {
    /// The mode's name.
    pub mode: String,
    /// How long the motion is in it.
    pub seconds: f32,
    /// The farthest that an effector's centre is from where its contact keeps it, in millimetres.
    pub slip: f32,
    /// The least distance from an obstacle of links that hold on to nothing, in millimetres, and up to a metre; negative is
    /// inside.
    pub clearance: f32,
    /// The link of which this is.
    pub nearest_link: String,
    /// The greatest speed of the hips (the first link's joint), in metres a second.
    pub top_speed: f32,
    /// The way of the hips by its time, in metres a second.
    pub mean_speed: f32,
    /// The root of the mean square of the hips' jerk, in metres a second cubed; `None` of what is too short.
    pub jerk: Option<f32>,
    /// The greatest change of the velocity of any point of the body from one 1/120 s to the next, but for impacts, in metres a
    /// second.
    pub jump: f32,
    /// When that is, in seconds.
    pub jump_time: f32,
    /// The link that the point is of; empty where there is no jump.
    pub jump_link: String,
}

/// A motion's figures beside those of another one, played evenly in the same time: mostly the same plan, without what makes it
/// smooth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The figures of the other one.
    pub against: Quality,
    /// For each mode of both, its name and how many times as much of each figure the motion has as the other one.
    pub ratios: Vec<Ratios>,
}

/// How many times as much of each figure a motion has as another one; `None` where the other one has none of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratios {
    /// The mode's name.
    pub mode: String,
    /// Of the jerk of the hips.
    pub jerk: Option<f32>,
    /// Of the slip of contacts.
    pub slip: Option<f32>,
    /// Of the top speed of the hips.
    pub top_speed: Option<f32>,
    /// Of the greatest change of velocity.
    pub jump: Option<f32>,
}

impl Quality {
    /// With the gait of the motion as it is shown, with hands and feet: what of a foot is on the ground can only be told of one
    /// that is there. The gait stays as it was where that motion is malformed.
    pub fn with_gait_of(self, problem: &Problem, shown: &Motion) -> Self {
        if !form::measure(problem, shown).passed {
            return self;
        }
        Self { gait: gait::measure(problem, shown), ..self }
    }
}

/// Measures how good a motion is; `None` where it is malformed, which [`check`](crate::check) says more about.
pub fn quality(problem: &Problem, motion: &Motion) -> Option<Quality> {
    if !form::measure(problem, motion).passed {
        return None;
    }
    let jumps = jumps::measure(problem, motion);
    let mut modes: Vec<ModeQuality> = Vec::new();
    for mode in motion.spans.iter().filter(|span| span.first < span.last).map(|span| &span.mode) {
        if modes.iter().any(|known| known.mode == *mode) {
            continue;
        }
        let (clearance, nearest_link) = touch::clearance(problem, motion, mode);
        let hips = hips::measure(motion, mode);
        let jump = jumps::of_mode(&jumps, motion, mode);
        let jump_link = if jump.change > 0.0 { problem.character.links[jump.link].name.clone() } else { String::new() };
        modes.push(ModeQuality {
            mode: mode.clone(),
            seconds: hips.seconds,
            slip: 1e3 * touch::slip(problem, motion, mode),
            clearance: 1e3 * clearance,
            nearest_link,
            top_speed: hips.top_speed,
            mean_speed: hips.mean_speed,
            jerk: hips.jerk,
            jump: jump.change,
            jump_time: jump.time,
            jump_link,
        });
    }
    Some(Quality { modes, gait: gait::measure(problem, motion) })
}

/// Measures another motion, played evenly in the same time, and compares; `None` where that one is malformed.
pub fn compare(problem: &Problem, this: &Quality, duration: f32, other: &Motion) -> Option<Comparison> {
    let against = quality(problem, &retimed_evenly(other, duration))?;
    let ratio = |a: f32, b: f32| (b > 0.0).then(|| a / b);
    let ratios = this.modes.iter().filter_map(|mine| {
        let other = against.modes.iter().find(|other| other.mode == mine.mode)?;
        Some(Ratios {
            mode: mine.mode.clone(),
            jerk: mine.jerk.zip(other.jerk).and_then(|(a, b)| ratio(a, b)),
            slip: ratio(mine.slip, other.slip),
            top_speed: ratio(mine.top_speed, other.top_speed),
            jump: ratio(mine.jump, other.jump),
        })
    });
    Some(Comparison { ratios: ratios.collect(), against })
}
