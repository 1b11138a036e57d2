//! The motion along a path of waypoints: frames, spans of modes and spans of contacts.

use clamber_model::motion::{ContactSpan, Frame, ModeSpan, Motion};
use clamber_model::{Character, ModeTable};

use crate::waypoint::{Locomotion, Waypoint};

/// The motion along a path: one frame for each waypoint, evenly timed. Successive waypoints that differ only in their contacts
/// share a frame. A mode is extended for contacts that are made at its end and may not carry in the next mode: otherwise a knee
/// that the character rises from at once would count as walked on.
pub(crate) fn motion_of(character: &Character, table: &ModeTable, path: &[Waypoint], frames_per_second: f32) -> Motion {
    let mut motion = Motion::from_configurations(&character.name, "", Vec::new(), frames_per_second);
    motion.mode_spans.clear();
    let mut recorder = Recorder { table, frames_per_second, motion, open: Vec::new() };
    for waypoint in path {
        recorder.add(waypoint);
    }
    let Recorder { mut motion, open, .. } = recorder;
    motion.contacts.extend(open);
    motion.contacts.sort_by_key(|span| (span.first_frame, span.contact.effector, span.last_frame));
    motion
}

/// Builds a motion waypoint by waypoint.
struct Recorder<'a> {
    table: &'a ModeTable,
    frames_per_second: f32,
    motion: Motion,
    /// Contacts that last to the last frame so far.
    open: Vec<ContactSpan>,
}

impl Recorder<'_> {
    fn add(&mut self, waypoint: &Waypoint) {
        let last = self.motion.frames.last();
        let is_same = last.is_some_and(|frame: &Frame| frame.configuration == waypoint.configuration);
        if !is_same {
            self.push_frame(waypoint);
        }
        let mode = waypoint.locomotion.name(self.table);
        if is_same && self.motion.mode_spans.last().is_some_and(|span| span.mode != mode) {
            self.extend_mode(waypoint);
        }
        let frame = self.motion.frames.len() - 1;
        self.set_mode(mode, frame, is_same);
        self.set_contacts(waypoint, frame);
    }

    fn push_frame(&mut self, waypoint: &Waypoint) {
        let time = self.motion.frames.len() as f32 / self.frames_per_second;
        self.motion.frames.push(Frame { time, configuration: waypoint.configuration.clone() });
    }

    /// Repeats the last frame twice if a contact made in it stays and may not carry in the next mode.
    fn extend_mode(&mut self, waypoint: &Waypoint) {
        let now = self.motion.frames.len() - 1;
        let needs_time = |span: &ContactSpan| {
            span.first_frame == now
                && waypoint.stance.contains(&span.contact)
                && !carries(self.table, waypoint.locomotion, span)
        };
        if !self.open.iter().any(needs_time) {
            return;
        }
        // One frame in the old mode, and one in the new mode before anything is released.
        self.push_frame(waypoint);
        self.push_frame(waypoint);
        if let Some(span) = self.motion.mode_spans.last_mut() {
            span.last_frame = now + 1;
        }
        self.open.iter_mut().for_each(|span| span.last_frame = now + 2);
    }

    fn set_mode(&mut self, mode: &str, frame: usize, is_same: bool) {
        let spans = &mut self.motion.mode_spans;
        match spans.last_mut() {
            Some(span) if span.mode == mode => span.last_frame = frame,
            Some(span) if !is_same || span.last_frame < frame => {
                let first = span.last_frame;
                spans.push(ModeSpan { first_frame: first, last_frame: frame, mode: mode.to_owned() });
            }
            // A single frame that changes its mode in place: the first frame, or one between two modes.
            Some(span) if span.first_frame == span.last_frame => mode.clone_into(&mut span.mode),
            Some(_) => spans.push(ModeSpan { first_frame: frame, last_frame: frame, mode: mode.to_owned() }),
            None => spans.push(ModeSpan { first_frame: 0, last_frame: frame, mode: mode.to_owned() }),
        }
    }

    fn set_contacts(&mut self, waypoint: &Waypoint, frame: usize) {
        let Self { motion, open, .. } = self;
        let (kept, ended): (Vec<ContactSpan>, Vec<ContactSpan>) =
            std::mem::take(open).into_iter().partition(|span| waypoint.stance.contains(&span.contact));
        motion.contacts.extend(ended);
        *open = kept;
        for span in open.iter_mut() {
            span.last_frame = frame;
        }
        for contact in waypoint.stance.iter() {
            if open.iter().any(|span| span.contact == *contact) {
                continue;
            }
            // A contact released and made again within a frame continues.
            let ended = motion.contacts.iter().rev().take_while(|span| span.last_frame == frame);
            let released = ended.enumerate().find(|(_, span)| span.contact == *contact).map(|(back, _)| back + 1);
            open.push(match released {
                Some(back) => motion.contacts.remove(motion.contacts.len() - back),
                None => ContactSpan { first_frame: frame, last_frame: frame, contact: *contact },
            });
        }
    }
}

/// Whether the effector of a contact may carry in this mode.
fn carries(table: &ModeTable, locomotion: Locomotion, span: &ContactSpan) -> bool {
    let Locomotion::Mode(mode) = locomotion else { return true };
    let group = table.group_of_effector(span.contact.effector);
    table.modes[mode].supporting_groups.iter().any(|carrier| Some(carrier.group) == group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::waypoint::held_between;
    use clamber_model::id::EffectorId;
    use clamber_testing::{character, standing, table, touching};

    /// A path of the figure along the ground. A frame is known by its x coordinate.
    struct TestPath {
        character: Character,
        table: ModeTable,
        waypoints: Vec<Waypoint>,
    }

    impl TestPath {
        fn new() -> Self {
            let character = character("figure");
            let table = table(&character);
            Self { character, table, waypoints: Vec::new() }
        }

        /// Adds a waypoint at x, in a mode, on these effectors.
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

        /// Asserts the x of the frames, the spans of modes and the spans of contacts.
        fn is(&self, places: &[f32], modes: &[(usize, usize, &str)], contacts: &[(usize, usize, &str)]) {
            let motion = self.motion();
            let x = |frame: &Frame| frame.configuration.root.translation.x;
            assert_eq!(motion.frames.iter().map(x).collect::<Vec<_>>(), places);
            for (index, frame) in motion.frames.iter().enumerate() {
                assert!((frame.time - 0.1 * index as f32).abs() < 1e-6);
            }
            let spans: Vec<_> =
                motion.mode_spans.iter().map(|span| (span.first_frame, span.last_frame, span.mode.as_str())).collect();
            assert_eq!(spans, modes);
            let name = |effector: EffectorId| self.character.effectors[effector].name.as_str();
            let spans: Vec<_> = motion
                .contacts
                .iter()
                .map(|span| (span.first_frame, span.last_frame, name(span.contact.effector)))
                .collect();
            assert_eq!(spans, contacts);
        }
    }

    const LEFT: &str = "left_foot";
    const RIGHT: &str = "right_foot";

    #[test]
    fn a_contact_begins_where_the_limb_arrives() {
        let path = TestPath::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT])
            .at(0.2, "walking", &[LEFT, RIGHT])
            .at(0.3, "walking", &[LEFT, RIGHT]);
        path.is(&[0.0, 0.1, 0.2, 0.3], &[(0, 3, "walking")], &[(0, 3, LEFT), (2, 3, RIGHT)]);
        let held = held_between(&path.waypoints[1], &path.waypoints[2]);
        assert_eq!(held, path.waypoints[0].stance.to_vec());
    }

    #[test]
    fn a_contact_released_in_place_ends_in_that_frame() {
        let path = TestPath::new()
            .at(0.0, "walking", &[LEFT, RIGHT])
            .at(0.1, "walking", &[LEFT, RIGHT])
            .at(0.1, "walking", &[RIGHT])
            .at(0.2, "walking", &[RIGHT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 2, "walking")], &[(0, 1, LEFT), (0, 2, RIGHT)]);
    }

    #[test]
    fn contacts_may_alternate_within_a_frame() {
        let path = TestPath::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT, RIGHT])
            .at(0.1, "walking", &[RIGHT])
            .at(0.2, "walking", &[LEFT, RIGHT])
            .at(0.2, "walking", &[LEFT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 2, "walking")], &[(0, 1, LEFT), (1, 2, RIGHT), (2, 2, LEFT)]);
    }

    #[test]
    fn a_contact_made_and_released_in_place_spans_one_frame() {
        let path = TestPath::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT, RIGHT])
            .at(0.1, "walking", &[LEFT])
            .at(0.2, "walking", &[LEFT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 2, "walking")], &[(0, 2, LEFT), (1, 1, RIGHT)]);
    }

    #[test]
    fn a_contact_released_and_made_again_in_place_continues() {
        let path = TestPath::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT, RIGHT])
            .at(0.1, "walking", &[RIGHT])
            .at(0.1, "walking", &[LEFT, RIGHT])
            .at(0.2, "walking", &[LEFT, RIGHT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 2, "walking")], &[(0, 2, LEFT), (1, 2, RIGHT)]);
    }

    #[test]
    fn a_mode_that_changes_in_place_begins_in_that_frame() {
        let path = TestPath::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT])
            .at(0.1, "climbing", &[LEFT])
            .at(0.2, "climbing", &[LEFT])
            .at(0.3, "climbing", &[LEFT]);
        path.is(&[0.0, 0.1, 0.2, 0.3], &[(0, 1, "walking"), (1, 3, "climbing")], &[(0, 3, LEFT)]);
    }

    #[test]
    fn a_mode_that_changes_between_waypoints_begins_at_the_first() {
        let path = TestPath::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT])
            .at(0.2, "turning", &[LEFT])
            .at(0.3, "turning", &[LEFT])
            .at(0.4, "flying", &[]);
        let modes = [(0, 1, "walking"), (1, 3, "turning"), (3, 4, "flying")];
        path.is(&[0.0, 0.1, 0.2, 0.3, 0.4], &modes, &[(0, 3, LEFT)]);
    }

    #[test]
    fn a_mode_without_length_has_no_span() {
        let path = TestPath::new()
            .at(0.0, "walking", &[LEFT])
            .at(0.1, "walking", &[LEFT])
            .at(0.1, "climbing", &[LEFT])
            .at(0.1, "swinging", &[LEFT])
            .at(0.2, "swinging", &[LEFT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 1, "walking"), (1, 2, "swinging")], &[(0, 2, LEFT)]);
        // Also in the first frame.
        let path =
            TestPath::new().at(0.0, "walking", &[LEFT]).at(0.0, "climbing", &[LEFT]).at(0.1, "climbing", &[LEFT]);
        path.is(&[0.0, 0.1], &[(0, 1, "climbing")], &[(0, 1, LEFT)]);
    }

    #[test]
    fn a_mode_is_extended_for_a_last_contact_that_may_not_carry_in_the_next() {
        let (hand, knee) = ("left_hand", "right_knee");
        let path = TestPath::new()
            .at(0.0, "crawling", &[hand, LEFT])
            .at(0.1, "crawling", &[hand, LEFT, knee])
            .at(0.1, "walking", &[LEFT, knee])
            .at(0.2, "walking", &[LEFT, knee])
            .at(0.2, "walking", &[LEFT]);
        let modes = [(0, 2, "crawling"), (2, 4, "walking")];
        path.is(&[0.0, 0.1, 0.1, 0.1, 0.2], &modes, &[(0, 3, hand), (0, 4, LEFT), (1, 4, knee)]);
        // A foot carries in both.
        let path = TestPath::new()
            .at(0.0, "crawling", &[hand])
            .at(0.1, "crawling", &[hand, LEFT])
            .at(0.1, "walking", &[LEFT])
            .at(0.2, "walking", &[LEFT]);
        path.is(&[0.0, 0.1, 0.2], &[(0, 1, "crawling"), (1, 2, "walking")], &[(0, 1, hand), (1, 2, LEFT)]);
    }

    #[test]
    fn one_waypoint_gives_one_frame() {
        TestPath::new().at(0.0, "walking", &[LEFT, RIGHT]).is(
            &[0.0],
            &[(0, 0, "walking")],
            &[(0, 0, LEFT), (0, 0, RIGHT)],
        );
    }
}
