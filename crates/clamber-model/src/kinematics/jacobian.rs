//! Jacobians of points and of the center of mass.

use crate::character::{Character, RootAxis};
use crate::id::LinkId;
use crate::kinematics::LinkFrames;
use crate::math::Vec3;

/// The velocity of a point per unit velocity of each degree of freedom: one column each, the root's axes first, then the
/// hinges.
pub type Jacobian = Vec<Vec3>;

/// Computes the Jacobian of a point that is fixed to a link and given in world coordinates.
pub fn point_jacobian(
    character: &Character,
    workspace: &LinkFrames,
    link: LinkId,
    point_in_world: Vec3,
    jacobian: &mut Jacobian,
) {
    jacobian.clear();
    jacobian.resize(character.degrees_of_freedom(), Vec3::ZERO);
    add_columns(character, workspace, link, point_in_world, 1.0, jacobian);
}

/// Computes the Jacobian of the whole body's center of mass.
pub fn center_of_mass_jacobian(character: &Character, workspace: &LinkFrames, jacobian: &mut Jacobian) {
    jacobian.clear();
    jacobian.resize(character.degrees_of_freedom(), Vec3::ZERO);
    for (index, link) in character.links.iter_enumerated() {
        let center = workspace.world_from_link[index] * link.center_of_mass;
        add_columns(character, workspace, index, center, link.mass / character.total_mass, jacobian);
    }
}

fn add_columns(
    character: &Character,
    workspace: &LinkFrames,
    link: LinkId,
    point: Vec3,
    weight: f32,
    jacobian: &mut Jacobian,
) {
    let root_origin = workspace.world_from_link[LinkId::ROOT].translation;
    for (column, axis) in jacobian.iter_mut().zip(character.root_joint.axes()) {
        *column += weight
            * match axis {
                RootAxis::Move(direction) => *direction,
                RootAxis::Turn(direction) => direction.cross(point - root_origin),
            };
    }
    let first_hinge = character.root_joint.axes().len();
    let mut ancestor = Some(link);
    while let Some(index) = ancestor {
        let arm = point - workspace.world_from_link[index].translation;
        for hinge in character.links[index].hinges.iter() {
            jacobian[first_hinge + hinge.index()] += weight * workspace.hinge_axis(character, hinge).cross(arm);
        }
        ancestor = character.links[index].parent;
    }
}
