//! The path so far of a search over contacts.

use std::sync::Arc;

use clamber_model::id::ModeId;
use clamber_model::motion::{ContactSpan, FLYING, Frame, Motion, Span, TURNING};
use clamber_model::problem::Posture;
use clamber_model::{Character, Configuration, Contact, ModeTable, World};

/// How a waypoint was come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locomotion {
    /// In a mode, an index into `ModeTable::modes`.
    Mode(ModeId),
    /// Turning around.
    Turning,
    /// Through the air, as part of a ready-made sequence.
    Flying,
}

impl Locomotion {
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

/// A configuration of the path, and what it holds on to. A contact that two waypoints in a row share is held between them.
#[derive(Clone, Debug)]
pub(crate) struct Waypoint {
    pub configuration: Configuration,
    pub stance: Arc<[Contact]>,
    pub locomotion: Locomotion,
    /// Made by a random walk rather than by descent or an edge: a place worth going back to (thesis 3.6.3).
    pub is_random: bool,
    /// How far the goal was, along the guide, when the mode began.
    pub mode_start_distance: f32,
    /// The start, or part of a ready-made sequence, which is not to be changed.
    pub is_fixed: bool,
}

impl Waypoint {
    /// A waypoint that was found.
    pub fn found(configuration: Configuration, stance: Arc<[Contact]>, locomotion: Locomotion) -> Self {
        Self { configuration, stance, locomotion, is_random: false, mode_start_distance: 0.0, is_fixed: false }
    }

    /// A waypoint that is given: the start, or part of a ready-made sequence.
    pub fn fixed(Posture { configuration, stance, mode }: Posture, table: &ModeTable) -> Self {
        let locomotion = Locomotion::of_name(table, &mode).unwrap_or(Locomotion::Flying);
        let mode_start_distance = f32::INFINITY;
        Self { configuration, stance: stance.into(), locomotion, is_random: false, mode_start_distance, is_fixed: true }
    }
}

/// The posture in which a ready-made sequence begins, in the mode in which its contacts can be come to.
pub(crate) fn entry(motion: &Motion, table: &ModeTable, world: &World) -> Posture {
    let mut entry = Posture::at_frame(motion, 0);
    if let Some(mode) = table.mode_of(&entry.stance, world) {
        entry.mode.clone_from(&table.modes[mode].name);
    }
    entry
}

/// Appends a ready-made sequence, at whose first frame the path is. That one is fixed too, also where it is the only one:
/// smoothing would go past it otherwise. It comes twice, so that frames are still put between it and what is before.
pub(crate) fn append_passage(path: &mut Vec<Waypoint>, motion: &Motion, table: &ModeTable, world: &World) {
    let entry = path[path.len() - 1].clone();
    path.push(Waypoint { is_fixed: true, is_random: false, ..entry });
    for frame in 1..motion.frames.len() {
        path.push(Waypoint::fixed(Posture::at_frame(motion, frame), table));
    }
    // What comes after begins in the mode that the stance belongs to.
    if let (Some(last), true) = (path.last_mut(), motion.frames.len() > 1)
        && let Some(mode) = table.mode_of(&last.stance, world)
    {
        let on = Waypoint { locomotion: Locomotion::Mode(mode), ..last.clone() };
        path.push(on);
    }
}

/// The contacts that are held all the path from one waypoint to the next.
pub(crate) fn held_between(from: &Waypoint, to: &Waypoint) -> Vec<Contact> {
    from.stance.iter().filter(|contact| to.stance.contains(contact)).copied().collect()
}

/// The motion of a path: a frame for each waypoint, evenly timed; waypoints in a row that differ in their contacts alone
/// are one frame. But a mode lasts longer for what is taken at its end and does not carry in the next one: a knee
/// that one rises from as soon as it is down would otherwise be one that one walks on.
pub(crate) fn motion_of(character: &Character, table: &ModeTable, path: &[Waypoint], frames_per_second: f32) -> Motion {
    let mut motion =
        Motion { character: character.name.clone(), frames: Vec::new(), spans: Vec::new(), contacts: Vec::new() };
    let mut open: Vec<ContactSpan> = Vec::new();
    for waypoint in path {
        let is_same = motion.frames.last().is_some_and(|frame: &Frame| frame.configuration == waypoint.configuration);
        if !is_same {
            let time = motion.frames.len() as f32 / frames_per_second;
            motion.frames.push(Frame { time, configuration: waypoint.configuration.clone() });
        }
        let mode = waypoint.locomotion.name(table);
        let is_on_from = |span: &ContactSpan, frame: usize| {
            span.first == frame && waypoint.stance.contains(&span.contact) && !carries(table, waypoint.locomotion, span)
        };
        let now = motion.frames.len() - 1;
        if let Some(span) = motion.spans.last_mut().filter(|span| is_same && span.mode != mode)
            && open.iter().any(|span| is_on_from(span, now))
        {
            // One in the former mode, and one in the next before anything is left.
            for _ in 0..2 {
                let time = motion.frames.len() as f32 / frames_per_second;
                motion.frames.push(Frame { time, configuration: waypoint.configuration.clone() });
            }
            span.last = now + 1;
            open.iter_mut().for_each(|span| span.last = now + 2);
        }
        let frame = motion.frames.len() - 1;
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
            if open.iter().any(|span| span.contact == *contact) {
                continue;
            }
            // What is left and taken again on the spot was not left.
            let ended = motion.contacts.iter().rev().take_while(|span| span.last == frame);
            let left = ended.enumerate().find(|(_, span)| span.contact == *contact).map(|(back, _)| back + 1);
            open.push(match left {
                Some(back) => motion.contacts.remove(motion.contacts.len() - back),
                None => ContactSpan { first: frame, last: frame, contact: *contact },
            });
        }
    }
    motion.contacts.extend(open);
    motion.contacts.sort_by_key(|span| (span.first, span.contact.effector, span.last));
    motion
}

/// Whether what makes a contact is of those that carry.
fn carries(table: &ModeTable, locomotion: Locomotion, span: &ContactSpan) -> bool {
    let Locomotion::Mode(mode) = locomotion else { return true };
    let group = table.group_of(span.contact.effector);
    table.modes[mode].carriers.iter().any(|carrier| Some(carrier.group) == group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::EffectorId;
    use clamber_testing::{character, standing, table, touching};

    /// A path of the figure along the ground. It need not look like one: a frame is a place.
    struct Path {
        character: Character,
        table: ModeTable,
        waypoints: Vec<Waypoint>,
    }

    impl Path {
        fn new() -> Self {
            let character = character("figure");
            let table = table(&character);
            Self { character, table, waypoints: Vec::new() }
        }

        /// A waypoint at a place, in a mode, on these effectors.
        fn at(mut self, x: f32, locomotion: &str, effectors: &[&str]) -> Self {
            let contact = |effector: &&str| touching(&self.character, &standing(&self.character, 0.0), effector);
            self.waypoints.push(Waypoint {
                configuration: standing(&self.character, x),
                stance: effectors.iter().map(contact).collect(),
                locomotion: Locomotion::of_name(&self.table, locomotion).unwrap(),
                is_random: false,
                mode_start_distance: 0.0,
                is_fixed: false,
            });
            self
        }

        fn motion(&self) -> Motion {
            motion_of(&self.character, &self.table, &self.waypoints, 10.0)
        }

        /// The frames' places, the spans of modes, and the spans of contacts.
        fn is(&self, places: &[f32], modes: &[(usize, usize, &str)], contacts: &[(usize, usize, &str)]) {
            let motion = self.motion();
            let x = |frame: &Frame| frame.configuration.root.translation.x;
            assert_eq!(motion.frames.iter().map(x).collect::<Vec<_>>(), places);
            for (index, frame) in motion.frames.iter().enumerate() {
                assert!((frame.time - 0.1 * index as f32).abs() < 1e-6);
            }
            let spans: Vec<_> = motion.spans.iter().map(|span| (span.first, span.last, span.mode.as_str())).collect();
            assert_eq!(spans, modes);
            let name = |effector: EffectorId| self.character.effectors[effector].name.as_str();
            let spans: Vec<_> =
                motion.contacts.iter().map(|span| (span.first, span.last, name(span.contact.effector))).collect();
            assert_eq!(spans, contacts);
        }
    }

    const LEFT: &str = "left_foot";
    const RIGHT: &str = "right_foot";

    #[test]
    fn a_contact_begins_at_the_end_of_the_way_to_it() {
        let path = Path::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT])
            .at(0.2, "walking", &[LEFT, RIGHT])
            .at(0.3, "walking", &[LEFT, RIGHT]);
        path.is(&[0.0, 0.1, 0.2, 0.3], &[(0, 3, "walking")], &[(0, 3, LEFT), (2, 3, RIGHT)]);
        let held = held_between(&path.waypoints[1], &path.waypoints[2]);
        assert_eq!(held, path.waypoints[0].stance.to_vec());
    }

    #[test]
    fn a_contact_that_is_left_on_the_spot_ends_in_that_frame() {
        let path = Path::new()
            .at(0.0, "walking", &[LEFT, RIGHT])
            .at(0.1, "walking", &[LEFT, RIGHT])
            .at(0.1, "walking", &[RIGHT])
            .at(0.2, "walking", &[RIGHT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 2, "walking")], &[(0, 1, LEFT), (0, 2, RIGHT)]);
    }

    #[test]
    fn one_contact_may_follow_another_in_one_frame() {
        let path = Path::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT, RIGHT])
            .at(0.1, "walking", &[RIGHT])
            .at(0.2, "walking", &[LEFT, RIGHT])
            .at(0.2, "walking", &[LEFT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 2, "walking")], &[(0, 1, LEFT), (1, 2, RIGHT), (2, 2, LEFT)]);
    }

    #[test]
    fn a_contact_held_for_a_moment_is_a_span_of_one_frame() {
        let path = Path::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT, RIGHT])
            .at(0.1, "walking", &[LEFT])
            .at(0.2, "walking", &[LEFT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 2, "walking")], &[(0, 2, LEFT), (1, 1, RIGHT)]);
    }

    #[test]
    fn a_contact_that_is_left_and_taken_again_on_the_spot_goes_on() {
        let path = Path::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT, RIGHT])
            .at(0.1, "walking", &[RIGHT])
            .at(0.1, "walking", &[LEFT, RIGHT])
            .at(0.2, "walking", &[LEFT, RIGHT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 2, "walking")], &[(0, 2, LEFT), (1, 2, RIGHT)]);
    }

    #[test]
    fn a_mode_that_changes_on_the_spot_begins_in_that_frame() {
        let path = Path::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT])
            .at(0.1, "climbing", &[LEFT])
            .at(0.2, "climbing", &[LEFT])
            .at(0.3, "climbing", &[LEFT]);
        path.is(&[0.0, 0.1, 0.2, 0.3], &[(0, 1, "walking"), (1, 3, "climbing")], &[(0, 3, LEFT)]);
    }

    #[test]
    fn a_mode_that_changes_on_the_way_begins_where_the_way_does() {
        let path = Path::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT])
            .at(0.2, "turning", &[LEFT])
            .at(0.3, "turning", &[LEFT])
            .at(0.4, "flying", &[]);
        let modes = [(0, 1, "walking"), (1, 3, "turning"), (3, 4, "flying")];
        path.is(&[0.0, 0.1, 0.2, 0.3, 0.4], &modes, &[(0, 3, LEFT)]);
    }

    #[test]
    fn a_mode_of_no_length_leaves_no_span() {
        let path = Path::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT])
            .at(0.1, "climbing", &[LEFT])
            .at(0.1, "swinging", &[LEFT])
            .at(0.2, "swinging", &[LEFT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 1, "walking"), (1, 2, "swinging")], &[(0, 2, LEFT)]);
        // Also in the first frame.
        let path = Path::new().at(0.0, "walking", &[LEFT]).at(0.0, "climbing", &[LEFT]).at(0.1, "climbing", &[LEFT]);
        path.is(&[0.0, 0.1], &[(0, 1, "climbing")], &[(0, 1, LEFT)]);
    }

    #[test]
    fn a_mode_lasts_longer_for_what_is_taken_at_its_end_and_does_not_carry_in_the_next() {
        let (hand, knee) = ("left_hand", "right_knee");
        let path = Path::new()
            .at(0.0, "crawling", &[hand, LEFT])
            .at(0.1, "crawling", &[hand, LEFT, knee])
            .at(0.1, "walking", &[LEFT, knee])
            .at(0.2, "walking", &[LEFT, knee])
            .at(0.2, "walking", &[LEFT]);
        let modes = [(0, 2, "crawling"), (2, 4, "walking")];
        path.is(&[0.0, 0.1, 0.1, 0.1, 0.2], &modes, &[(0, 3, hand), (0, 4, LEFT), (1, 4, knee)]);
        // A foot carries in both.
        let path = Path::new()
            .at(0.0, "crawling", &[hand])
            .at(0.1, "crawling", &[hand, LEFT])
            .at(0.1, "walking", &[LEFT])
            .at(0.2, "walking", &[LEFT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 1, "crawling"), (1, 2, "walking")], &[(0, 1, hand), (1, 2, LEFT)]);
    }

    #[test]
    fn a_way_of_one_waypoint_is_a_motion_of_one_frame() {
        Path::new().at(0.0, "walking", &[LEFT, RIGHT]).is(&[0.0], &[(0, 0, "walking")], &[(0, 0, LEFT), (0, 0, RIGHT)]);
    }
}
