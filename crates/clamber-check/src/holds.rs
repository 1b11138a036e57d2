//! Whether effectors hold on only to what they may hold on to.

use std::iter;

use clamber_model::motion::{ContactSpan, Span};
use clamber_model::{Contact, Motion, Problem};

use crate::contacts::in_words;
use crate::report::{Faults, Finding};
use crate::settings::CheckSettings;

/// How many contacts are off their hold, against the mode, or made by an effector that holds on already.
pub(crate) fn measure(problem: &Problem, motion: &Motion, settings: &CheckSettings) -> Finding {
    let mut faults = Faults::new();
    for span in &motion.contacts {
        let contact = &span.contact;
        let hold = &problem.world.holds[contact.hold];
        let time = motion.frames[span.first].time;
        let off = (hold.nearest(contact.point) - contact.point).length();
        if !(off <= settings.holds) {
            faults.note(time, || format!("{}, {off:.4} m off it", in_words(problem, contact)));
        }
        if !((hold.normal - contact.normal).length() <= settings.holds) {
            faults.note(time, || format!("{}, with another normal", in_words(problem, contact)));
        }
        if let Some(against) = mode_against(problem, motion, span) {
            let time = motion.frames[span.first.max(against.first)].time;
            let hold_type = hold.hold_type.word();
            let contact = || in_words(problem, contact);
            faults.note(time, || format!("{}, which is {hold_type}, in mode `{}`", contact(), against.mode));
        }
    }
    note_overlaps(problem, motion, &mut faults);
    faults.finding("holds")
}

/// The first span that a contact lasts in against its mode.
///
/// A contact is allowed by the mode of the span, or by the mode before or after it where it lasts into or from that one:
/// a hand that is to climb takes its hold while the feet still walk. What was before the motion is the start, and what
/// comes after it the goal.
fn mode_against<'a>(problem: &Problem, motion: &'a Motion, span: &ContactSpan) -> Option<&'a Span> {
    let before = (span.first == 0).then_some(problem.start.mode.as_str());
    let after = (span.last + 1 == motion.frames.len()).then_some(problem.goal.mode.as_str());
    let from = motion.spans.partition_point(|mode| mode.last < span.first);
    let touched = motion.spans[from..].iter().take_while(|mode| mode.first <= span.last);
    // Neighbouring spans share a frame; a contact lasts in one when it has more of it than that, if it has more at all.
    let is_moment = span.first == span.last;
    let lasts_in = |mode: &&Span| is_moment || mode.first.max(span.first) < mode.last.min(span.last);
    let lasts: Vec<&Span> = touched.filter(lasts_in).collect();
    let between = lasts.iter().map(|mode| Some(mode.mode.as_str()));
    let modes: Vec<Option<&str>> = iter::once(before).chain(between).chain(iter::once(after)).collect();
    let is_allowed = |modes: &[Option<&str>]| modes.iter().flatten().any(|mode| allows(problem, mode, &span.contact));
    modes.windows(3).zip(lasts).find(|(modes, _)| !is_allowed(modes)).map(|(_, against)| against)
}

/// Whether an effector of a group that carries in this mode takes a type of hold that it may. Modes that are in no table
/// have no carriers.
fn allows(problem: &Problem, mode: &str, contact: &Contact) -> bool {
    let Some(table) = &problem.modes else { return false };
    let Some(mode) = table.mode(mode) else { return false };
    let hold_type = problem.world.holds[contact.hold].hold_type;
    table.modes[mode].carriers.iter().any(|carrier| {
        table.groups[carrier.group].effectors.contains(&contact.effector) && carrier.types.contains(&hold_type)
    })
}

/// An effector may take its next hold in the frame in which it leaves the former one, and no earlier.
fn note_overlaps(problem: &Problem, motion: &Motion, faults: &mut Faults) {
    let mut spans: Vec<&ContactSpan> = motion.contacts.iter().collect();
    spans.sort_by_key(|span| (span.contact.effector, span.first, span.last));
    for pair in spans.windows(2).filter(|pair| pair[0].contact.effector == pair[1].contact.effector) {
        if pair[1].first < pair[0].last {
            let time = motion.frames[pair[1].first].time;
            faults.note(time, || format!("{}, while it holds another", in_words(problem, &pair[1].contact)));
        }
    }
}
