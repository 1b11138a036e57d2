//! How good a valid motion is: metrics to compare. None of them fails a motion.
//!
//! For each mode: contact slip, clearance, speed and smoothness of the root, and sudden changes of velocity. For walking:
//! gait metrics beside normative data of adults.

mod retime_evenly;
mod mode_filter;
mod contact_slip;
mod clearance;
mod root_motion;
mod velocity_jumps;
mod adult_gait;
mod gait;
mod metrics;
mod display;

pub use adult_gait::NormativeRange;
pub use gait::{Gait, GaitMetric};
pub use metrics::{Comparison, ModeQuality, ModeRatios, Quality};
pub use retime_evenly::retimed_evenly;

use clamber_model::{Motion, Problem};

use crate::well_formed;

impl Quality {
    /// Replaces the gait by that of the displayed motion, which has hands and feet: the duty factor depends on when heels and
    /// toes are on the ground. Keeps the gait if that motion is malformed.
    pub fn with_gait_of(self, problem: &Problem, displayed: &Motion) -> Self {
        if !well_formed::measure(problem, displayed).passed {
            return self;
        }
        Self { gait: gait::measure(problem, displayed), ..self }
    }
}

/// Measures the quality of a motion. Returns `None` if it is malformed, which [`check`](crate::check) explains.
pub fn quality(problem: &Problem, motion: &Motion) -> Option<Quality> {
    if !well_formed::measure(problem, motion).passed {
        return None;
    }
    let jumps = velocity_jumps::measure(problem, motion);
    let mut modes: Vec<ModeQuality> = Vec::new();
    for mode in motion.spans.iter().filter(|span| span.first < span.last).map(|span| &span.mode) {
        if modes.iter().any(|known| known.mode == *mode) {
            continue;
        }
        let (clearance, nearest_link) = clearance::measure(problem, motion, mode);
        let root = root_motion::measure(motion, mode);
        let jump = velocity_jumps::of_mode(&jumps, motion, mode);
        let jump_link = if jump.change > 0.0 { problem.character.links[jump.link].name.clone() } else { String::new() };
        modes.push(ModeQuality {
            mode: mode.clone(),
            seconds: root.seconds,
            slip: 1e3 * contact_slip::measure(problem, motion, mode),
            clearance: 1e3 * clearance,
            nearest_link,
            top_speed: root.top_speed,
            mean_speed: root.mean_speed,
            jerk: root.jerk,
            jump: jump.change,
            jump_time: jump.time,
            jump_link,
        });
    }
    Some(Quality { modes, gait: gait::measure(problem, motion) })
}

/// Compares a motion's quality with that of a reference motion, played evenly over `duration` seconds. Returns `None` if the
/// reference is malformed.
pub fn compare(problem: &Problem, this: &Quality, duration: f32, reference: &Motion) -> Option<Comparison> {
    let against = quality(problem, &retimed_evenly(reference, duration))?;
    let ratio = |a: f32, b: f32| (b > 0.0).then(|| a / b);
    let ratios = this.modes.iter().filter_map(|this| {
        let reference = against.modes.iter().find(|reference| reference.mode == this.mode)?;
        Some(ModeRatios {
            mode: this.mode.clone(),
            jerk: this.jerk.zip(reference.jerk).and_then(|(a, b)| ratio(a, b)),
            slip: ratio(this.slip, reference.slip),
            top_speed: ratio(this.top_speed, reference.top_speed),
            jump: ratio(this.jump, reference.jump),
        })
    });
    Some(Comparison { ratios: ratios.collect(), against })
}
