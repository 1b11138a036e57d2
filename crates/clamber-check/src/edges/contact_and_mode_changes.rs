//! The changes of contacts and modes of a motion, in the order of time.

use clamber_model::{Contact, Motion, Problem};

use crate::passage_matching::{PassageFrames, UnplayedFrame, is_same_contact};
use crate::settings::CheckSettings;

/// A contact that begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// Index of the contact in the motion.
    pub contact: usize,
    pub begins: bool,
}

/// A frame in which contacts or the mode change.
#[derive(Clone, Debug)]
pub(super) struct Moment<'a> {
    pub frame: usize,
    pub changes: Vec<Change>,
    /// The mode after the frame; `None` at the end of the motion.
    pub next_mode: Option<&'a str>,
}

/// Whether the motion ends on the contacts of the goal. One that ends elsewhere fails `goal-stance`, whatever else it holds.
pub(super) fn holds_goal_at_end(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> bool {
    let end = motion.frames.len() - 1;
    let is_held = |contact: &Contact| {
        motion.contacts.iter().any(|span| span.last_frame == end && is_same_contact(&span.contact, contact, settings))
    };
    problem.goal.stance.iter().all(is_held)
}

/// Lists the moments of a motion. The contacts of the start begin before it, those of the goal end after it. In a motion that does
/// not reach the goal, all contacts of the last frame do.
pub(super) fn moments<'a>(problem: &Problem, motion: &'a Motion, settings: &CheckSettings) -> Vec<Moment<'a>> {
    let end = motion.frames.len() - 1;
    let is_in =
        |contact: &Contact, stance: &[Contact]| stance.iter().any(|other| is_same_contact(contact, other, settings));
    let is_partial = !holds_goal_at_end(problem, motion, settings);
    let mut changes: Vec<(usize, Change)> = Vec::new();
    for (contact, span) in motion.contacts.iter().enumerate() {
        if !(span.first_frame == 0 && is_in(&span.contact, &problem.start.stance)) {
            changes.push((span.first_frame, Change { contact, begins: true }));
        }
        if !(span.last_frame == end && (is_partial || is_in(&span.contact, &problem.goal.stance))) {
            changes.push((span.last_frame, Change { contact, begins: false }));
        }
    }
    let boundaries = motion.mode_spans.iter().flat_map(|span| [span.first_frame, span.last_frame]);
    let mut frames: Vec<usize> = changes.iter().map(|(frame, _)| *frame).chain(boundaries).collect();
    frames.sort_unstable();
    frames.dedup();
    changes.sort_by_key(|(frame, change)| (*frame, !change.begins, change.contact));
    let mut spans = motion.mode_spans.iter().filter(|span| span.first_frame < span.last_frame).peekable();
    let mut rest = changes.into_iter().peekable();
    frames
        .into_iter()
        .map(|frame| {
            let mut changes = Vec::new();
            while let Some((_, change)) = rest.next_if(|(at, _)| *at == frame) {
                changes.push(change);
            }
            while spans.next_if(|span| span.last_frame <= frame).is_some() {}
            Moment { frame, changes, next_mode: spans.peek().map(|span| span.mode.as_str()) }
        })
        .collect()
}

/// A part of the motion that leads to the beginning of a passage or to the goal.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    /// The first and last frame.
    pub first: usize,
    pub last: usize,
    /// The contacts at its end.
    pub target: Vec<Contact>,
    /// The name of the mode at its end; `None` if the passage may begin in any.
    pub target_mode: Option<String>,
    /// Whether it ends in the middle of the motion, where the passage begins to change contacts and modes.
    pub ends_in_passage: bool,
}

/// Splits a motion at its passages. Passages of several frames are left out: they are given.
pub(super) fn legs(problem: &Problem, motion: &Motion, passages: &[Result<PassageFrames, UnplayedFrame>]) -> Vec<Leg> {
    let mut legs = Vec::new();
    let mut first = 0;
    for (passage, frames) in problem.passages.iter().zip(passages) {
        let Ok(frames) = frames else { continue };
        legs.push(Leg {
            first,
            last: frames.first,
            target: passage.motion.stance_at_frame(0),
            target_mode: None,
            ends_in_passage: frames.first < frames.last,
        });
        first = frames.last;
    }
    legs.push(Leg {
        first,
        last: motion.frames.len() - 1,
        target: problem.goal.stance.clone(),
        target_mode: Some(problem.goal.mode_name.clone()),
        ends_in_passage: false,
    });
    legs
}
