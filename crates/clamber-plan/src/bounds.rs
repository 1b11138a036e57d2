//! Whether the center of mass stays in the scene's bounds.

use clamber_model::kinematics::{Ends, Workspace, center_of_mass, forward};
use clamber_model::{Configuration, Problem};

/// The center of mass is looked at whenever the root has moved this far, in meters. Between two looks it leaves the
/// straight line by a fraction of that.
const SPACING: f32 = 0.1;

/// Whether the center of mass is in the scene's bounds all the path from one configuration to another.
pub(crate) fn stays_in_bounds(problem: &Problem, from: &Configuration, to: &Configuration, ends: &mut Ends) -> bool {
    let Problem { world, character, .. } = problem;
    let is_inside = |frames: &Workspace| world.contains(center_of_mass(character, frames));
    let looks = ((to.root.translation - from.root.translation).length() / SPACING) as usize;
    let [_, there] = ends.of(character, [from, to]);
    if !is_inside(there) {
        return false;
    }
    let (mut between, mut frames) = if looks > 1 { (from.clone(), Workspace::default()) } else { return true };
    (1..looks).all(|look| {
        between.interpolate(from, to, look as f32 / looks as f32);
        forward(character, &between, &mut frames);
        is_inside(&frames)
    })
}
