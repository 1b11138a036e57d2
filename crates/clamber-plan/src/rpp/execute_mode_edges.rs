//! Takes the edges of the mode table: the papers' precondition checker and effect executor.

use std::sync::Arc;

use clamber_model::Contact;
use clamber_model::id::{EdgeId, GroupId, ModeId};
use clamber_model::mode_table::{Condition, Edge, Effect};

use super::search_state::{EdgeContacts, RppSearch};
use crate::budget::Interrupt;
use crate::cost_to_go_guide::Guide;
use crate::mode::hold_selection::{MAX_HOLDS, SearchRange};
use crate::mode::released_contacts::is_leaving;
use crate::turn_around::turn_around;
use crate::waypoint::{Locomotion, Waypoint};

impl RppSearch {
    /// Takes the first edge of the current mode whose conditions hold and whose effects succeed.
    pub(super) async fn try_edges(&mut self) -> Result<bool, Interrupt> {
        let Locomotion::Mode(mode) = self.here().locomotion else { return Ok(false) };
        let table = &*Arc::clone(&self.local.table);
        for (index, edge) in table.edges.iter_enumerated().filter(|(_, edge)| edge.from == mode) {
            if edge.preconditions.iter().all(|condition| self.is_true(condition)) && self.try_edge(index, edge).await? {
                self.failures[index] = 0;
                self.statistics.mode_edges_taken += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a condition holds at the end of the path.
    fn is_true(&mut self, condition: &Condition) -> bool {
        let here = self.distance_here();
        let Waypoint { stance, mode_start_distance, .. } = &self.path[self.path.len() - 1];
        let (local, world) = (&self.local, &self.local.problem.world);
        match condition {
            Condition::NoProgress(steps) => self.since_progress.0 >= *steps,
            Condition::AdvancedSinceModeBegan(far) => mode_start_distance - here >= *far,
            Condition::AllInContact(group) => {
                local.of_group(*group, stance).count() == local.table.effector_groups[*group].effectors.len()
            }
            Condition::AnyInContact(group) => local.of_group(*group, stance).next().is_some(),
            Condition::AnyContactOnType(wanted) => {
                stance.iter().any(|contact| world.holds[contact.hold].hold_type == *wanted)
            }
            Condition::RoomToStand { on, or_at } => local.has_room_to_stand(on, or_at),
            Condition::Higher { landmark, than } => local.is_higher(landmark, than),
            Condition::Upright { line, max_lean } => local.is_upright(line, *max_lean),
            Condition::Stretched { limbs, share } => local.is_any_stretched(limbs, *share, stance),
            Condition::RouteIsBehind(far) => local.leads_backward(&self.guide, *far),
            Condition::RouteGoesDown(far) => local.leads_down(&self.guide, *far),
            Condition::EdgeFailed { edge, times } => self.failures[*edge] >= *times,
            Condition::CenterBetween(balance) => local.is_between(balance, stance),
            // The published planner does not know about forces.
            Condition::EquilibriumRequired => false,
            Condition::EquilibriumNotRequired => true,
        }
    }

    /// Runs the effects of an edge. On failure, the path stays unchanged.
    async fn try_edge(&mut self, index: EdgeId, edge: &Edge) -> Result<bool, Interrupt> {
        let length = self.path.len();
        let last = self.path[length - 1].clone();
        // Only backing up removes earlier waypoints. It is rare enough for a copy.
        let backs_up = edge.effects.iter().any(|effect| matches!(effect, Effect::RetracePath(_)));
        let before = backs_up.then(|| self.path.clone());
        let done = self.run_effects(index, edge, 0, &EdgeContacts::default()).await?;
        if !done {
            match before {
                Some(before) => self.path = before,
                None => {
                    self.path.truncate(length);
                    self.path[length - 1] = last;
                }
            }
        } else if edge.from != edge.to {
            let began = self.distance_here();
            let last = self.path.len() - 1;
            self.path[last].mode_start_distance = began;
            self.since_progress.0 = 0;
        }
        Ok(done)
    }

    /// Runs the effects of an edge from an index on; false when one fails.
    async fn run_effects(
        &mut self,
        index: EdgeId,
        edge: &Edge,
        from: usize,
        contacts: &EdgeContacts,
    ) -> Result<bool, Interrupt> {
        let Some(&effect) = edge.effects.get(from) else {
            let least = self.local.table.modes[edge.to].least_contacts;
            return Ok(self.here().stance.len() >= least);
        };
        // The final conditions are checked before contacts are released.
        let is_last_but_leaving = edge.effects[from..].iter().all(is_leaving);
        let is_first_of_them = from == 0 || !is_leaving(&edge.effects[from - 1]);
        let is_over = is_last_but_leaving && is_first_of_them;
        if is_over && !edge.postconditions.iter().all(|condition| self.is_true(condition)) {
            self.failures[index] += 1;
            return Ok(false);
        }
        let mut contacts = contacts.clone();
        match effect {
            Effect::Attach => return Box::pin(self.attach_takes(index, edge, from, 0, &contacts)).await,
            Effect::CorrectPosture(mode) => {
                self.enter(edge.to);
                self.correct(mode).await?;
            }
            Effect::Detach(_) | Effect::DetachRear(_) | Effect::DetachRearBySpan { .. } => {
                let stance = self.local.kept(effect, &self.here().stance, &contacts.found, &self.guide);
                self.leave(edge, stance);
            }
            Effect::RetracePath(group) => {
                let Some(left) = self.back_up(group) else { return Ok(false) };
                contacts.left = Some(left);
            }
            Effect::WanderIntoReach => {
                if !self.wander(edge, &contacts).await? {
                    return Ok(false);
                }
            }
            Effect::TurnAround => {
                if !self.turn_around().await? {
                    return Ok(false);
                }
            }
        }
        Box::pin(self.run_effects(index, edge, from + 1, &contacts)).await
    }

    /// Appends a waypoint in another mode.
    fn enter(&mut self, mode: ModeId) {
        if self.here().locomotion != Locomotion::Mode(mode) {
            let waypoint = Waypoint { locomotion: Locomotion::Mode(mode), ..self.here().clone() };
            self.path.push(waypoint);
        }
    }

    /// Attaches the takes from an index on and runs the effects after; tries other holds when that fails.
    async fn attach_takes(
        &mut self,
        index: EdgeId,
        edge: &Edge,
        from: usize,
        take: usize,
        contacts: &EdgeContacts,
    ) -> Result<bool, Interrupt> {
        if take == edge.holds_to_take.len() {
            self.enter(edge.to);
            return Box::pin(self.run_effects(index, edge, from + 1, contacts)).await;
        }
        let length = self.path.len();
        let Waypoint { configuration, stance, .. } = self.here().clone();
        let left = edge.holds_to_take[take].held_before_retracing_by.and(contacts.left.as_ref());
        // The stance includes the contacts of the earlier takes.
        let candidates = self.local.candidates(
            &edge.holds_to_take[take],
            &configuration,
            &stance,
            left,
            SearchRange::Limb(1.0),
            &self.guide,
        );
        let mut tries = 0;
        for contact in candidates {
            let Some(path) = self.local.path_to_hold(&configuration, &contact).await? else { continue };
            for configuration in path {
                self.push(configuration, false);
            }
            self.attach(&stance, contact);
            let mut contacts = contacts.clone();
            contacts.found.push(contact);
            // What moves together elsewhere moves one by one here: the papers make one contact at a time.
            let is_held = |effector| stance.iter().any(|held| held.effector == effector);
            let is_complete = self.local.table.completes_take(&edge.holds_to_take[take], contact.effector, is_held);
            let next = take + usize::from(is_complete);
            if Box::pin(self.attach_takes(index, edge, from, next, &contacts)).await? {
                return Ok(true);
            }
            self.path.truncate(length);
            tries += 1;
            if tries == MAX_HOLDS {
                break;
            }
        }
        Ok(false)
    }

    /// Keeps only these contacts and enters the mode that the edge leads to.
    fn leave(&mut self, edge: &Edge, stance: Vec<Contact>) {
        let here = self.here();
        if stance.len() < here.stance.len() {
            let waypoint = Waypoint { stance: stance.into(), locomotion: Locomotion::Mode(edge.to), ..here.clone() };
            self.path.push(waypoint);
        } else {
            self.enter(edge.to);
        }
    }

    /// Truncates the path to the last waypoint at which the whole group was on other points than now. Returns a contact that
    /// the group has now.
    fn back_up(&mut self, group: GroupId) -> Option<Contact> {
        let now: Vec<Contact> = self.local.of_group(group, &self.here().stance).copied().collect();
        let left = *now.first()?;
        let size = self.local.table.effector_groups[group].effectors.len();
        let is_elsewhere = |waypoint: &Waypoint| {
            let held: Vec<&Contact> = self.local.of_group(group, &waypoint.stance).collect();
            held.len() == size && held.iter().all(|held| now.iter().all(|now| held.point != now.point))
        };
        let back = (self.subproblem_start - 1..self.path.len()).rev().find(|&index| is_elsewhere(&self.path[index]))?;
        self.path.truncate(back + 1);
        Some(left)
    }

    /// Turns around on the contact that is nearest to the goal.
    pub(super) async fn turn_around(&mut self) -> Result<bool, Interrupt> {
        let before = self.here().clone();
        let distance = |contact: &&Contact| self.guide.cost_to_go(contact);
        let pivot = before.stance.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied();
        let Some(pivot) = pivot else { return Ok(false) };
        let turn = turn_around(&mut self.local, &before, pivot).await?;
        let is_free = turn.is_some();
        self.path.extend(turn.into_iter().flatten());
        Ok(is_free)
    }
}
