//! What the edges of a mode table allow.

use clamber_model::id::GroupId;
use clamber_model::mode_table::{Condition, Edge, Effect, HoldToTake};
use clamber_model::motion::TURNING_MODE;
use clamber_model::{Contact, ModeTable, Motion, Problem};

use super::contact_and_mode_changes::{Change, Leg, Moment};
use super::edge_execution_state::{EdgeProgress, State};
use crate::passage_matching::is_same_contact;
use crate::settings::CheckSettings;

/// How near to the contacts of the target a turn belongs to the last steps, in body sizes.
const ARRIVAL_RANGE: f32 = 3.0;

/// The rules that lead from one state to the next.
pub(super) struct Rules<'a> {
    pub problem: &'a Problem,
    pub table: &'a ModeTable,
    pub motion: &'a Motion,
    pub settings: &'a CheckSettings,
}

/// A moment of the motion, with what the rules need to know about it.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    pub moment: &'a Moment<'a>,
    pub leg: &'a Leg,
    /// Whether the rest of the leg takes only contacts of its target.
    pub only_target_follows: bool,
}

impl Rules<'_> {
    /// Returns the states that follow without a change of contacts. `stance` has the indices of the present contacts.
    pub fn without_change(&self, state: &State, stance: &[usize], here: Here) -> Vec<State> {
        let mut next = Vec::new();
        let is_before_turn = here.moment.next_mode == Some(TURNING_MODE);
        if state.is_turning {
            if !is_before_turn {
                let edge = state.edge.clone().map(|edge| EdgeProgress { effects: edge.effects + 1, ..edge });
                next.push(State { is_turning: false, edge, ..state.clone() });
            }
            return next;
        }
        if is_before_turn && stance.len() == 1 && self.may_turn_to_target(state, stance, here) {
            next.push(State { is_turning: true, edge: None, ..state.clone() });
        }
        for (id, edge) in self.table.edges.iter_enumerated() {
            if edge.from == state.mode && edge.preconditions.iter().all(|condition| self.may_hold(condition, stance)) {
                let edge = EdgeProgress { edge: id, effects: 0, takes: 0, made: Vec::new() };
                next.push(State { edge: Some(edge), ..state.clone() });
            }
        }
        let Some((progress, edge, effect)) = self.next_effect(state) else { return next };
        let of_group = |group: GroupId| stance.iter().filter(move |&&contact| self.is_of_group(contact, group));
        let is_done = match effect {
            Effect::CorrectPosture(_) | Effect::RetracePath(_) | Effect::WanderIntoReach => true,
            Effect::Attach => progress.takes == edge.holds_to_take.len(),
            Effect::Detach(group) => of_group(*group).all(|contact| progress.made.contains(contact)),
            Effect::DetachRear(group) => of_group(*group).next().is_none(),
            Effect::DetachRearBySpan { if_stretched, if_bent, .. } => {
                of_group(*if_stretched).next().is_none() || of_group(*if_bent).next().is_none()
            }
            Effect::TurnAround => {
                if is_before_turn && stance.len() == 1 {
                    next.push(State { is_turning: true, ..state.clone() });
                }
                false
            }
        };
        if is_done {
            next.push(self.completed(state, progress, edge, effect));
        }
        next
    }

    /// Returns the states that follow when a contact begins or ends. `stance` has the contacts before the change.
    pub fn with_change(&self, state: &State, stance: &[usize], change: Change, here: Here) -> Vec<State> {
        if state.is_turning {
            return Vec::new();
        }
        let mut next = Vec::new();
        if self.is_arrival(state, stance, change, here) {
            let has_taken_target = state.has_taken_target || change.begins;
            next.push(State { edge: None, has_taken_target, ..state.clone() });
        }
        let Some((progress, edge, effect)) = self.next_effect(state) else { return next };
        let in_group = |group: &GroupId| self.is_of_group(change.contact, *group);
        if change.begins {
            let take = edge.holds_to_take.get(progress.takes).filter(|_| *effect == Effect::Attach);
            let is_free = self.is_limb_free(change.contact, stance.iter().chain(&state.to_retake));
            if let Some(take) = take.filter(|take| is_free && self.may_take(take, change.contact, stance)) {
                let is_held = |effector| stance.iter().any(|&held| self.contact(held).effector == effector);
                let is_complete = self.table.completes_take(take, self.contact(change.contact).effector, is_held);
                let mut progress = progress.clone();
                progress.takes += usize::from(is_complete);
                progress.made.push(change.contact);
                // The order in which contacts were made together does not matter.
                progress.made.sort_unstable();
                // The label of a former mode lasts up to the next contact that is taken.
                next.push(State { edge: Some(progress), former_mode: None, has_taken_target: false, ..state.clone() });
            }
            return next;
        }
        match effect {
            // Completed once the last contact of the group has ended.
            Effect::Detach(group) if in_group(group) && !progress.made.contains(&change.contact) => {
                next.push(self.entered(state, edge));
            }
            Effect::DetachRear(group) if in_group(group) => {
                next.push(self.completed(state, progress, edge, effect));
            }
            Effect::DetachRearBySpan { if_stretched, if_bent, .. } if in_group(if_stretched) || in_group(if_bent) => {
                next.push(self.completed(state, progress, edge, effect));
            }
            // A turn is made on one contact.
            Effect::TurnAround if stance.len() > 1 => next.push(state.clone()),
            _ => {}
        }
        next
    }

    /// Returns the states that follow when a contact is released or taken again while the motion holds it without a break: one edge
    /// may release a contact that the next one takes again, and nothing moves between them.
    pub fn with_momentary_release(&self, state: &State, stance: &[usize], here: Here) -> Vec<State> {
        let mut next = Vec::new();
        let releases = stance.iter().map(|&contact| Change { contact, begins: false });
        let takes = state.to_retake.iter().map(|&contact| Change { contact, begins: true });
        for change in releases.chain(takes) {
            for mut after in self.with_change(state, stance, change, here) {
                // Steps onto the contacts of the target have no edge; they need no such release.
                if after.edge.is_none() {
                    continue;
                }
                after.to_retake.retain(|contact| *contact != change.contact);
                if !change.begins {
                    after.to_retake.push(change.contact);
                    after.to_retake.sort_unstable();
                }
                next.push(after);
            }
        }
        next
    }

    /// Whether the motion's label of the mode after a moment fits a state; the state after it.
    pub fn labeled(&self, state: State, label: &str) -> Option<State> {
        if state.is_turning || label == TURNING_MODE {
            return (state.is_turning && label == TURNING_MODE).then_some(state);
        }
        let label = self.table.find_mode(label)?;
        if label == state.mode {
            return Some(State { former_mode: None, ..state });
        }
        if state.former_mode == Some(label) {
            return Some(state);
        }
        // Contacts that an edge releases may last into the clip's next mode, as the rules for single contacts allow.
        let progress = state.edge.as_ref().filter(|_| self.motion.is_clip)?;
        let edge = &self.table.edges[progress.edge];
        let has_taken_all = progress.takes == edge.holds_to_take.len();
        (edge.to == label && has_taken_all).then(|| State { mode: label, former_mode: None, ..state.clone() })
    }

    /// The edge in progress and the first of its effects that is not complete.
    fn next_effect<'s>(&'s self, state: &'s State) -> Option<(&'s EdgeProgress, &'s Edge, &'s Effect)> {
        let progress = state.edge.as_ref()?;
        let edge = &self.table.edges[progress.edge];
        Some((progress, edge, edge.effects.get(progress.effects)?))
    }

    /// The state after an effect of an edge.
    fn completed(&self, state: &State, progress: &EdgeProgress, edge: &Edge, effect: &Effect) -> State {
        let changes_mode = !matches!(effect, Effect::RetracePath(_) | Effect::WanderIntoReach | Effect::TurnAround);
        let state = if changes_mode { self.entered(state, edge) } else { state.clone() };
        State { edge: Some(EdgeProgress { effects: progress.effects + 1, ..progress.clone() }), ..state }
    }

    /// The state in the mode that an edge leads to.
    fn entered(&self, state: &State, edge: &Edge) -> State {
        let former_mode =
            if state.mode == edge.to { state.former_mode } else { Some(state.former_mode.unwrap_or(state.mode)) };
        State { mode: edge.to, former_mode, ..state.clone() }
    }

    fn contact(&self, index: usize) -> &Contact {
        &self.motion.contacts[index].contact
    }

    fn is_of_group(&self, contact: usize, group: GroupId) -> bool {
        self.table.effector_groups[group].effectors.contains(&self.contact(contact).effector)
    }

    /// Whether a precondition is met, as far as the contacts tell.
    fn may_hold(&self, condition: &Condition, stance: &[usize]) -> bool {
        match condition {
            Condition::AllInContact(group) => self.table.effector_groups[*group]
                .effectors
                .iter()
                .all(|effector| stance.iter().any(|&contact| self.contact(contact).effector == *effector)),
            Condition::AnyInContact(group) => stance.iter().any(|&contact| self.is_of_group(contact, *group)),
            Condition::AnyContactOnType(hold_type) => stance
                .iter()
                .any(|&contact| self.problem.world.holds[self.contact(contact).hold].hold_type == *hold_type),
            Condition::EquilibriumRequired => self.settings.equilibrium,
            Condition::EquilibriumNotRequired => !self.settings.equilibrium,
            _ => true,
        }
    }

    /// Whether no other contact of these occupies the limb of a contact.
    fn is_limb_free<'c>(&self, contact: usize, mut others: impl Iterator<Item = &'c usize>) -> bool {
        let limb = |index: usize| self.problem.character.effectors[self.contact(index).effector].limb;
        others.all(|&other| other == contact || limb(other) != limb(contact))
    }

    /// Whether a contact is one that an edge may take.
    fn may_take(&self, take: &HoldToTake, contact: usize, stance: &[usize]) -> bool {
        let contact = self.contact(contact);
        let held = || stance.iter().map(|&index| self.contact(index));
        if !take.groups.iter().any(|group| self.table.effector_groups[*group].effectors.contains(&contact.effector)) {
            return false;
        }
        // The published planner takes the hold that it left whatever its type and place.
        if take.held_before_retracing_by.is_some() {
            return true;
        }
        // A point that the scene pins is taken instead of one nearby.
        let is_pinned = self.problem.pins.iter().any(|pin| pin.point.is_some() && pin.is_held_by(contact));
        let tolerance = self.settings.max_hold_distance;
        let distance = |group: GroupId| {
            let effectors = &self.table.effector_groups[group].effectors;
            held()
                .filter(move |other| effectors.contains(&other.effector))
                .map(|other| (other.point - contact.point).length())
                .fold(f32::INFINITY, f32::min)
        };
        let is_apart = take.min_separations.iter().all(|apart| distance(apart.from_group) > apart.by - tolerance);
        let is_close = take.max_separations.iter().all(|close| distance(close.to_group) <= close.by + tolerance);
        take.types.contains(&self.problem.world.holds[contact.hold].hold_type) && (is_pinned || is_apart && is_close)
    }

    /// Whether a state is in the mode of the target, in which its contacts and its facing are taken without an edge.
    fn may_arrive(&self, state: &State, here: Here) -> bool {
        let target_mode = here.leg.target_mode.as_ref().map(|mode| self.table.find_mode(mode));
        target_mode.is_none_or(|mode| mode == Some(state.mode))
    }

    /// Whether a state may turn without an edge, to face as the target does: near it.
    fn may_turn_to_target(&self, state: &State, stance: &[usize], here: Here) -> bool {
        let range = ARRIVAL_RANGE * self.problem.character.body_size();
        let is_near = |&contact: &usize| {
            let point = self.contact(contact).point;
            here.leg.target.iter().any(|target| (target.point - point).length() <= range)
        };
        self.may_arrive(state, here) && stance.iter().any(is_near)
    }

    /// Whether a change is a step onto the contacts of the target: an effector of the same group takes one of them, or a contact
    /// that the target does not have is released.
    fn is_arrival(&self, state: &State, stance: &[usize], change: Change, here: Here) -> bool {
        if !self.may_arrive(state, here) {
            return false;
        }
        let contact = self.contact(change.contact);
        if change.begins {
            return self.is_target(contact, here.leg);
        }
        let is_surplus = !here.leg.target.iter().any(|target| is_same_contact(target, contact, self.settings));
        let is_enough = stance.len() > self.table.modes[state.mode].least_contacts.max(1);
        let is_turn = here.moment.next_mode == Some(TURNING_MODE)
            && stance.len() > 1
            && self.may_turn_to_target(state, stance, here);
        is_turn || (is_surplus && is_enough && (state.has_taken_target || here.only_target_follows))
    }

    /// Whether a contact is at the place of one of a leg's target, by any effector of its group.
    pub fn is_target(&self, contact: &Contact, leg: &Leg) -> bool {
        leg.target.iter().any(|target| {
            let is_sibling = |group: GroupId| self.table.effector_groups[group].effectors.contains(&contact.effector);
            let is_in_place =
                is_same_contact(&Contact { effector: contact.effector, ..*target }, contact, self.settings);
            is_in_place && self.table.group_of_effector(target.effector).is_some_and(is_sibling)
        })
    }
}
