//! Whether the motion avoids forbidden holds.

use clamber_model::{Motion, Problem};

use crate::active_contacts::describe_contact;
use crate::report::{PropertyResult, Violations};

/// Counts the contacts on forbidden holds, or returns `None` if no hold is forbidden.
pub(crate) fn measure(problem: &Problem, motion: &Motion) -> Option<PropertyResult> {
    if problem.forbidden_holds.is_empty() {
        return None;
    }
    let mut violations = Violations::new();
    for span in &motion.contacts {
        if problem.forbids_hold(span.contact.hold) {
            let time = motion.frames[span.first_frame].time;
            violations.record(time, || format!("{}, which is forbidden", describe_contact(problem, &span.contact)));
        }
    }
    Some(violations.into_result("forbidden"))
}
