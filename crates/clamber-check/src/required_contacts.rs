//! Whether the motion has the contacts of the start, the goal and the passages.

use clamber_model::contact::Stance;
use clamber_model::{Contact, Motion, Problem};

use crate::active_contacts::describe_contact;
use crate::passage_matching::{PassageFrames, UnplayedFrame, is_same_contact};
use crate::report::{PropertyResult, Violations};
use crate::settings::CheckSettings;

/// Counts the contacts of the start that are missing in the first frame. Further contacts begin in that frame: a change that
/// `edges` judges.
pub(crate) fn measure_start(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    count_missing(problem, "start-stance", &problem.start.stance, motion, 0, settings)
}

/// Counts the contacts of the goal that are missing in the last frame. Further contacts end in that frame: a change that
/// `edges` judges.
pub(crate) fn measure_goal(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    count_missing(problem, "goal-stance", &problem.goal.stance, motion, motion.frames.len() - 1, settings)
}

fn count_missing(
    problem: &Problem,
    property: &'static str,
    required: &Stance,
    motion: &Motion,
    frame: usize,
    settings: &CheckSettings,
) -> PropertyResult {
    let time = motion.frames[frame].time;
    let actual = motion.stance_at_frame(frame);
    let mut violations = Violations::new();
    let is_held = |contact: &Contact| actual.iter().any(|other| is_same_contact(contact, other, settings));
    for missing in required.iter().filter(|contact| !is_held(contact)) {
        violations.record(time, || format!("{}, is missing", describe_contact(problem, missing)));
    }
    violations.into_result(property)
}

/// Counts the passages whose poses the motion has, but not on their contacts, or returns `None` if the problem has no passages.
/// Missing poses fail `passages`.
pub(crate) fn measure_passages(
    problem: &Problem,
    motion: &Motion,
    matches: &[Result<PassageFrames, UnplayedFrame>],
) -> Option<PropertyResult> {
    if matches.is_empty() {
        return None;
    }
    let mut violations = Violations::new();
    let unplayed = matches.iter().filter_map(|found| found.as_ref().err());
    for UnplayedFrame { passage, frame, .. } in unplayed.filter(|unplayed| unplayed.has_poses) {
        let passage = &problem.passages[*passage];
        let contacts: Vec<String> =
            passage.motion.stance_at_frame(*frame).iter().map(|contact| describe_contact(problem, contact)).collect();
        let on = if contacts.is_empty() { "no contacts".to_owned() } else { contacts.join(" and ") };
        violations.record(motion.duration(), || {
            format!("no frame is frame {frame} of passage `{}` on its contacts: {on}", passage.name)
        });
    }
    Some(violations.into_result("passage-stance"))
}
