//! The mode table's edges as successors.

use std::sync::Arc;

use clamber_model::contact::Stance;
use clamber_model::id::{EdgeId, ModeId};
use clamber_model::mode::{Balance, Condition, Edge, Effect};
use clamber_model::{Configuration, Contact};

use super::step::Step;
use super::{Attempt, GREED, Node, StanceSearch, What};
use crate::guide::Guide;
use crate::mode::hold_selection::SearchRange;
use crate::mode::release::is_leaving;
use crate::turn_around::turn_around;
use crate::waypoint::{Locomotion, Waypoint};
use clamber_posture::solver::{PostureReference, PostureTasks};

/// What every change of contacts costs, in metres: of two ways, the one with fewer steps is better.
const CHANGE: f32 = 0.1;

/// The most holds for one edge that are put in line.
const MOST_HOLDS: usize = 10;

/// What is known while an edge is taken.
struct Taking {
    configuration: Configuration,
    stance: Stance,
    found: Vec<Contact>,
    way: Vec<Waypoint>,
    locomotion: Locomotion,
}

impl StanceSearch {
    /// Puts the edges that can be taken from a node in line.
    pub(super) fn line_up_edges(&mut self, index: usize) {
        let table = &*Arc::clone(&self.local.table);
        let node = &self.part.nodes[index];
        let (configuration, held, stance) = (node.configuration.clone(), node.held.clone(), node.stance.clone());
        let (mode, cost) = (node.mode, node.cost);
        for (number, edge) in table.edges.iter_enumerated().filter(|(_, edge)| edge.from == mode) {
            let stance = if goes_back(edge) { &held } else { &stance };
            let Some(toll) = self.toll(index, edge, stance) else { continue };
            let cost = cost + CHANGE + toll;
            let Some(take) = edge.take.first() else {
                let after = self.stance_after(edge, stance, &[]);
                let attempt = Attempt::new(index, What::Edge(number, None), cost);
                self.line_up(attempt, self.distance_of(&after));
                continue;
            };
            // What is left by an effect before the holds are taken is free for them.
            let before = edge.effects.iter().take_while(|effect| !matches!(effect, Effect::Attach));
            let stance = before
                .filter(|effect| is_leaving(effect))
                .fold(stance.to_vec(), |stance, effect| self.local.kept(*effect, &stance, &[], &self.map));
            let within = SearchRange::Body(&self.reach);
            let candidates = self.local.candidates(take, &configuration, &stance, None, within, &self.map);
            for mut contact in candidates.into_iter().take(MOST_HOLDS) {
                self.aim().snap(&mut contact);
                let after = self.stance_after(edge, &stance, &[contact]);
                let noise = 0.1 * self.local.random.unit();
                let cost = cost + noise + self.doubt(number, &stance, &contact);
                let cost = cost + self.stride(&stance, &contact) + self.behind(&configuration, &contact);
                let attempt = Attempt::new(index, What::Edge(number, Some(contact)), cost);
                self.line_up(attempt, self.distance_of(&after));
            }
        }
    }

    /// What it costs that an edge's conditions are true; nothing when one is not.
    ///
    /// The published planner takes some edges only when others have led nowhere. Here others are tried first by being cheaper.
    fn toll(&mut self, index: usize, edge: &Edge, stance: &[Contact]) -> Option<f32> {
        const NO_PROGRESS: f32 = 0.01 * GREED;
        const FAILED: f32 = 1.0 * GREED;
        let node = &self.part.nodes[index];
        self.local.center_of(&node.configuration);
        let (local, world) = (&self.local, &self.local.problem.world);
        // Where the guide was raised, the way that it led before may still be the one to go.
        let leads = |is_so: &dyn Fn(&dyn Guide) -> bool| is_so(&self.map) || is_so(&self.map.plain());
        let mut toll = 0.0;
        for condition in &edge.when {
            let is_true = match *condition {
                Condition::NoProgress(steps) => {
                    toll += NO_PROGRESS * steps as f32;
                    true
                }
                Condition::Failed { .. } => {
                    toll += FAILED;
                    true
                }
                Condition::Advanced(far) => node.mode_began - node.distance >= far,
                Condition::AllHold(group) => {
                    local.of_group(group, stance).count() == local.table.groups[group].effectors.len()
                }
                Condition::HoldsOn(wanted) => {
                    stance.iter().any(|contact| world.holds[contact.hold].hold_type == wanted)
                }
                Condition::RoomToStand => local.has_room_to_stand(),
                Condition::HeadOverHip => local.has_head_over_hip(),
                Condition::Upright(most) => local.is_upright(most),
                Condition::WayIsBehind(far) => leads(&|guide| local.leads_backward(guide, far)),
                Condition::WayGoesDown(far) => leads(&|guide| local.leads_down(guide, far)),
                Condition::CenterBetween(balance) => local.is_between(&balance, stance),
            };
            if !is_true {
                return None;
            }
        }
        Some(toll)
    }

    /// What is held after an edge.
    pub(super) fn stance_after(&self, edge: &Edge, stance: &[Contact], found: &[Contact]) -> Stance {
        let mut stance = stance.to_vec();
        for effect in &edge.effects {
            match effect {
                Effect::Attach => add(&mut stance, found),
                effect => stance = self.local.kept(*effect, &stance, found, &self.map),
            }
        }
        stance
    }

    /// What it is worth to try something else first, since the same was tried before and failed: with this edge, at this place
    /// as seen from what is held; or else at this distance.
    fn doubt(&self, edge: EdgeId, stance: &[Contact], contact: &Contact) -> f32 {
        const WEIGHT: f32 = 0.5 * GREED;
        const GUESS: f32 = 0.5;
        let doubt = |key: &[i32]| {
            let [tried, failed] = self.part.spans.get(key).copied().unwrap_or_default();
            (tried > 0).then(|| failed as f32 / (tried as f32 + 0.5))
        };
        let [exact, rough] = self.spans(edge, stance, contact);
        WEIGHT * doubt(&exact).or_else(|| doubt(&rough).map(|doubt| GUESS * doubt)).unwrap_or(0.0)
    }

    /// Where a contact is as seen from what is held, finely and coarsely, for one edge.
    fn spans(&self, edge: EdgeId, stance: &[Contact], contact: &Contact) -> [Vec<i32>; 2] {
        const FINE: f32 = 0.1;
        const COARSE: f32 = 0.15;
        let group =
            |contact: &Contact| self.local.table.group_of(contact.effector).map_or(-1, |group| group.index() as i32);
        let mut held: Vec<[i32; 4]> = stance
            .iter()
            .map(|held| {
                let [x, y, z] = (contact.point - held.point).to_array().map(|off| (off / FINE).round() as i32);
                [group(held), x, y, z]
            })
            .collect();
        held.sort_unstable();
        let nearest = stance.iter().map(|held| (held.point - contact.point).length()).fold(f32::INFINITY, f32::min);
        let mut exact = vec![edge.index() as i32, group(contact)];
        exact.extend(held.iter().flatten());
        [exact, vec![edge.index() as i32, (nearest / COARSE) as i32]]
    }

    /// Remembers how an attempt ended.
    fn learn(&mut self, edge: EdgeId, stance: &[Contact], contact: &Contact, has_failed: bool) {
        for key in self.spans(edge, stance, contact) {
            let entry = self.part.spans.entry(key).or_default();
            entry[0] += 1;
            entry[1] += u32::from(has_failed);
        }
    }

    /// What it costs that a contact is far from what its siblings hold on to: the papers' preferred stride (Kalisiak and van de
    /// Panne 2001), beyond which a metre costs more than it brings nearer.
    pub(super) fn stride(&self, stance: &[Contact], contact: &Contact) -> f32 {
        const PREFERRED: f32 = 0.45;
        const BEYOND: f32 = 2.0 * GREED;
        let Some(group) = self.local.table.group_of(contact.effector) else { return 0.0 };
        let beyond = |held: &Contact| {
            let preferred = PREFERRED * self.reach.between(held.effector, contact.effector);
            (held.point - contact.point).length() - preferred
        };
        BEYOND * self.local.of_group(group, stance).map(beyond).fold(0.0, f32::max)
    }

    /// What it costs that a contact is on a wall behind the back: it can be climbed so, but to turn around first is better, and
    /// sooner found.
    fn behind(&self, configuration: &Configuration, contact: &Contact) -> f32 {
        const WALL: f32 = 0.5;
        const BEHIND: f32 = 1.0 * GREED;
        let heading = self.local.anatomy.heading_at(&self.local.problem.character, configuration);
        if contact.normal.dot(heading) > WALL { BEHIND } else { 0.0 }
    }

    /// Takes an edge, if that can be done.
    pub(super) fn take_edge(&mut self, attempt: &Attempt, number: EdgeId, first: Option<Contact>) -> Option<Node> {
        let edge = &Arc::clone(&self.local.table).edges[number];
        let node = &self.part.nodes[attempt.node];
        let held = node.held.clone();
        let taking = Taking {
            configuration: node.configuration.clone(),
            stance: node.stance.to_vec(),
            found: Vec::new(),
            way: Vec::new(),
            locomotion: Locomotion::Mode(node.mode),
        };
        let before = taking.stance.clone();
        let taken = self.run_effects(edge, 0, taking, &held, first, attempt.is_second);
        if let Some(contact) = first {
            self.learn(number, &before, &contact, taken.is_none());
        }
        let (taking, held) = taken?;
        let mut node = self.node_after(attempt, edge.to, taking, held)?;
        if let Some(contact) = first {
            node.cost += self.stride(&before, &contact) + self.behind(&node.configuration, &contact);
        }
        Some(node)
    }

    fn node_after(&mut self, attempt: &Attempt, mode: ModeId, taking: Taking, held: Stance) -> Option<Node> {
        if taking.stance.len() < self.local.table.modes[mode].least_contacts {
            return None;
        }
        let parent = &self.part.nodes[attempt.node];
        let effort = self.effort(&parent.configuration.clone(), &taking.configuration, &held, mode);
        let parent = &self.part.nodes[attempt.node];
        let distance = self.distance_of(&taking.stance);
        Some(Node {
            parent: Some(attempt.node),
            cost: parent.cost + CHANGE + effort,
            mode_began: if mode == parent.mode { parent.mode_began } else { distance },
            distance,
            way: taking.way,
            configuration: taking.configuration,
            stance: taking.stance.into(),
            held: held.into(),
            mode,
        })
    }

    /// What it takes to move from one posture to another: the way of the centre of mass, more where the new one is
    /// uncomfortable.
    pub(super) fn effort(&mut self, from: &Configuration, to: &Configuration, stance: &[Contact], mode: ModeId) -> f32 {
        const DISCOMFORT: f32 = 0.5;
        let begins = self.local.center_of(from);
        let way = (self.local.center_of(to) - begins).length();
        let discomfort = self.local.discomfort_here(to, stance, mode);
        way + DISCOMFORT * (discomfort - self.local.table.modes[mode].comfort).clamp(0.0, 4.0)
    }

    /// Does an edge's effects from the one of this index on. Returns what they led to and what was held before the last
    /// contacts were left.
    fn run_effects(
        &mut self,
        edge: &Edge,
        from: usize,
        mut taking: Taking,
        held: &[Contact],
        first: Option<Contact>,
        is_second: bool,
    ) -> Option<(Taking, Stance)> {
        let mut index = from;
        let mut before_leaving = taking.stance.clone();
        while let Some(&effect) = edge.effects.get(index) {
            let is_first_leaving = is_leaving(&effect) && (index == 0 || !is_leaving(&edge.effects[index - 1]));
            let is_end = edge.effects[index..].iter().all(is_leaving);
            if is_first_leaving && is_end && !self.is_after(edge, &taking) {
                return None;
            }
            index += 1;
            match effect {
                Effect::Attach => {
                    let corrects = match edge.effects.get(index) {
                        Some(Effect::Correct(mode)) => Some(*mode),
                        _ => None,
                    };
                    index += usize::from(corrects.is_some());
                    self.attach(edge, &mut taking, first?, corrects, index, is_second)?;
                    before_leaving.clone_from(&taking.stance);
                }
                Effect::Correct(mode) => {
                    let balances = self.balances(edge, index);
                    let stance = taking.stance.clone();
                    let after = after_last(edge, index);
                    let step = Step { stance: &stance, adds: None, mode: Some(mode), balances: &balances, after };
                    taking.locomotion = Locomotion::Mode(edge.to);
                    self.step(&mut taking.configuration, &mut taking.way, taking.locomotion, step, is_second)?;
                    before_leaving.clone_from(&taking.stance);
                }
                Effect::Detach(_) | Effect::DetachRear(_) | Effect::DetachStretched { .. } => {
                    taking.stance = self.local.kept(effect, &taking.stance, &taking.found, &self.map);
                    taking.locomotion = Locomotion::Mode(edge.to);
                    let waypoint = self.waypoint(&taking);
                    taking.way.push(waypoint);
                }
                Effect::BackUp(_) => taking.stance = held.to_vec(),
                // The whole body moves to where the hold can be reached.
                Effect::Wander => {}
                Effect::TurnAround => {
                    let before = self.waypoint(&taking);
                    let pivot = self.pivot(&taking.stance)?;
                    let turn = turn_around(&mut self.local, &before, pivot).ok()??;
                    taking.way.extend(turn);
                    let last = &taking.way[taking.way.len() - 1];
                    taking.configuration.clone_from(&last.configuration);
                    taking.stance = last.stance.to_vec();
                    before_leaving.clone_from(&taking.stance);
                }
            }
        }
        if !edge.effects.iter().any(is_leaving) && !self.is_after(edge, &taking) {
            return None;
        }
        if taking.locomotion != Locomotion::Mode(edge.to) {
            taking.locomotion = Locomotion::Mode(edge.to);
            let waypoint = self.waypoint(&taking);
            taking.way.push(waypoint);
        }
        Some((taking, before_leaving))
    }

    /// The contact to turn on.
    pub(super) fn pivot(&self, stance: &[Contact]) -> Option<Contact> {
        stance.iter().min_by(|a, b| self.map.at(a).total_cmp(&self.map.at(b))).copied()
    }

    /// Whether what must be true after an edge is.
    fn is_after(&mut self, edge: &Edge, taking: &Taking) -> bool {
        self.local.center_of(&taking.configuration);
        edge.after.iter().all(|condition| match condition {
            Condition::CenterBetween(balance) => self.local.is_between(balance, &taking.stance),
            Condition::RoomToStand => self.local.has_room_to_stand(),
            Condition::HeadOverHip => self.local.has_head_over_hip(),
            Condition::Upright(most) => self.local.is_upright(*most),
            _ => true,
        })
    }

    /// The balance that an edge wants of the posture before the effect of this index, if it is the last posture.
    fn balances(&self, edge: &Edge, index: usize) -> Vec<Balance> {
        let balance = |condition: &Condition| match condition {
            Condition::CenterBetween(balance) => Some(*balance),
            _ => None,
        };
        after_last(edge, index).iter().filter_map(balance).collect()
    }

    /// Attaches the holds that an edge takes: the first is given, the others are looked for.
    fn attach(
        &mut self,
        edge: &Edge,
        taking: &mut Taking,
        first: Contact,
        corrects: Option<ModeId>,
        index: usize,
        is_second: bool,
    ) -> Option<()> {
        let looks_ahead = edge.take.len() > 1 && !is_second;
        let mut promising = looks_ahead.then(|| self.promising(edge, taking, first, corrects));
        if promising.as_ref().is_some_and(Vec::is_empty) {
            return None;
        }
        for (number, take) in edge.take.iter().enumerate() {
            let is_last = number + 1 == edge.take.len();
            let mode = corrects.filter(|_| is_last);
            let balances = if is_last { self.balances(edge, index) } else { Vec::new() };
            let after = if is_last { after_last(edge, index) } else { &[] };
            let candidates = match (number, promising.take_if(|_| number > 0)) {
                (0, _) => vec![first],
                (_, Some(promising)) => promising,
                (_, None) => {
                    let within = SearchRange::Body(&self.reach);
                    let Taking { configuration, stance, .. } = &*taking;
                    self.local.candidates(take, configuration, stance, None, within, &self.map)
                }
            };
            let mut is_attached = false;
            for contact in candidates.into_iter().take(self.local.settings.max_holds) {
                let stance = taking.stance.clone();
                let step = Step { stance: &stance, adds: Some(contact), mode, balances: &balances, after };
                if self.step(&mut taking.configuration, &mut taking.way, taking.locomotion, step, is_second).is_some() {
                    add(&mut taking.stance, &[contact]);
                    taking.found.push(contact);
                    is_attached = true;
                    break;
                }
            }
            if !is_attached {
                return None;
            }
        }
        taking.locomotion = Locomotion::Mode(edge.to);
        let waypoint = self.waypoint(taking);
        taking.way.push(waypoint);
        Some(())
    }

    /// The second holds of an edge that go with the first, as far as postures tell: a way to the first is worth looking for only
    /// if there is one.
    fn promising(&mut self, edge: &Edge, taking: &Taking, first: Contact, corrects: Option<ModeId>) -> Vec<Contact> {
        let mut stance = taking.stance.clone();
        add(&mut stance, &[first]);
        let mut posture = taking.configuration.clone();
        let reference = PostureReference::Configuration(&taking.configuration);
        if !self.fit_to(&mut posture, PostureTasks { stance: &stance, reference, balances: &[] }, first) {
            return Vec::new();
        }
        let within = SearchRange::Body(&self.reach);
        let candidates = self.local.candidates(&edge.take[1], &posture, &stance, None, within, &self.map);
        let mode = corrects.filter(|_| edge.take.len() == 2);
        let mut looked_at: Vec<(Contact, bool)> = Vec::new();
        for contact in candidates.into_iter().take(self.local.settings.max_holds) {
            let fits = match looked_at.iter().find(|(other, _)| self.is_sibling_there(other, &contact)) {
                Some((_, fits)) => *fits,
                None => {
                    let mut stance = stance.clone();
                    add(&mut stance, &[contact]);
                    let reference = mode.map_or(PostureReference::Configuration(&posture), PostureReference::Comfort);
                    self.fit_to(
                        &mut posture.clone(),
                        PostureTasks { stance: &stance, reference, balances: &[] },
                        contact,
                    )
                }
            };
            looked_at.push((contact, fits));
        }
        looked_at.into_iter().filter(|(_, fits)| *fits).map(|(contact, _)| contact).collect()
    }

    /// Fits a posture to a stance that has a new contact.
    fn fit_to(&mut self, posture: &mut Configuration, wish: PostureTasks, contact: Contact) -> bool {
        let mut tucked = posture.clone();
        if self.local.solve_free(posture, wish) {
            return true;
        }
        self.local.tuck(&mut tucked, contact.effector);
        *posture = tucked;
        self.local.solve_free(posture, wish)
    }

    fn waypoint(&self, taking: &Taking) -> Waypoint {
        Waypoint::found(taking.configuration.clone(), taking.stance.as_slice().into(), taking.locomotion)
    }
}

/// What must be true after an edge, if the posture before the effect of this index is its last one.
fn after_last(edge: &Edge, index: usize) -> &[Condition] {
    if edge.effects[index..].iter().all(is_leaving) { &edge.after } else { &[] }
}

/// Whether an edge begins with what was held before the last contacts were left.
pub(super) fn goes_back(edge: &Edge) -> bool {
    edge.effects.iter().any(|effect| matches!(effect, Effect::BackUp(_)))
}

/// Adds contacts to a stance, in the order of the effectors.
pub(super) fn add(stance: &mut Stance, found: &[Contact]) {
    stance.extend_from_slice(found);
    stance.sort_by_key(|contact| contact.effector);
}
