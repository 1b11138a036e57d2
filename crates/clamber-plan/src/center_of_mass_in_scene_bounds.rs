//! Whether the center of mass stays in the scene's bounds.

use clamber_model::character::REFERENCE_BODY_SIZE;
use clamber_model::kinematics::{EndpointLinkFrames, LinkFrames, center_of_mass, forward};
use clamber_model::{Configuration, Problem};

/// Displacement of the root between two checks of the center of mass, in body sizes (0.1 m for the shipped figure). Between
/// two checks the center of mass leaves the straight line by a fraction of that.
const SPACING: f32 = 0.1 / REFERENCE_BODY_SIZE;

/// Whether the center of mass is in the scene's bounds along the straight line between two configurations; the first one is
/// known to be.
pub(crate) fn stays_in_bounds(
    problem: &Problem,
    from: &Configuration,
    to: &Configuration,
    ends: &mut EndpointLinkFrames,
) -> bool {
    let Problem { world, character, .. } = problem;
    let is_inside = |frames: &LinkFrames| world.contains(center_of_mass(character, frames));
    let spacing = SPACING * character.body_size();
    let checks = ((to.root.translation - from.root.translation).length() / spacing) as usize;
    let [_, there] = ends.update(character, [from, to]);
    if !is_inside(there) {
        return false;
    }
    let (mut between, mut frames) = if checks > 1 { (from.clone(), LinkFrames::default()) } else { return true };
    (1..checks).all(|check| {
        between.interpolate(from, to, check as f32 / checks as f32);
        forward(character, &between, &mut frames);
        is_inside(&frames)
    })
}
