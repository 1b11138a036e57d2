//! Whether every contact is on a hold that its effector may use.

use std::iter;

use clamber_model::motion::{ContactSpan, ModeSpan};
use clamber_model::{Contact, Motion, Problem};

use crate::active_contacts::describe_contact;
use crate::report::{PropertyResult, Violations};
use crate::settings::CheckSettings;

/// Largest difference between the unit normals of a contact and of its hold.
const NORMAL_TOLERANCE: f32 = 1e-3;

/// Counts contacts that are off their hold, that their mode does not allow, or whose effector already has a contact.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> PropertyResult {
    let mut violations = Violations::new();
    for span in &motion.contacts {
        let contact = &span.contact;
        let hold = &problem.world.holds[contact.hold];
        let time = motion.frames[span.first_frame].time;
        let offset = (hold.nearest_point(contact.point) - contact.point).length();
        if !(offset <= settings.max_hold_distance) {
            violations.record(time, || format!("{}, {offset:.4} m off it", describe_contact(problem, contact)));
        }
        if !((hold.normal - contact.normal).length() <= NORMAL_TOLERANCE) {
            violations.record(time, || {
                format!("{}, with a normal other than the hold's", describe_contact(problem, contact))
            });
        }
        if let Some(mode_span) = first_disallowed_span(problem, motion, span) {
            let time = motion.frames[span.first_frame.max(mode_span.first_frame)].time;
            let hold_type = hold.hold_type.keyword();
            let contact = || describe_contact(problem, contact);
            violations.record(time, || format!("{}, which is {hold_type}, in mode `{}`", contact(), mode_span.mode));
        }
    }
    record_overlaps(problem, motion, &mut violations);
    violations.into_result("holds")
}

/// The first mode span in which a contact is active although no mode allows it.
///
/// A contact is allowed by the mode of the span, and by the modes before and after it if the contact is active there too:
/// a hand takes its first hold for climbing while the feet still walk. The start's mode precedes the motion, and the goal's
/// mode follows it.
fn first_disallowed_span<'a>(problem: &Problem, motion: &'a Motion, span: &ContactSpan) -> Option<&'a ModeSpan> {
    let before = (span.first_frame == 0).then_some(problem.start.mode_name.as_str());
    let after = (span.last_frame + 1 == motion.frames.len()).then_some(problem.goal.mode_name.as_str());
    let from = motion.mode_spans.partition_point(|mode| mode.last_frame < span.first_frame);
    let touched = motion.mode_spans[from..].iter().take_while(|mode| mode.first_frame <= span.last_frame);
    // Adjacent spans share a frame. A contact of several frames must share more than that frame to be active in a span.
    let is_single_frame = span.first_frame == span.last_frame;
    let is_active_in = |mode: &&ModeSpan| {
        is_single_frame || mode.first_frame.max(span.first_frame) < mode.last_frame.min(span.last_frame)
    };
    let active: Vec<&ModeSpan> = touched.filter(is_active_in).collect();
    let between = active.iter().map(|mode| Some(mode.mode.as_str()));
    let modes: Vec<Option<&str>> = iter::once(before).chain(between).chain(iter::once(after)).collect();
    let is_allowed = |modes: &[Option<&str>]| modes.iter().flatten().any(|mode| allows(problem, mode, &span.contact));
    modes.windows(3).zip(active).find(|(modes, _)| !is_allowed(modes)).map(|(_, disallowed)| disallowed)
}

/// Whether one of the mode's supporting groups includes the contact's effector and the hold's type. Modes that are in no table have
/// no supporting groups.
fn allows(problem: &Problem, mode: &str, contact: &Contact) -> bool {
    let Some(table) = &problem.modes else { return false };
    let Some(mode) = table.find_mode(mode) else { return false };
    let hold_type = problem.world.holds[contact.hold].hold_type;
    table.modes[mode].supporting_groups.iter().any(|carrier| {
        table.effector_groups[carrier.group].effectors.contains(&contact.effector) && carrier.types.contains(&hold_type)
    })
}

/// An effector may take its next hold in the frame in which it leaves the previous one, and no earlier.
fn record_overlaps(problem: &Problem, motion: &Motion, violations: &mut Violations) {
    let mut spans: Vec<&ContactSpan> = motion.contacts.iter().collect();
    spans.sort_by_key(|span| (span.contact.effector, span.first_frame, span.last_frame));
    for pair in spans.windows(2).filter(|pair| pair[0].contact.effector == pair[1].contact.effector) {
        if pair[1].first_frame < pair[0].last_frame {
            let time = motion.frames[pair[1].first_frame].time;
            violations.record(time, || {
                format!("{}, while it is on another hold", describe_contact(problem, &pair[1].contact))
            });
        }
    }
}
