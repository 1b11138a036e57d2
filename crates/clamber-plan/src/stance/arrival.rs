//! The last steps: onto the goal's own contacts, and into its posture (thesis 5.4.2).

use clamber_model::Contact;
use clamber_model::character::Root;
use clamber_model::math::Vec3;

use super::step::Step;
use super::successors::add;
use super::{Attempt, Node, StanceSearch, What};
use crate::transition::posture_change::{Effort, PostureChange};
use crate::turn_around::turn_around;
use crate::waypoint::{Locomotion, Waypoint};

impl StanceSearch {
    /// Puts in line what leads into the goal's stance and posture from a node that is near to it.
    pub(super) fn line_up_arrival(&mut self, index: usize) {
        const NEAR: f32 = 1.5;
        let Some(goal) = self.goal().map(|goal| goal.stance.clone()) else { return };
        let node = &self.part.nodes[index];
        if Some(node.mode) != self.goal_mode() || node.distance > NEAR {
            return;
        }
        let (stance, cost) = (node.stance.clone(), node.cost);
        let attempt = |what, cost| Attempt::new(index, what, cost);
        if self.looks_away(index) {
            self.line_up(attempt(What::Turn, cost + 0.3), self.part.nodes[index].distance);
            return;
        }
        if stance.len() == goal.len() && stance.iter().all(|contact| goal.iter().any(|goal| is_at(goal, contact))) {
            self.line_up(attempt(What::Settle, 0.0), 0.0);
            return;
        }
        let character = &self.local.problem.character;
        let limb = |contact: &Contact| character.effectors[contact.effector].limb;
        let mut found = Vec::new();
        for wanted in goal.iter().filter(|wanted| !stance.iter().any(|contact| is_at(wanted, contact))) {
            // Its own effector, or a sibling that stands in for it.
            let siblings = self.local.table.group_of(wanted.effector);
            let siblings = siblings.map_or(&[][..], |group| &self.local.table.groups[group].effectors);
            for &effector in siblings {
                let contact = Contact { effector, ..*wanted };
                let is_free = stance.iter().all(|held| limb(held) != limb(&contact));
                if is_free && self.reach.allows(character, &stance, &contact) {
                    let toll = if effector == wanted.effector { 0.0 } else { 0.5 };
                    found.push((contact, toll + self.stride(&stance, &contact)));
                }
            }
        }
        for (contact, toll) in found {
            self.line_up(attempt(What::Arrive(contact), cost + 0.1 + toll), 0.0);
        }
    }

    /// Whether a planar character must turn half around to look where the goal does.
    fn looks_away(&self, index: usize) -> bool {
        let shown = |configuration: &clamber_model::Configuration| (configuration.root.rotation * Vec3::Z).z;
        let is_planar = self.local.problem.character.root == Root::Planar;
        let here = &self.part.nodes[index].configuration;
        is_planar && self.goal().is_some_and(|goal| shown(here) * shown(&goal.configuration) < 0.0)
    }

    /// Turns to look where the goal does.
    pub(super) fn turn_to_goal(&mut self, attempt: &Attempt) -> Option<Node> {
        let node = &self.part.nodes[attempt.node];
        let before = waypoint(node);
        let (mode, cost) = (node.mode, node.cost);
        let pivot = self.pivot(&before.stance)?;
        let way = turn_around(&mut self.local, &before, pivot).ok()??;
        let last = way[way.len() - 1].clone();
        let distance = self.distance_of(&last.stance);
        Some(Node {
            parent: Some(attempt.node),
            way,
            configuration: last.configuration,
            held: last.stance.clone(),
            stance: last.stance,
            mode,
            cost: cost + 0.3,
            distance,
            mode_began: distance,
        })
    }

    /// Makes a contact of the goal, and leaves what the goal does not have, as far as the mode allows.
    pub(super) fn take_goal(&mut self, attempt: &Attempt, contact: Contact) -> Option<Node> {
        let node = &self.part.nodes[attempt.node];
        let (mode, cost, mode_began, held) = (node.mode, node.cost, node.mode_began, node.stance.clone());
        let mut configuration = node.configuration.clone();
        let mut way = Vec::new();
        let balances: Vec<_> = self.local.table.modes[mode].balance.into_iter().collect();
        let step = Step { stance: &held, adds: Some(contact), mode: Some(mode), balances: &balances, after: &[] };
        self.step(&mut configuration, &mut way, Locomotion::Mode(mode), step, attempt.is_second)?;
        let mut stance = held.to_vec();
        add(&mut stance, &[contact]);
        let before = stance.clone();
        let goal = self.goal()?.stance.clone();
        let least = self.local.table.modes[mode].least_contacts.max(1);
        // What is left first is what the goal does not want, never what was just made.
        while stance.len() > least {
            let is_wrong = |held: &Contact| *held != contact && !goal.iter().any(|goal| is_at(goal, held));
            let Some(wrong) = stance.iter().position(is_wrong) else { break };
            stance.remove(wrong);
        }
        if stance.len() < before.len() {
            let last = way[way.len() - 1].clone();
            way.push(Waypoint { stance: stance.as_slice().into(), ..last });
        }
        let effort = self.effort(&self.part.nodes[attempt.node].configuration.clone(), &configuration, &before, mode)
            + self.stride(&held, &contact);
        let distance = self.distance_of(&stance);
        Some(Node {
            parent: Some(attempt.node),
            way,
            configuration,
            stance: stance.into(),
            held: before.into(),
            mode,
            cost: cost + 0.1 + effort,
            distance,
            mode_began,
        })
    }

    /// Bends the body into the goal's own posture.
    pub(super) fn settle(&mut self, attempt: &Attempt) -> Option<Vec<Waypoint>> {
        let node = &self.part.nodes[attempt.node];
        let from = waypoint(node);
        let goal = self.goal()?.configuration.clone();
        let change =
            PostureChange { from: &from.configuration, to: &goal, held: &from.stance, adds: None, is_loose: false };
        let way = self.local.swing(change, Effort::Thorough)?;
        Some(way.into_iter().map(|configuration| Waypoint { configuration, ..from.clone() }).collect())
    }
}

fn is_at(contact: &Contact, other: &Contact) -> bool {
    contact.effector == other.effector && contact.point == other.point
}

/// A node as the end of a way.
fn waypoint(node: &Node) -> Waypoint {
    Waypoint::found(node.configuration.clone(), node.stance.clone(), Locomotion::Mode(node.mode))
}
