//! Whether the motion's data is consistent and fits the problem.

use clamber_model::motion::{FLYING_MODE, TURNING_MODE};
use clamber_model::{Motion, Problem};

use crate::report::{PropertyResult, Violations};

/// Counts malformed frames, spans and contacts. No other property can be measured unless this passes.
pub(crate) fn measure(problem: &Problem, motion: &Motion) -> PropertyResult {
    let mut violations = Violations::new();
    if let Err(error) = problem.validate_references() {
        violations.record(0.0, || error.to_string());
    }
    if motion.character != problem.character.name {
        violations.record(0.0, || format!("the motion belongs to character `{}`", motion.character));
    }
    if motion.frames.is_empty() {
        violations.record(0.0, || "the motion has no frames".to_owned());
    }
    let hinges = problem.character.hinges.len();
    for frame in motion.frames.iter().filter(|frame| frame.configuration.angles.len() != hinges) {
        violations.record(frame.time, || format!("{} angles for {hinges} hinges", frame.configuration.angles.len()));
    }
    check_spans(problem, motion, &mut violations);
    check_contacts(problem, motion, &mut violations);
    violations.into_result("form")
}

fn check_spans(problem: &Problem, motion: &Motion, violations: &mut Violations) {
    let mut next = 0;
    for span in &motion.mode_spans {
        if span.first_frame != next || span.last_frame < span.first_frame {
            let (first, last) = (span.first_frame, span.last_frame);
            violations.record(0.0, || format!("the span of frames {first} to {last} should begin at frame {next}"));
        }
        next = span.last_frame;
        // A mode that is in no table has no requirements, so the span would pass every check.
        let in_table = problem.modes.as_ref().is_some_and(|table| table.find_mode(&span.mode).is_some());
        if !in_table && span.mode != FLYING_MODE && span.mode != TURNING_MODE {
            violations.record(0.0, || format!("the problem has no mode `{}`", span.mode));
        }
    }
    if next.checked_add(1) != Some(motion.frames.len()) {
        violations.record(0.0, || format!("the spans end at frame {next} of {}", motion.frames.len()));
    }
}

fn check_contacts(problem: &Problem, motion: &Motion, violations: &mut Violations) {
    for (index, span) in motion.contacts.iter().enumerate() {
        let (first, last, contact) = (span.first_frame, span.last_frame, &span.contact);
        if first > last || last >= motion.frames.len() {
            let frames = motion.frames.len();
            violations.record(0.0, || format!("contact {index} lasts from frame {first} to {last} of {frames}"));
        }
        if !contact.point.is_finite() || !contact.normal.is_finite() {
            violations.record(0.0, || format!("contact {index} has a point or normal that is not finite"));
        }
        if contact.effector >= problem.character.effectors.next_key() {
            violations.record(0.0, || {
                format!("contact {index} names effector {}, which does not exist", contact.effector.index())
            });
        }
        if contact.hold >= problem.world.holds.next_key() {
            violations
                .record(0.0, || format!("contact {index} names hold {}, which does not exist", contact.hold.index()));
        }
    }
}
