//! Turning around on a contact.

use std::f32::consts::PI;
use std::sync::Arc;

use clamber_model::character::RootJoint;
use clamber_model::math::{Pose, Rotation, rotation_about};
use clamber_model::world::UP;
use clamber_model::{Configuration, Contact};

use crate::budget::Interrupt;
use crate::local_planner::LocalPlanner;
use crate::waypoint::{Locomotion, Waypoint};

/// Frames of a turn: enough that the carrying foot slips by less than a millimeter between two.
const FRAMES: usize = 36;

/// Turns by half a revolution about the vertical on one contact; the thesis (5.4.3) mirrors the character instead. Returns the
/// path without its first waypoint; `None` when it is not free.
pub(crate) async fn turn_around(
    local: &mut LocalPlanner,
    before: &Waypoint,
    pivot: Contact,
) -> Result<Option<Vec<Waypoint>>, Interrupt> {
    let character = &*Arc::clone(&local.problem.character);
    let stance: Arc<[Contact]> = Arc::new([pivot]);
    let mut path: Vec<Waypoint> = Vec::with_capacity(FRAMES + 2);
    if before.stance.len() > 1 {
        path.push(Waypoint { stance: stance.clone(), ..before.clone() });
    }
    let center = pivot.effector_center(character);
    for frame in 1..=FRAMES {
        local.budget.spend(1).await?;
        let turn = match frame {
            // Exact, so that a planar character ends in its plane.
            FRAMES => Rotation::from_xyzw(UP.x, UP.y, UP.z, 0.0),
            frame => rotation_about(UP, PI * frame as f32 / FRAMES as f32),
        };
        let from = &before.configuration.root;
        let mut place = center + turn * (from.translation - center);
        if frame == FRAMES && character.root_joint == RootJoint::Planar {
            place.z = 0.0;
        }
        let root = Pose::from_parts(place, (turn * from.rotation).normalize());
        let configuration = Configuration { root, angles: before.configuration.angles.clone() };
        let here = path.last().map_or(&before.configuration, |waypoint| &waypoint.configuration);
        if !local.is_step_free(here, &configuration) {
            return Ok(None);
        }
        path.push(Waypoint {
            configuration,
            stance: stance.clone(),
            locomotion: Locomotion::Turning,
            is_random: false,
            ..before.clone()
        });
    }
    let last = path[path.len() - 1].clone();
    path.push(Waypoint { locomotion: before.locomotion, ..last });
    Ok(Some(path))
}
