//! Whether the motion is one of the problem's character at all.

use clamber_model::motion::{FLYING, TURNING};
use clamber_model::{Motion, Problem};

use crate::report::{Faults, Finding};

/// How many frames, spans or contacts are malformed: nothing else can be measured before this is none.
pub(crate) fn measure(problem: &Problem, motion: &Motion) -> Finding {
    let mut faults = Faults::new();
    if motion.character != problem.character.name {
        faults.note(0.0, || format!("the motion is one of `{}`", motion.character));
    }
    if motion.frames.is_empty() {
        faults.note(0.0, || "the motion has no frames".to_owned());
    }
    let hinges = problem.character.hinges.len();
    for frame in motion.frames.iter().filter(|frame| frame.configuration.angles.len() != hinges) {
        faults.note(frame.time, || format!("{} angles for {hinges} hinges", frame.configuration.angles.len()));
    }
    note_spans(problem, motion, &mut faults);
    note_contacts(problem, motion, &mut faults);
    faults.finding("form")
}

fn note_spans(problem: &Problem, motion: &Motion, faults: &mut Faults) {
    let mut next = 0;
    for span in &motion.spans {
        if span.first != next || span.last < span.first {
            faults
                .note(0.0, || format!("a span of frames {} to {} should continue from {next}", span.first, span.last));
        }
        next = span.last;
        // A name that is in no table would excuse the span from all that a mode asks for.
        let in_table = problem.modes.as_ref().is_some_and(|table| table.mode(&span.mode).is_some());
        if !in_table && span.mode != FLYING && span.mode != TURNING {
            faults.note(0.0, || format!("mode `{}` is not one of the problem's", span.mode));
        }
    }
    if next + 1 != motion.frames.len() {
        faults.note(0.0, || format!("the spans end with frame {next} of {}", motion.frames.len()));
    }
}

fn note_contacts(problem: &Problem, motion: &Motion, faults: &mut Faults) {
    for (index, span) in motion.contacts.iter().enumerate() {
        let (first, last, contact) = (span.first, span.last, &span.contact);
        if first > last || last >= motion.frames.len() {
            let frames = motion.frames.len();
            faults.note(0.0, || format!("contact {index} lasts from frame {first} to {last} of {frames}"));
        }
        if !contact.point.is_finite() || !contact.normal.is_finite() {
            faults.note(0.0, || format!("contact {index} is not at a finite place"));
        }
        if contact.effector >= problem.character.effectors.len() {
            faults.note(0.0, || format!("contact {index} is one of effector {}, which is missing", contact.effector));
        }
        if contact.hold >= problem.world.holds.len() {
            faults.note(0.0, || format!("contact {index} is on hold {}, which is missing", contact.hold));
        }
    }
}
