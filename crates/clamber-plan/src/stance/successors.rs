//! Successors of a node by the edges of the mode table, each with the holds that it may take.

use std::sync::Arc;

use clamber_model::Contact;
use clamber_model::contact::Stance;
use clamber_model::id::EdgeId;
use clamber_model::mode_table::{Edge, Effect};

use super::candidate::{Action, Candidate};
use super::node::add_contacts;
use super::search_state::StanceSearch;
use super::tuning::MAX_HOLDS_PER_EDGE;
use crate::mode::hold_selection::SearchRange;
use crate::mode::released_contacts::is_leaving;

impl StanceSearch {
    /// Puts the edges that a node may take on the open list.
    pub(super) fn push_edges(&mut self, index: usize) {
        let table = &*Arc::clone(&self.local.table);
        let node = &self.subproblem.nodes[index];
        let (before_release, stance) = (node.stance_before_release.clone(), node.stance.clone());
        let (mode, cost) = (node.mode, node.cost);
        for (number, edge) in table.edges.iter_enumerated().filter(|(_, edge)| edge.from == mode) {
            let stance = if goes_back(edge) { &before_release } else { &stance };
            let Some(condition_cost) = self.condition_cost(index, edge, stance) else { continue };
            let cost = cost + self.lengths.step_cost + condition_cost;
            if edge.holds_to_take.is_empty() {
                let after = self.stance_after(edge, stance, &[]);
                let candidate = Candidate::new(index, Action::Edge(number, None), cost);
                self.push(candidate, self.cost_to_go(&after));
            } else {
                self.push_holds(index, number, stance, cost);
            }
        }
    }

    /// Puts an edge on the open list with each of the holds that it may take first.
    fn push_holds(&mut self, index: usize, number: EdgeId, stance: &[Contact], cost: f32) {
        let edge = &Arc::clone(&self.local.table).edges[number];
        let configuration = self.subproblem.nodes[index].configuration.clone();
        // Contacts that are released before the holds are taken do not constrain them.
        let before = edge.effects.iter().take_while(|effect| !matches!(effect, Effect::Attach));
        let stance = before
            .filter(|effect| is_leaving(effect))
            .fold(stance.to_vec(), |stance, effect| self.local.kept(*effect, &stance, &[], &self.graph));
        let within = SearchRange::Body(&self.reach);
        let contacts =
            self.local.candidates(&edge.holds_to_take[0], &configuration, &stance, None, within, &self.graph);
        for mut contact in contacts.into_iter().take(MAX_HOLDS_PER_EDGE) {
            self.subgoal().snap_to_pin(&mut contact, self.lengths.pin_snap);
            let after = self.stance_after(edge, &stance, &[contact]);
            let noise = self.lengths.cost_noise * self.local.random.uniform();
            let cost = cost + noise + self.failure_cost(number, &stance, &contact);
            let cost = cost + self.stride_cost(&stance, &contact) + self.behind_cost(&configuration, &contact);
            let candidate = Candidate::new(index, Action::Edge(number, Some(contact)), cost);
            self.push(candidate, self.cost_to_go(&after));
        }
    }

    /// The stance after an edge that makes these contacts.
    pub(super) fn stance_after(&self, edge: &Edge, stance: &[Contact], made: &[Contact]) -> Stance {
        let mut stance = stance.to_vec();
        for effect in &edge.effects {
            match effect {
                Effect::Attach => add_contacts(&mut stance, made),
                effect => stance = self.local.kept(*effect, &stance, made, &self.graph),
            }
        }
        stance
    }
}

/// Whether an edge starts from the stance before the last contacts were released.
pub(super) fn goes_back(edge: &Edge) -> bool {
    edge.effects.iter().any(|effect| matches!(effect, Effect::RetracePath(_)))
}
