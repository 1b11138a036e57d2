//! A picture of why a motion does not go on.

use clamber_draw::{DrawSettings, Picture, Trouble, closeup};
use clamber_model::{Motion, Problem};
use clamber_plan::{Cause, Impasse};

use crate::dress::dress;

/// Draws the place where a plan ended before its goal: the last poses of the motion as far as it got, what is around them,
/// and what is in the way or missing. Where a hold or an obstacle that is named is not in the world, the place alone is ringed.
pub fn draw_impasse(problem: &Problem, motion: &Motion, impasse: &Impasse, settings: &DrawSettings) -> Picture {
    let (problem, motion) = &dress(problem, motion);
    closeup(problem, motion, impasse.place, trouble(problem, &impasse.cause).as_ref(), settings)
}

/// The cause, with what it names found in the world.
fn trouble(problem: &Problem, cause: &Cause) -> Option<Trouble> {
    let world = &problem.world;
    let hold = |name: &str| world.holds.iter().position(|hold| hold.name == name);
    Some(match cause {
        Cause::TooFar { from, to, distance, reach, .. } => {
            Trouble::Gap { from: hold(from)?, to: hold(to)?, distance: *distance, reach: *reach }
        }
        Cause::Blocked { obstacle, by, to, .. } => {
            let obstacle = world.obstacles.iter().position(|known| known.name == *obstacle)?;
            Trouble::Obstacle { obstacle, by: *by, to: hold(to) }
        }
        Cause::NoPosture { from, to } => Trouble::Holds { from: hold(from)?, to: hold(to)? },
    })
}
