//! Cuts a motion back to a keyframe, and asks for the rest.

use clamber_model::configuration::longest_way;
use clamber_model::id::TiVec;
use clamber_model::problem::{Pin, Posture};
use clamber_model::{Configuration, ModeTable, Motion, Problem};

/// Configurations and places that are nearer to each other are the same, in meters: files round.
pub(crate) const SAME: f32 = 1e-3;

/// What is kept of a motion up to a keyframe, and the problem that remains; `None` when nothing is kept.
pub(crate) fn cut(problem: &Problem, motion: &Motion, seconds: f32) -> Option<(Motion, Problem)> {
    let after = motion.frames.iter().position(|frame| frame.time > seconds).unwrap_or(motion.frames.len());
    cut_at(problem, motion, after.checked_sub(1)?)
}

/// What is kept of a motion up to a frame, and the problem that remains; `None` when nothing is kept.
pub(crate) fn cut_at(problem: &Problem, motion: &Motion, frame: usize) -> Option<(Motion, Problem)> {
    let table = problem.modes.as_deref()?;
    let frame = (1..=frame).rev().find(|&frame| can_go_on(problem, table, motion, frame))?;
    let kept = motion.up_to(frame);
    let start = Posture::at_frame(motion, frame);
    let passages = problem.passages[passed(problem, &kept).0..].to_vec();
    let pins = unheld(problem, &kept);
    Some((kept, Problem { start, passages, pins, ..problem.clone() }))
}

/// A motion without a piece in the middle, and the problem of finding that.
pub(crate) struct Gap {
    before: Motion,
    pub problem: Problem,
    after: Motion,
}

impl Gap {
    /// Leaves out what is between two frames, or a little more; `None` where the search for that could not begin or end, or where it
    /// would leave out a passage.
    pub fn new(problem: &Problem, motion: &Motion, [from, to]: [usize; 2]) -> Option<Self> {
        let table = problem.modes.as_deref()?;
        let (before, rest) = cut_at(problem, motion, from)?;
        let to = (to..motion.frames.len()).find(|&frame| can_go_on(problem, table, motion, frame))?;
        if passed(problem, &before).0 != passed(problem, &motion.up_to(to)).0 {
            return None;
        }
        let after = motion.from_frame(to);
        let pins = unheld(&rest, &after);
        let problem = Problem { goal: Posture::at_frame(motion, to), passages: Vec::new(), pins, ..rest };
        Some(Self { before, problem, after })
    }

    /// The motion with what was found in the gap.
    pub fn closed_by(self, found: &Motion) -> Motion {
        let mut motion = self.before;
        motion.append(found);
        motion.append(&self.after);
        motion
    }
}

/// Whether a search may begin at a frame: the character is in a mode of its table, and holds on as that mode wants.
fn can_go_on(problem: &Problem, table: &ModeTable, motion: &Motion, frame: usize) -> bool {
    let mode = table.mode(motion.mode(frame)).map(|mode| &table.modes[mode]);
    mode.is_some_and(|mode| !mode.carriers.is_empty() && table.allows(mode, &motion.stance(frame), &problem.world))
}

/// How many passages a motion has gone through, and the frame in which it ends the last of them.
pub(crate) fn passed(problem: &Problem, motion: &Motion) -> (usize, usize) {
    let mut from = 0;
    for (count, passage) in problem.passages.iter().enumerate() {
        let mut end = from;
        for wanted in &passage.motion.frames {
            let rest = motion.frames[end..].iter();
            let found =
                rest.map(|frame| &frame.configuration).position(|met| is_same(problem, met, &wanted.configuration));
            let Some(found) = found else { return (count, from) };
            end += found;
        }
        from = end;
    }
    (problem.passages.len(), from)
}

/// Whether two configurations are the same but for rounding.
pub(crate) fn is_same(problem: &Problem, a: &Configuration, b: &Configuration) -> bool {
    longest_way(&problem.character, a, b, &mut TiVec::new()) < SAME
}

/// The pins that a motion does not hold.
pub(crate) fn unheld(problem: &Problem, motion: &Motion) -> Vec<Pin> {
    let is_held = |pin: &Pin| motion.contacts.iter().any(|span| pin.is_held_by(&span.contact));
    problem.pins.iter().filter(|pin| !is_held(pin)).copied().collect()
}
