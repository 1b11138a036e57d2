//! Turns a planned motion, a valid sequence of poses, into a clip.
//!
//! The motion is laid out on a grid of knots, even in the time of its natural pace ([`KnotMotion`]). There it gets a gait where it
//! walks ([`add_gait`]) and a smooth path ([`PathSmoother`]); then it is timed within the character's limits
//! ([`TimeParameterization`]) and sampled. Passages and turns are not changed: they must be met to the millimeter, so the body
//! rests before and after them and at their corners.
//!
//! In the end the timed motion is checked for collisions and, if the given motion keeps it, equilibrium. Where one fails, the smoothing is reduced once more, and at last
//! the gait is left out, and in space the swing of limbs that carry nothing.

use clamber_model::character::RootJoint;
use clamber_model::motion::Frame;
use clamber_model::obstacle_collision::{CollisionWorkspace, is_free};
use clamber_model::self_collision::is_free_on_checked_path;
use clamber_model::{Configuration, Motion, Problem};

use crate::body_units::BodyScale;
use crate::counter_swing::add_counter_swing;
use crate::error::ClipError;
use crate::knot_path::KnotPath;
use crate::lost_equilibrium::frames_out_of_equilibrium;
use crate::motion_on_knot_grid::KnotMotion;
use crate::progress::{ClipObserver, ProgressReporter, ignore_progress};
use crate::sample_clip_frames::sample;
use crate::sampled_speed_ratios::sampled_speeds;
use crate::settings::ClipSettings;
use crate::smoothing::PathSmoother;
use crate::speed_and_acceleration_limits::BindingLimit;
use crate::time_parameterization::TimeParameterization;
use crate::tuning::{
    CHECKS_PER_KNOT, CONTACT_TIME_TOLERANCE, CORNER_SLOWDOWN, FAST_TURN, INTERPOLATED_ACCELERATION, KNOT_INTERVAL,
    LATE_SLOWDOWN, MAX_CAUTION_REACH, MAX_CAUTION_ROUNDS, MAX_FRAME_CHECKS, MAX_FRAME_TRAVEL, MAX_HANDOVER_SPEED,
    MAX_PENETRATION, MAX_SAMPLED_SPEED, SAMPLED_SLOWDOWNS,
};
use crate::validate_settings::check_settings;
use crate::walking_gait::add_gait;

/// A refined motion.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Clip {
    /// The motion: smooth, timed, and with a frame at every multiple of the frame interval; the last frame is one of them.
    /// Frames of passages, which are met exactly, come in addition.
    pub motion: Motion,
    /// The fraction of the clip, from 0 to 1, where smoothing was reduced because of obstacles or limits.
    pub reduced_smoothing_fraction: f32,
    /// The duration that the requested speed alone would give, in seconds: without limits and without rests.
    pub duration_without_limits: f32,
    /// The limit that costs most time, compared with the requested duration.
    pub binding_limit: Option<BindingLimit>,
}

/// Turns a valid motion into a clip with the same contacts in the same order. The clip keeps static equilibrium if the motion
/// does.
///
/// A motion of one frame is returned unchanged.
///
/// # Errors
/// When a setting is out of range, the motion is a clip already or does not belong to the problem's character and world, or
/// the clip would be too long.
pub fn refine(problem: &Problem, motion: &Motion, settings: &ClipSettings) -> Result<Clip, ClipError> {
    refine_with_progress(problem, motion, settings, &mut ignore_progress)
}

/// Like [`refine`], and reports progress. The observer cancels by returning
/// [`ControlFlow::Break`](std::ops::ControlFlow::Break).
///
/// # Errors
/// Those of [`refine`], and [`ClipError::Cancelled`].
pub fn refine_with_progress(
    problem: &Problem,
    motion: &Motion,
    settings: &ClipSettings,
    observer: &mut ClipObserver,
) -> Result<Clip, ClipError> {
    check_settings(settings)?;
    problem.validate()?;
    motion.validate(&problem.character, &problem.world)?;
    check_frame_distances(problem, motion)?;
    if motion.is_clip {
        return Err(ClipError::AlreadyRefined);
    }
    if motion.frames.len() < 2 {
        return Ok(Clip {
            motion: motion.clone(),
            reduced_smoothing_fraction: 0.0,
            duration_without_limits: 0.0,
            binding_limit: None,
        });
    }
    let progress = &mut ProgressReporter::new(observer);
    let mut cautious = vec![!settings.add_gait; motion.frames.len()];
    // Steps for which the gait is not valid, over a stone or down an edge, are taken cautiously.
    let mut swings = Swings::Added;
    let mut knot_motion = knot_motion_with_gait(problem, motion, settings, (&cautious, swings), progress)?;
    if knot_motion.gait_rejected.contains(&true) {
        for (cautious, &knot) in cautious.iter_mut().zip(&knot_motion.arrivals) {
            *cautious |= knot_motion.gait_rejected[knot];
        }
        knot_motion = knot_motion_with_gait(problem, motion, settings, (&cautious, swings), progress)?;
    }
    let mut rounds = 1;
    loop {
        let (clip, failing) = smooth_and_time(problem, &knot_motion, settings, progress)?;
        let goes_on =
            !failing.is_empty() && rounds < MAX_CAUTION_ROUNDS && mark_cautious(&knot_motion, &failing, &mut cautious);
        if !goes_on {
            // A limb that swings alone, its counterpart being in the way, moves the center of mass.
            if failing.is_empty() || swings == Swings::LeftOut || problem.character.root_joint == RootJoint::Planar {
                progress.finish()?;
                return Ok(clip);
            }
            (swings, rounds) = (Swings::LeftOut, 0);
        }
        knot_motion = knot_motion_with_gait(problem, motion, settings, (&cautious, swings), progress)?;
        rounds += 1;
    }
}

/// Refuses motions that jump: the work of refining grows with the path, not with the frames.
fn check_frame_distances(problem: &Problem, motion: &Motion) -> Result<(), ClipError> {
    let limit = MAX_FRAME_TRAVEL * problem.character.body_size();
    let is_too_far = |pair: &[Frame]| {
        let [from, to] = [&pair[0].configuration, &pair[1].configuration];
        let mut angles = from.angles.iter().zip(&to.angles);
        (to.root.translation - from.root.translation).length() > limit
            || angles.any(|(from, to)| (to - from).abs() > MAX_FRAME_TRAVEL)
    };
    if motion.frames.windows(2).any(is_too_far) { Err(ClipError::TooLong) } else { Ok(()) }
}

/// Whether limbs that carry nothing swing against those that step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Swings {
    Added,
    LeftOut,
}

/// Lays out the motion, with a gait where it walks and is not cautious.
fn knot_motion_with_gait(
    problem: &Problem,
    motion: &Motion,
    settings: &ClipSettings,
    (cautious, swings): (&[bool], Swings),
    progress: &mut ProgressReporter,
) -> Result<KnotMotion, ClipError> {
    // At least one frame has both contacts of a handover, or there would be no support between two frames. At least one has the
    // balanced posture in which a contact is released.
    let fastest = settings.speed_curve.iter().map(|(_, speed)| *speed).fold(1.0, f32::max).min(MAX_HANDOVER_SPEED);
    let interval = KNOT_INTERVAL * BodyScale::of(&problem.character).time;
    let knots_per_frame = (fastest / (interval * settings.frames_per_second) - CONTACT_TIME_TOLERANCE).ceil() as usize;
    let mut knot_motion = KnotMotion::new(problem, motion, cautious, knots_per_frame, progress)?;
    add_gait(problem, &mut knot_motion, settings, progress)?;
    if swings == Swings::Added {
        add_counter_swing(problem, &mut knot_motion, settings, progress)?;
    }
    Ok(knot_motion)
}

/// Marks the steps around some knots as cautious, farther away if all near ones are already: a gait fades in and out over more than one
/// step. Returns false if it finds none.
fn mark_cautious(knot_motion: &KnotMotion, knots: &[usize], cautious: &mut [bool]) -> bool {
    (1..=MAX_CAUTION_REACH).any(|reach| mark_cautious_within(reach, knot_motion, knots, cautious))
}

/// Marks the steps up to some contact phases away. Returns false if all of them are cautious already.
fn mark_cautious_within(reach: usize, knot_motion: &KnotMotion, knots: &[usize], cautious: &mut [bool]) -> bool {
    let mut changed = false;
    for &knot in knots {
        let phase = knot_motion.phase_at(knot as f32);
        let around =
            &knot_motion.phases[phase.saturating_sub(reach)..(phase + reach + 1).min(knot_motion.phases.len())];
        let [Some(first), Some(last)] = [around.first(), around.last()] else { continue };
        let from = knot_motion.arrivals.partition_point(|&arrival| arrival < first.first);
        let to = knot_motion.arrivals.partition_point(|&arrival| arrival <= last.last);
        for cautious in &mut cautious[from..to] {
            changed |= !*cautious;
            *cautious = true;
        }
    }
    changed
}

/// Smooths, times and samples a motion on the grid of knots. Returns the clip and the knots at which it still fails.
fn smooth_and_time(
    problem: &Problem,
    knot_motion: &KnotMotion,
    settings: &ClipSettings,
    progress: &mut ProgressReporter,
) -> Result<(Clip, Vec<usize>), ClipError> {
    let mut smoother = PathSmoother::new(problem, knot_motion, settings, progress)?;
    let check_rate = check_rate(problem);
    let mut slowdowns = vec![1.0; knot_motion.path.len()];
    let mut checks = 0;
    loop {
        let path = smoother.path();
        // Clips of all frame rates are checked at one rate, so that they have the same shape.
        let (timing, dense) = time_and_sample(problem, knot_motion, path, settings, &mut slowdowns, progress)?;
        let motion = sample(problem, knot_motion, path, &timing, settings.frames_per_second, progress)?;
        let mut failing = colliding_knots(problem, knot_motion, &dense, &timing, progress)?;
        failing.extend(unbalanced_knots(problem, knot_motion, &dense, &timing, progress)?);
        failing.sort_unstable();
        failing.dedup();
        let (mut cut, mut late) = (Vec::new(), Vec::new());
        if settings.frames_per_second < check_rate {
            cut.extend(knots_of_cut_corners(problem, knot_motion, &motion, &timing, progress)?);
            // The frames that a contact begins and ends with may be well after its begin and before its end.
            let unbalanced = unbalanced_knots(problem, knot_motion, &motion, &timing, progress)?;
            late.extend(unbalanced.into_iter().filter(|knot| failing.binary_search(knot).is_err()));
        }
        checks += 1;
        if checks == MAX_FRAME_CHECKS || failing.is_empty() && cut.is_empty() && late.is_empty() {
            let clip = Clip {
                motion,
                reduced_smoothing_fraction: smoother.narrowed_fraction(),
                duration_without_limits: timing.requested_duration,
                binding_limit: timing.binding_limit,
            };
            failing.extend(cut);
            failing.extend(late);
            return Ok((clip, failing));
        }
        let checks_per_frame = check_rate / settings.frames_per_second;
        slow_down_around(&cut, checks_per_frame, CORNER_SLOWDOWN, &mut slowdowns);
        slow_down_around(&late, checks_per_frame, LATE_SLOWDOWN, &mut slowdowns);
        smoother.reduce_at(&failing, progress)?;
    }
}

/// Slows down by a factor within a frame interval of some knots. The error of interpolation falls with the square of the speed, and
/// what the body moves between a contact's end and its last frame with the speed.
fn slow_down_around(knots: &[usize], checks_per_frame: f32, factor: f32, slowdowns: &mut [f32]) {
    let reach = (checks_per_frame / CHECKS_PER_KNOT).ceil() as usize;
    let mut is_slow = vec![false; slowdowns.len()];
    for &knot in knots {
        let end = (knot + reach + 1).min(is_slow.len());
        is_slow[knot.saturating_sub(reach).min(end)..end].fill(true);
    }
    for (slowdown, _) in slowdowns.iter_mut().zip(is_slow).filter(|(_, is_slow)| *is_slow) {
        *slowdown *= factor;
    }
}

/// The rate at which clips of all frame rates are checked, per second.
fn check_rate(problem: &Problem) -> f32 {
    CHECKS_PER_KNOT / (KNOT_INTERVAL * BodyScale::of(&problem.character).time)
}

/// Times a path within the speed limits and samples it at the rate of checks. Where the samples are faster than the limits, adds to the slowdowns of the
/// knots and starts again.
fn time_and_sample(
    problem: &Problem,
    knot_motion: &KnotMotion,
    path: &KnotPath,
    settings: &ClipSettings,
    slowdowns: &mut [f32],
    progress: &mut ProgressReporter,
) -> Result<(TimeParameterization, Motion), ClipError> {
    let mut rounds = 0;
    loop {
        let (character, rests) = (&problem.character, &knot_motion.rests);
        let timing = TimeParameterization::new(character, path, rests, settings, slowdowns, progress)?;
        let motion = sample(problem, knot_motion, path, &timing, check_rate(problem), progress)?;
        let speeds = sampled_speeds(character, &motion, &timing, path.len(), progress)?;
        if rounds == SAMPLED_SLOWDOWNS || speeds.iter().all(|speed| *speed <= MAX_SAMPLED_SPEED) {
            return Ok((timing, motion));
        }
        for (slowdown, speed) in slowdowns.iter_mut().zip(speeds) {
            *slowdown *= (speed / MAX_SAMPLED_SPEED).max(1.0);
        }
        rounds += 1;
    }
}

/// The knots near frames that collide, or between fast frames that collide halfway: between knots the path bends, and between
/// frames corners are cut.
fn colliding_knots(
    problem: &Problem,
    knot_motion: &KnotMotion,
    clip: &Motion,
    timing: &TimeParameterization,
    progress: &mut ProgressReporter,
) -> Result<Vec<usize>, ClipError> {
    progress.begin_share_of_rest(0.5, clip.frames.len())?;
    let mut collision = CollisionWorkspace::default();
    let Problem { world, character, .. } = problem;
    let margin = -MAX_PENETRATION * BodyScale::of(character).length - world.contact_tolerance;
    let mut collides = |at: &Configuration| {
        !is_free(world, character, at, margin, &mut collision)
            || !is_free_on_checked_path(character, at, &mut collision.self_collision)
    };
    let mut middle = Configuration::rest(character);
    let mut knots = Vec::new();
    for (index, frame) in clip.frames.iter().enumerate() {
        progress.step()?;
        let next = &clip.frames[(index + 1).min(clip.frames.len() - 1)];
        let (here, there) = (&frame.configuration, &next.configuration);
        let is_colliding = collides(here)
            || greatest_turn(here, there) > FAST_TURN && {
                middle.interpolate(here, there, 0.5);
                collides(&middle)
            };
        let knot = timing.knot_at(frame.time) as usize;
        if is_colliding && !is_prescribed(knot_motion, knot) {
            knots.push(knot);
        }
    }
    knots.dedup();
    Ok(knots)
}

/// The knots near frames that are out of equilibrium, though the motion claims it.
fn unbalanced_knots(
    problem: &Problem,
    knot_motion: &KnotMotion,
    clip: &Motion,
    timing: &TimeParameterization,
    progress: &mut ProgressReporter,
) -> Result<Vec<usize>, ClipError> {
    if !knot_motion.in_equilibrium {
        return Ok(Vec::new());
    }
    progress.begin_share_of_rest(0.5, clip.frames.len())?;
    let frames = frames_out_of_equilibrium(problem, clip, progress)?;
    let knots = frames.into_iter().map(|frame| timing.knot_at(clip.frames[frame].time) as usize);
    let mut knots: Vec<usize> = knots.filter(|knot| !is_prescribed(knot_motion, *knot)).collect();
    knots.dedup();
    Ok(knots)
}

/// The knots near which interpolation between sparse frames collides, by more than the checker tolerates between frames.
fn knots_of_cut_corners(
    problem: &Problem,
    knot_motion: &KnotMotion,
    clip: &Motion,
    timing: &TimeParameterization,
    progress: &mut ProgressReporter,
) -> Result<Vec<usize>, ClipError> {
    let check_rate = check_rate(problem);
    progress.begin_share_of_rest(0.5, (clip.duration() * check_rate) as usize)?;
    let mut collision = CollisionWorkspace::default();
    let Problem { world, character, .. } = problem;
    let scale = BodyScale::of(character);
    let mut between = Configuration::rest(character);
    let mut knots = Vec::new();
    for pair in clip.frames.windows(2) {
        let seconds = pair[1].time - pair[0].time;
        let tolerance =
            INTERPOLATED_ACCELERATION * scale.length * (seconds / scale.time) * (seconds / scale.time) / 8.0;
        let margin = -MAX_PENETRATION * scale.length - tolerance;
        let turn = greatest_turn(&pair[0].configuration, &pair[1].configuration);
        let count = (seconds * check_rate).max(turn / FAST_TURN).ceil() as usize;
        for part in 1..count {
            progress.step()?;
            let fraction = part as f32 / count as f32;
            between.interpolate(&pair[0].configuration, &pair[1].configuration, fraction);
            let knot = timing.knot_at(pair[0].time + fraction * seconds) as usize;
            if !is_prescribed(knot_motion, knot) && !is_free(world, character, &between, margin, &mut collision) {
                knots.push(knot);
            }
        }
    }
    Ok(knots)
}

/// The greatest angle by which a hinge turns, in radians.
fn greatest_turn(from: &Configuration, to: &Configuration) -> f32 {
    from.angles.iter().zip(&to.angles).map(|(from, to)| (to - from).abs()).fold(0.0, f32::max)
}

/// Whether a knot belongs to a passage or a turn.
fn is_prescribed(knot_motion: &KnotMotion, knot: usize) -> bool {
    let phase = knot_motion.phases.get(knot_motion.phase_at(knot as f32));
    phase.is_none_or(|phase| phase.is_prescribed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::motion::{ModeSpan, TURNING_MODE};
    use clamber_testing::on_ground;

    /// The figure floats along x in frames that take these modes in turn.
    fn floating(problem: &Problem, spans: &[(usize, &str)]) -> Motion {
        let configuration = |frame: usize| {
            let mut configuration = problem.start.configuration.clone();
            configuration.root.translation.x += 0.1 * frame as f32;
            configuration.root.translation.y += 0.5;
            configuration
        };
        let frames = (0..=10).map(configuration).collect();
        let mut motion = Motion::from_configurations(&problem.character.name, "flying", frames, 30.0);
        let mut first = 0;
        let span = |(last, mode): &(usize, &str)| ModeSpan {
            first_frame: std::mem::replace(&mut first, *last),
            last_frame: *last,
            mode: (*mode).to_owned(),
        };
        motion.mode_spans = spans.iter().map(span).collect();
        motion
    }

    #[test]
    fn a_clip_begins_and_ends_where_the_motion_does() {
        let problem = on_ground(Vec::new());
        let motion = floating(&problem, &[(10, "flying")]);
        let clip = refine(&problem, &motion, &ClipSettings::default()).unwrap();
        let [first, last] = [clip.motion.frames.first(), clip.motion.frames.last()].map(|frame| frame.unwrap());
        for (frame, planned) in [(first, &motion.frames[0]), (last, &motion.frames[10])] {
            let (here, there) = (frame.configuration.root.translation, planned.configuration.root.translation);
            assert!((here - there).length() < 1e-4, "{here} {there}");
        }
        assert_eq!(clip.reduced_smoothing_fraction, 0.0);
    }

    #[test]
    fn turns_of_a_single_frame_are_accepted() {
        let problem = on_ground(Vec::new());
        let motion = floating(&problem, &[(5, "flying"), (5, TURNING_MODE), (10, "flying")]);
        assert!(refine(&problem, &motion, &ClipSettings::default()).is_ok());
    }

    #[test]
    fn a_clip_that_would_be_too_long_is_refused() {
        let problem = on_ground(Vec::new());
        let mut motion = floating(&problem, &[(10, "flying")]);
        motion.frames[10].configuration.root.translation.x = 9e5;
        assert_eq!(refine(&problem, &motion, &ClipSettings::default()), Err(ClipError::TooLong));
    }
}
