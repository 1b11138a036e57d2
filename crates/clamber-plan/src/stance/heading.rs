//! Which way the body faces in space: along the guide, as far as it can turn in a step.

use clamber_model::id::ModeId;
use clamber_model::math::{Vec3, rotation_about};
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact};

use super::search_state::StanceSearch;
use super::tuning::MAX_STEP_TURN;
use crate::trunk_guide::GuidePoint;
use clamber_posture::anatomy::turn_between;

impl StanceSearch {
    /// The horizontal direction that a configuration faces.
    pub(super) fn heading_of(&self, configuration: &Configuration) -> Vec3 {
        self.local.anatomy.heading_of_configuration(&self.local.problem.character, configuration)
    }

    /// The direction that a body should face after a step onto a stance in a mode: as the guide says there, if it can turn that far.
    pub(super) fn next_heading(&self, from: Vec3, stance: &[Contact], mode: ModeId) -> Vec3 {
        let Some(guide) = &self.trunk_guide else { return from };
        let Some(position) = guide.trunk_place(stance, from, mode) else { return from };
        self.heading_toward(from, GuidePoint { position, mode })
    }

    /// The direction that the guide gives at a place, or as far toward it as the body can turn in a step.
    pub(super) fn heading_toward(&self, from: Vec3, at: GuidePoint) -> Vec3 {
        let wanted = self.trunk_guide.as_ref().and_then(|guide| guide.heading(at, from));
        let turn = wanted.map_or(0.0, |wanted| turn_between(from, wanted));
        rotation_about(UP, turn.clamp(-MAX_STEP_TURN, MAX_STEP_TURN)) * from
    }
}
