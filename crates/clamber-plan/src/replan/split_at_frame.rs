//! Cuts a motion at a frame and states the problem of the rest.

use clamber_model::configuration::max_motion_bound;
use clamber_model::id::TiVec;
use clamber_model::problem::{Pin, Posture};
use clamber_model::{Configuration, ModeTable, Motion, Problem};

use super::tuning;

/// The motion up to a time or a little earlier, and the remaining problem; `None` when nothing is kept.
pub(crate) fn cut(problem: &Problem, motion: &Motion, seconds: f32) -> Option<(Motion, Problem)> {
    let after = motion.frames.iter().position(|frame| frame.time > seconds).unwrap_or(motion.frames.len());
    cut_at(problem, motion, after.checked_sub(1)?)
}

/// The motion up to a frame or a little earlier, and the remaining problem; `None` when nothing is kept.
pub(crate) fn cut_at(problem: &Problem, motion: &Motion, frame: usize) -> Option<(Motion, Problem)> {
    let table = problem.modes.as_deref()?;
    let frame = (1..=frame).rev().find(|&frame| can_resume(problem, table, motion, frame))?;
    let kept = motion.prefix_to_frame(frame);
    let start = Posture::from_motion_frame(motion, frame);
    let passages = problem.passages[passed(problem, &kept).0..].to_vec();
    let pins = unheld(problem, &kept);
    Some((kept, Problem { start, passages, pins, ..problem.clone() }))
}

/// A motion without a piece in the middle, and the problem of replacing that piece.
pub(crate) struct Splice {
    before: Motion,
    pub problem: Problem,
    after: Motion,
}

impl Splice {
    /// Removes the frames between two, or a few more; `None` where a search cannot begin or end there, or where that would remove
    /// a passage.
    pub fn new(problem: &Problem, motion: &Motion, [from, to]: [usize; 2]) -> Option<Self> {
        let table = problem.modes.as_deref()?;
        let (before, rest) = cut_at(problem, motion, from)?;
        let to = (to..motion.frames.len()).find(|&frame| can_resume(problem, table, motion, frame))?;
        if passed(problem, &before).0 != passed(problem, &motion.prefix_to_frame(to)).0 {
            return None;
        }
        let after = motion.suffix_from_frame(to);
        let pins = unheld(&rest, &after);
        let problem = Problem { goal: Posture::from_motion_frame(motion, to), passages: Vec::new(), pins, ..rest };
        Some(Self { before, problem, after })
    }

    /// The motion with a new piece in the middle.
    pub fn join(self, piece: &Motion) -> Motion {
        let Self { mut before, after, .. } = self;
        before.append(piece);
        before.append(&after);
        before
    }

    /// The motion up to the end of a new piece.
    pub fn begin(self, piece: &Motion) -> Motion {
        let Self { mut before, .. } = self;
        before.append(piece);
        before
    }
}

/// Whether a search can begin at a frame: the character is in a mode of its table with the contacts that it requires.
fn can_resume(problem: &Problem, table: &ModeTable, motion: &Motion, frame: usize) -> bool {
    let mode = table.find_mode(motion.mode_at_frame(frame)).map(|mode| &table.modes[mode]);
    mode.is_some_and(|mode| {
        !mode.supporting_groups.is_empty()
            && table.mode_allows_stance(mode, &motion.stance_at_frame(frame), &problem.world)
    })
}

/// The number of passages that a motion contains, and the frame in which the last of them ends.
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

/// Whether two configurations are the same up to rounding.
pub(crate) fn is_same(problem: &Problem, a: &Configuration, b: &Configuration) -> bool {
    max_motion_bound(&problem.character, a, b, &mut TiVec::new()) < tuning::SAME * problem.character.body_size()
}

/// The pins that a motion does not use.
pub(crate) fn unheld(problem: &Problem, motion: &Motion) -> Vec<Pin> {
    let is_held = |pin: &Pin| motion.contacts.iter().any(|span| pin.is_held_by(&span.contact));
    problem.pins.iter().filter(|pin| !is_held(pin)).copied().collect()
}
