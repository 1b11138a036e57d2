//! The way so far of a search over contacts.

use std::rc::Rc;

use clamber_model::motion::{ContactSpan, FLYING, Frame, Motion, Span, TURNING};
use clamber_model::{Character, Configuration, Contact, ModeTable};

/// How a waypoint was come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moving {
    /// In a mode, an index into `ModeTable::modes`.
    Mode(usize),
    /// Turning around.
    Turning,
    /// Through the air, as part of a ready-made sequence.
    Flying,
}

impl Moving {
    pub fn of_name(table: &ModeTable, name: &str) -> Option<Self> {
        match name {
            TURNING => Some(Self::Turning),
            FLYING => Some(Self::Flying),
            name => table.mode(name).map(Self::Mode),
        }
    }

    pub fn name(self, table: &ModeTable) -> &str {
        match self {
            Self::Mode(mode) => &table.modes[mode].name,
            Self::Turning => TURNING,
            Self::Flying => FLYING,
        }
    }
}

/// A configuration of the way, and what it holds on to. A contact that two waypoints in a row share is held between them.
#[derive(Clone, Debug)]
pub(crate) struct Waypoint {
    pub configuration: Configuration,
    pub stance: Rc<[Contact]>,
    pub moving: Moving,
    /// Made by a random walk rather than by descent or an edge: a place worth going back to (thesis 3.6.3).
    pub is_random: bool,
    /// How far the goal was, along the guide, when the mode began.
    pub mode_began: f32,
    /// Part of a ready-made sequence, which is not to be changed.
    pub is_fixed: bool,
}

/// The contacts that are held all the way from one waypoint to the next.
pub(crate) fn held_between(from: &Waypoint, to: &Waypoint) -> Vec<Contact> {
    from.stance.iter().filter(|contact| to.stance.contains(contact)).copied().collect()
}

/// The motion of a way: a frame for each waypoint, evenly timed; waypoints in a row that differ in their contacts alone
/// are one frame.
pub(crate) fn motion_of(character: &Character, table: &ModeTable, way: &[Waypoint], frames_per_second: f32) -> Motion {
    let mut motion =
        Motion { character: character.name.clone(), frames: Vec::new(), spans: Vec::new(), contacts: Vec::new() };
    let mut open: Vec<ContactSpan> = Vec::new();
    for waypoint in way {
        let is_same = motion.frames.last().is_some_and(|frame: &Frame| frame.configuration == waypoint.configuration);
        if !is_same {
            let time = motion.frames.len() as f32 / frames_per_second;
            motion.frames.push(Frame { time, configuration: waypoint.configuration.clone() });
        }
        let frame = motion.frames.len() - 1;
        let mode = waypoint.moving.name(table);
        match motion.spans.last_mut() {
            Some(span) if span.mode == mode => span.last = frame,
            Some(span) if !is_same || span.last < frame => {
                let first = span.last;
                motion.spans.push(Span { first, last: frame, mode: mode.to_owned() });
            }
            // A frame alone that changes its mode on the spot: the first one, or one between two modes.
            Some(span) if span.first == span.last => span.mode = mode.to_owned(),
            Some(_) => motion.spans.push(Span { first: frame, last: frame, mode: mode.to_owned() }),
            None => motion.spans.push(Span { first: 0, last: frame, mode: mode.to_owned() }),
        }
        let (kept, ended): (Vec<ContactSpan>, Vec<ContactSpan>) =
            open.into_iter().partition(|span| waypoint.stance.contains(&span.contact));
        motion.contacts.extend(ended);
        open = kept;
        for span in &mut open {
            span.last = frame;
        }
        for contact in waypoint.stance.iter() {
            if !open.iter().any(|span| span.contact == *contact) {
                open.push(ContactSpan { first: frame, last: frame, contact: *contact });
            }
        }
    }
    motion.contacts.extend(open);
    motion.contacts.sort_by_key(|span| (span.first, span.contact.effector, span.last));
    motion
}
