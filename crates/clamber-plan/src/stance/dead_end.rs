//! Dead ends: where nothing that is tried leads on, the guide is raised, until another way is the nearer one.

use clamber_model::Contact;
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::math::Vec3;

use super::{Attempt, Node, Part, StanceSearch, What};
use crate::failure::{Failure, Impasse};
use crate::waypoint::Waypoint;

/// What was tried: from which node, which edge or last step, with which contact.
pub(super) type Tried = (usize, usize, Option<(EffectorId, HoldId, [u32; 3])>);

/// What earlier tries of a part came to.
#[derive(Default)]
pub(super) struct Beaten {
    tries: usize,
    /// The one that got nearest to the goal.
    best: Option<BeatenTry>,
}

/// A try of a part that led nowhere.
pub(super) struct BeatenTry {
    /// How near it got, by the guide as it was before it was raised.
    distance: f32,
    /// From the beginning of the part to there.
    pub way: Vec<Waypoint>,
    impasse: Impasse,
}

/// How far around a place the guide is raised, in metres.
const RADIUS: f32 = 0.6;

impl StanceSearch {
    /// Raises the guide where the node that is nearest to the goal does not get on.
    pub(super) fn raise_guide(&mut self) {
        const AHEAD: f32 = 0.3;
        const TOLL: f32 = 1.5;
        let Some([from, to]) = self.step_ahead() else { return };
        self.map.raise_around(from + (to - from).clamp_length_max(AHEAD), RADIUS, TOLL);
        self.aim_again();
        self.line_up_again();
    }

    /// Where the way ahead leads from and to first.
    fn step_ahead(&self) -> Option<[Vec3; 2]> {
        let mut way = self.way_ahead().map(|place| self.map.places[place].point);
        Some([way.next()?, way.next()?])
    }

    /// Gives up what is near to where the search got stuck, and begins again some metres before it, as if nothing had been tried
    /// there: with other draws it goes another way, and the guide leads elsewhere than to the hold that it did not get to, as
    /// over a gap that is nearly narrow enough. False when that was done often enough.
    pub(super) fn begin_again(&mut self) -> bool {
        const MOST: usize = 5;
        // So much farther back each time, in metres.
        const BACK: f32 = 2.0;
        // So much longer the way to that hold, in metres.
        const TOLL: f32 = 2.0;
        if self.part.restarts == MOST {
            return false;
        }
        self.lower_guide();
        let stuck = self.step_ahead();
        let restarts = self.part.restarts + 1;
        let far = self.part.nodes[self.part.nearest].distance + BACK * restarts as f32;
        let mut line = self.nodes_to(self.part.nearest);
        // Up to where it first comes so near: what follows begins where that ends.
        let kept = line.iter().position(|&node| self.part.nodes[node].distance <= far).unwrap_or(line.len());
        line.truncate(kept.max(1));
        let mut nodes: Vec<Option<Node>> = std::mem::take(&mut self.part.nodes).into_iter().map(Some).collect();
        self.part = Part { index: self.part.index, restarts, stuck_at: self.part.stuck_at, ..Part::default() };
        for (index, node) in line.into_iter().enumerate() {
            let Some(node) = nodes[node].take() else { continue };
            let node = Node { parent: index.checked_sub(1), ..node };
            self.know(&node);
            self.part.nodes.push(node);
        }
        self.part.nearest = self.part.nodes.len() - 1;
        self.part.least = self.part.nodes[self.part.nearest].distance;
        if let Some(step) = stuck {
            self.map.raise_between(step, RADIUS, TOLL * restarts as f32);
            self.aim_again();
        }
        self.line_up_again();
        true
    }

    /// Where nothing is left to be tried, begins the part anew: luck has a part in which way is taken to a place, and some lead
    /// on where others do not. Fails where that was done often enough, or where the reason is certain.
    pub(super) fn give_up(&mut self) {
        const MOST_TRIES: usize = 3;
        self.lower_guide();
        self.beaten.tries += 1;
        if self.beaten.tries == MOST_TRIES || self.certain_impasse().is_some() {
            self.fail();
            return;
        }
        let distance = self.part.least;
        if self.beaten.best.as_ref().is_none_or(|best| distance < best.distance) {
            let impasse = self.impasse();
            let mut way = Vec::new();
            self.move_way_to(self.part.nearest, &mut way);
            self.beaten.best = Some(BeatenTry { distance, way, impasse });
        }
        self.begin_part(self.part.index);
    }

    /// The best of the earlier tries, if it got nearer than this one.
    pub(super) fn nearer_try(&self) -> Option<&BeatenTry> {
        self.beaten.best.as_ref().filter(|beaten| beaten.distance < self.part.least)
    }

    /// Ends the search without a way, and says why.
    pub(super) fn fail(&mut self) {
        self.lower_guide();
        let impasse = self.certain_impasse().unwrap_or_else(|| match self.nearer_try() {
            Some(beaten) => beaten.impasse.clone(),
            None => self.impasse(),
        });
        self.result = Some(Err(Failure::Impasse(impasse)));
    }

    /// Measures the guide and all nodes again.
    fn aim_again(&mut self) {
        let goal = self.aim().contacts(&self.map);
        self.map.aim(&goal);
        for index in 0..self.part.nodes.len() {
            let distance = self.distance_of(&self.part.nodes[index].stance);
            let node = &self.part.nodes[index];
            let parent = node.parent.map(|parent| &self.part.nodes[parent]).filter(|parent| parent.mode == node.mode);
            let mode_began = parent.map_or(distance, |parent| parent.mode_began);
            let node = &mut self.part.nodes[index];
            (node.distance, node.mode_began) = (distance, mode_began);
        }
        let nodes = self.part.nodes.iter().enumerate();
        let nearest = nodes.min_by(|a, b| a.1.distance.total_cmp(&b.1.distance));
        self.part.nearest = nearest.map_or(0, |(index, _)| index);
    }

    /// Puts in line again what was not tried yet, from the nodes that were not far behind before anything was raised.
    fn line_up_again(&mut self) {
        const BEHIND: f32 = 6.0;
        self.part.line.clear();
        self.part.attempts.clear();
        for index in 0..self.part.nodes.len() {
            if self.plain_distance_of(&self.part.nodes[index].stance) < self.part.least + BEHIND {
                self.line_up_all(index);
            }
        }
    }

    /// Takes the guide as it was before it was raised, to say why there is no way on.
    pub(super) fn lower_guide(&mut self) {
        if self.map.lower() {
            self.aim_again();
        }
    }

    pub(super) fn tried(&self, attempt: &Attempt) -> Tried {
        let edges = self.local.table.edges.len();
        let contact = |contact: Contact| (contact.effector, contact.hold, contact.point.to_array().map(f32::to_bits));
        match attempt.what {
            What::Edge(edge, first) => (attempt.node, edge.index(), first.map(contact)),
            What::Arrive(goal) => (attempt.node, edges, Some(contact(goal))),
            What::Turn => (attempt.node, edges + 1, None),
            What::Settle => (attempt.node, edges + 2, None),
        }
    }
}
