//! Turns what a planner returns, a correct sequence of poses, into a clip: with flow, a gait, and time.
//!
//! The motion is laid out on a grid of *moments*, evenly spaced in the time that it would take at its natural pace
//! ([`schedule`]). There it gets a gait where it walks ([`gait`]) and flow everywhere ([`flow`]); then it is timed within the
//! character's limits ([`timing`]) and sampled.

use clamber_model::collision::{CollisionWorkspace, is_free};
use clamber_model::motion::{ContactSpan, Frame, Span};
use clamber_model::{Configuration, Motion, Problem};

use crate::error::ClipError;
use crate::flow::Flow;
use crate::gait;
use crate::input::{check_motion, check_settings};
use crate::projection::{Projector, root_ease};
use crate::schedule::{Phase, Schedule};
use crate::settings::ClipSettings;
use crate::timing::{self, TimeParameterization};
use crate::track::{self, read_row};

/// A refined motion.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Clip {
    /// The clip.
    pub motion: Motion,
    /// The fraction of the clip, from 0 to 1, where smoothing was reduced because of obstacles or limits.
    pub reduced_smoothing: f32,
}

/// Turns a valid motion into a clip with the same contacts in the same order.
///
/// # Errors
/// When a setting is out of range or the motion does not belong to the problem's character and world.
pub fn refine(problem: &Problem, motion: &Motion, settings: &ClipSettings) -> Result<Clip, ClipError> {
    check_settings(settings)?;
    check_motion(problem, motion)?;
    Ok(refine_valid(problem, motion, settings))
}

fn refine_valid(problem: &Problem, motion: &Motion, settings: &ClipSettings) -> Clip {
    if motion.frames.len() < 2 {
        return Clip { motion: motion.clone(), reduced_smoothing: 0.0 };
    }
    let mut careful = vec![!settings.gait; motion.frames.len()];
    // Steps that are more than a walk, over a stone or down an edge, are taken with care.
    let mut schedule = laid_out(problem, motion, settings, &careful);
    if schedule.refused.contains(&true) {
        for (careful, &moment) in careful.iter_mut().zip(&schedule.arrives) {
            *careful |= schedule.refused[moment];
        }
        schedule = laid_out(problem, motion, settings, &careful);
    }
    for tries_left in (0..MAX_TRIES).rev() {
        let (refined, inside) = flowing(problem, motion, &schedule, settings);
        if inside.is_empty() || tries_left == 0 || !take_care(&schedule, &inside, &mut careful) {
            return refined;
        }
        schedule = laid_out(problem, motion, settings, &careful);
    }
    Clip { motion: motion.clone(), reduced_smoothing: 1.0 }
}

/// The motion on its grid, with a gait where it walks without care.
fn laid_out(problem: &Problem, motion: &Motion, settings: &ClipSettings, careful: &[bool]) -> Schedule {
    let mut schedule = Schedule::new(problem, motion, careful);
    gait::walk(problem, &mut schedule, settings);
    schedule
}

/// Takes the steps around some moments with care; false when they are already.
fn take_care(schedule: &Schedule, moments: &[usize], careful: &mut [bool]) -> bool {
    let mut changed = false;
    for &moment in moments {
        let phase = schedule.phases.partition_point(|phase| phase.last < moment);
        // With their neighbours: a gait comes and goes over more than one step.
        let around = &schedule.phases[phase.saturating_sub(1)..(phase + 2).min(schedule.phases.len())];
        let [Some(first), Some(last)] = [around.first(), around.last()] else { continue };
        let from = schedule.arrives.partition_point(|&at| at < first.first);
        let to = schedule.arrives.partition_point(|&at| at <= last.last);
        for careful in &mut careful[from..to] {
            changed |= !*careful;
            *careful = true;
        }
    }
    changed
}

/// Makes a schedule flow, and tells the moments at which it is inside an obstacle all the same.
fn flowing(problem: &Problem, motion: &Motion, schedule: &Schedule, settings: &ClipSettings) -> (Clip, Vec<usize>) {
    let mut flow = Flow::new(problem, schedule, settings);
    let mut looks = 0;
    loop {
        let law = timing::time(&problem.character, flow.track(), &schedule.rests, settings);
        let clip = sample(problem, motion, schedule, flow.track(), &law, settings);
        let inside = moments_inside(problem, schedule, &clip, &law);
        looks += 1;
        if inside.is_empty() || looks == MAX_LOOKS {
            return (Clip { motion: clip, reduced_smoothing: flow.stiff() }, inside);
        }
        flow.stiffen(&inside);
    }
}

/// How often steps are taken with more care.
const MAX_TRIES: usize = 3;
/// How often a clip is looked at once more.
const MAX_LOOKS: usize = 3;
/// What is deeper inside an obstacle than this is wrong, in metres.
const INSIDE: f32 = 0.0012;

/// A hinge that turns farther from one frame to the next, in radians, may pass something between them.
const FAST: f32 = 0.03;

/// The moments at which a frame of the clip, or what is half-way to the next one, is inside an obstacle: between moments, ways
/// bend, and between frames, corners are cut.
fn moments_inside(problem: &Problem, schedule: &Schedule, clip: &Motion, law: &TimeParameterization) -> Vec<usize> {
    let mut collision = CollisionWorkspace::default();
    let Problem { world, character, .. } = problem;
    let mut is_inside = |at: &Configuration| !is_free(world, character, at, -INSIDE, &mut collision);
    let mut half_way = Configuration::rest(character);
    let mut moments: Vec<usize> = clip
        .frames
        .iter()
        .enumerate()
        .filter(|(index, frame)| {
            let (here, there) =
                (&frame.configuration, &clip.frames[(index + 1).min(clip.frames.len() - 1)].configuration);
            let mut turns = here.angles.iter().zip(&there.angles).map(|(here, there)| (there - here).abs());
            is_inside(here)
                || turns.any(|turn| turn > FAST) && {
                    half_way.interpolate(here, there, 0.5);
                    is_inside(&half_way)
                }
        })
        .map(|(_, frame)| law.moment_at(frame.time) as usize)
        .filter(|moment| {
            let phase = schedule.phases.partition_point(|phase| phase.last < *moment);
            schedule.phases.get(phase).is_some_and(|phase| !phase.is_fixed)
        })
        .collect();
    moments.dedup();
    moments
}

/// Frames that are nearer to each other than this are one, in seconds.
const SAME_TIME: f32 = 0.002;

/// Evenly timed frames, and one more for each frame of a passage, which is to be met exactly.
fn sample(
    problem: &Problem,
    motion: &Motion,
    schedule: &Schedule,
    track: &track::Track,
    law: &TimeParameterization,
    settings: &ClipSettings,
) -> Motion {
    let step = 1.0 / settings.frames_per_second;
    let count = (law.duration() / step).ceil().max(1.0) as usize;
    // A last frame of its own at the very end, and none just before it.
    let mut times: Vec<f32> = (0..count).map(|frame| frame as f32 * step).collect();
    times.retain(|time| law.duration() - time >= SAME_TIME);
    let met: Vec<f32> = schedule.fixed.iter().map(|&moment| law.time_of(moment)).collect();
    let mut next = 0;
    times.retain(|&time| {
        while met.get(next).is_some_and(|met| *met < time - SAME_TIME) {
            next += 1;
        }
        time == 0.0 || met.get(next).is_none_or(|met| (met - time).abs() >= SAME_TIME)
    });
    times.extend(met.into_iter().filter(|met| *met >= SAME_TIME && *met <= law.duration() - SAME_TIME));
    times.push(law.duration());
    times.sort_by(f32::total_cmp);
    times.dedup_by(|later, earlier| *later - *earlier < 0.0015);
    let mut configuration = Configuration::rest(&problem.character);
    let mut row = Vec::new();
    let mut projector = Projector::default();
    let frames: Vec<Frame> = times
        .iter()
        .map(|&time| {
            let moment = law.moment_at(time);
            track.between(moment, &schedule.rests, &mut row);
            read_row(&row, &mut configuration);
            for (angle, hinge) in configuration.angles.iter_mut().zip(&problem.character.hinges) {
                *angle = angle.clamp(hinge.min, hinge.max);
            }
            let phase = schedule.phases.partition_point(|phase| (phase.last as f32) < moment);
            match schedule.phases.get(phase) {
                // Out of its plane a planar character is moved as a whole.
                Some(Phase { turns: true, stance, .. }) if stance.len() == 1 => {
                    projector.shift(&problem.character, &mut configuration, &stance[0]);
                }
                Some(Phase { is_fixed: false, stance, .. }) => {
                    let ease = root_ease(schedule.gait[moment as usize]);
                    projector.project(&problem.character, &mut configuration, stance, ease);
                }
                _ => {}
            }
            Frame { time, configuration: configuration.clone() }
        })
        .collect();
    // What arrives has arrived by the first frame that is not before the moment, and what leaves has not left by the last
    // one that is not after it.
    let last = frames.len() - 1;
    let frame_of = |moment: usize| {
        if moment + 1 == track.len() {
            return last;
        }
        let time = law.time_of(moment) - 1e-4;
        times.partition_point(|&frame| frame < time).min(last)
    };
    let frame_before = |moment: usize| {
        let after = times.partition_point(|&frame| frame <= law.time_of(moment) + 1e-4);
        if moment + 1 == track.len() { last } else { after.saturating_sub(1) }
    };
    let contact = |span: &ContactSpan| {
        let first = frame_of(span.first);
        ContactSpan { first, last: frame_before(span.last).max(first), contact: span.contact }
    };
    let span = |span: &Span| Span { first: frame_of(span.first), last: frame_of(span.last), mode: span.mode.clone() };
    Motion {
        character: motion.character.clone(),
        frames,
        spans: schedule.spans.iter().map(span).collect(),
        contacts: schedule.contacts.iter().map(contact).collect(),
    }
}
