//! Cuts a motion back to a moment, and asks for the rest.

use clamber_model::configuration::longest_way;
use clamber_model::problem::{Passage, Posture};
use clamber_model::{Configuration, ModeTable, Motion, Problem};

/// What is kept of a motion up to a moment, and the problem that remains; `None` when nothing is kept.
pub(super) fn cut(problem: &Problem, motion: &Motion, seconds: f32) -> Option<(Motion, Problem)> {
    let table = problem.modes.as_deref()?;
    let after = motion.frames.iter().position(|frame| frame.time > seconds).unwrap_or(motion.frames.len());
    let frame = (1..after).rev().find(|&frame| can_go_on(problem, table, motion, frame))?;
    let kept = motion.up_to(frame);
    let start = Posture::at_frame(motion, frame);
    let passages = remaining(problem, &kept);
    Some((kept, Problem { start, passages, ..problem.clone() }))
}

/// Whether a search may begin at a frame: the character is in a mode of its table, and holds on as that mode wants.
fn can_go_on(problem: &Problem, table: &ModeTable, motion: &Motion, frame: usize) -> bool {
    let mode = table.mode(motion.mode(frame)).map(|mode| &table.modes[mode]);
    mode.is_some_and(|mode| !mode.carriers.is_empty() && table.allows(mode, &motion.stance(frame), &problem.world))
}

/// The passages that a motion has not gone through.
fn remaining(problem: &Problem, motion: &Motion) -> Vec<Passage> {
    // As files keep configurations.
    const SAME: f32 = 1e-3;
    let mut ways = Vec::new();
    let mut is_same = |a: &Configuration, b: &Configuration| longest_way(&problem.character, a, b, &mut ways) < SAME;
    let mut from = 0;
    let mut passed = 0;
    for passage in &problem.passages {
        let Some(last) = passage.motion.frames.last() else { continue };
        let found = motion.frames[from..].iter().position(|frame| is_same(&frame.configuration, &last.configuration));
        let Some(found) = found else { break };
        from += found;
        passed += 1;
    }
    problem.passages[passed..].to_vec()
}
