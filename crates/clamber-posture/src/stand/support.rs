//! Whether the contacts of a posture carry the body, and what they lack.

use clamber_model::kinematics::{LinkFrames, center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::{Character, Configuration, Contact, World};

use super::tuning;
use crate::equilibrium::{EquilibriumSolver, Shortfall, SupportRegion};
use crate::solver::CenterRegion;

/// Judges the equilibrium of postures.
pub(super) struct SupportJudge {
    solver: EquilibriumSolver,
    /// The character with effectors that bear any force. What is too weak still shows where the center of mass should be.
    limitless: Character,
}

impl SupportJudge {
    pub fn new(character: &Character) -> Self {
        let mut limitless = character.clone();
        for effector in &mut limitless.effectors {
            effector.ability.max_push *= tuning::LIMITLESS;
            if let Some(grip) = &mut effector.ability.grip {
                grip.max_force *= tuning::LIMITLESS;
            }
        }
        Self { solver: EquilibriumSolver::default(), limitless }
    }

    /// Where the center of mass should be: a little inside of where the contacts, turned as in a configuration, carry the body.
    pub fn region_to_aim_for(
        &mut self,
        world: &World,
        character: &Character,
        configuration: &Configuration,
        stance: &[Contact],
    ) -> CenterRegion {
        let mut frames = LinkFrames::default();
        forward(character, configuration, &mut frames);
        let mut region = self.solver.support_region(character, world, &frames, stance);
        if region.corners.is_empty() {
            region = self.solver.support_region(&self.limitless, world, &frames, stance);
        }
        let SupportRegion { mut corners } = region;
        if corners.is_empty() {
            // They carry it nowhere. Above the contacts, the least else is missing.
            corners = stance.iter().flat_map(|contact| contact.pressing_ends(character, &frames)).collect();
        }
        let middle = corners.iter().sum::<Vec3>() / corners.len().max(1) as f32;
        corners.iter_mut().for_each(|corner| *corner = corner.lerp(middle, tuning::REGION_SHRINK));
        CenterRegion { corners, within: 0.0 }
    }

    /// What the contacts lack to carry the body; `None` if they do, up to rounding.
    pub fn shortfall(
        &mut self,
        world: &World,
        character: &Character,
        frames: &LinkFrames,
        stance: &[Contact],
    ) -> Option<Shortfall> {
        let mut center = center_of_mass(character, frames);
        // On a single point no posture is exact.
        let missing = self.solver.support_region(&self.limitless, world, frames, stance).displacement_from(center);
        if missing.length() <= tuning::CENTER_TOLERANCE * character.body_size() {
            center += missing;
        }
        let lack = self.solver.shortfall(character, world, frames, stance, center)?;
        let is_rounding = |distance: f32| distance <= tuning::CENTER_TOLERANCE * character.body_size();
        (!lack.balance.is_some_and(is_rounding)).then_some(lack)
    }
}
