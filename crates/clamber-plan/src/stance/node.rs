//! Nodes of the search: stances that the character can reach.

use std::sync::Arc;

use clamber_model::contact::Stance;
use clamber_model::id::ModeId;
use clamber_model::math::Vec3;
use clamber_model::{Configuration, Contact};

use crate::waypoint::{Locomotion, Waypoint};

/// A stance with its mode and a posture on it.
#[derive(Clone)]
pub(super) struct Node {
    pub parent: Option<usize>,
    /// The path from the parent.
    pub path: Vec<Waypoint>,
    pub configuration: Configuration,
    pub stance: Arc<[Contact]>,
    /// The stance before the last contacts were released.
    pub stance_before_release: Arc<[Contact]>,
    pub mode: ModeId,
    /// Cost so far, in meters.
    pub cost: f32,
    /// What the effort of the posture adds to the priority of what follows directly, in meters.
    pub effort_penalty: f32,
    /// Whether there is room for a faster mode.
    pub has_room_for_faster: bool,
    /// Cost-to-go along the guide, in meters.
    pub cost_to_go: f32,
    /// Cost-to-go when the mode began.
    pub cost_to_go_at_mode_start: f32,
}

impl Node {
    pub fn waypoint(&self) -> Waypoint {
        Waypoint::found(self.configuration.clone(), self.stance.clone(), Locomotion::Mode(self.mode))
    }
}

/// Adds contacts to a stance, which is sorted by effector.
pub(super) fn add_contacts(stance: &mut Stance, contacts: &[Contact]) {
    stance.extend_from_slice(contacts);
    stance.sort_by_key(|contact| contact.effector);
}

/// Whether a planar character faces left, along -x: it then shows its left side to a viewer who faces -z.
pub(super) fn is_facing_left(configuration: &Configuration) -> bool {
    (configuration.root.rotation * Vec3::Z).z < 0.0
}
