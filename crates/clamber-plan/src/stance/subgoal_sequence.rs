//! Subgoals: passages, pinned holds, the goal.
//!
//! A path is found in subproblems, one to each passage and pinned hold in turn. A pin is inserted where it is the least detour
//! along the guide. The search never undoes a solved subproblem.

use clamber_model::contact::Stance;
use clamber_model::id::EffectorId;
use clamber_model::math::Vec3;
use clamber_model::problem::{Pin, Posture};
use clamber_model::{Contact, ModeTable, Problem, World};

use crate::cost_to_go_guide::Guide;
use crate::hold_graph::{HoldGraph, bounded_spacing, sample_hold};
use crate::waypoint::{Waypoint, entry};

/// Where a subproblem ends.
#[derive(Clone, Debug)]
pub(super) enum Subgoal {
    /// A posture: the goal's, or the first of a passage, with the index of the passage.
    Posture(Posture, Option<usize>),
    /// A hold that must be held, in any posture.
    Pin(Pin),
}

impl Subgoal {
    /// The contacts that the guide leads to.
    pub fn contacts(&self, world: &World, spacing: f32) -> Stance {
        match self {
            Self::Posture(posture, _) => posture.stance.clone(),
            Self::Pin(pin) => pin_contacts(pin, world, spacing),
        }
    }

    /// Whether the subgoal is a pin that a path holds at some waypoint.
    pub fn is_pin_held<'w>(&self, path: impl IntoIterator<Item = &'w Waypoint>) -> bool {
        let Self::Pin(pin) = self else { return false };
        path.into_iter().any(|waypoint| waypoint.stance.iter().any(|contact| pin.is_held_by(contact)))
    }

    /// Moves a contact onto a pinned point of its hold surface when it is within `distance` of it: points of a surface are
    /// random, so none is exactly there.
    pub fn snap_to_pin(&self, contact: &mut Contact, distance: f32) {
        let Self::Pin(Pin { hold, point: Some(point), .. }) = self else { return };
        if contact.hold == *hold && (contact.point - *point).length() < distance {
            contact.point = *point;
        }
    }
}

/// The subgoals in order: the passages and the goal, with the pins between them. Pins that the start, the goal or a passage
/// holds are left out. `unreachable` stands for an infinite distance.
pub(super) async fn subgoals(
    problem: &Problem,
    table: &ModeTable,
    graph: &mut HoldGraph,
    unreachable: f32,
) -> Vec<Subgoal> {
    let mut route = route(problem, table);
    for pin in problem.pins.iter().filter(|pin| !is_held_by_problem(problem, pin)) {
        let contacts = pin_contacts(pin, &problem.world, graph.lengths.spacing);
        let mut direct = Vec::with_capacity(route.len());
        for pair in route.windows(2) {
            graph.set_goal(&pair[1].entry).await;
            direct.push(graph.mean_cost_to_go(&pair[0].exit).min(unreachable));
        }
        graph.set_goal(&contacts).await;
        insert_pin(pin, contacts, &mut route, direct, |stance| graph.mean_cost_to_go(stance).min(unreachable));
    }
    route.into_iter().filter_map(|stop| stop.subgoal).collect()
}

/// The same by straight distances: the trunk's guide knows ways only after it has looked for them.
pub(super) fn subgoals_in_space(problem: &Problem, table: &ModeTable) -> Vec<Subgoal> {
    let middle =
        |stance: &[Contact]| stance.iter().map(|contact| contact.point).sum::<Vec3>() / stance.len().max(1) as f32;
    let mut route = route(problem, table);
    for pin in problem.pins.iter().filter(|pin| !is_held_by_problem(problem, pin)) {
        let contacts = pin_contacts(pin, &problem.world, f32::INFINITY);
        let at = middle(&contacts);
        let direct = route.windows(2).map(|pair| (middle(&pair[0].exit) - middle(&pair[1].entry)).length()).collect();
        insert_pin(pin, contacts, &mut route, direct, |stance| (middle(stance) - at).length());
    }
    route.into_iter().filter_map(|stop| stop.subgoal).collect()
}

/// The start, the passages and the goal.
fn route(problem: &Problem, table: &ModeTable) -> Vec<RouteStop> {
    let start = RouteStop { subgoal: None, entry: Vec::new(), exit: problem.start.stance.clone() };
    let mut route = vec![start];
    for (index, passage) in problem.passages.iter().enumerate() {
        let first = entry(&passage.motion, table, &problem.world);
        let exit = passage.motion.stance_at_frame(passage.motion.frames.len() - 1);
        let entry = first.stance.clone();
        route.push(RouteStop { subgoal: Some(Subgoal::Posture(first, Some(index))), entry, exit });
    }
    let goal = problem.goal.clone();
    let entry = goal.stance.clone();
    route.push(RouteStop { subgoal: Some(Subgoal::Posture(goal, None)), entry, exit: Vec::new() });
    route
}

/// A stop on the route from the start to the goal.
struct RouteStop {
    /// None for the start.
    subgoal: Option<Subgoal>,
    /// The stance on arrival and on departure.
    entry: Stance,
    exit: Stance,
}

/// Inserts a pin between the two stops where it is the least detour, given the distances between the stops and to the pin.
fn insert_pin(
    pin: &Pin,
    contacts: Stance,
    route: &mut Vec<RouteStop>,
    direct: Vec<f32>,
    to_pin: impl Fn(&[Contact]) -> f32,
) {
    let detours =
        route.windows(2).zip(direct).map(|(pair, direct)| to_pin(&pair[0].exit) + to_pin(&pair[1].entry) - direct);
    let least = detours.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index);
    let stop = RouteStop { subgoal: Some(Subgoal::Pin(*pin)), entry: contacts.clone(), exit: contacts };
    route.insert(least + 1, stop);
}

/// Whether the start, the goal or a passage holds a pinned hold.
fn is_held_by_problem(problem: &Problem, pin: &Pin) -> bool {
    let ends = problem.start.stance.iter().chain(&problem.goal.stance);
    let passages = problem.passages.iter().flat_map(|passage| &passage.motion.contacts).map(|span| &span.contact);
    ends.chain(passages).any(|contact| pin.is_held_by(contact))
}

/// A contact at points of a pinned hold, this far apart. The guide ignores which effector makes it.
fn pin_contacts(pin: &Pin, world: &World, spacing: f32) -> Stance {
    let effector = pin.effector.unwrap_or(EffectorId::new(0));
    let hold = &world.holds[pin.hold];
    let spacing = bounded_spacing(std::iter::once(hold), spacing);
    let mut contacts = Vec::new();
    sample_hold(hold, spacing, &mut |point| {
        let point = pin.point.unwrap_or(point);
        contacts.push(Contact { effector, hold: pin.hold, point, normal: hold.normal });
    });
    contacts
}
