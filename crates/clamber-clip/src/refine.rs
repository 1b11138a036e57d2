//! Turns a planned motion, a valid sequence of poses, into a clip.
//!
//! The motion is laid out on a grid of knots, even in the time of its natural pace ([`KnotMotion`]). There it gets a gait where it
//! walks ([`add_gait`]) and a smooth path ([`PathSmoother`]); then it is timed within the character's limits
//! ([`TimeParameterization`]) and sampled. Passages and turns are not changed: they must be met to the millimeter, so the body
//! rests before and after them and at their corners.
//!
//! In the end every frame is checked for collisions. Where one fails, the smoothing is reduced once more, and at last the gait is
//! left out.

use clamber_model::collision::{CollisionWorkspace, is_free};
use clamber_model::{Configuration, Motion, Problem};

use crate::body_units::BodyScale;
use crate::error::ClipError;
use crate::gait::add_gait;
use crate::motion_on_knot_grid::KnotMotion;
use crate::sampling::sample;
use crate::settings::ClipSettings;
use crate::smoothing::PathSmoother;
use crate::timing::TimeParameterization;
use crate::tuning::{FAST_TURN, MAX_CAUTION_ROUNDS, MAX_FRAME_CHECKS, MAX_PENETRATION};
use crate::validate::{check_motion, check_settings};

/// A refined motion.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Clip {
    /// The motion: smooth, timed, and with evenly spaced frames.
    pub motion: Motion,
    /// The fraction of the clip, from 0 to 1, where smoothing was reduced because of obstacles or limits.
    pub reduced_smoothing_fraction: f32,
}

/// Turns a valid motion into a clip with the same contacts in the same order.
///
/// A motion of fewer than two frames is returned unchanged.
///
/// # Errors
/// When a setting is out of range, the motion does not belong to the problem's character and world, or the clip would be too
/// long.
pub fn refine(problem: &Problem, motion: &Motion, settings: &ClipSettings) -> Result<Clip, ClipError> {
    check_settings(settings)?;
    problem.validate()?;
    check_motion(problem, motion)?;
    if motion.frames.len() < 2 {
        return Ok(Clip { motion: motion.clone(), reduced_smoothing_fraction: 0.0 });
    }
    let mut cautious = vec![!settings.add_gait; motion.frames.len()];
    // Steps for which the gait is not valid, over a stone or down an edge, are taken cautiously.
    let mut knot_motion = knot_motion_with_gait(problem, motion, settings, &cautious)?;
    if knot_motion.gait_rejected.contains(&true) {
        for (cautious, &knot) in cautious.iter_mut().zip(&knot_motion.arrivals) {
            *cautious |= knot_motion.gait_rejected[knot];
        }
        knot_motion = knot_motion_with_gait(problem, motion, settings, &cautious)?;
    }
    let mut rounds = 1;
    loop {
        let (clip, colliding) = smooth_and_time(problem, &knot_motion, settings)?;
        let is_done = colliding.is_empty() || rounds == MAX_CAUTION_ROUNDS;
        if is_done || !mark_cautious(&knot_motion, &colliding, &mut cautious) {
            return Ok(clip);
        }
        knot_motion = knot_motion_with_gait(problem, motion, settings, &cautious)?;
        rounds += 1;
    }
}

/// Lays out the motion, with a gait where it walks and is not cautious.
fn knot_motion_with_gait(
    problem: &Problem,
    motion: &Motion,
    settings: &ClipSettings,
    cautious: &[bool],
) -> Result<KnotMotion, ClipError> {
    let mut knot_motion = KnotMotion::new(problem, motion, cautious)?;
    add_gait(problem, &mut knot_motion, settings);
    Ok(knot_motion)
}

/// Marks the steps around some knots as cautious. Returns false if all of them are already.
fn mark_cautious(knot_motion: &KnotMotion, knots: &[usize], cautious: &mut [bool]) -> bool {
    let mut changed = false;
    for &knot in knots {
        let phase = knot_motion.phase_at(knot as f32);
        // With the neighboring phases: a gait fades in and out over more than one step.
        let around = &knot_motion.phases[phase.saturating_sub(1)..(phase + 2).min(knot_motion.phases.len())];
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

/// Smooths, times and samples a motion on the grid of knots. Returns the clip and the knots at which it still collides.
fn smooth_and_time(
    problem: &Problem,
    knot_motion: &KnotMotion,
    settings: &ClipSettings,
) -> Result<(Clip, Vec<usize>), ClipError> {
    let mut smoother = PathSmoother::new(problem, knot_motion, settings);
    let mut checks = 0;
    loop {
        let path = smoother.path();
        let timing = TimeParameterization::new(&problem.character, path, &knot_motion.rests, settings)?;
        let motion = sample(problem, knot_motion, path, &timing, settings)?;
        let colliding = colliding_knots(problem, knot_motion, &motion, &timing);
        checks += 1;
        if colliding.is_empty() || checks == MAX_FRAME_CHECKS {
            return Ok((Clip { motion, reduced_smoothing_fraction: smoother.narrowed_fraction() }, colliding));
        }
        smoother.reduce_at(&colliding);
    }
}

/// The knots near frames that collide, or between fast frames that collide halfway: between knots the path bends, and between
/// frames corners are cut.
fn colliding_knots(
    problem: &Problem,
    knot_motion: &KnotMotion,
    clip: &Motion,
    timing: &TimeParameterization,
) -> Vec<usize> {
    let mut collision = CollisionWorkspace::default();
    let Problem { world, character, .. } = problem;
    let margin = -MAX_PENETRATION * BodyScale::of(character).length - world.contact_tolerance;
    let mut collides = |at: &Configuration| !is_free(world, character, at, margin, &mut collision);
    let mut middle = Configuration::rest(character);
    let mut knots: Vec<usize> = clip
        .frames
        .iter()
        .enumerate()
        .filter(|(index, frame)| {
            let next = &clip.frames[(index + 1).min(clip.frames.len() - 1)];
            let (here, there) = (&frame.configuration, &next.configuration);
            let mut turns = here.angles.iter().zip(&there.angles).map(|(here, there)| (there - here).abs());
            collides(here)
                || turns.any(|turn| turn > FAST_TURN) && {
                    middle.interpolate(here, there, 0.5);
                    collides(&middle)
                }
        })
        .map(|(_, frame)| timing.knot_at(frame.time) as usize)
        .filter(|&knot| {
            let phase = knot_motion.phases.get(knot_motion.phase_at(knot as f32));
            phase.is_some_and(|phase| !phase.is_prescribed)
        })
        .collect();
    knots.dedup();
    knots
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::motion::{Span, TURNING};
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
        let span = |(last, mode): &(usize, &str)| Span {
            first: std::mem::replace(&mut first, *last),
            last: *last,
            mode: (*mode).to_owned(),
        };
        motion.spans = spans.iter().map(span).collect();
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
        let motion = floating(&problem, &[(5, "flying"), (5, TURNING), (10, "flying")]);
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
