//! Whether nothing holds on to what is forbidden.

use clamber_model::{Motion, Problem};

use crate::contacts::in_words;
use crate::report::{Faults, Finding};

/// How many contacts are on a forbidden hold; nothing where none is forbidden.
pub(crate) fn measure(problem: &Problem, motion: &Motion) -> Option<Finding> {
    if problem.forbidden.is_empty() {
        return None;
    }
    let mut faults = Faults::new();
    for span in &motion.contacts {
        if problem.is_forbidden(span.contact.hold) {
            let time = motion.frames[span.first].time;
            faults.note(time, || format!("{}, which is forbidden", in_words(problem, &span.contact)));
        }
    }
    Some(faults.finding("forbidden"))
}
