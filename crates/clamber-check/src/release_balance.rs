//! Whether the character is balanced when it releases a contact.

use clamber_model::id::EffectorId;
use clamber_model::kinematics::{LinkFrames, center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::mode_table::Balance;
use clamber_model::motion::{ContactSpan, TURNING_MODE};
use clamber_model::support_polygon::horizontal_distance_to_hull;
use clamber_model::{Motion, Problem};

use crate::active_contacts::{ActiveContacts, describe_contact};
use crate::report::{PropertyResult, WorstValue};
use crate::settings::CheckSettings;

/// Consecutive frames in one mode, with the turns between them.
struct ModeRun<'a> {
    first: usize,
    last: usize,
    mode: &'a str,
}

/// Measures the horizontal distance of the center of mass from the support polygon of a group's contacts, beyond what the
/// mode allows, each time one of them is released while another stays.
///
/// Both must have been made in the mode, because a transition into a mode may begin unbalanced. Releases in the frame in
/// which another mode begins belong to the transition out of the mode.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    let character = &problem.character;
    let end = motion.frames.len() - 1;
    let mut contacts = ActiveContacts::new(motion);
    let mut workspace = LinkFrames::default();
    let mut worst = WorstValue::new();
    for run in mode_runs(motion) {
        let Some((balance, group)) = balance_of(problem, run.mode) else { continue };
        let after = if run.last == end { end + 1 } else { run.last };
        for frame in run.first..after {
            let active = contacts.during(frame, frame);
            let active: Vec<&ContactSpan> =
                active.iter().copied().filter(|span| group.contains(&span.contact.effector)).collect();
            let Some(released) = released_contact(problem, &active, frame, end, run.first) else { continue };
            forward(character, &motion.frames[frame].configuration, &mut workspace);
            let ends = |span: &&ContactSpan| span.contact.pressing_ends(character, &workspace);
            let points: Vec<Vec3> = active.iter().flat_map(ends).collect();
            let outside = horizontal_distance_to_hull(center_of_mass(character, &workspace), &points);
            let place = || format!("the center of mass, releasing {}", describe_contact(problem, &released.contact));
            worst.record(outside - balance.within, motion.frames[frame].time, place);
        }
    }
    worst.into_result("balance", settings.max_balance_excess, "m")
}

/// The contact, made in or after the frame `since`, that is released in a frame while another such contact stays.
fn released_contact<'a>(
    problem: &Problem,
    active: &[&'a ContactSpan],
    frame: usize,
    end: usize,
    since: usize,
) -> Option<&'a ContactSpan> {
    // Contacts of the goal stay after the last frame.
    let at_goal = |span: &ContactSpan| {
        let same = |(effector, hold)| (effector, hold) == (span.contact.effector, span.contact.hold);
        problem.goal.stance.iter().any(|contact| same((contact.effector, contact.hold)))
    };
    let stays = |span: &ContactSpan| span.last_frame > frame || (frame == end && at_goal(span));
    let effector_stays =
        |effector: EffectorId| active.iter().any(|span| span.contact.effector == effector && stays(span));
    let is_released = |span: &&ContactSpan| span.first_frame >= since && !effector_stays(span.contact.effector);
    let another_stays = active.iter().any(|span| span.first_frame >= since && stays(span));
    active.iter().copied().find(is_released).filter(|_| another_stays)
}

/// The balance that a mode requires, and the effectors of its group.
fn balance_of<'a>(problem: &'a Problem, mode: &str) -> Option<(Balance, &'a [EffectorId])> {
    let table = problem.modes.as_ref()?;
    let balance = table.modes[table.find_mode(mode)?].balance?;
    Some((balance, &table.effector_groups[balance.group].effectors))
}

fn mode_runs(motion: &Motion) -> Vec<ModeRun<'_>> {
    let mut runs: Vec<ModeRun> = Vec::new();
    for span in motion.mode_spans.iter().filter(|span| span.mode != TURNING_MODE && span.first_frame < span.last_frame)
    {
        match runs.last_mut() {
            Some(previous) if previous.mode == span.mode => previous.last = span.last_frame,
            _ => runs.push(ModeRun { first: span.first_frame, last: span.last_frame, mode: &span.mode }),
        }
    }
    runs
}
