//! Takes the edges of the mode table: the papers' precondition checker and effect executor.

use std::f32::consts::PI;
use std::rc::Rc;

use clamber_model::math::{Pose, Rotation, rotation_about};
use clamber_model::mode::{Condition, Edge, Effect};
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact};

use super::Search;
use crate::mode::take::guide_at;
use crate::observe::Stop;
use crate::trail::{Moving, Waypoint};

/// What an edge that is being taken has found.
#[derive(Clone, Default)]
struct Taking {
    /// The contacts for its takes.
    found: Vec<Contact>,
    /// What a group held on to before the character backed up.
    left: Option<Contact>,
}

impl Search<'_, '_, '_> {
    /// Takes the first edge of the present mode that can be taken.
    pub(super) fn take_an_edge(&mut self) -> Result<bool, Stop> {
        let Moving::Mode(mode) = self.here().moving else { return Ok(false) };
        let table = self.mover.table;
        for (index, edge) in table.edges.iter().enumerate().filter(|(_, edge)| edge.from == mode) {
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

    /// Whether a condition is true at the end of the way.
    fn is_true(&mut self, condition: &Condition) -> bool {
        let here = self.distance_here();
        let Waypoint { stance, mode_began, .. } = &self.way[self.way.len() - 1];
        let (mover, world) = (&self.mover, &self.mover.problem.world);
        match *condition {
            Condition::NoProgress(steps) => self.since_progress.0 >= steps,
            Condition::Advanced(far) => mode_began - here >= far,
            Condition::AllHold(group) => {
                mover.of_group(group, stance).count() == mover.table.groups[group].effectors.len()
            }
            Condition::HoldsOn(wanted) => stance.iter().any(|contact| world.holds[contact.hold].hold_type == wanted),
            Condition::RoomToStand => mover.has_room_to_stand(),
            Condition::HeadOverHip => mover.has_head_over_hip(),
            Condition::WayIsBehind(far) => mover.is_way_behind(&self.guide, far),
            Condition::Failed { edge, times } => self.failures[edge] >= times,
            Condition::CenterBetween(balance) => mover.is_between(&balance, stance),
        }
    }

    /// Does what an edge does; the way is left as it was when that cannot be done.
    fn try_edge(&mut self, index: usize, edge: &Edge) -> Result<bool, Stop> {
        let length = self.way.len();
        let last = self.way[length - 1].clone();
        // Only going back takes more off the way than was put on it, and is rare enough for a copy.
        let goes_back = edge.effects.iter().any(|effect| matches!(effect, Effect::BackUp(_)));
        let before = goes_back.then(|| self.way.clone());
        let done = self.run_effects(index, edge, 0, &Taking::default())?;
        if !done {
            match before {
                Some(before) => self.way = before,
                None => {
                    self.way.truncate(length);
                    self.way[length - 1] = last;
                }
            }
        } else if edge.from != edge.to {
            let began = self.distance_here();
            let last = self.way.len() - 1;
            self.way[last].mode_began = began;
            self.since_progress.0 = 0;
        }
        Ok(done)
    }

    /// Does an edge's effects from the one of this index on; false when one cannot be done.
    fn run_effects(&mut self, index: usize, edge: &Edge, from: usize, taking: &Taking) -> Result<bool, Stop> {
        let Some(&effect) = edge.effects.get(from) else {
            let least = self.mover.table.modes[edge.to].least_contacts;
            return Ok(self.here().stance.len() >= least);
        };
        let is_detach = |effect: &Effect| {
            matches!(effect, Effect::Detach(_) | Effect::DetachRear(_) | Effect::DetachStretched { .. })
        };
        // What must be true afterwards is looked at before contacts are left for good.
        let is_last_but_leaving = edge.effects[from..].iter().all(is_detach);
        let is_first_of_them = from == 0 || !is_detach(&edge.effects[from - 1]);
        let is_over = is_last_but_leaving && is_first_of_them;
        if is_over && !edge.after.iter().all(|condition| self.is_true(condition)) {
            self.failures[index] += 1;
            return Ok(false);
        }
        let mut taking = taking.clone();
        match effect {
            Effect::Attach => return self.attach_takes(index, edge, from, 0, &taking),
            Effect::Correct(mode) => {
                self.enter(edge.to);
                self.correct(mode)?;
            }
            Effect::Detach(group) => {
                let effectors = &self.mover.table.groups[group].effectors;
                let leaves =
                    |contact: &Contact| effectors.contains(&contact.effector) && !taking.found.contains(contact);
                self.leave(edge, |contact| leaves(contact));
            }
            Effect::DetachRear(group) => self.leave_rear(edge, group),
            Effect::DetachStretched { share, then, otherwise } => {
                self.distance_here();
                let is_stretched = self.mover.is_stretched(share, &self.here().stance);
                self.leave_rear(edge, if is_stretched { then } else { otherwise });
            }
            Effect::BackUp(group) => {
                let Some(left) = self.back_up(group) else { return Ok(false) };
                taking.left = Some(left);
            }
            Effect::Wander => {
                if !self.wander(edge, &taking)? {
                    return Ok(false);
                }
            }
            Effect::TurnAround => {
                if !self.turn_around()? {
                    return Ok(false);
                }
            }
        }
        self.run_effects(index, edge, from + 1, &taking)
    }

    /// The waypoints from here on are of the mode that the edge leads to.
    fn enter(&mut self, mode: usize) {
        if self.here().moving != Moving::Mode(mode) {
            let waypoint = Waypoint { moving: Moving::Mode(mode), ..self.here().clone() };
            self.way.push(waypoint);
        }
    }

    /// Attaches the takes from the one of this index on, and does the effects after; tries other holds when that fails.
    fn attach_takes(
        &mut self,
        index: usize,
        edge: &Edge,
        from: usize,
        take: usize,
        taking: &Taking,
    ) -> Result<bool, Stop> {
        if take == edge.take.len() {
            self.enter(edge.to);
            return self.run_effects(index, edge, from + 1, taking);
        }
        let length = self.way.len();
        let Waypoint { configuration, stance, .. } = self.here().clone();
        let left = edge.take[take].left_by.and(taking.left.as_ref());
        // What was attached for the takes before is in the stance already.
        let candidates = self.mover.candidates(&edge.take[take], &configuration, &stance, left, 1.0, &self.guide);
        let mut tries = 0;
        for contact in candidates {
            let Some(way) = self.mover.way_to_hold(&configuration, &contact)? else { continue };
            for configuration in way {
                self.push(configuration, false);
            }
            self.attach(&stance, contact);
            let mut taking = taking.clone();
            taking.found.push(contact);
            if self.attach_takes(index, edge, from, take + 1, &taking)? {
                return Ok(true);
            }
            self.way.truncate(length);
            tries += 1;
            if tries == self.mover.settings.max_holds {
                break;
            }
        }
        Ok(false)
    }

    /// Leaves contacts, in the mode that the edge leads to.
    fn leave(&mut self, edge: &Edge, leaves: impl Fn(&Contact) -> bool) {
        let here = self.here();
        let stance: Rc<[Contact]> = here.stance.iter().filter(|contact| !leaves(contact)).copied().collect();
        if stance.len() < here.stance.len() {
            let waypoint = Waypoint { stance, moving: Moving::Mode(edge.to), ..here.clone() };
            self.way.push(waypoint);
        } else {
            self.enter(edge.to);
        }
    }

    /// Leaves the contact of a group that is farthest from the goal.
    fn leave_rear(&mut self, edge: &Edge, group: usize) {
        let distance = |contact: &Contact| guide_at(&self.guide, contact.point, contact.normal);
        let stance = self.here().stance.clone();
        let rear = self.mover.of_group(group, &stance).max_by(|a, b| distance(a).total_cmp(&distance(b))).copied();
        self.leave(edge, |contact| Some(*contact) == rear);
    }

    /// Goes back along the way until all of a group hold on to something else than what it holds on to now, which is
    /// returned.
    fn back_up(&mut self, group: usize) -> Option<Contact> {
        let now: Vec<Contact> = self.mover.of_group(group, &self.here().stance).copied().collect();
        let left = *now.first()?;
        let size = self.mover.table.groups[group].effectors.len();
        let is_elsewhere = |waypoint: &Waypoint| {
            let held: Vec<&Contact> = self.mover.of_group(group, &waypoint.stance).collect();
            held.len() == size && held.iter().all(|held| now.iter().all(|now| held.point != now.point))
        };
        let back = (self.part_begins - 1..self.way.len()).rev().find(|&index| is_elsewhere(&self.way[index]))?;
        self.way.truncate(back + 1);
        Some(left)
    }

    /// Moves about, keeping the contacts, until the first take can be reached.
    ///
    /// The thesis wanders by Brownian motion and calls that poor. Here a draw is kept when it brings the limb's root no
    /// farther from the hold than its best so far and a little more, which gets there in a fraction of the draws.
    fn wander(&mut self, edge: &Edge, taking: &Taking) -> Result<bool, Stop> {
        const DRAWS: usize = 3000;
        const SLACK: f32 = 0.04;
        const FARTHEST: f32 = 3.0;
        const MOST_HOLDS: usize = 6;
        let Some(take) = edge.take.first() else { return Ok(false) };
        let left = take.left_by.and(taking.left.as_ref());
        let Waypoint { configuration, stance, .. } = self.here().clone();
        // Holds in front that come into reach when the body bends; the nearest is the easiest.
        let mut candidates = self.mover.candidates(take, &configuration, &stance, left, FARTHEST, &self.guide);
        let distance = |contact: &Contact| guide_at(&self.guide, contact.point, contact.normal);
        let foremost = stance.iter().map(distance).fold(f32::INFINITY, f32::min);
        candidates.retain(|contact| left.is_some() || distance(contact) < foremost);
        let effector = candidates.first().map(|contact| contact.effector);
        let Some(root) = effector.and_then(|effector| self.mover.limb_root(effector)) else { return Ok(false) };
        candidates.sort_by(|a, b| (a.point - root).length().total_cmp(&(b.point - root).length()));
        candidates.truncate(MOST_HOLDS);
        let Some(target) = candidates.first().copied() else { return Ok(false) };
        let character = &self.mover.problem.character;
        let Some(limb) = character.effectors[target.effector].limb else { return Ok(false) };
        let first = character.limbs[limb].links[0];
        let reach = character.reach_from(first);
        let center = target.center(character);
        let miss = |search: &Self| (search.mover.holding.frames.world_from_link[first].translation - center).length();
        self.distance_here();
        let mut least = miss(self);
        let mut next = configuration;
        for _ in 0..DRAWS {
            self.mover.meter.spend(1)?;
            let here = self.here().configuration.clone();
            let drawn = self.mover.holding.draw(character, &here, &stance, &mut self.mover.random, &mut next);
            if !drawn || miss(self) > least.max(0.6 * reach) + SLACK || !self.mover.is_step_free(&here, &next) {
                continue;
            }
            self.mover.center_of(&next);
            let missed = miss(self);
            least = least.min(missed);
            self.push(next.clone(), true);
            if missed < reach {
                for contact in &candidates {
                    if self.mover.way_to_hold(&next, contact)?.is_some() {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Turns half around about the vertical, on the contact that carries (thesis 5.4.3 has a mirror image instead).
    pub(super) fn turn_around(&mut self) -> Result<bool, Stop> {
        // Small enough for the carrying foot to slip by a fraction of a millimetre between two frames.
        const FRAMES: usize = 36;
        let before = self.here().clone();
        let distance = |contact: &&Contact| guide_at(&self.guide, contact.point, contact.normal);
        let Some(pivot) = before.stance.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied() else {
            return Ok(false);
        };
        let stance: Rc<[Contact]> = Rc::new([pivot]);
        if before.stance.len() > 1 {
            self.way.push(Waypoint { stance: stance.clone(), ..before.clone() });
        }
        let center = pivot.center(&self.mover.problem.character);
        for frame in 1..=FRAMES {
            self.mover.meter.spend(1)?;
            let turn = match frame {
                // Exactly, so that a planar character is back in its plane.
                FRAMES => Rotation::from_xyzw(UP.x, UP.y, UP.z, 0.0),
                frame => rotation_about(UP, PI * frame as f32 / FRAMES as f32),
            };
            let from = &before.configuration.root;
            let mut place = center + turn * (from.translation - center);
            if frame == FRAMES && self.mover.problem.character.root == clamber_model::character::Root::Planar {
                place.z = 0.0;
            }
            let root = Pose::from_parts(place, (turn * from.rotation).normalize());
            let configuration = Configuration { root, angles: before.configuration.angles.clone() };
            let here = &self.way[self.way.len() - 1].configuration;
            if !self.mover.is_step_free(here, &configuration) {
                return Ok(false);
            }
            let waypoint = Waypoint {
                configuration,
                stance: stance.clone(),
                moving: Moving::Turning,
                is_random: false,
                ..before.clone()
            };
            self.way.push(waypoint);
        }
        let waypoint = Waypoint { moving: before.moving, ..self.here().clone() };
        self.way.push(waypoint);
        Ok(true)
    }
}
