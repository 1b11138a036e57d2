//! Static equilibrium on contacts: where a stance carries the body, and how far the center of mass is from there.

use clamber_model::character::RootJoint;
use clamber_model::id::ModeId;
use clamber_model::kinematics::{center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::support_polygon::horizontal_displacement_to_hull;
use clamber_model::{Configuration, Contact};
use clamber_posture::solver::CenterRegion;

use super::equilibrium_workspace::EquilibriumWorkspace;
use super::local_planner_state::LocalPlanner;
use super::tuning;

impl LocalPlanner {
    /// How far the center of mass may be outside of the support region in a mode, in meters; `None` where equilibrium is not required.
    /// Where a clip adds a gait, which moves the center of mass, only a thorough attempt goes as far as the mode allows.
    pub fn center_allowance(&self, mode: ModeId, is_thorough: bool) -> Option<f32> {
        let mode = &self.table.modes[mode];
        let is_required = self.settings.equilibrium && !mode.supporting_groups.is_empty();
        let room = if mode.walking_gait.is_some() && !is_thorough { tuning::GAIT_ROOM } else { 0.0 };
        let share = match self.problem.character.root_joint {
            RootJoint::Planar => 1.0,
            RootJoint::Free => tuning::SPATIAL_ALLOWANCE,
        };
        is_required.then(|| share * (mode.max_center_offset - room).max(0.0) * self.settings.size)
    }

    /// The effort with which contacts carry a configuration: the largest ratio of a hinge's torque to its strength. `None` if they do
    /// not, or no strength is known.
    pub fn effort(&mut self, configuration: &Configuration, stance: &[Contact]) -> Option<f32> {
        let EquilibriumWorkspace { frames, effort, .. } = &mut self.equilibrium;
        let character = &*self.problem.character;
        forward(character, configuration, frames);
        effort.effort(character, &self.problem.world, frames, stance).map(|ratio| ratio as f32)
    }

    /// The horizontal displacement of the center of mass to where it is allowed: zero if it is, infinite if the stance cannot
    /// carry the body.
    pub fn displacement_to_allowed(
        &mut self,
        configuration: &Configuration,
        stance: &[Contact],
        allowance: f32,
    ) -> Vec3 {
        let displacement = self.displacement_to_region(configuration, stance);
        let outside = displacement.length();
        match outside.is_finite() {
            true if outside <= allowance => Vec3::ZERO,
            true => displacement * ((outside - allowance) / outside),
            false => Vec3::INFINITY,
        }
    }

    /// The horizontal distance of the center of mass from where a stance carries the body, in meters: 0 inside, infinite if it
    /// cannot.
    pub fn distance_outside(&mut self, configuration: &Configuration, stance: &[Contact]) -> f32 {
        self.displacement_to_region(configuration, stance).length()
    }

    fn displacement_to_region(&mut self, configuration: &Configuration, stance: &[Contact]) -> Vec3 {
        let EquilibriumWorkspace { pointed: character, regions, frames, .. } = &mut self.equilibrium;
        forward(character, configuration, frames);
        let center = center_of_mass(character, frames);
        let region = regions.region(character, &self.problem.world, frames, stance);
        region.displacement_from(center)
    }

    /// The distance outside that counts as rounding, in meters.
    pub fn center_rounding(&self) -> f32 {
        tuning::CENTER_ROUNDING * self.settings.size
    }

    /// Whether a stance carries the body with its center of mass up to `allowance` meters outside.
    pub fn is_carried(&mut self, configuration: &Configuration, stance: &[Contact], allowance: Option<f32>) -> bool {
        let rounding = self.center_rounding();
        allowance.is_none_or(|allowance| self.distance_outside(configuration, stance) <= allowance + rounding)
    }

    /// The region that the center of mass should aim for on a stance: a little inside of what is allowed. `None` if the stance
    /// cannot carry the body. The configuration tells how patches and grips are turned.
    pub fn region_to_aim_for(
        &mut self,
        configuration: &Configuration,
        stance: &[Contact],
        allowance: f32,
    ) -> Option<CenterRegion> {
        let EquilibriumWorkspace { pointed: character, regions, frames, .. } = &mut self.equilibrium;
        forward(character, configuration, frames);
        let region = regions.region(character, &self.problem.world, frames, stance);
        let count = region.corners.len();
        if count == 0 {
            return None;
        }
        let margin = tuning::CENTER_MARGIN * self.settings.size;
        let inward = (margin - allowance).max(0.0);
        let middle = region.corners.iter().sum::<Vec3>() / count as f32;
        let moved = |corner: &Vec3| {
            let arm = *corner - middle;
            middle + arm * (1.0 - inward / arm.length().max(inward)).max(0.0)
        };
        let corners = match inward > 0.0 {
            true => region.corners.iter().map(moved).collect(),
            false => region.corners.clone(),
        };
        Some(CenterRegion { corners, within: (allowance - margin).max(0.0) })
    }

    /// The positions in a region that are nearest to another region.
    pub fn nearest_in_region(&self, region: &CenterRegion, other: &CenterRegion) -> CenterRegion {
        let middle = other.corners.iter().sum::<Vec3>() / other.corners.len().max(1) as f32;
        let displacement = horizontal_displacement_to_hull(middle, &region.corners);
        let distance = displacement.length();
        let share = if distance > region.within { 1.0 - region.within / distance } else { 0.0 };
        CenterRegion {
            corners: vec![middle + displacement * share],
            within: 0.5 * tuning::CENTER_MARGIN * self.settings.size,
        }
    }
}
