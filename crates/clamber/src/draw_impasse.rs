//! Draws why planning failed.

use clamber_draw::{DrawError, DrawSettings, FailureAnnotation, Picture, draw_failure};
use clamber_model::id::HoldId;
use clamber_model::{Motion, Problem};
use clamber_plan::{Impasse, ImpasseCause, MissingSupport};

use crate::add_hands_and_feet::problem_with_hands_and_feet;

/// Draws the place where planning failed: the last poses of the partial motion, their surroundings, and the obstacle or gap that
/// stops it. If the world lacks a hold or obstacle that the impasse names, only a ring marks the place.
///
/// # Errors
/// When the problem's character or world is not valid.
pub fn draw_impasse(
    problem: &Problem,
    motion: &Motion,
    impasse: &Impasse,
    settings: &DrawSettings,
) -> Result<Picture, DrawError> {
    let (problem, motion) = &problem_with_hands_and_feet(problem, motion);
    draw_failure(problem, motion, impasse.blocked_position, failure(problem, impasse).as_ref(), settings)
}

/// The cause, with the names of holds and obstacles resolved.
fn failure(problem: &Problem, impasse: &Impasse) -> Option<FailureAnnotation> {
    let (world, place) = (&problem.world, impasse.blocked_position);
    let hold = |name: &str| world.holds.position(|hold| hold.name == name);
    Some(match &impasse.cause {
        ImpasseCause::TooFar { from_hold, to_hold, distance, reach, .. } => FailureAnnotation::TooFar {
            from_hold: hold(from_hold)?,
            to_hold: hold(to_hold)?,
            distance: *distance,
            reach: *reach,
        },
        ImpasseCause::Blocked { obstacle, penetration_depth: depth, to_hold, .. } => {
            let obstacle = world.obstacles.position(|known| known.name == *obstacle)?;
            FailureAnnotation::Blocked { obstacle, missing_clearance: *depth, to_hold: hold(to_hold) }
        }
        ImpasseCause::NoPosture { from_hold, to_hold } => {
            FailureAnnotation::NoPosture { from_hold: hold(from_hold)?, to_hold: hold(to_hold)? }
        }
        ImpasseCause::NotCarried { holds, missing, .. } => {
            let distance = |hold: &HoldId| world.holds[*hold].nearest_point(place).distance(place);
            let known = holds.iter().filter_map(|name| hold(name));
            let hold = known.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
            match missing.first()? {
                MissingSupport::Friction { friction, sufficient, .. } => {
                    FailureAnnotation::TooSlippery { hold, friction: *friction, sufficient: *sufficient }
                }
                MissingSupport::Strength { force, factor, .. } => {
                    FailureAnnotation::TooWeak { hold, force: *force, sufficient: force * factor }
                }
                MissingSupport::Balance { distance } => FailureAnnotation::OutOfBalance { hold, distance: *distance },
                _ => return None,
            }
        }
        _ => return None,
    })
}
