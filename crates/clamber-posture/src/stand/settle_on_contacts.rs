//! Comfortable postures exactly on their contacts, soles and palms flat, that touch nothing else.

use clamber_model::Configuration;
use clamber_model::obstacle_collision::{CheckedLinks, CollisionWorkspace, worst_hit_of_links};
use clamber_model::self_collision;

use super::tuning;
use crate::collision_free::PostureFailure;
use crate::free_ends::free_end_of_link;
use crate::solver::{ContactTarget, PostureSolver, PostureTasks, SolverContext, StanceSolver};

/// Moves a posture to the nearest one of least cost on the contacts. A link that collides there gets more clearance, and the posture
/// settles again.
pub(crate) fn settle_on_contacts(
    (solver, projection): (&mut PostureSolver, &mut StanceSolver),
    collision: &mut CollisionWorkspace,
    context: SolverContext,
    posture: &mut Configuration,
    tasks: PostureTasks,
    margin: f32,
) -> Result<(), PostureFailure> {
    let SolverContext { world, character, .. } = context;
    let size = character.body_size();
    let targets: Vec<ContactTarget> =
        tasks.stance.iter().map(|contact| ContactTarget::on(character, contact)).collect();
    let mut result = Ok(());
    solver.set_collision_links(CheckedLinks::All);
    for _ in 0..tuning::SETTLE_ROUNDS {
        let retract = |posture: &mut Configuration| {
            projection.project(character, posture, &targets, None, tuning::RETRACT_ITERATIONS)
        };
        if !solver.descend_on_contacts(context, posture, tasks, retract) {
            return Err(PostureFailure::Contacts);
        }
        let own_margin = self_collision::MARGIN * size;
        let hit = worst_hit_of_links(world, character, posture, CheckedLinks::All, margin, collision);
        let self_hit =
            self_collision::worst_hit(character, posture, CheckedLinks::All, own_margin, &mut collision.self_collision);
        // The deeper of both.
        let hit = hit.filter(|hit| self_hit.is_none_or(|own| hit.distance <= own.distance));
        if let Some(hit) = hit {
            result = Err(PostureFailure::Collision(hit));
            let end = (tasks.stance, hit.link);
            if free_end_of_link(world, character, posture, end, margin, collision) {
                continue;
            }
            solver.add_link_clearance(hit.link, tuning::EXTRA_CLEARANCE * size - hit.distance);
        } else if let Some(hit) = self_hit {
            result = Err(PostureFailure::SelfCollision(hit));
            solver.add_self_clearance(character, hit.links, tuning::EXTRA_CLEARANCE * size - hit.distance);
        } else {
            return Ok(());
        }
    }
    result
}
