//! Whether the centre of mass stays in the scene's bounds.

use clamber_model::kinematics::{Workspace, center_of_mass, forward};
use clamber_model::{Configuration, Problem};

/// The centre of mass is looked at whenever the root has moved this far, in metres. Between two looks it leaves the
/// straight line by a fraction of that.
const SPACING: f32 = 0.1;

/// Whether the centre of mass is in the scene's bounds all the way from one configuration to another.
pub(crate) fn stays_in_bounds(
    problem: &Problem,
    from: &Configuration,
    to: &Configuration,
    frames: &mut Workspace,
) -> bool {
    let Problem { world, character, .. } = problem;
    let mut is_inside = |configuration: &Configuration| {
        forward(character, configuration, frames);
        world.contains(center_of_mass(character, frames))
    };
    let looks = ((to.root.translation - from.root.translation).length() / SPACING) as usize;
    if !is_inside(to) {
        return false;
    }
    let mut between = if looks > 1 { from.clone() } else { return true };
    (1..looks).all(|look| {
        between.interpolate(from, to, look as f32 / looks as f32);
        is_inside(&between)
    })
}
