//! Whether a planar character turns around only in turns, and by half a revolution.

use std::ops::RangeInclusive;

use clamber_model::character::RootJoint;
use clamber_model::math::{Vec3, atan2};
use clamber_model::motion::{ModeSpan, TURNING_MODE};
use clamber_model::{Motion, Problem};

use crate::passage_matching::{PassageFrames, UnplayedFrame};
use crate::report::{PropertyResult, Violations};

/// Largest difference of a turn from half a revolution, back and forth included, in radians.
const TURN_TOLERANCE: f32 = 0.01;

/// Counts changes of facing outside turns, and turns that are not half a revolution about the vertical. Returns `None` for
/// characters with a free root, which have no facing.
///
/// The turns of a passage are those that the scene asks for and may be of any kind. That the body stays upright in a turn is
/// measured by `plane`, that it stays on its contacts by `slip`; where the mode table allows a turn, by `edges`.
pub(crate) fn measure(
    problem: &Problem,
    motion: &Motion,
    passages: &[Result<PassageFrames, UnplayedFrame>],
) -> Option<PropertyResult> {
    if problem.character.root_joint == RootJoint::Free {
        return None;
    }
    let mut violations = Violations::new();
    for turn in turns(motion).filter(|turn| !is_in_passage(turn, passages)) {
        for half in half_turns(motion, turn) {
            let headings: Vec<Vec3> = half.clone().map(|frame| side(motion, frame)).collect();
            let angle: f32 = headings.windows(2).map(|pair| horizontal_angle(pair[0], pair[1]).abs()).sum();
            let is_half = (angle - std::f32::consts::PI).abs() <= TURN_TOLERANCE;
            if !is_half || is_facing_same(headings[0], headings[headings.len() - 1]) {
                violations.record(motion.frames[*half.start()].time, || {
                    format!("a turn by {:.1} degrees instead of 180", angle.to_degrees())
                });
            }
        }
    }
    for span in motion.mode_spans.iter().filter(|span| span.mode != TURNING_MODE) {
        for frame in span.first_frame..span.last_frame {
            if !is_facing_same(side(motion, frame), side(motion, frame + 1)) {
                violations.record(motion.frames[frame + 1].time, || {
                    format!("the facing changes after frame {frame}, in mode `{}`", span.mode)
                });
            }
        }
    }
    Some(violations.into_result("facing"))
}

fn turns(motion: &Motion) -> impl Iterator<Item = &ModeSpan> {
    motion.mode_spans.iter().filter(|span| span.mode == TURNING_MODE && span.first_frame < span.last_frame)
}

/// The parts of a turn between frames in which the body is in the plane: two turns in succession share one.
fn half_turns(motion: &Motion, turn: &ModeSpan) -> Vec<RangeInclusive<usize>> {
    let is_in_plane = |frame: &usize| side(motion, *frame).x.abs() <= TURN_TOLERANCE;
    let inner = (turn.first_frame + 1..turn.last_frame).filter(is_in_plane);
    let ends: Vec<usize> =
        std::iter::once(turn.first_frame).chain(inner).chain(std::iter::once(turn.last_frame)).collect();
    // Frames of a slow beginning or end are in the plane as well.
    let mut halves: Vec<RangeInclusive<usize>> = Vec::new();
    for pair in ends.windows(2) {
        match halves.last_mut() {
            Some(last) if is_facing_same(side(motion, *last.start()), side(motion, *last.end())) => {
                *last = *last.start()..=pair[1];
            }
            _ => halves.push(pair[0]..=pair[1]),
        }
    }
    // What is left at the end belongs to the last half.
    if let [.., before, last] = &mut halves[..]
        && is_facing_same(side(motion, *last.start()), side(motion, *last.end()))
    {
        *before = *before.start()..=*last.end();
        halves.pop();
    }
    halves
}

fn is_in_passage(turn: &ModeSpan, passages: &[Result<PassageFrames, UnplayedFrame>]) -> bool {
    passages.iter().flatten().any(|passage| passage.first <= turn.first_frame && turn.last_frame <= passage.last)
}

/// The direction to the right of the body in a frame.
fn side(motion: &Motion, frame: usize) -> Vec3 {
    motion.frames[frame].configuration.root.rotation * Vec3::Z
}

/// The angle about the vertical from one direction to another.
fn horizontal_angle(from: Vec3, to: Vec3) -> f32 {
    atan2(from.z * to.x - from.x * to.z, from.x * to.x + from.z * to.z)
}

fn is_facing_same(before: Vec3, after: Vec3) -> bool {
    before.z * after.z > 0.0
}
