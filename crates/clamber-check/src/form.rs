//! Whether the motion is one of the problem's character at all.

use clamber_model::{Motion, Problem};

use crate::report::{Finding, Worst};

/// How many frames or spans are malformed: nothing else can be measured before this is none.
pub(crate) fn measure(problem: &Problem, motion: &Motion) -> Finding {
    let mut faults = 0.0;
    let mut worst = Worst::new();
    let mut fault = |time: f32, place: String| {
        faults += 1.0;
        worst.note(faults, time, || place);
    };
    if motion.character != problem.character.name {
        fault(0.0, format!("the motion is one of `{}`", motion.character));
    }
    if motion.frames.is_empty() {
        fault(0.0, "the motion has no frames".to_owned());
    }
    let hinges = problem.character.hinges.len();
    for frame in motion.frames.iter().filter(|frame| frame.configuration.angles.len() != hinges) {
        fault(frame.time, format!("{} angles for {hinges} hinges", frame.configuration.angles.len()));
    }
    let mut next = 0;
    for span in &motion.spans {
        if span.first != next || span.last < span.first {
            fault(0.0, format!("a span of frames {} to {} should continue from {next}", span.first, span.last));
        }
        next = span.last;
    }
    if next + 1 != motion.frames.len() {
        fault(0.0, format!("the spans end with frame {next} of {}", motion.frames.len()));
    }
    worst.finding("form", 0.0, "")
}
