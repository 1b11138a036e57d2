//! Static equilibrium: whether the forces that contacts can bear carry the weight of the body.
//!
//! The forces are those that [`clamber_model::contact`] declares. The wrenches that a stance can exert are a sum of convex
//! polytopes, one for each effector that presses and each that grips, and the body is in equilibrium when this sum contains the
//! wrench against the weight. That is decided by Wolfe's search for the nearest point of a polytope (`nearest_point`), in double
//! precision. Displacements of the center of mass are one more polytope of the sum, with
//! 16 evenly spaced horizontal directions in space and two in the plane, beginning with the x axis.

mod contact_forces;
mod nearest_point;
mod effort;
mod stance_equilibrium;
#[cfg(test)]
mod tests;
mod wrench;

pub(crate) use effort::Effort;
pub(crate) use stance_equilibrium::StanceEquilibrium;

use clamber_model::{Character, Configuration, Contact, World};

use crate::kinematics::LinkFrames;

/// Returns the smallest horizontal displacement of the center of mass with which the contacts carry the body, in meters: 0 in
/// equilibrium, infinite if 10 body sizes do not suffice or there are no contacts. It is exact to a millionth of the body size.
///
/// A character that was changed after it was built and a configuration of another character are never carried. Contacts that
/// are not finite or name what does not exist bear nothing.
pub fn displacement_to_equilibrium(
    character: &Character,
    world: &World,
    configuration: &Configuration,
    contacts: &[Contact],
) -> f64 {
    stance_equilibrium(character, world, configuration, contacts)
        .map_or(f64::INFINITY, |equilibrium| equilibrium.displacement())
}

/// Returns whether the contacts carry the body after a horizontal displacement of its center of mass by at most
/// `max_displacement` meters. Displacements beyond 10 body sizes are not considered.
pub fn is_in_equilibrium(
    character: &Character,
    world: &World,
    configuration: &Configuration,
    contacts: &[Contact],
    max_displacement: f64,
) -> bool {
    stance_equilibrium(character, world, configuration, contacts)
        .is_some_and(|equilibrium| equilibrium.is_carried(max_displacement))
}

/// Returns the largest ratio of the torque that a hinge needs for equilibrium to its strength, when the contacts share the weight so
/// that it is as small as possible. `None` if nothing carries the body, no hinge has a strength, or character and configuration do
/// not fit.
pub fn largest_torque_ratio(
    character: &Character,
    world: &World,
    configuration: &Configuration,
    contacts: &[Contact],
) -> Option<f64> {
    let fits = configuration.angles.len() == character.hinges.len() && character.validate().is_ok();
    if fits { Effort::default().largest_ratio(character, world, configuration, contacts) } else { None }
}

/// `None` if character and configuration do not fit.
fn stance_equilibrium(
    character: &Character,
    world: &World,
    configuration: &Configuration,
    contacts: &[Contact],
) -> Option<StanceEquilibrium> {
    if configuration.angles.len() != character.hinges.len() || character.validate().is_err() {
        return None;
    }
    let mut frames = LinkFrames::default();
    frames.set(character, configuration);
    let mut equilibrium = StanceEquilibrium::default();
    equilibrium.set(character, world, &frames, contacts);
    Some(equilibrium)
}
