//! Whether enough contacts support the character at every time.

use clamber_model::id::EffectorId;
use clamber_model::motion::TURNING_MODE;
use clamber_model::{Motion, Problem};

use crate::active_contacts::ActiveContacts;
use crate::report::{PropertyResult, Violations};

/// Counts the frames, and the intervals between frames, with fewer contacts than their mode needs.
///
/// A frame that two spans share must satisfy both modes. There, a contact that ends and one that begins both count.
pub(crate) fn measure(problem: &Problem, motion: &Motion) -> PropertyResult {
    // For each frame, the contacts needed at it and in the interval after it.
    let mut needed = vec![[0; 2]; motion.frames.len()];
    for span in &motion.mode_spans {
        let least = least_contacts(problem, &span.mode);
        needed[span.first_frame..=span.last_frame].iter_mut().for_each(|[at, _]| *at = least.max(*at));
        needed[span.first_frame..span.last_frame].iter_mut().for_each(|[_, after]| *after = least);
    }
    let mut contacts = ActiveContacts::new(motion);
    let mut violations = Violations::new();
    for (frame, needed) in needed.into_iter().enumerate() {
        for (last, needed) in [frame, frame + 1].into_iter().zip(needed) {
            let mut effectors: Vec<EffectorId> =
                contacts.during(frame, last).iter().map(|span| span.contact.effector).collect();
            effectors.sort_unstable();
            effectors.dedup();
            let count = effectors.len();
            if count < needed {
                let place = if frame == last { "at" } else { "after" };
                violations.record(motion.frames[frame].time, || {
                    format!("{count} contacts where {needed} are needed, {place} frame {frame}")
                });
            }
        }
    }
    violations.into_result("support")
}

/// The fewest contacts that a mode allows: none in flight, at least one if the mode has supporting groups.
fn least_contacts(problem: &Problem, mode: &str) -> usize {
    if mode == TURNING_MODE {
        return 1;
    }
    let mode = problem.modes.as_ref().and_then(|table| Some(&table.modes[table.find_mode(mode)?]));
    mode.map_or(0, |mode| if mode.supporting_groups.is_empty() { 0 } else { mode.least_contacts.max(1) })
}
