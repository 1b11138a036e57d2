//! Successors of a node by the edges of the mode table, each with the holds that it may take.

use std::sync::Arc;

use clamber_model::Contact;
use clamber_model::contact::Stance;
use clamber_model::id::{EdgeId, ModeId};
use clamber_model::math::Vec3;
use clamber_model::mode_table::{Edge, Effect};

use super::candidate::{Action, Candidate};
use super::node::add_contacts;
use super::search_state::StanceSearch;
use super::tuning::{MAX_CHANGE_TURN, MAX_HOLDS_PER_DIRECTION, SAME_DIRECTION_COSINE};
use crate::mode::released_contacts::is_leaving;
use crate::trunk_guide::GuidePoint;
use clamber_posture::anatomy::turn_between;

impl StanceSearch {
    /// Puts the edges that a node may take on the open list.
    pub(super) fn push_edges(&mut self, index: usize) {
        self.subproblem.nodes[index].has_room_for_faster = self.has_room_for_faster(index);
        let table = &*Arc::clone(&self.local.table);
        let node = &self.subproblem.nodes[index];
        let (before_release, stance) = (node.stance_before_release.clone(), node.stance.clone());
        let effort = if self.subproblem.ignores_effort { 0.0 } else { node.effort_penalty };
        let (mode, cost) = (node.mode, node.cost + effort);
        let heading = self.heading_of(&node.configuration);
        for (number, edge) in table.edges.iter_enumerated().filter(|(_, edge)| edge.from == mode) {
            // In space, bodies turn step by step.
            if self.trunk_guide.is_some() && edge.effects.contains(&Effect::TurnAround) {
                continue;
            }
            let stance = if goes_back(edge) { &before_release } else { &stance };
            if edge.from != edge.to && !self.is_turned_for(stance, heading, edge.to) {
                continue;
            }
            if self.releases_what_was_just_made(index, edge, stance) {
                continue;
            }
            let Some(condition_cost) = self.condition_cost(index, edge, stance) else { continue };
            let cost = cost + self.lengths.step_cost + condition_cost + self.slow_cost(index, edge.to);
            if edge.holds_to_take.is_empty() {
                let after = self.stance_after(edge, stance, &[]);
                let may_change = |search: &mut Self| {
                    search.has_room_for_mode(&after, heading, edge.to) && search.resembles_mode(&after, edge.to)
                };
                if edge.from != edge.to && !may_change(self) {
                    continue;
                }
                let candidate = Candidate::new(index, Action::Edge(number, Arc::new([])), cost);
                self.push(candidate, self.cost_to_go(&after, heading, edge.to));
            } else {
                self.push_holds(index, number, stance, cost);
            }
        }
    }

    /// Whether a stance may be one of a mode that does not only stand: a body that bows over an edge lowers its feet before it hangs below it.
    fn resembles_mode(&self, stance: &[Contact], mode: ModeId) -> bool {
        let guide = self.trunk_guide.as_ref().filter(|guide| !guide.only_stands(mode));
        guide.is_none_or(|guide| guide.resembles(stance, mode))
    }

    /// Whether a body that changes to a mode faces what carries it there or soon afterward.
    fn is_turned_for(&self, stance: &[Contact], heading: Vec3, mode: ModeId) -> bool {
        let Some(guide) = &self.trunk_guide else { return true };
        let Some(position) = guide.trunk_place(stance, heading, mode) else { return true };
        let wanted = guide.heading_before_change(GuidePoint { position, mode });
        wanted.is_none_or(|(wanted, _)| turn_between(heading, wanted).abs() <= MAX_CHANGE_TURN)
    }

    /// Whether an edge begins by releasing a contact that the edge before it made: the body could have done without.
    fn releases_what_was_just_made(&self, index: usize, edge: &Edge, stance: &[Contact]) -> bool {
        let (Some(parent), Some(first)) = (self.subproblem.nodes[index].parent, edge.effects.first()) else {
            return false;
        };
        let is_release = match first {
            Effect::DetachRear(_) => true,
            Effect::Detach(_) => self.trunk_guide.is_some(),
            _ => false,
        };
        if !is_release {
            return false;
        }
        let leading = match self.trunk_guide {
            Some(_) => edge.effects.iter().take_while(|effect| is_leaving(effect)).count(),
            None => 1,
        };
        let keep = |stance: Stance, effect: &Effect| self.local.kept(*effect, &stance, &[], self.guide());
        let kept = edge.effects[..leading].iter().fold(stance.to_vec(), keep);
        let before = &self.subproblem.nodes[parent].stance;
        stance.iter().any(|contact| !kept.contains(contact) && !before.contains(contact))
    }

    /// Puts an edge on the open list with each of the holds that it may take first.
    fn push_holds(&mut self, index: usize, number: EdgeId, stance: &[Contact], cost: f32) {
        let edge = &Arc::clone(&self.local.table).edges[number];
        let configuration = self.subproblem.nodes[index].configuration.clone();
        // Contacts that are released before the holds are taken do not constrain them.
        let before_releases = stance;
        let stance = self.stance_during(edge, stance);
        let sets = self.holds_for(&edge.holds_to_take[0], &configuration, &stance, edge.to);
        let sets = match self.trunk_guide {
            Some(_) => sets,
            None => nearest_per_direction(sets),
        };
        let heading = self.heading_of(&configuration);
        for mut made in sets {
            if self.trunk_guide.is_some() {
                let next_heading = self.next_heading(heading, &made, edge.to);
                let stands_well = |search: &mut Self, contact: &Contact| {
                    search.trunk_guide.as_ref().is_none_or(|guide| guide.has_room_to_stand(contact, edge.to))
                        && search.has_room_at(contact, next_heading, edge.to)
                        && !search.is_on_needless_tip(contact, next_heading, edge.to)
                };
                if !made.iter().all(|contact| stands_well(self, contact)) {
                    continue;
                }
            }
            made.iter_mut().for_each(|contact| self.subgoal().snap_to_pin(contact, self.lengths.pin_snap));
            let after = self.stance_after(edge, &stance, &made);
            let noise = self.lengths.cost_noise * self.local.random.uniform();
            let dislike: f32 = made.iter().map(|contact| self.dislike(contact.hold)).sum();
            let failure_cost = self.failure_cost(number, heading, &stance, &made);
            let cost = cost + noise + dislike + failure_cost;
            // Before the other limbs are released, the body stands on both.
            let mut both = stance.clone();
            add_contacts(&mut both, &made);
            if self.trunk_guide.as_ref().is_some_and(|guide| !guide.may_stand_on(&both, edge.to)) {
                continue;
            }
            let spread_cost =
                self.spread_cost(before_releases, &both, self.next_heading(heading, &both, edge.to), edge.to);
            let heading = self.next_heading(heading, &after, edge.to);
            let is_on_wall = self.trunk_guide.as_ref().is_some_and(|guide| !guide.only_stands(edge.to));
            if !is_on_wall && !self.is_of_mode(&after, edge.to) && !self.is_nominal_reached(&after, heading, edge.to) {
                continue;
            }
            let stance_cost = self.contact_cost(&configuration, &stance, &made, edge.to) + spread_cost;
            let cost = cost + self.cost_per_length(&after, heading, edge.to) * stance_cost;
            let candidate =
                Candidate { failure_cost, ..Candidate::new(index, Action::Edge(number, made.into()), cost) };
            self.push(candidate, self.cost_to_go(&after, heading, edge.to));
        }
    }

    /// The contacts that an edge keeps while it makes others.
    pub(super) fn stance_during(&self, edge: &Edge, stance: &[Contact]) -> Stance {
        let before = edge.effects.iter().take_while(|effect| !matches!(effect, Effect::Attach));
        before
            .filter(|effect| is_leaving(effect))
            .fold(stance.to_vec(), |stance, effect| self.local.kept(*effect, &stance, &[], self.guide()))
    }

    /// The stance after an edge that makes these contacts.
    pub(super) fn stance_after(&self, edge: &Edge, stance: &[Contact], made: &[Contact]) -> Stance {
        let mut stance = stance.to_vec();
        for effect in &edge.effects {
            match effect {
                Effect::Attach => add_contacts(&mut stance, made),
                effect => stance = self.local.kept(*effect, &stance, made, self.guide()),
            }
        }
        stance
    }
}

/// Keeps the first sets of contacts of each direction that surfaces face: beside a wall, the holds of the floors above and below it would
/// be all that are tried, since they are nearer to the goal. The first contact of a set counts.
fn nearest_per_direction(sets: Vec<Vec<Contact>>) -> Vec<Vec<Contact>> {
    let mut kept: Vec<Vec<Contact>> = Vec::new();
    for set in sets {
        let is_alike = |other: &&Vec<Contact>| other[0].normal.dot(set[0].normal) > SAME_DIRECTION_COSINE;
        if kept.iter().filter(is_alike).count() < MAX_HOLDS_PER_DIRECTION {
            kept.push(set);
        }
    }
    kept
}

/// Whether an edge starts from the stance before the last contacts were released.
pub(super) fn goes_back(edge: &Edge) -> bool {
    edge.effects.iter().any(|effect| matches!(effect, Effect::RetracePath(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::{EffectorId, HoldId};

    #[test]
    fn holds_on_a_wall_are_kept_beside_many_nearer_ones_on_floors() {
        let contact = |index: usize, normal: Vec3| Contact {
            effector: EffectorId::new(0),
            hold: HoldId::new(index),
            point: Vec3::X * index as f32,
            normal,
        };
        let floors = (0..2 * MAX_HOLDS_PER_DIRECTION).map(|index| vec![contact(index, Vec3::Y)]);
        let wall = [vec![contact(100, Vec3::NEG_X)], vec![contact(101, Vec3::NEG_X)]];
        let kept = nearest_per_direction(floors.chain(wall).collect());
        let holds: Vec<usize> = kept.iter().map(|set| set[0].hold.index()).collect();
        assert_eq!(holds, [&(0..MAX_HOLDS_PER_DIRECTION).collect::<Vec<_>>()[..], &[100, 101]].concat());
    }
}
