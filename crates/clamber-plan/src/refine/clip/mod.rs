//! Turns what a planner returns, a correct sequence of poses, into a clip: with flow, a gait, and time.
//!
//! The motion is laid out on a grid of *moments*, evenly spaced in the time that it would take at its natural pace
//! ([`schedule`]). There it gets a gait where it walks ([`gait`]) and flow everywhere ([`flow`]); then it is timed within the
//! character's limits ([`timing`]) and sampled.

mod track;
mod schedule;
mod swing;
mod project;
mod gait;
mod make;
mod fault;
mod flow;
mod timing;

use clamber_model::motion::{ContactSpan, Frame, Span};
use clamber_model::{Configuration, Motion, Problem};

use crate::settings::PlanSettings;
use project::{GAIT_ROOT_EASE, Projector};
use schedule::{Phase, Schedule};
use timing::TimeLaw;
use track::read_row;

/// What a clip may be told.
#[derive(Clone, Debug, PartialEq)]
pub struct RefineSettings {
    /// How many frames of the clip make a second, from 1 to 1000. Default 120.
    pub frames_per_second: f32,
    /// How fast it is to go, as a multiple of the natural pace: pairs of a share of the way, from 0 to 1, and the speed
    /// there, from 0.05 to 20, with straight lines between them. The character's limits go before. Default 1 everywhere.
    pub speed: Vec<(f32, f32)>,
    /// Whether walking gets a gait: hips that rise and fall, arms that swing, a head that looks ahead. Default true.
    pub gait: bool,
}

impl Default for RefineSettings {
    fn default() -> Self {
        Self { frames_per_second: 120.0, speed: vec![(0.0, 1.0)], gait: true }
    }
}

/// A refined motion.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The clip.
    pub motion: Motion,
    /// The share of the moments in which flow had to give way to obstacles or limits, from 0 to 1.
    pub stiff: f32,
}

/// Makes a clip of a motion that is correct: same contacts, in the same order, on the same way.
pub fn refine(problem: &Problem, motion: &Motion, plan: &PlanSettings, settings: &RefineSettings) -> Refined {
    if motion.frames.len() < 2 {
        return Refined { motion: motion.clone(), stiff: 0.0 };
    }
    let mut schedule = Schedule::new(problem, motion);
    if settings.gait {
        gait::walk(problem, &mut schedule, plan);
    }
    let flow = flow::flow(problem, &schedule, plan);
    let law = timing::time(&problem.character, &flow.track, &schedule.rests, settings);
    Refined { motion: sample(problem, motion, &schedule, &flow.track, &law, settings), stiff: flow.stiff }
}

/// Frames that are nearer to each other than this are one, in seconds.
const SAME_TIME: f32 = 0.002;

/// Evenly timed frames, and one more for each frame of a passage, which is to be met exactly.
fn sample(
    problem: &Problem,
    motion: &Motion,
    schedule: &Schedule,
    track: &track::Track,
    law: &TimeLaw,
    settings: &RefineSettings,
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
                    projector.project(&problem.character, &mut configuration, stance, GAIT_ROOT_EASE);
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
