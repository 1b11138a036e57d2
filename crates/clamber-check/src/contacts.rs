//! Who holds on to what, moment by moment.

use clamber_model::motion::ContactSpan;
use clamber_model::{Contact, Motion, Problem};

/// The contacts of one moment after the other.
///
/// A contact lasts from its first frame to its last and at all moments between, and no longer: where one ends with the
/// frame before that in which the next begins, there is none between the two.
pub(crate) struct Stances<'a> {
    /// In the order of their first frames.
    coming: std::iter::Peekable<std::vec::IntoIter<&'a ContactSpan>>,
    now: Vec<&'a ContactSpan>,
}

impl<'a> Stances<'a> {
    pub fn new(motion: &'a Motion) -> Self {
        let mut coming: Vec<&ContactSpan> = motion.contacts.iter().collect();
        coming.sort_by_key(|span| span.first);
        Self { coming: coming.into_iter().peekable(), now: Vec::new() }
    }

    /// The contacts that last from a frame to another, which may be the same one. Calls go forward in time.
    pub fn lasting(&mut self, first: usize, last: usize) -> &[&'a ContactSpan] {
        while let Some(span) = self.coming.next_if(|span| span.first <= first) {
            self.now.push(span);
        }
        self.now.retain(|span| span.last >= last);
        &self.now
    }
}

/// A contact as reports say it.
pub(crate) fn in_words(problem: &Problem, contact: &Contact) -> String {
    let effector = &problem.character.effectors[contact.effector].name;
    format!("effector `{effector}` on hold `{}`", problem.world.holds[contact.hold].name)
}
