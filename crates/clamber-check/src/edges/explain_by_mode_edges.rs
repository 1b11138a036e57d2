//! Follows all explanations of a motion at once.

use std::collections::BTreeSet;

use clamber_model::motion::TURNING_MODE;
use clamber_model::{Motion, Problem};

use super::contact_and_mode_changes::{Change, Leg, Moment, holds_goal_at_end, legs, moments};
use super::edge_execution_state::State;
use super::mode_edge_rules::{Here, Rules};
use crate::active_contacts::describe_contact;
use crate::passage_matching::{PassageFrames, UnplayedFrame};
use crate::progress::ProgressReporter;
use crate::report::{PropertyResult, Violations};
use crate::settings::CheckSettings;

/// Up to so many changes in one frame may have happened in any order; more are explained in the order of the motion.
const MAX_UNORDERED: usize = 8;

/// Counts the changes of contacts and modes that no edge of the mode table allows. Returns `None` without a
/// mode table or if it has no edges.
pub(crate) fn measure(
    problem: &Problem,
    motion: &Motion,
    settings: &CheckSettings,
    passages: &[Result<PassageFrames, UnplayedFrame>],
    progress: &mut ProgressReporter,
) -> Option<PropertyResult> {
    let table = problem.modes.as_deref().filter(|table| !table.edges.is_empty())?;
    let moments = moments(problem, motion, settings);
    let legs = legs(problem, motion, passages);
    let mut explain = |with_momentary_releases: bool| {
        let rules = Rules { problem, table, motion, settings };
        let (states, stance, violations) = (BTreeSet::new(), Vec::new(), Violations::new());
        let mut explanation = Explanation { rules, with_momentary_releases, states, stance, violations };
        explanation.begin(&moments);
        let mut after_passage = false;
        for leg in &legs {
            if after_passage {
                explanation.resume(leg, &moments);
            }
            explanation.follow(leg, &moments, after_passage, progress);
            after_passage = leg.ends_in_passage;
        }
        explanation.violations.into_result("edges")
    };
    // Contacts that are released and taken again at once multiply the explanations of a body with many limbs. Most motions have one
    // without.
    let result = explain(false);
    Some(if result.passed { result } else { explain(true) })
}

struct Explanation<'a> {
    rules: Rules<'a>,
    /// Whether a contact that lasts may have been released and taken again at once.
    with_momentary_releases: bool,
    /// All states that explain the motion so far.
    states: BTreeSet<State>,
    /// The present contacts, as indices in the motion.
    stance: Vec<usize>,
    violations: Violations,
}

impl Explanation<'_> {
    /// Begins with the start's mode and contacts.
    fn begin(&mut self, moments: &[Moment]) {
        let Rules { problem, table, motion, .. } = self.rules;
        self.states = match table.find_mode(&problem.start.mode_name) {
            Some(mode) => BTreeSet::from([State::in_mode(mode)]),
            None => table.modes.keys().map(State::in_mode).collect(),
        };
        let begins_later = |contact: &usize| {
            let change = Change { contact: *contact, begins: true };
            moments.iter().take_while(|moment| moment.frame == 0).any(|moment| moment.changes.contains(&change))
        };
        self.stance = (0..motion.contacts.len()).filter(|&contact| motion.contacts[contact].first_frame == 0).collect();
        self.stance.retain(|contact| !begins_later(contact));
    }

    /// Continues after a passage, in whatever mode and contacts it ended with.
    fn resume(&mut self, leg: &Leg, moments: &[Moment]) {
        let after = moments.iter().find(|moment| moment.frame >= leg.first);
        self.states = self.states_labeled(after.filter(|moment| moment.frame == leg.first).and_then(|at| at.next_mode));
        let contacts = self.rules.motion.contacts.iter().enumerate();
        let lasts = contacts.filter(|(_, span)| span.first_frame <= leg.first && leg.first < span.last_frame);
        self.stance = lasts.map(|(contact, _)| contact).collect();
    }

    /// Explains the moments of a leg. The first frame of a leg after a passage belongs to the passage.
    fn follow(&mut self, leg: &Leg, moments: &[Moment], after_passage: bool, progress: &mut ProgressReporter) {
        let is_first = leg.first == 0 && !after_passage;
        let begin = moments.partition_point(|moment| moment.frame < leg.first + usize::from(!is_first));
        let end = moments.partition_point(|moment| moment.frame <= leg.last);
        let moments = moments.get(begin..end).unwrap_or_default();
        let is_other = |change: &Change| {
            let contact = &self.rules.motion.contacts[change.contact].contact;
            change.begins && !self.rules.is_target(contact, leg)
        };
        let last_other = moments.iter().rposition(|moment| moment.changes.iter().any(is_other));
        for (index, moment) in moments.iter().enumerate() {
            let here = Here { moment, leg, only_target_follows: last_other.is_none_or(|last| last < index) };
            if !progress.poll() {
                return;
            }
            if !(leg.ends_in_passage && moment.frame == leg.last) {
                self.explain(here);
            }
        }
    }

    /// Explains the changes of one frame and the mode after it.
    fn explain(&mut self, here: Here) {
        let moment = here.moment;
        let after = self.stance_after(&moment.changes);
        let mut states = self.after_changes(here);
        if let Some(label) = moment.next_mode {
            states = states.into_iter().filter_map(|state| self.rules.labeled(state, label)).collect();
        } else if holds_goal_at_end(self.rules.problem, self.rules.motion, self.rules.settings)
            && let Some(goal) = self.rules.table.find_mode(&self.rules.problem.goal.mode_name)
        {
            states.retain(|state| state.mode == goal && !state.is_turning);
        }
        if states.is_empty() {
            let time = self.rules.motion.frames[moment.frame].time;
            let description = self.describe(moment);
            self.violations.record(time, || description);
            states = self.states_labeled(moment.next_mode);
        }
        self.states = states;
        self.stance = after;
    }

    /// The states after all changes of a frame, in any order that the rules allow.
    fn after_changes(&self, here: Here) -> BTreeSet<State> {
        let changes = &here.moment.changes;
        let all = (1u64 << changes.len().min(63)) - 1;
        let mut open: Vec<(State, u64)> = self.states.iter().map(|state| (state.clone(), 0)).collect();
        let mut known: BTreeSet<(State, u64)> = open.iter().cloned().collect();
        let mut after = BTreeSet::new();
        while let Some((state, done)) = open.pop() {
            let made: Vec<Change> = (0..changes.len()).filter(|&i| done >> i & 1 == 1).map(|i| changes[i]).collect();
            let mut stance = self.stance_after(&made);
            stance.retain(|contact| !state.to_retake.contains(contact));
            let same = self.rules.without_change(&state, &stance, here).into_iter();
            let mut next: Vec<(State, u64)> = same.map(|next| (next, done)).collect();
            if self.with_momentary_releases {
                let released = self.rules.with_momentary_release(&state, &stance, here);
                next.extend(released.into_iter().map(|next| (next, done)));
            }
            for (index, &change) in changes.iter().enumerate().take(63).filter(|(index, _)| done >> index & 1 == 0) {
                if !change.begins && !stance.contains(&change.contact) {
                    continue;
                }
                let changed = self.rules.with_change(&state, &stance, change, here);
                next.extend(changed.into_iter().map(|next| (next, done | 1 << index)));
                if changes.len() > MAX_UNORDERED {
                    break;
                }
            }
            open.extend(next.into_iter().filter(|next| known.insert(next.clone())));
            if done == all && state.to_retake.is_empty() {
                after.insert(state);
            }
        }
        after
    }

    fn stance_after(&self, changes: &[Change]) -> Vec<usize> {
        let mut stance = self.stance.clone();
        stance.extend(changes.iter().filter(|change| change.begins).map(|change| change.contact));
        stance.retain(|contact| !changes.contains(&Change { contact: *contact, begins: false }));
        stance
    }

    /// All states that a label of the mode allows.
    fn states_labeled(&self, label: Option<&str>) -> BTreeSet<State> {
        let table = self.rules.table;
        match label.and_then(|label| table.find_mode(label)) {
            Some(mode) => BTreeSet::from([State::in_mode(mode)]),
            None => {
                let is_turning = label == Some(TURNING_MODE);
                table.modes.keys().map(|mode| State { is_turning, ..State::in_mode(mode) }).collect()
            }
        }
    }

    /// What no edge explains, for reports.
    fn describe(&self, moment: &Moment) -> String {
        let Rules { problem, table, motion, .. } = self.rules;
        let modes: BTreeSet<&str> = self.states.iter().map(|state| table.modes[state.mode].name.as_str()).collect();
        let modes: Vec<String> = modes.into_iter().map(|mode| format!("`{mode}`")).collect();
        let mut what: Vec<String> = Vec::new();
        for change in &moment.changes {
            let verb = if change.begins { "takes" } else { "releases" };
            what.push(format!("{verb} {}", describe_contact(problem, &motion.contacts[change.contact].contact)));
        }
        match moment.next_mode {
            Some(mode) => what.push(format!("goes on in mode `{mode}`")),
            None => what.push("ends".to_owned()),
        }
        format!("no edge from mode {} allows that the character {}", modes.join(" or "), what.join(" and "))
    }
}
