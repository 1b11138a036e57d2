//! The speeds of a sampled motion compared with the character's limits.
//!
//! A path is timed by its knots. Between them it bends, and samples are put back on their contacts, so that a hinge may turn
//! faster than at the knots.

use clamber_model::math::angle_between_rotations;
use clamber_model::{Character, Motion};

use crate::error::ClipError;
use crate::progress::ProgressReporter;
use crate::time_parameterization::TimeParameterization;

/// For each knot, the greatest speed of a hinge or of the root near it, as a fraction of its limit.
///
/// # Errors
/// When the observer cancels.
pub(crate) fn sampled_speeds(
    character: &Character,
    motion: &Motion,
    timing: &TimeParameterization,
    knots: usize,
    progress: &mut ProgressReporter,
) -> Result<Vec<f32>, ClipError> {
    let root_limits = &character.root_motion_limits;
    let mut speeds = vec![0.0f32; knots];
    for (index, pair) in motion.frames.windows(2).enumerate() {
        progress.poll_at(index)?;
        let (from, to) = (&pair[0].configuration, &pair[1].configuration);
        let hinges = from.angles.iter().zip(&to.angles).zip(&character.hinges);
        let moved = (to.root.translation - from.root.translation).abs().max_element() / root_limits.speed;
        let turned = angle_between_rotations(from.root.rotation, to.root.rotation) / root_limits.turn_speed;
        let change =
            hinges.map(|((from, to), hinge)| (to - from).abs() / hinge.max_speed).fold(moved.max(turned), f32::max);
        let speed = change / (pair[1].time - pair[0].time);
        let near = [pair[0].time, pair[1].time].map(|time| timing.knot_at(time));
        let (first, last) = (near[0] as usize, (near[1].ceil() as usize).min(knots - 1));
        speeds[first..=last].iter_mut().for_each(|other| *other = other.max(speed));
    }
    Ok(speeds)
}
