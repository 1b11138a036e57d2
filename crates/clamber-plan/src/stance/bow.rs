//! Bowing: where a body must duck, it bends forward.
//!
//! From an upright posture under a low ceiling, the nearest solution often leans back: the hips go ahead and the head stays behind.
//! A start that is bowed forward leads to another solution.

use clamber_model::Configuration;
use clamber_model::id::ModeId;
use clamber_model::math::{atan2, rotation_about};
use clamber_model::mode_table::{BodyLine, PostureHeuristic};
use clamber_model::world::UP;

use super::search_state::StanceSearch;
use super::tuning::{BOW, MAX_BACKWARD_LEAN};

impl StanceSearch {
    /// Returns a posture that is bowed forward, if the given one leans back although the mode prefers the body upright.
    pub(super) fn bowed(&mut self, posture: &Configuration, mode: ModeId) -> Option<Configuration> {
        let mode = &self.local.table.modes[mode];
        let line = mode.posture_heuristics.iter().find_map(|(heuristic, _)| match heuristic {
            PostureHeuristic::Upright { line, backward } if *backward > 1.0 => Some(line.clone()),
            _ => None,
        })?;
        self.local.center_of(posture);
        let lean = self.forward_lean(&line);
        if lean >= -MAX_BACKWARD_LEAN {
            return None;
        }
        let frames = &self.local.projection.link_frames;
        let heading = self.local.anatomy.heading_direction(frames);
        let pivot = self.local.anatomy.landmark_position(&line.from, frames);
        let turn = rotation_about(UP.cross(heading), BOW - lean);
        let mut bowed = posture.clone();
        bowed.root.translation = pivot + turn * (posture.root.translation - pivot);
        bowed.root.rotation = (turn * posture.root.rotation).normalize();
        Some(bowed)
    }

    /// The angle by which a line leans toward the heading, for the configuration whose frames were computed last.
    fn forward_lean(&self, line: &BodyLine) -> f32 {
        let (anatomy, frames) = (&self.local.anatomy, &self.local.projection.link_frames);
        let extent = anatomy.landmark_position(&line.to, frames) - anatomy.landmark_position(&line.from, frames);
        atan2(anatomy.heading_direction(frames).dot(extent), UP.dot(extent))
    }
}
