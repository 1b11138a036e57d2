//! What the parts of the way lead to: ready-made pieces, pinned holds, the goal.

use clamber_model::contact::Stance;
use clamber_model::id::EffectorId;
use clamber_model::problem::{Pin, Posture};
use clamber_model::{Contact, ModeTable, Problem};

use super::mean;
use crate::guide::Guide;
use crate::hold_graph::HoldGraph;
use crate::waypoint::{Waypoint, entry};

/// What a part leads to.
#[derive(Clone, Debug)]
pub(super) enum Aim {
    /// A posture: the goal's, or the one in which a passage begins, by its index.
    Posture(Posture, Option<usize>),
    /// A hold that is to be held on to, whatever the posture.
    Pin(Pin),
}

impl Aim {
    /// The contacts that the guide leads to.
    pub fn contacts(&self, map: &HoldGraph) -> Stance {
        match self {
            Self::Posture(posture, _) => posture.stance.clone(),
            Self::Pin(pin) => contacts_of(pin, map),
        }
    }

    /// Whether a way has come to a pinned hold.
    pub fn is_pin_held<'w>(&self, way: impl IntoIterator<Item = &'w Waypoint>) -> bool {
        let Self::Pin(pin) = self else { return false };
        way.into_iter().any(|waypoint| waypoint.stance.iter().any(|contact| pin.is_held_by(contact)))
    }

    /// Puts contacts that are near to a pinned point of a hold surface onto that point.
    pub fn snap(&self, contact: &mut Contact) {
        // Points of a surface are drawn; so near to the pinned one, it was meant.
        const NEAR: f32 = 0.25;
        let Self::Pin(Pin { hold, point: Some(point), .. }) = self else { return };
        if contact.hold == *hold && (contact.point - *point).length() < NEAR {
            contact.point = *point;
        }
    }
}

/// What is to be come to, in order: the passages, the goal, and between them, each where it is the least detour, the pinned holds
/// that are not held anyway.
pub(super) fn aims(problem: &Problem, table: &ModeTable, map: &mut HoldGraph) -> Vec<Aim> {
    let start = Stop { aim: None, enters: Vec::new(), leaves: problem.start.stance.clone() };
    let mut stops = vec![start];
    for (index, passage) in problem.passages.iter().enumerate() {
        let begins = entry(&passage.motion, table, &problem.world);
        let leaves = passage.motion.stance(passage.motion.frames.len() - 1);
        let enters = begins.stance.clone();
        stops.push(Stop { aim: Some(Aim::Posture(begins, Some(index))), enters, leaves });
    }
    let goal = problem.goal.clone();
    stops.push(Stop { enters: goal.stance.clone(), leaves: Vec::new(), aim: Some(Aim::Posture(goal, None)) });
    for pin in problem.pins.iter().filter(|pin| !is_held_anyway(problem, pin)) {
        let contacts = contacts_of(pin, map);
        let between: Vec<f32> = stops.windows(2).map(|pair| distance(map, &pair[0].leaves, &pair[1].enters)).collect();
        map.aim(&contacts);
        let detours = stops.windows(2).zip(between).map(|(pair, between)| {
            finite(mean(&pair[0].leaves, |contact| map.at(contact)))
                + finite(mean(&pair[1].enters, |contact| map.at(contact)))
                - between
        });
        let least = detours.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index);
        let stop = Stop { aim: Some(Aim::Pin(*pin)), enters: contacts.clone(), leaves: contacts };
        stops.insert(least + 1, stop);
    }
    stops.into_iter().filter_map(|stop| stop.aim).collect()
}

/// Something that is come to.
struct Stop {
    /// Nothing for the start.
    aim: Option<Aim>,
    /// What is held when it is come to, and when it is left.
    enters: Stance,
    leaves: Stance,
}

/// Whether the start, the goal or a passage holds on to a pinned hold.
fn is_held_anyway(problem: &Problem, pin: &Pin) -> bool {
    let ends = problem.start.stance.iter().chain(&problem.goal.stance);
    let passages = problem.passages.iter().flat_map(|passage| &passage.motion.contacts).map(|span| &span.contact);
    ends.chain(passages).any(|contact| pin.is_held_by(contact))
}

/// A contact at each place that holds a pin; what makes it does not matter to the guide.
fn contacts_of(pin: &Pin, map: &HoldGraph) -> Stance {
    let effector = pin.effector.unwrap_or(EffectorId::new(0));
    let at = |place: &crate::hold_graph::Place| Contact {
        effector,
        hold: place.hold,
        point: pin.point.unwrap_or(place.point),
        normal: place.normal,
    };
    map.places.iter().filter(|place| place.hold == pin.hold).map(at).collect()
}

/// How far it is from one stance to another, along the guide.
fn distance(map: &mut HoldGraph, from: &[Contact], to: &[Contact]) -> f32 {
    map.aim(to);
    finite(mean(from, |contact| map.at(contact)))
}

/// Where there is no way, it is farther than anywhere.
fn finite(distance: f32) -> f32 {
    distance.min(1e6)
}
