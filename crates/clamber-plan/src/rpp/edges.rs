//! Takes the edges of the mode table: the papers' precondition checker and effect executor.

use std::sync::Arc;

use clamber_model::Contact;
use clamber_model::id::{EdgeId, GroupId, ModeId};
use clamber_model::mode::{Condition, Edge, Effect};

use super::RppSearch;
use crate::budget::Interrupt;
use crate::guide::Guide;
use crate::mode::hold_selection::SearchRange;
use crate::mode::release::is_leaving;
use crate::turn_around::turn_around;
use crate::waypoint::{Locomotion, Waypoint};

/// What an edge that is being taken has found.
#[derive(Clone, Default)]
struct EdgeProgress {
    /// The contacts for its takes.
    found: Vec<Contact>,
    /// What a group held on to before the character backed up.
    left: Option<Contact>,
}

impl RppSearch {
    /// Takes the first edge of the present mode that can be taken.
    pub(super) fn try_edges(&mut self) -> Result<bool, Interrupt> {
        let Locomotion::Mode(mode) = self.here().locomotion else { return Ok(false) };
        let table = &*Arc::clone(&self.local.table);
        for (index, edge) in table.edges.iter_enumerated().filter(|(_, edge)| edge.from == mode) {
            if !edge.when.iter().all(|condition| self.is_true(condition)) {
                continue;
            }
            let done = self.try_edge(index, edge)?;
            if done {
                self.failures[index] = 0;
                self.statistics.edges += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a condition is true at the end of the path.
    fn is_true(&mut self, condition: &Condition) -> bool {
        let here = self.distance_here();
        let Waypoint { stance, mode_start_distance, .. } = &self.path[self.path.len() - 1];
        let (local, world) = (&self.local, &self.local.problem.world);
        match *condition {
            Condition::NoProgress(steps) => self.since_progress.0 >= steps,
            Condition::Advanced(far) => mode_start_distance - here >= far,
            Condition::AllHold(group) => {
                local.of_group(group, stance).count() == local.table.groups[group].effectors.len()
            }
            Condition::HoldsOn(wanted) => stance.iter().any(|contact| world.holds[contact.hold].hold_type == wanted),
            Condition::RoomToStand => local.has_room_to_stand(),
            Condition::HeadOverHip => local.has_head_over_hip(),
            Condition::Upright(most) => local.is_upright(most),
            Condition::WayIsBehind(far) => local.leads_backward(&self.guide, far),
            Condition::WayGoesDown(far) => local.leads_down(&self.guide, far),
            Condition::Failed { edge, times } => self.failures[edge] >= times,
            Condition::CenterBetween(balance) => local.is_between(&balance, stance),
        }
    }

    /// Does what an edge does; the path is left as it was when that cannot be done.
    fn try_edge(&mut self, index: EdgeId, edge: &Edge) -> Result<bool, Interrupt> {
        let length = self.path.len();
        let last = self.path[length - 1].clone();
        // Only going back takes more off the path than was put on it, and is rare enough for a copy.
        let goes_back = edge.effects.iter().any(|effect| matches!(effect, Effect::BackUp(_)));
        let before = goes_back.then(|| self.path.clone());
        let done = self.run_effects(index, edge, 0, &EdgeProgress::default())?;
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

    /// Does an edge's effects from the one of this index on; false when one cannot be done.
    fn run_effects(
        &mut self,
        index: EdgeId,
        edge: &Edge,
        from: usize,
        progress: &EdgeProgress,
    ) -> Result<bool, Interrupt> {
        let Some(&effect) = edge.effects.get(from) else {
            let least = self.local.table.modes[edge.to].least_contacts;
            return Ok(self.here().stance.len() >= least);
        };
        // What must be true afterwards is looked at before contacts are left for good.
        let is_last_but_leaving = edge.effects[from..].iter().all(is_leaving);
        let is_first_of_them = from == 0 || !is_leaving(&edge.effects[from - 1]);
        let is_over = is_last_but_leaving && is_first_of_them;
        if is_over && !edge.after.iter().all(|condition| self.is_true(condition)) {
            self.failures[index] += 1;
            return Ok(false);
        }
        let mut progress = progress.clone();
        match effect {
            Effect::Attach => return self.attach_takes(index, edge, from, 0, &progress),
            Effect::Correct(mode) => {
                self.enter(edge.to);
                self.correct(mode)?;
            }
            Effect::Detach(_) | Effect::DetachRear(_) | Effect::DetachStretched { .. } => {
                let stance = self.local.kept(effect, &self.here().stance, &progress.found, &self.guide);
                self.leave(edge, stance);
            }
            Effect::BackUp(group) => {
                let Some(left) = self.back_up(group) else { return Ok(false) };
                progress.left = Some(left);
            }
            Effect::Wander => {
                if !self.wander(edge, &progress)? {
                    return Ok(false);
                }
            }
            Effect::TurnAround => {
                if !self.turn_around()? {
                    return Ok(false);
                }
            }
        }
        self.run_effects(index, edge, from + 1, &progress)
    }

    /// The waypoints from here on are of the mode that the edge leads to.
    fn enter(&mut self, mode: ModeId) {
        if self.here().locomotion != Locomotion::Mode(mode) {
            let waypoint = Waypoint { locomotion: Locomotion::Mode(mode), ..self.here().clone() };
            self.path.push(waypoint);
        }
    }

    /// Attaches the takes from the one of this index on, and does the effects after; tries other holds when that fails.
    fn attach_takes(
        &mut self,
        index: EdgeId,
        edge: &Edge,
        from: usize,
        take: usize,
        progress: &EdgeProgress,
    ) -> Result<bool, Interrupt> {
        if take == edge.take.len() {
            self.enter(edge.to);
            return self.run_effects(index, edge, from + 1, progress);
        }
        let length = self.path.len();
        let Waypoint { configuration, stance, .. } = self.here().clone();
        let left = edge.take[take].left_by.and(progress.left.as_ref());
        // What was attached for the takes before is in the stance already.
        let candidates =
            self.local.candidates(&edge.take[take], &configuration, &stance, left, SearchRange::Limb(1.0), &self.guide);
        let mut tries = 0;
        for contact in candidates {
            let Some(path) = self.local.path_to_hold(&configuration, &contact)? else { continue };
            for configuration in path {
                self.push(configuration, false);
            }
            self.attach(&stance, contact);
            let mut progress = progress.clone();
            progress.found.push(contact);
            if self.attach_takes(index, edge, from, take + 1, &progress)? {
                return Ok(true);
            }
            self.path.truncate(length);
            tries += 1;
            if tries == self.local.settings.max_holds {
                break;
            }
        }
        Ok(false)
    }

    /// Keeps only these contacts, in the mode that the edge leads to.
    fn leave(&mut self, edge: &Edge, stance: Vec<Contact>) {
        let here = self.here();
        if stance.len() < here.stance.len() {
            let waypoint = Waypoint { stance: stance.into(), locomotion: Locomotion::Mode(edge.to), ..here.clone() };
            self.path.push(waypoint);
        } else {
            self.enter(edge.to);
        }
    }

    /// Goes back along the path until all of a group hold on to something else than what it holds on to now, which is
    /// returned.
    fn back_up(&mut self, group: GroupId) -> Option<Contact> {
        let now: Vec<Contact> = self.local.of_group(group, &self.here().stance).copied().collect();
        let left = *now.first()?;
        let size = self.local.table.groups[group].effectors.len();
        let is_elsewhere = |waypoint: &Waypoint| {
            let held: Vec<&Contact> = self.local.of_group(group, &waypoint.stance).collect();
            held.len() == size && held.iter().all(|held| now.iter().all(|now| held.point != now.point))
        };
        let back = (self.subproblem_start - 1..self.path.len()).rev().find(|&index| is_elsewhere(&self.path[index]))?;
        self.path.truncate(back + 1);
        Some(left)
    }

    /// Moves about, keeping the contacts, until the first take can be reached.
    ///
    /// The thesis wanders by Brownian motion and calls that poor. Here a draw is kept when it brings the limb's root no
    /// farther from the hold than its best so far and a little more, which gets there in a fraction of the draws.
    fn wander(&mut self, edge: &Edge, progress: &EdgeProgress) -> Result<bool, Interrupt> {
        const DRAWS: usize = 3000;
        const SLACK: f32 = 0.04;
        const FARTHEST: f32 = 3.0;
        const MOST_HOLDS: usize = 6;
        let Some(take) = edge.take.first() else { return Ok(false) };
        let left = take.left_by.and(progress.left.as_ref());
        let Waypoint { configuration, stance, .. } = self.here().clone();
        // Holds in front that come into reach when the body bends; the nearest is the easiest.
        let mut candidates =
            self.local.candidates(take, &configuration, &stance, left, SearchRange::Limb(FARTHEST), &self.guide);
        let distance = |contact: &Contact| self.guide.cost_to_go(contact);
        let foremost = stance.iter().map(distance).fold(f32::INFINITY, f32::min);
        candidates.retain(|contact| left.is_some() || distance(contact) < foremost);
        let effector = candidates.first().map(|contact| contact.effector);
        let Some(root) = effector.and_then(|effector| self.local.limb_root(effector)) else { return Ok(false) };
        candidates.sort_by(|a, b| (a.point - root).length().total_cmp(&(b.point - root).length()));
        candidates.truncate(MOST_HOLDS);
        let Some(target) = candidates.first().copied() else { return Ok(false) };
        let character = &*Arc::clone(&self.local.problem.character);
        let Some(limb) = character.effectors[target.effector].limb else { return Ok(false) };
        let first = character.limbs[limb].links[0];
        let reach = character.reach_from(first);
        let center = target.center(character);
        let miss =
            |search: &Self| (search.local.projection.frames.world_from_link[first].translation - center).length();
        self.distance_here();
        let mut least = miss(self);
        let mut next = configuration;
        for _ in 0..DRAWS {
            self.local.budget.spend(1)?;
            let here = self.here().configuration.clone();
            let drawn =
                self.local.projection.sample_neighbor(character, &here, &stance, &mut self.local.random, &mut next);
            if !drawn || miss(self) > least.max(0.6 * reach) + SLACK || !self.local.is_step_free(&here, &next) {
                continue;
            }
            self.local.center_of(&next);
            let missed = miss(self);
            least = least.min(missed);
            self.push(next.clone(), true);
            if missed < reach {
                for contact in &candidates {
                    if self.local.path_to_hold(&next, contact)?.is_some() {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Turns half around on the contact that is nearest to the goal.
    pub(super) fn turn_around(&mut self) -> Result<bool, Interrupt> {
        let before = self.here().clone();
        let distance = |contact: &&Contact| self.guide.cost_to_go(contact);
        let pivot = before.stance.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied();
        let Some(pivot) = pivot else { return Ok(false) };
        let turn = turn_around(&mut self.local, &before, pivot)?;
        let is_free = turn.is_some();
        self.path.extend(turn.into_iter().flatten());
        Ok(is_free)
    }
}
