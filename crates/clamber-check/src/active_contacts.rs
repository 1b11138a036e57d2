//! The contacts that are active at each time of a motion.

use clamber_model::motion::ContactSpan;
use clamber_model::{Contact, Motion, Problem};

/// Iterates over the contacts of a motion in the order of time.
///
/// A contact is active from its first frame to its last, both included, and between them. If one contact ends in the frame
/// before the next begins, none is active between the two frames.
pub(crate) struct ActiveContacts<'a> {
    /// Later contacts, sorted by their first frame.
    upcoming: std::iter::Peekable<std::vec::IntoIter<&'a ContactSpan>>,
    active: Vec<&'a ContactSpan>,
}

impl<'a> ActiveContacts<'a> {
    pub fn new(motion: &'a Motion) -> Self {
        let mut upcoming: Vec<&ContactSpan> = motion.contacts.iter().collect();
        upcoming.sort_by_key(|span| span.first_frame);
        Self { upcoming: upcoming.into_iter().peekable(), active: Vec::new() }
    }

    /// Returns the contacts that are active from frame `first` to frame `last`, which may be equal. Calls must go forward
    /// in time.
    pub fn during(&mut self, first: usize, last: usize) -> &[&'a ContactSpan] {
        while let Some(span) = self.upcoming.next_if(|span| span.first_frame <= first) {
            self.active.push(span);
        }
        self.active.retain(|span| span.last_frame >= last);
        &self.active
    }
}

/// A contact's description for reports.
pub(crate) fn describe_contact(problem: &Problem, contact: &Contact) -> String {
    let effector = &problem.character.effectors[contact.effector].name;
    format!("effector `{effector}` on hold `{}`", problem.world.holds[contact.hold].name)
}
