//! How far the effects of an edge have been carried out.

use clamber_model::contact::Stance;
use clamber_model::id::ModeId;
use clamber_model::mode_table::{Condition, Edge, Effect};
use clamber_model::{Configuration, Contact};

use crate::mode::released_contacts::is_leaving;
use crate::waypoint::{Locomotion, Waypoint};

/// The body while an edge is taken.
pub(super) struct EdgeProgress {
    pub configuration: Configuration,
    pub stance: Stance,
    /// The stance before the last contacts were released.
    pub before_release: Stance,
    /// The contacts that the edge has made.
    pub made: Vec<Contact>,
    /// The path since the edge began.
    pub path: Vec<Waypoint>,
    pub locomotion: Locomotion,
    pub is_thorough: bool,
}

impl EdgeProgress {
    pub fn waypoint(&self) -> Waypoint {
        Waypoint::found(self.configuration.clone(), self.stance.as_slice().into(), self.locomotion)
    }

    /// Appends the present state to the path, in another mode.
    pub fn push_waypoint(&mut self, mode: ModeId) {
        self.locomotion = Locomotion::Mode(mode);
        let waypoint = self.waypoint();
        self.path.push(waypoint);
    }
}

/// The conditions after an edge, if the posture before the effect of this index is its last one; otherwise none.
pub(super) fn final_conditions(edge: &Edge, index: usize) -> &[Condition] {
    if edge.effects[index..].iter().all(is_leaving) { &edge.postconditions } else { &[] }
}

/// The mode after the releases before the effect of this index: it changes when the holds of the edge are taken.
pub(super) fn mode_after_releases(edge: &Edge, index: usize) -> ModeId {
    if edge.effects[index..].contains(&Effect::Attach) { edge.from } else { edge.to }
}
