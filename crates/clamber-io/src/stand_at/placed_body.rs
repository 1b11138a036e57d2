//! The body in its reference configuration, and where its effectors are above a place.

use clamber_model::character::RootJoint;
use clamber_model::id::{EffectorId, LimbId, ModeId};
use clamber_model::kinematics::{LinkFrames, center_of_mass, effector_position, forward};
use clamber_model::math::{Rotation, Vec3, atan2, rotation_about};
use clamber_model::mode_table::{Mode, SupportingGroup};
use clamber_model::world::{HoldType, UP};
use clamber_model::{Character, Configuration, ModeTable};

use super::placements::Placement;
use super::tuning;

/// An effector that stands on the ground.
#[derive(Clone, Debug)]
pub(super) struct Support {
    pub effector: EffectorId,
    /// The types of hold that it may use.
    pub types: Vec<HoldType>,
    /// Its lowest point in the reference configuration.
    bottom: Vec3,
}

/// The body at the origin, facing +x.
pub(super) struct ReferenceBody {
    configuration: Configuration,
    /// Below the center of mass, at the height of the lowest support.
    foot: Vec3,
    pub supports: Vec<Support>,
}

/// The body above a place.
pub(super) struct PlacedBody {
    pub configuration: Configuration,
    /// Where the lowest points of the supports are.
    pub bottoms: Vec<Vec3>,
    /// The direction away from the ground.
    pub up: Vec3,
}

impl ReferenceBody {
    pub fn new(character: &Character, modes: &ModeTable, mode: ModeId) -> Self {
        let configuration = modes.modes[mode].reference_posture.configuration(character);
        let mut frames = LinkFrames::default();
        forward(character, &configuration, &mut frames);
        let mut supports = supports(character, modes, mode, &frames);
        let lowest = supports.iter().map(|support| support.bottom.y).fold(f32::INFINITY, f32::min);
        // Those that the mode needs, but that are far up, reach down to the ground.
        let far_up = lowest + tuning::NEAR_GROUND * character.body_size();
        supports.iter_mut().filter(|support| support.bottom.y > far_up).for_each(|support| support.bottom.y = lowest);
        Self { foot: center_of_mass(character, &frames).with_y(lowest), configuration, supports }
    }

    /// The types of hold that any support may use.
    pub fn hold_types(&self) -> Vec<HoldType> {
        let is_used = |kind: &HoldType| self.supports.iter().any(|support| support.types.contains(kind));
        HoldType::ALL.into_iter().filter(is_used).collect()
    }

    /// Returns the body with its foot at a point of the ground.
    pub fn placed(&self, character: &Character, ground: Vec3, placement: &Placement) -> PlacedBody {
        let Placement { facing, up, stride, .. } = *placement;
        let turn = tilt(up) * heading(character, facing);
        let mut configuration = self.configuration.clone();
        configuration.root.rotation = (turn * configuration.root.rotation).normalize();
        configuration.root.translation = ground + turn * (configuration.root.translation - self.foot);
        if character.root_joint == RootJoint::Planar {
            configuration.root.translation.z = 0.0;
        }
        let ahead = turn * Vec3::X * (stride * character.body_size());
        let bottom = |(index, support): (usize, &Support)| {
            let step = if index.is_multiple_of(2) { ahead } else { -ahead };
            ground + turn * (support.bottom - self.foot) + step
        };
        PlacedBody { configuration, bottoms: self.supports.iter().enumerate().map(bottom).collect(), up }
    }
}

/// Returns the turn about the vertical from +x to a horizontal direction.
fn heading(character: &Character, facing: Vec3) -> Rotation {
    match character.root_joint {
        // Its half turn is exact.
        RootJoint::Planar => Configuration::planar_root_pose(0.0, 0.0, 0.0, facing.x > 0.0).rotation,
        RootJoint::Free => rotation_about(UP, atan2(-facing.z, facing.x)),
    }
}

/// Returns the shortest turn from the vertical to a direction.
fn tilt(up: Vec3) -> Rotation {
    let across = UP.cross(up);
    match across.try_normalize() {
        Some(axis) => rotation_about(axis, atan2(across.length(), UP.dot(up))),
        None => Rotation::IDENTITY,
    }
}

/// Returns the effectors that stand: of each limb the lowest that the mode may use. Those near the ground, and as many others, the lowest
/// first, as the mode needs.
fn supports(character: &Character, modes: &ModeTable, mode: ModeId, frames: &LinkFrames) -> Vec<Support> {
    let Mode { supporting_groups, least_contacts, .. } = &modes.modes[mode];
    let mut lowest: Vec<(Option<LimbId>, Support)> = Vec::new();
    for effector in supporting_groups.iter().flat_map(|carrier| &modes.effector_groups[carrier.group].effectors) {
        let support = support(character, modes, supporting_groups, *effector, frames);
        let limb = character.limb_of_link(character.effectors[*effector].link);
        let of_same = |(other, known): &&mut (Option<LimbId>, Support)| {
            known.effector == *effector || (limb.is_some() && *other == limb)
        };
        match lowest.iter_mut().find(of_same) {
            Some((_, known)) if support.bottom.y < known.bottom.y => *known = support,
            Some(_) => {}
            None => lowest.push((limb, support)),
        }
    }
    let mut heights: Vec<f32> = lowest.iter().map(|(_, support)| support.bottom.y).collect();
    heights.sort_by(f32::total_cmp);
    let last_needed = (*least_contacts).clamp(1, heights.len().max(1)) - 1;
    let height = heights.get(last_needed).copied().unwrap_or(0.0) + tuning::NEAR_GROUND * character.body_size();
    lowest.into_iter().map(|(_, support)| support).filter(|support| support.bottom.y <= height).collect()
}

fn support(
    character: &Character,
    modes: &ModeTable,
    groups: &[SupportingGroup],
    effector: EffectorId,
    frames: &LinkFrames,
) -> Support {
    let of_effector = |carrier: &&SupportingGroup| modes.effector_groups[carrier.group].effectors.contains(&effector);
    let mut types: Vec<HoldType> =
        groups.iter().filter(of_effector).flat_map(|carrier| carrier.types.iter().copied()).collect();
    types.sort_unstable();
    types.dedup();
    let bottom = effector_position(character, frames, effector) - UP * character.effectors[effector].radius;
    Support { effector, types, bottom }
}
