//! The default planner: an informed search over stances.
//!
//! A node is a stance with its mode and a posture on it; its successors are the edges of the mode table, each with the holds that
//! it may take. Nodes are looked at best first, by the effort so far and the guide over holds. What a successor costs is
//! guessed when it is put in line and found out only when its turn comes: reach, types and separation are asked of every one, whole-body
//! postures, collisions and the way between of the few that lead on.

mod subgoal;
mod successors;
mod arrival;
mod open_list;
mod step;
mod filter;
mod dead_end;
mod explain;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clamber_model::id::{EdgeId, HoldId, ModeId};
use clamber_model::math::Vec3;
use clamber_model::problem::Posture;
use clamber_model::rng::Stream;
use clamber_model::{Configuration, Contact, ModeTable, Problem};

use crate::budget::Budget;
use crate::failure::Failure;
use crate::gap_bridging::bridge;
use crate::guide::Guide;
use crate::hold_graph::HoldGraph;
use crate::local_planner::LocalPlanner;
use crate::plan::Statistics;
use crate::reach::Reach;
use crate::settings::PlanSettings;
use crate::waypoint::{Locomotion, Waypoint, append_passage};
use dead_end::{Beaten, Tried};
use filter::Prospect;
use open_list::Line;
use subgoal::{Aim, aims};

/// How much more a metre that is still to go counts than a metre of effort: more finds a way sooner, less a better one.
const GREED: f32 = 8.0;

/// The search and all that it has found so far.
pub(crate) struct StanceSearch {
    pub local: LocalPlanner,
    reach: Reach,
    map: HoldGraph,
    /// The parts that are done.
    way: Vec<Waypoint>,
    /// What each part leads to.
    aims: Vec<Aim>,
    part: Part,
    /// What earlier tries of the part came to.
    beaten: Beaten,
    result: Option<Result<(), Failure>>,
}

/// The search for one part of the way: to a passage, a pinned hold, or the goal.
#[derive(Default)]
struct Part {
    index: usize,
    nodes: Vec<Node>,
    /// What is to be tried: indices into `attempts`.
    line: Line,
    attempts: Vec<Attempt>,
    /// Stances that were come to, each in its mode and facing.
    known: BTreeSet<Vec<i32>>,
    /// The same, where it does not matter which effector of a group is where.
    known_alike: BTreeSet<Vec<i32>>,
    /// For each edge and what it was tried with, how often that was and how often it failed.
    spans: BTreeMap<Vec<i32>, [u32; 2]>,
    /// What was tried already, and whether there is no second time.
    tried: BTreeMap<Tried, bool>,
    /// The node that is nearest to the goal.
    nearest: usize,
    /// Attempts since then, or since the guide was raised.
    waited: usize,
    /// The nearest that any node is to the goal by the guide as it was before it was raised.
    least: f32,
    /// Attempts since then.
    stalled: usize,
    /// How often it was begun again, and the nearest to the goal that it got before.
    restarts: usize,
    stuck_at: f32,
}

/// A stance that the character got to.
struct Node {
    parent: Option<usize>,
    /// From the parent to here.
    way: Vec<Waypoint>,
    configuration: Configuration,
    stance: Arc<[Contact]>,
    /// What was held before the last contacts were left.
    held: Arc<[Contact]>,
    mode: ModeId,
    /// Effort so far, in metres.
    cost: f32,
    /// How far the goal is, along the guide.
    distance: f32,
    /// How far it was when the mode began.
    mode_began: f32,
}

/// Something to be tried from a node.
#[derive(Clone, Copy)]
struct Attempt {
    node: usize,
    what: What,
    /// What it was guessed to cost.
    cost: f32,
    /// Whether the quick way of trying it has failed.
    is_second: bool,
    /// Whether it was put off since it leads to the like of what is known.
    is_late: bool,
}

impl Attempt {
    /// The first of its kind.
    fn new(node: usize, what: What, cost: f32) -> Self {
        Self { node, what, cost, is_second: false, is_late: false }
    }
}

#[derive(Clone, Copy)]
enum What {
    /// An edge of the mode table, with the first of the holds that it takes.
    Edge(EdgeId, Option<Contact>),
    /// A contact of the goal.
    Arrive(Contact),
    /// To look where the goal looks.
    Turn,
    /// Into the goal's posture.
    Settle,
}

impl StanceSearch {
    pub fn new(
        problem: Arc<Problem>,
        table: Arc<ModeTable>,
        settings: PlanSettings,
        seed: u64,
        budget: Budget,
    ) -> Self {
        let random = Stream::new(seed, "stance");
        let local = LocalPlanner::new(problem.clone(), table.clone(), settings, random, budget);
        let reach = Reach::new(&problem.character);
        // Where the start holds on is where it is, allowed or not; nothing else takes it.
        let is_start = |hold: HoldId| problem.start.stance.iter().any(|contact| contact.hold == hold);
        let is_allowed = |hold: HoldId| !problem.is_forbidden(hold) || is_start(hold);
        let mut map = HoldGraph::new(&problem.world, &table, &reach, is_allowed);
        let aims = aims(&problem, &table, &mut map);
        let way = vec![Waypoint::fixed(problem.start.clone(), &table)];
        let mut search =
            Self { local, reach, map, way, aims, part: Part::default(), beaten: Beaten::default(), result: None };
        search.begin_part(0);
        search
    }

    /// Tries so many successors more; true when there is nothing left to try.
    pub fn advance(&mut self, attempts: usize) -> bool {
        for _ in 0..attempts {
            if self.result.is_some() {
                return true;
            }
            self.try_next();
        }
        self.result.is_some()
    }

    /// The share of the way that is behind.
    pub fn share(&self) -> f32 {
        let Part { index, nodes, nearest, .. } = &self.part;
        let (begins, here) = (nodes[0].distance, nodes[*nearest].distance);
        (*index as f32 + (1.0 - here / begins.max(here).max(1e-3))) / self.aims.len() as f32
    }

    /// The way to the goal; while there is none, the one that leads nearest to it.
    pub fn best(&self) -> Vec<Waypoint> {
        let mut way = self.way.clone();
        match self.nearer_try() {
            _ if self.result == Some(Ok(())) => {}
            Some(beaten) => way.extend(beaten.way.iter().cloned()),
            None => self.append_way_to(self.part.nearest, &mut way),
        }
        way
    }

    /// The same when no more is tried: all that was found besides is given up, which may be several times as much.
    pub fn take_best(&mut self) -> Vec<Waypoint> {
        let mut way = std::mem::take(&mut self.way);
        match self.nearer_try() {
            _ if self.result == Some(Ok(())) => {}
            Some(beaten) => way.extend(beaten.way.iter().cloned()),
            None => self.move_way_to(self.part.nearest, &mut way),
        }
        (self.part, self.beaten) = (Part::default(), Beaten::default());
        way
    }

    pub fn result(&self) -> Option<&Result<(), Failure>> {
        self.result.as_ref()
    }

    pub fn statistics(&self) -> Statistics {
        Statistics { expansions: self.local.budget.expansions, ..Default::default() }
    }

    fn aim(&self) -> &Aim {
        &self.aims[self.part.index]
    }

    /// The posture that the present part leads to, if it leads to one.
    fn goal(&self) -> Option<&Posture> {
        match self.aim() {
            Aim::Posture(goal, _) => Some(goal),
            Aim::Pin(_) => None,
        }
    }

    fn goal_mode(&self) -> Option<ModeId> {
        self.local.table.mode(&self.goal()?.mode)
    }

    fn begin_part(&mut self, mut index: usize) {
        // What was held on the way already need not be come to.
        while self.aims[index].is_pin_held(&self.way) {
            index += 1;
        }
        self.part = Part { index, least: f32::INFINITY, stuck_at: f32::INFINITY, ..Part::default() };
        self.map.lower();
        let goal = &self.aims[index].contacts(&self.map);
        self.map.aim(goal);
        let last = &self.way[self.way.len() - 1];
        if !self.distance_of(&last.stance).is_finite() {
            // There is no way; the best that can be done is to go as far as what is missing.
            let world = &self.local.problem.world;
            bridge(&mut self.map, world, &self.local.table, &self.reach, [&last.stance, goal]);
            self.map.aim(goal);
        }
        let mode = match last.locomotion {
            Locomotion::Mode(mode) => mode,
            _ => self.local.table.mode_of(&last.stance, &self.local.problem.world).unwrap_or(ModeId::new(0)),
        };
        let node = Node {
            parent: None,
            way: Vec::new(),
            configuration: last.configuration.clone(),
            stance: last.stance.clone(),
            held: last.stance.clone(),
            mode,
            cost: 0.0,
            distance: self.distance_of(&last.stance),
            mode_began: self.distance_of(&last.stance),
        };
        self.add(node);
    }

    /// How far a stance is from the goal: its contacts' mean distance.
    fn distance_of(&self, stance: &[Contact]) -> f32 {
        mean(stance, |contact| self.map.at(contact))
    }

    /// The same by the guide as it was before it was raised.
    fn plain_distance_of(&self, stance: &[Contact]) -> f32 {
        mean(stance, |contact| self.map.plain().at(contact))
    }

    /// Adds a node, unless its stance is known, and puts what can be tried from it in line.
    fn add(&mut self, node: Node) {
        if !self.know(&node) {
            return;
        }
        let index = self.part.nodes.len();
        if index == 0 || node.distance < self.part.nodes[self.part.nearest].distance {
            (self.part.nearest, self.part.waited) = (index, 0);
        }
        let plain = self.plain_distance_of(&node.stance);
        if plain < self.part.least {
            (self.part.least, self.part.stalled) = (plain, 0);
            self.part.line.forget_tried();
            if plain < self.part.stuck_at {
                (self.part.restarts, self.part.stuck_at) = (0, plain);
            }
        }
        let is_end = self.aim().is_pin_held(&node.way);
        self.part.nodes.push(node);
        if is_end {
            self.end_part(index, Vec::new());
            return;
        }
        self.line_up_all(index);
    }

    /// Puts what can be tried from a node in line.
    fn line_up_all(&mut self, index: usize) {
        self.line_up_edges(index);
        self.line_up_arrival(index);
    }

    /// Puts something to be tried in line; `distance` is how far the goal will be then.
    fn line_up(&mut self, attempt: Attempt, distance: f32) {
        if !distance.is_finite() {
            return;
        }
        let priority = attempt.cost + GREED * distance;
        match self.part.tried.get(&self.tried(&attempt)) {
            None => self.enqueue(attempt, priority),
            Some(false) => self.enqueue_again(attempt, priority),
            Some(true) => {}
        }
    }

    fn enqueue(&mut self, attempt: Attempt, priority: f32) {
        let (_, what, _) = self.tried(&attempt);
        let kind = (what, is_left_shown(&self.part.nodes[attempt.node].configuration));
        self.part.line.push(kind, priority, self.part.attempts.len());
        self.part.attempts.push(attempt);
    }

    /// Once more, thoroughly, when nothing better is left; sooner where no way has led farther.
    fn enqueue_again(&mut self, attempt: Attempt, priority: f32) {
        let patience = self.patience(&attempt);
        let again = Attempt { is_second: true, cost: attempt.cost + patience, ..attempt };
        self.enqueue(again, priority + patience);
    }

    /// How much later it is tried what is to be tried late.
    fn patience(&self, attempt: &Attempt) -> f32 {
        const PATIENCE: f32 = 2.0;
        const MOST_BEHIND: f32 = 0.6;
        let Part { nodes, nearest, .. } = &self.part;
        let behind = nodes[attempt.node].distance - nodes[*nearest].distance;
        GREED * (PATIENCE + behind.clamp(0.0, MOST_BEHIND))
    }

    /// Whether an attempt is not worth its turn: it is left out, or put off.
    fn is_passed_over(&mut self, attempt: Attempt, priority: f32) -> bool {
        let prospect = self.prospect(&attempt);
        let tried = self.tried(&attempt);
        match prospect {
            Prospect::New => return false,
            Prospect::Known => {
                self.part.tried.insert(tried, true);
            }
            Prospect::Alike => {
                let late = self.patience(&attempt);
                self.enqueue(Attempt { is_late: true, cost: attempt.cost + late, ..attempt }, priority + late);
            }
            Prospect::Poor => {
                self.part.tried.insert(tried, false);
                self.enqueue_again(attempt, priority);
            }
        }
        true
    }

    fn try_next(&mut self) {
        const MAX_STALLED: usize = 1500;
        const DOUBTFUL: usize = 140;
        const MAX_WAITED: usize = 80;
        let Some((priority, number)) = self.part.line.pop() else {
            self.give_up();
            return;
        };
        self.part.stalled += 1;
        self.part.waited += 1;
        if (self.part.stalled == DOUBTFUL || self.part.stalled == 1 && self.is_at_leap())
            && let Some(impasse) = self.certain_impasse()
        {
            self.result = Some(Err(Failure::Impasse(impasse)));
            return;
        }
        if self.local.budget.spend(1).is_err() {
            self.fail();
            return;
        }
        if self.part.stalled > MAX_STALLED {
            if !self.begin_again() {
                self.give_up();
            }
            return;
        }
        let attempt = self.part.attempts[number];
        if self.is_passed_over(attempt, priority) {
            return;
        }
        let found = match attempt.what {
            What::Edge(edge, first) => self.take_edge(&attempt, edge, first),
            What::Arrive(contact) => self.take_goal(&attempt, contact),
            What::Turn => self.turn_to_goal(&attempt),
            What::Settle => {
                if let Some(way) = self.settle(&attempt) {
                    // What is left to be tried is of a part that is done.
                    self.end_part(attempt.node, way);
                    return;
                }
                None
            }
        };
        let is_last_time = found.is_some() || attempt.is_second;
        let tried = self.tried(&attempt);
        self.part.tried.insert(tried, is_last_time);
        match found {
            Some(node) => self.add(node),
            None if !attempt.is_second => self.enqueue_again(attempt, priority),
            None => {}
        }
        if self.part.waited >= MAX_WAITED && self.result.is_none() {
            self.part.waited = 0;
            self.raise_guide();
        }
    }

    /// The nodes from the beginning of the part to a node.
    fn nodes_to(&self, node: usize) -> Vec<usize> {
        let mut line = vec![node];
        while let Some(parent) = self.part.nodes[line[line.len() - 1]].parent {
            line.push(parent);
        }
        line.reverse();
        line
    }

    /// Appends what leads from the beginning of the part to a node.
    fn append_way_to(&self, node: usize, way: &mut Vec<Waypoint>) {
        for node in self.nodes_to(node) {
            way.extend(self.part.nodes[node].way.iter().cloned());
        }
    }

    /// The same at the end of the part, whose nodes do without their ways from then on.
    fn move_way_to(&mut self, node: usize, way: &mut Vec<Waypoint>) {
        for node in self.nodes_to(node) {
            way.append(&mut self.part.nodes[node].way);
        }
    }

    fn end_part(&mut self, node: usize, last: Vec<Waypoint>) {
        let mut way = std::mem::take(&mut self.way);
        self.move_way_to(node, &mut way);
        way.extend(last);
        self.way = way;
        let index = self.part.index;
        if let Aim::Posture(_, Some(passage)) = self.aim() {
            let passage = &self.local.problem.passages[*passage];
            append_passage(&mut self.way, &passage.motion, &self.local.table, &self.local.problem.world);
        }
        self.beaten = Beaten::default();
        if index + 1 < self.aims.len() {
            self.begin_part(index + 1);
        } else {
            self.result = Some(Ok(()));
        }
    }
}

/// Whether the left side is shown to who looks along -z: a planar character then looks along -x.
fn is_left_shown(configuration: &Configuration) -> bool {
    (configuration.root.rotation * Vec3::Z).z < 0.0
}

/// The mean of what is true of each contact.
fn mean(stance: &[Contact], of: impl Fn(&Contact) -> f32) -> f32 {
    stance.iter().map(of).sum::<f32>() / stance.len().max(1) as f32
}
