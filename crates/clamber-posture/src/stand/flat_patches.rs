//! Postures in space whose soles and palms lie flat.
//!
//! `contact_projection` bends one limb at a time and lays a sole flat where it has the closed form of a planar limb. A limb in
//! space has none, so here the whole body moves onto all contacts at once, patches flat, with the least change.

use clamber_model::character::RootJoint;
use clamber_model::obstacle_collision::{CheckedLinks, CollisionWorkspace, worst_hit_of_links};
use clamber_model::self_collision;
use clamber_model::{Character, Configuration, Contact};

use super::tuning;
use crate::collision_free::PostureFailure;
use crate::free_ends::free_end_of_link;
use crate::solver::{ContactTarget, PostureSolver, PostureTasks, SolverContext, StanceSolver};

/// Whether a stance has patches that only the whole body lays flat.
pub(super) fn has_flat_patches(character: &Character, stance: &[Contact]) -> bool {
    character.root_joint == RootJoint::Free && stance.iter().any(|contact| contact.flat_facing(character).is_some())
}

/// Moves a posture toward the tasks until its patches lie flat on their contacts and nothing collides.
pub(super) fn solve_with_flat_patches(
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
    for _ in 0..tuning::FLAT_ROUNDS {
        solver.solve(context, posture, tasks);
        if !projection.project(character, posture, &targets, None, tuning::FLAT_ITERATIONS) {
            return Err(PostureFailure::Contacts);
        }
        let own_margin = self_collision::MARGIN * size;
        if let Some(hit) = worst_hit_of_links(world, character, posture, CheckedLinks::All, margin, collision) {
            result = Err(PostureFailure::Collision(hit));
            let end = (tasks.stance, hit.link);
            if free_end_of_link(world, character, posture, end, margin, collision) {
                continue;
            }
            solver.add_link_clearance(hit.link, tuning::EXTRA_CLEARANCE * size - hit.distance);
        } else if let Some(hit) =
            self_collision::worst_hit(character, posture, CheckedLinks::All, own_margin, &mut collision.self_collision)
        {
            result = Err(PostureFailure::SelfCollision(hit));
            solver.add_self_clearance(character, hit.links, tuning::EXTRA_CLEARANCE * size - hit.distance);
        } else {
            return Ok(());
        }
    }
    result
}
