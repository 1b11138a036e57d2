//! Samples a timed path into the frames of a clip.

use clamber_model::motion::{ContactSpan, Frame, ModeSpan};
use clamber_model::{Configuration, Motion, Problem};

use crate::contact_projection::ContactProjector;
use crate::error::ClipError;
use crate::knot_path::{KnotPath, clamp_angles, read_row};
use crate::motion_on_knot_grid::{ContactPhase, KnotMotion};
use crate::progress::ProgressReporter;
use crate::time_parameterization::TimeParameterization;
use crate::tuning::{CONTACT_TIME_TOLERANCE, MAX_FRAMES, MIN_FRAME_DISTANCE, SAME_TIME};

/// Samples evenly timed frames, and one more for each frame of a passage, which must be met exactly.
///
/// # Errors
/// When there would be too many frames, or the observer cancels.
pub(crate) fn sample(
    problem: &Problem,
    knot_motion: &KnotMotion,
    path: &KnotPath,
    timing: &TimeParameterization,
    frames_per_second: f32,
    progress: &mut ProgressReporter,
) -> Result<Motion, ClipError> {
    let times = frame_times(knot_motion, timing, frames_per_second)?;
    progress.begin_share_of_rest(0.2, times.len())?;
    let frames = frames(problem, knot_motion, path, timing, &times, progress)?;
    // An effector has arrived by the first frame at or after its contact begins, and has not left by the last frame at or
    // before its contact ends.
    let tolerance = CONTACT_TIME_TOLERANCE / frames_per_second;
    let last = times.len() - 1;
    let frame_after = |knot: usize| {
        if knot + 1 == path.len() {
            return last;
        }
        let time = timing.time_of(knot) - tolerance;
        times.partition_point(|&frame| frame < time).min(last)
    };
    let frame_before = |knot: usize| {
        let after = times.partition_point(|&frame| frame <= timing.time_of(knot) + tolerance);
        if knot + 1 == path.len() { last } else { after.saturating_sub(1) }
    };
    let contact = |span: &ContactSpan| {
        let first = frame_after(span.first_frame);
        ContactSpan { first_frame: first, last_frame: frame_before(span.last_frame).max(first), contact: span.contact }
    };
    // A mode begins before the contacts that outlast its beginning are left, also when that is less than a frame later.
    let mode_begin = |knot: usize| {
        let outlasting = knot_motion.contacts.iter().filter(|span| span.first_frame < knot && knot <= span.last_frame);
        outlasting.map(|span| frame_before(span.last_frame)).fold(frame_after(knot), usize::min)
    };
    let span = |span: &ModeSpan| ModeSpan {
        first_frame: mode_begin(span.first_frame),
        last_frame: mode_begin(span.last_frame),
        mode: span.mode.clone(),
    };
    Ok(Motion {
        character: problem.character.name.clone(),
        frames,
        mode_spans: knot_motion.spans.iter().map(span).collect(),
        contacts: knot_motion.contacts.iter().map(contact).collect(),
        is_clip: true,
        in_equilibrium: knot_motion.in_equilibrium,
    })
}

/// The times of the frames, in seconds. The body rests from the end of the motion to the last frame.
fn frame_times(
    knot_motion: &KnotMotion,
    timing: &TimeParameterization,
    frames_per_second: f32,
) -> Result<Vec<f32>, ClipError> {
    // In double precision, so that every time is the nearest number to n / rate.
    let rate = f64::from(frames_per_second);
    let last = (f64::from(timing.duration()) * rate - f64::from(SAME_TIME)).ceil().max(1.0);
    if last > MAX_FRAMES as f64 {
        return Err(ClipError::TooLong);
    }
    let time = |frame: usize| (frame as f64 / rate) as f32;
    let last = last as usize;
    let met: Vec<f32> = knot_motion.passage_knots.iter().map(|&knot| timing.time_of(knot)).collect();
    // At very high rates, frames are nearer to each other than this.
    let distance = MIN_FRAME_DISTANCE.min((0.5 / rate) as f32);
    let mut next = 0;
    let mut times: Vec<f32> = (0..=last).map(time).collect();
    // The first and the last frame stay: the body rests there.
    let end = time(last);
    times.retain(|&time| {
        while met.get(next).is_some_and(|met| *met <= time - distance) {
            next += 1;
        }
        time == 0.0 || time == end || met.get(next).is_none_or(|met| (met - time).abs() >= distance)
    });
    times.extend(met.into_iter().filter(|met| *met >= distance && *met <= end - distance));
    times.sort_by(f32::total_cmp);
    times.dedup_by(|later, earlier| *later - *earlier < distance);
    Ok(times)
}

/// The frames at these times, on their contacts.
fn frames(
    problem: &Problem,
    knot_motion: &KnotMotion,
    path: &KnotPath,
    timing: &TimeParameterization,
    times: &[f32],
    progress: &mut ProgressReporter,
) -> Result<Vec<Frame>, ClipError> {
    let character = &problem.character;
    let mut configuration = Configuration::rest(character);
    let mut row = Vec::new();
    let mut projector = ContactProjector::new(character);
    let frame = |&time: &f32| {
        progress.step()?;
        let position = timing.knot_at(time);
        path.interpolate(position, &knot_motion.rests, &mut row);
        read_row(&row, &mut configuration);
        clamp_angles(character, &mut configuration);
        match knot_motion.phases.get(knot_motion.phase_at(position)) {
            // Out of its plane a planar character is moved as a whole.
            Some(ContactPhase { is_turn: true, stance, .. }) if stance.len() == 1 => {
                projector.translate(character, &mut configuration, &stance[0]);
            }
            Some(ContactPhase { is_prescribed: false, stance, .. }) => {
                let gait_weight = knot_motion.gait_weights[position as usize];
                projector.project(character, &mut configuration, stance, gait_weight);
            }
            _ => {}
        }
        Ok(Frame { time, configuration: configuration.clone() })
    };
    times.iter().map(frame).collect()
}
