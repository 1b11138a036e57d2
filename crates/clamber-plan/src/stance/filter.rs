//! What can be told of an attempt before anything is tried: whether it leads to what is known, or will fail as another did.

use clamber_model::character::Root;
use clamber_model::id::{EdgeId, ModeId};
use clamber_model::mode::Effect;
use clamber_model::{Configuration, Contact};

use super::successors::goes_back;
use super::{Attempt, Node, StanceSearch, What, is_left_shown};

/// So near to the goal, in metres, it matters which effector of a group is where.
const NEAR_GOAL: f32 = 2.0;

/// What an attempt may be good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prospect {
    New,
    /// It leads to where the character has been.
    Known,
    /// It leads to the like of where the character has been.
    Alike,
    /// The quick way will fail.
    Poor,
}

impl StanceSearch {
    pub(super) fn prospect(&self, attempt: &Attempt) -> Prospect {
        let What::Edge(number, first) = attempt.what else { return Prospect::New };
        let edge = &self.local.table.edges[number];
        let node = &self.part.nodes[attempt.node];
        let turns = edge.effects.iter().any(|effect| matches!(effect, Effect::TurnAround));
        // What is taken after the first is not known yet.
        if edge.take.len() <= 1 && !turns {
            let before = if goes_back(edge) { &node.held } else { &node.stance };
            let after = self.stance_after(edge, before, first.as_slice());
            if self.part.known.contains(&self.key(edge.to, &node.configuration, &after)) {
                return Prospect::Known;
            }
            let alike = || self.key_alike(edge.to, &node.configuration, &after);
            let is_early = !attempt.is_second && !attempt.is_late;
            if is_early && self.distance_of(&after) > NEAR_GOAL && self.part.known_alike.contains(&alike()) {
                return Prospect::Alike;
            }
        }
        match first {
            Some(contact) if !attempt.is_second && self.has_sibling_failed(attempt, number, contact) => Prospect::Poor,
            _ => Prospect::New,
        }
    }

    /// Whether the same was tried with an effector that stands in for this one, and failed.
    fn has_sibling_failed(&self, attempt: &Attempt, edge: EdgeId, contact: Contact) -> bool {
        let group = self.local.table.group_of(contact.effector).filter(|_| self.are_siblings_alike());
        let siblings = group.map_or(&[][..], |group| &self.local.table.groups[group].effectors);
        siblings.iter().filter(|&&effector| effector != contact.effector).any(|&effector| {
            let what = What::Edge(edge, Some(Contact { effector, ..contact }));
            self.part.tried.get(&self.tried(&Attempt { what, ..*attempt })) == Some(&false)
        })
    }

    /// Whether two contacts are the same but for the effector, where that does not matter.
    pub(super) fn is_sibling_there(&self, one: &Contact, other: &Contact) -> bool {
        let [group, other_group] = [one, other].map(|contact| self.local.table.group_of(contact.effector));
        let is_there = one.hold == other.hold && one.point == other.point;
        self.are_siblings_alike() && is_there && group.is_some() && group == other_group
    }

    /// In the plane, one arm is as long as the other and begins where it does.
    fn are_siblings_alike(&self) -> bool {
        self.local.problem.character.root == Root::Planar
    }

    /// Remembers the stance of a node; false when it is known.
    pub(super) fn know(&mut self, node: &Node) -> bool {
        let alike = self.key_alike(node.mode, &node.configuration, &node.stance);
        self.part.known_alike.insert(alike);
        let key = self.key(node.mode, &node.configuration, &node.stance);
        self.part.known.insert(key)
    }

    fn key(&self, mode: ModeId, configuration: &Configuration, stance: &[Contact]) -> Vec<i32> {
        let mut key = vec![mode.index() as i32, i32::from(is_left_shown(configuration))];
        for contact in stance {
            key.push(contact.effector.index() as i32);
            self.push_place(contact, &mut key);
        }
        key
    }

    /// The same for all stances that differ only in which effector of a group is where, if that does not matter.
    fn key_alike(&self, mode: ModeId, configuration: &Configuration, stance: &[Contact]) -> Vec<i32> {
        if !self.are_siblings_alike() {
            return self.key(mode, configuration, stance);
        }
        let place = |contact: &Contact| {
            let group = self.local.table.group_of(contact.effector);
            let mut place = vec![group.map_or(-1 - contact.effector.index() as i32, |group| group.index() as i32)];
            self.push_place(contact, &mut place);
            place
        };
        let mut places: Vec<Vec<i32>> = stance.iter().map(place).collect();
        places.sort_unstable();
        let mut key = vec![mode.index() as i32, i32::from(is_left_shown(configuration))];
        key.extend(places.into_iter().flatten());
        key
    }

    fn push_place(&self, contact: &Contact, key: &mut Vec<i32>) {
        key.push(contact.hold.index() as i32);
        if self.local.problem.world.holds[contact.hold].is_surface() {
            key.extend(contact.point.to_array().map(|x| (x * 20.0).round() as i32));
        }
    }
}
