//! The reference posture above a stance or, where a body is between two modes, a posture between theirs that fits its contacts.

use std::sync::Arc;

use clamber_model::id::ModeId;
use clamber_model::kinematics::{effector_position, forward};
use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration, Contact};

use super::search_state::StanceSearch;
use super::tuning::BLENDS;

impl StanceSearch {
    /// The posture of a body in a mode that faces a horizontal direction, above a stance: its limbs are not on their contacts yet.
    pub(super) fn posture_above(&mut self, stance: &[Contact], heading: Vec3, mode: ModeId) -> Option<Configuration> {
        let guide = self.trunk_guide.as_ref()?;
        let trunk = guide.trunk_place(stance, heading, mode)?;
        let other = guide.other_mode(stance, mode);
        let character = &*Arc::clone(&self.local.problem.character);
        let modes = &self.local.table.modes;
        let facing = |mode: ModeId| {
            let mut posture = modes[mode].reference_posture.configuration(character);
            posture.root.rotation = guide.turn_on(stance, heading, mode) * posture.root.rotation;
            posture
        };
        let mut posture = facing(mode);
        if let Some(other) = other {
            return Some(self.blended_posture(character, [&posture, &facing(other)], stance));
        }
        let frames = &mut self.local.projection.link_frames;
        forward(character, &posture, frames);
        posture.root.translation += trunk - self.local.anatomy.trunk_position(frames);
        Some(posture)
    }

    /// The posture between two in which the effectors of a stance are nearest to their contacts.
    fn blended_posture(
        &mut self,
        character: &Character,
        [from, to]: [&Configuration; 2],
        stance: &[Contact],
    ) -> Configuration {
        let frames = &mut self.local.projection.link_frames;
        let mut best = (f32::INFINITY, from.clone());
        for share in BLENDS {
            let mut posture = from.clone();
            posture.interpolate(from, to, share);
            forward(character, &posture, frames);
            let misses: Vec<Vec3> = stance
                .iter()
                .map(|held| held.effector_center(character) - effector_position(character, frames, held.effector))
                .collect();
            let mean = misses.iter().sum::<Vec3>() / misses.len().max(1) as f32;
            let spread: f32 = misses.iter().map(|miss| (*miss - mean).length_squared()).sum();
            if spread < best.0 {
                posture.root.translation += mean;
                best = (spread, posture);
            }
        }
        best.1
    }
}
