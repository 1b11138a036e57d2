//! Other starts of the solver, for postures that should be upright.
//!
//! The solution nearest to a posture may be uncomfortable. From an upright posture under a low ceiling it often leans back: the hips
//! go ahead and the head stays behind, where a person bows. From a squat it often stays one, where a person stands up.

use std::sync::Arc;

use clamber_model::id::ModeId;
use clamber_model::kinematics::effector_position;
use clamber_model::math::{Vec3, atan2, rotation_about};
use clamber_model::mode_table::{BodyLine, PostureHeuristic};
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact};

use super::search_state::StanceSearch;
use super::tuning::{BOW, MAX_BACKWARD_LEAN};

impl StanceSearch {
    /// Returns a posture that is bowed forward, if the given one leans back although the mode prefers the body upright.
    pub(super) fn bowed(&mut self, posture: &Configuration, mode: ModeId) -> Option<Configuration> {
        let line = self.upright_line(mode)?;
        self.local.center_of(posture);
        let lean = self.forward_lean(&line);
        (lean < -MAX_BACKWARD_LEAN).then(|| self.pitched_forward(posture, &line, BOW - lean))
    }

    /// Returns the body at rest above its contacts, facing as in the given posture, if the mode prefers the body upright.
    pub(super) fn at_rest_above(
        &mut self,
        stance: &[Contact],
        posture: &Configuration,
        mode: ModeId,
    ) -> Option<Configuration> {
        let line = self.upright_line(mode)?;
        let character = &*Arc::clone(&self.local.problem.character);
        self.local.center_of(posture);
        let mut at_rest = self.pitched_forward(posture, &line, -self.forward_lean(&line));
        at_rest.angles.clone_from(&Configuration::rest(character).angles);
        self.local.center_of(&at_rest);
        let frames = &self.local.projection.link_frames;
        let miss = |contact: &Contact| {
            contact.effector_center(character) - effector_position(character, frames, contact.effector)
        };
        at_rest.root.translation += stance.iter().map(miss).sum::<Vec3>() / stance.len().max(1) as f32;
        Some(at_rest)
    }

    /// The line of the body that a mode prefers upright, and not leaning back.
    fn upright_line(&self, mode: ModeId) -> Option<BodyLine> {
        self.local.table.modes[mode].posture_heuristics.iter().find_map(|(heuristic, _)| match heuristic {
            PostureHeuristic::Upright { line, backward } if *backward > 1.0 => Some(line.clone()),
            _ => None,
        })
    }

    /// The angle by which a line leans toward the heading, for the configuration whose frames were computed last.
    fn forward_lean(&self, line: &BodyLine) -> f32 {
        let (anatomy, frames) = (&self.local.anatomy, &self.local.projection.link_frames);
        let extent = anatomy.landmark_position(&line.to, frames) - anatomy.landmark_position(&line.from, frames);
        atan2(anatomy.heading_direction(frames).dot(extent), UP.dot(extent))
    }

    /// Turns the body forward about the lower end of a line, given the posture whose frames were computed last.
    fn pitched_forward(&self, posture: &Configuration, line: &BodyLine, angle: f32) -> Configuration {
        let frames = &self.local.projection.link_frames;
        let heading = self.local.anatomy.heading_direction(frames);
        let pivot = self.local.anatomy.landmark_position(&line.from, frames);
        let turn = rotation_about(UP.cross(heading), angle);
        let mut pitched = posture.clone();
        pitched.root.translation = pivot + turn * (posture.root.translation - pivot);
        pitched.root.rotation = (turn * posture.root.rotation).normalize();
        pitched
    }
}
