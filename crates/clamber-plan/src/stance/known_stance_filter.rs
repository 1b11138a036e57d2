//! The feasibility filter: rejects or defers candidates before any posture is solved.
//!
//! It rejects candidates that lead to a known stance, and defers those that lead to an equivalent one or that failed with
//! another effector of the same group. On hands and knees it saves two thirds of the configurations.

use std::sync::Arc;

use clamber_model::character::RootJoint;
use clamber_model::id::{EdgeId, ModeId};
use clamber_model::math::Vec3;
use clamber_model::mode_table::Effect;
use clamber_model::{Configuration, Contact};

use super::candidate::{Action, Candidate, TrialOutcome};
use super::node::{Node, is_facing_left};
use super::search_state::StanceSearch;
use super::successors::goes_back;
use super::tuning::HEADING_STEP;
use clamber_posture::anatomy::turn_between;

/// What the filter says about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterVerdict {
    Try,
    /// It leads to the stance of a node.
    KnownStance,
    /// It leads to almost the stance of a node: in the plane, but for which effector of a group is where; in space, but for some
    /// centimeters.
    EquivalentStance,
    /// The quick attempt failed with an equivalent effector.
    SiblingFailed,
    /// The body cannot release what the edge releases first, whatever it takes afterward.
    ReleaseFailed,
}

impl StanceSearch {
    pub(super) fn filter_verdict(&self, candidate: &Candidate) -> FilterVerdict {
        let Action::Edge(number, first) = &candidate.action else { return FilterVerdict::Try };
        let edge = &self.local.table.edges[*number];
        if self.subproblem.failed_releases.contains(&(candidate.node, *number, candidate.is_thorough)) {
            return FilterVerdict::ReleaseFailed;
        }
        let node = &self.subproblem.nodes[candidate.node];
        let turns = edge.effects.iter().any(|effect| matches!(effect, Effect::TurnAround));
        // Holds after the first are not chosen yet.
        if edge.holds_to_take.len() <= 1 && !turns {
            let before = if goes_back(edge) { &node.stance_before_release } else { &node.stance };
            let after = self.stance_after(edge, before, first);
            if self.subproblem.known_stances.contains(&self.stance_key(edge.to, &node.configuration, &after)) {
                return FilterVerdict::KnownStance;
            }
            let equivalents = || self.equivalents_key(edge.to, &node.configuration, &after);
            if !candidate.is_thorough
                && !candidate.is_deferred
                && self.cost_to_go(&after, self.heading_of(&node.configuration), edge.to) > self.lengths.near_goal
                && self.subproblem.known_equivalents.contains(&equivalents())
            {
                return FilterVerdict::EquivalentStance;
            }
        }
        match **first {
            [contact] if !candidate.is_thorough && self.has_sibling_failed(candidate, *number, contact) => {
                FilterVerdict::SiblingFailed
            }
            _ => FilterVerdict::Try,
        }
    }

    /// Whether the same action failed with another effector of the group.
    fn has_sibling_failed(&self, candidate: &Candidate, edge: EdgeId, contact: Contact) -> bool {
        let group = self.local.table.group_of_effector(contact.effector).filter(|_| self.are_siblings_equivalent());
        let siblings = group.map_or(&[][..], |group| &self.local.table.effector_groups[group].effectors);
        siblings.iter().filter(|&&effector| effector != contact.effector).any(|&effector| {
            let action = Action::Edge(edge, Arc::new([Contact { effector, ..contact }]));
            let sibling = Candidate { action, ..candidate.clone() };
            self.subproblem.tried.get(&sibling.key()) == Some(&TrialOutcome::QuickFailed)
        })
    }

    /// Whether two sets of contacts differ only in equivalent effectors.
    pub(super) fn are_sets_equivalent(&self, one: &[Contact], other: &[Contact]) -> bool {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| self.are_contacts_equivalent(one, other))
    }

    /// Whether two contacts differ only in equivalent effectors.
    fn are_contacts_equivalent(&self, one: &Contact, other: &Contact) -> bool {
        let [group, other_group] = [one, other].map(|contact| self.local.table.group_of_effector(contact.effector));
        let is_same_point = one.hold == other.hold && one.point == other.point;
        self.are_siblings_equivalent() && is_same_point && group.is_some() && group == other_group
    }

    /// In the plane, the limbs of a group have the same lengths and the same root.
    pub(super) fn are_siblings_equivalent(&self) -> bool {
        self.local.problem.character.root_joint == RootJoint::Planar
    }

    /// Remembers the stance of a node; false when it is known.
    pub(super) fn remember_stance(&mut self, node: &Node) -> bool {
        let equivalents = self.equivalents_key(node.mode, &node.configuration, &node.stance);
        self.subproblem.known_equivalents.insert(equivalents);
        let key = self.stance_key(node.mode, &node.configuration, &node.stance);
        self.subproblem.known_stances.insert(key)
    }

    fn stance_key(&self, mode: ModeId, configuration: &Configuration, stance: &[Contact]) -> Vec<i32> {
        self.key_by_cells(mode, configuration, stance, self.lengths.stance_cell)
    }

    fn key_by_cells(&self, mode: ModeId, configuration: &Configuration, stance: &[Contact], cell: f32) -> Vec<i32> {
        let mut key = vec![mode.index() as i32, self.heading_key(configuration)];
        for contact in stance {
            key.push(contact.effector.index() as i32);
            self.push_position(contact, cell, &mut key);
        }
        key
    }

    /// The same key for all stances that differ only in equivalent effectors, or, in space, by less than a coarse cell.
    fn equivalents_key(&self, mode: ModeId, configuration: &Configuration, stance: &[Contact]) -> Vec<i32> {
        if !self.are_siblings_equivalent() {
            return self.key_by_cells(mode, configuration, stance, self.lengths.similar_stance_cell);
        }
        let contact_key = |contact: &Contact| {
            let group = self.local.table.group_of_effector(contact.effector);
            let mut key = vec![group.map_or(-1 - contact.effector.index() as i32, |group| group.index() as i32)];
            self.push_position(contact, self.lengths.stance_cell, &mut key);
            key
        };
        let mut contact_keys: Vec<Vec<i32>> = stance.iter().map(contact_key).collect();
        contact_keys.sort_unstable();
        let mut key = vec![mode.index() as i32, i32::from(is_facing_left(configuration))];
        key.extend(contact_keys.into_iter().flatten());
        key
    }

    /// The direction that a body faces, in steps in which it matters.
    fn heading_key(&self, configuration: &Configuration) -> i32 {
        match self.trunk_guide {
            Some(_) => (turn_between(Vec3::X, self.heading_of(configuration)) / HEADING_STEP).round() as i32,
            None => i32::from(is_facing_left(configuration)),
        }
    }

    fn push_position(&self, contact: &Contact, cell: f32, key: &mut Vec<i32>) {
        key.push(contact.hold.index() as i32);
        if self.local.problem.world.holds[contact.hold].has_extent() {
            key.extend(contact.point.to_array().map(|x| (x / cell).round() as i32));
        }
    }
}
