//! Whether something carries the character at every moment.

use clamber_model::motion::TURNING;
use clamber_model::{Motion, Problem};

use crate::contacts::Stances;
use crate::report::{Faults, Finding};

/// How many frames, and spaces between two frames, have fewer contacts than their mode needs.
///
/// In a frame that two spans share, both modes must have what they need, and a contact that ends there counts beside one
/// that begins there.
pub(crate) fn measure(problem: &Problem, motion: &Motion) -> Finding {
    // For each frame, what is needed in it, and between it and the next.
    let mut needed = vec![[0; 2]; motion.frames.len()];
    for span in &motion.spans {
        let least = least_contacts(problem, &span.mode);
        needed[span.first..=span.last].iter_mut().for_each(|[at, _]| *at = least.max(*at));
        needed[span.first..span.last].iter_mut().for_each(|[_, after]| *after = least);
    }
    let mut stances = Stances::new(motion);
    let mut faults = Faults::new();
    for (frame, needed) in needed.into_iter().enumerate() {
        for (last, needed) in [frame, frame + 1].into_iter().zip(needed) {
            let mut holding: Vec<usize> =
                stances.lasting(frame, last).iter().map(|span| span.contact.effector).collect();
            holding.sort_unstable();
            holding.dedup();
            let there = holding.len();
            if there < needed {
                let place = if frame == last { "at" } else { "after" };
                faults.note(motion.frames[frame].time, || {
                    format!("{there} contacts where {needed} are needed, {place} frame {frame}")
                });
            }
        }
    }
    faults.finding("support")
}

/// The fewest contacts at any moment of a mode: none in the air, and at least one wherever something may carry.
fn least_contacts(problem: &Problem, mode: &str) -> usize {
    if mode == TURNING {
        return 1;
    }
    let mode = problem.modes.as_ref().and_then(|table| Some(&table.modes[table.mode(mode)?]));
    mode.map_or(0, |mode| if mode.carriers.is_empty() { 0 } else { mode.least_contacts.max(1) })
}
