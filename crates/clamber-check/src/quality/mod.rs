//! How good a valid motion is: metrics to compare. None of them fails a motion.
//!
//! For each mode: contact slip, clearance, speed and smoothness of the root, and sudden changes of velocity. For walking:
//! gait metrics beside normative data of adults.

mod bearing;
mod retime_evenly;
mod frames_in_mode;
mod contact_slip;
mod clearance;
mod root_speed_and_jerk;
mod velocity_jumps;
mod normative_adult_gait;
mod gait;
mod metrics;
mod quality_table;

pub use bearing::Bearing;
pub use gait::{Gait, GaitMetric};
pub use metrics::{Comparison, ModeQuality, ModeRatios, Quality};
pub use normative_adult_gait::NormativeRange;
pub use retime_evenly::with_evenly_spaced_times;

use clamber_model::{Motion, Problem};

use crate::collision::CollisionScene;
use crate::well_formed;

impl Quality {
    /// Replaces the gait by that of the displayed motion, which has hands and feet: the duty factor depends on when heels and
    /// toes are on the ground. Keeps the gait if that motion is malformed.
    pub fn with_gait_of_motion(self, problem: &Problem, displayed: &Motion) -> Self {
        if !well_formed::measure(problem, displayed).passed {
            return self;
        }
        Self { gait: gait::measure(problem, displayed), ..self }
    }
}

/// Measures the quality of a motion. Returns `None` if it is malformed, which [`check_motion`](crate::check_motion)
/// explains.
pub fn quality(problem: &Problem, motion: &Motion) -> Option<Quality> {
    if !well_formed::measure(problem, motion).passed {
        return None;
    }
    let scene = CollisionScene::new(&problem.world);
    let jumps = velocity_jumps::measure(problem, motion);
    let mut modes: Vec<ModeQuality> = Vec::new();
    for mode in motion.mode_spans.iter().filter(|span| span.first_frame < span.last_frame).map(|span| &span.mode) {
        if modes.iter().any(|known| known.mode == *mode) {
            continue;
        }
        let (clearance, nearest_link) = clearance::measure(problem, &scene, motion, mode);
        let root = root_speed_and_jerk::measure(motion, mode);
        let jump = velocity_jumps::of_mode(&jumps, motion, mode);
        let velocity_jump_link =
            if jump.change > 0.0 { problem.character.links[jump.link].name.clone() } else { String::new() };
        modes.push(ModeQuality {
            mode: mode.clone(),
            seconds: root.seconds,
            max_slip_mm: 1e3 * contact_slip::measure(problem, motion, mode),
            min_clearance_mm: 1e3 * clearance,
            nearest_link,
            root_top_speed: root.top_speed,
            root_mean_speed: root.mean_speed,
            root_jerk_rms: root.jerk,
            velocity_jump: jump.change,
            velocity_jump_time: jump.time,
            velocity_jump_link,
        });
    }
    Some(Quality { modes, gait: gait::measure(problem, motion) })
}

/// Measures how the body carries itself in a motion. Returns `None` if the motion is malformed, is shorter than 1/60 s or longer than
/// four hours, or the character has no mode table.
pub fn bearing(problem: &Problem, motion: &Motion) -> Option<Bearing> {
    if well_formed::measure(problem, motion).passed { bearing::measure(problem, motion) } else { None }
}

/// Compares a motion's quality with that of a reference motion, played evenly over `duration` seconds. Returns `None` if the
/// reference is malformed.
pub fn compare_with_reference(
    problem: &Problem,
    this: &Quality,
    duration: f32,
    reference: &Motion,
) -> Option<Comparison> {
    let reference = quality(problem, &with_evenly_spaced_times(reference, duration))?;
    let ratio = |a: f32, b: f32| (b > 0.0).then(|| a / b);
    let ratios = this.modes.iter().filter_map(|this| {
        let other = reference.modes.iter().find(|other| other.mode == this.mode)?;
        Some(ModeRatios {
            mode: this.mode.clone(),
            jerk: this.root_jerk_rms.zip(other.root_jerk_rms).and_then(|(a, b)| ratio(a, b)),
            slip: ratio(this.max_slip_mm, other.max_slip_mm),
            top_speed: ratio(this.root_top_speed, other.root_top_speed),
            velocity_jump: ratio(this.velocity_jump, other.velocity_jump),
        })
    });
    Some(Comparison { ratios: ratios.collect(), reference_quality: reference })
}
