//! The path of a search over contacts, and the motion along it.

use std::sync::Arc;

use clamber_model::id::ModeId;
use clamber_model::motion::{FLYING_MODE, Motion, TURNING_MODE};
use clamber_model::problem::Posture;
use clamber_model::{Configuration, Contact, ModeTable, World};

/// How the character moves to a waypoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locomotion {
    /// In a mode of the table.
    Mode(ModeId),
    /// Turning around.
    Turning,
    /// Through the air, in a passage.
    Flying,
}

impl Locomotion {
    pub fn of_name(table: &ModeTable, name: &str) -> Option<Self> {
        match name {
            TURNING_MODE => Some(Self::Turning),
            FLYING_MODE => Some(Self::Flying),
            name => table.find_mode(name).map(Self::Mode),
        }
    }

    pub fn name(self, table: &ModeTable) -> &str {
        match self {
            Self::Mode(mode) => &table.modes[mode].name,
            Self::Turning => TURNING_MODE,
            Self::Flying => FLYING_MODE,
        }
    }
}

/// A configuration of the path and its contacts. Contacts that two successive waypoints share are kept between them.
#[derive(Clone, Debug)]
pub(crate) struct Waypoint {
    pub configuration: Configuration,
    pub stance: Arc<[Contact]>,
    pub locomotion: Locomotion,
    /// Whether a random walk made it; backtracking prefers these (thesis 3.6.3).
    pub is_random: bool,
    /// Distance to the goal along the guide when the mode began, in meters.
    pub mode_start_distance: f32,
    /// Whether it must not change: the start and the frames of passages.
    pub is_fixed: bool,
}

impl Waypoint {
    /// A waypoint that a search found.
    pub fn found(configuration: Configuration, stance: Arc<[Contact]>, locomotion: Locomotion) -> Self {
        Self { configuration, stance, locomotion, is_random: false, mode_start_distance: 0.0, is_fixed: false }
    }

    /// A given waypoint: the start, or a frame of a passage.
    pub fn fixed(Posture { configuration, stance, mode_name: mode }: Posture, table: &ModeTable) -> Self {
        let locomotion = Locomotion::of_name(table, &mode).unwrap_or(Locomotion::Flying);
        let mode_start_distance = f32::INFINITY;
        Self { configuration, stance: stance.into(), locomotion, is_random: false, mode_start_distance, is_fixed: true }
    }
}

/// The posture in which a passage begins, in the mode that its contacts belong to.
pub(crate) fn entry(motion: &Motion, table: &ModeTable, world: &World) -> Posture {
    let mut entry = Posture::from_motion_frame(motion, 0);
    if let Some(mode) = table.first_mode_allowing_stance(&entry.stance, world) {
        entry.mode_name.clone_from(&table.modes[mode].name);
    }
    entry
}

/// Appends a passage to a path that ends at its first frame. That frame is repeated as a fixed one: smoothing keeps fixed
/// waypoints, and resampling may still add frames before the first of the two.
pub(crate) fn append_passage(path: &mut Vec<Waypoint>, motion: &Motion, table: &ModeTable, world: &World) {
    let entry = path[path.len() - 1].clone();
    path.push(Waypoint { is_fixed: true, is_random: false, ..entry });
    for frame in 1..motion.frames.len() {
        path.push(Waypoint::fixed(Posture::from_motion_frame(motion, frame), table));
    }
    // The path continues in the mode that the stance belongs to.
    if let (Some(last), true) = (path.last_mut(), motion.frames.len() > 1)
        && let Some(mode) = table.first_mode_allowing_stance(&last.stance, world)
    {
        let on = Waypoint { locomotion: Locomotion::Mode(mode), ..last.clone() };
        path.push(on);
    }
}

/// The contacts that are kept from one waypoint to the next.
pub(crate) fn held_between(from: &Waypoint, to: &Waypoint) -> Vec<Contact> {
    from.stance.iter().filter(|contact| to.stance.contains(contact)).copied().collect()
}
