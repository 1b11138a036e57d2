//! What can be told of an attempt before anything is tried.

use clamber_model::mode::Effect;
use clamber_model::{Configuration, Contact};

use super::edges::goes_back;
use super::{Attempt, Node, StanceSearch, What, is_left_shown};

/// What an attempt may be good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prospect {
    New,
    /// It leads to where the character has been.
    Known,
}

impl StanceSearch<'_> {
    pub(super) fn prospect(&self, attempt: &Attempt) -> Prospect {
        let What::Edge(number, first) = attempt.what else { return Prospect::New };
        let edge = &self.mover.table.edges[number];
        let node = &self.part.nodes[attempt.node];
        let turns = edge.effects.iter().any(|effect| matches!(effect, Effect::TurnAround));
        // What is taken after the first is not known yet.
        if edge.take.len() <= 1 && !turns {
            let before = if goes_back(edge) { &node.held } else { &node.stance };
            let after = self.stance_after(edge, before, first.as_slice());
            if self.part.known.contains(&self.key(edge.to, &node.configuration, &after)) {
                return Prospect::Known;
            }
        }
        Prospect::New
    }

    /// Remembers the stance of a node; false when it is known.
    pub(super) fn know(&mut self, node: &Node) -> bool {
        let key = self.key(node.mode, &node.configuration, &node.stance);
        self.part.known.insert(key)
    }

    fn key(&self, mode: usize, configuration: &Configuration, stance: &[Contact]) -> Vec<i32> {
        let mut key = vec![mode as i32, i32::from(is_left_shown(configuration))];
        for contact in stance {
            key.push(contact.effector as i32);
            self.push_place(contact, &mut key);
        }
        key
    }

    fn push_place(&self, contact: &Contact, key: &mut Vec<i32>) {
        key.push(contact.hold as i32);
        if self.mover.problem.world.holds[contact.hold].is_surface() {
            key.extend(contact.point.to_array().map(|x| (x * 20.0).round() as i32));
        }
    }
}
