//! Postures without collisions: solves, checks with the exact collision engine, and solves again with more clearance.

use clamber_model::character::RootJoint;
use clamber_model::obstacle_collision::{CheckedLinks, CollisionWorkspace, Hit, worst_hit_of_links};
use clamber_model::self_collision::{self, SelfHit};
use clamber_model::{Character, Configuration, Contact};

use crate::contact_projection::{ContactProjection, SoleRoll};
use crate::free_ends::free_end_of_link;
use crate::solver::{PostureSolver, PostureTasks, SolverContext};

/// Tuning of the repeated solves. Lengths are in body sizes, written as meters of the reference body.
mod tuning {
    use clamber_model::character::REFERENCE_BODY_SIZE;

    /// Most solves. Between two, the link in collision gets more clearance.
    pub const MAX_ROUNDS: usize = 6;
    /// A link deeper inside an obstacle than this is not worth another round.
    pub const MAX_DEPTH: f32 = 0.06 / REFERENCE_BODY_SIZE;
    /// Clearance that a link in collision gets in addition to its depth.
    pub const EXTRA_CLEARANCE: f32 = 6e-3 / REFERENCE_BODY_SIZE;
}

/// What the repeated solves work with.
pub struct PostureTools<'a> {
    /// Solves the tasks.
    pub solver: &'a mut PostureSolver,
    /// Puts effectors exactly onto their contacts.
    pub projection: &'a mut ContactProjection,
    /// Checks for collisions.
    pub collision: &'a mut CollisionWorkspace,
}

/// What a posture has to fulfill exactly.
#[derive(Clone, Copy)]
pub struct PostureConstraints<'a> {
    /// The contacts to keep; the other contacts of the tasks may be missed.
    pub required_contacts: &'a [Contact],
    /// The links that must not collide.
    pub collision_free_links: CheckedLinks<'a>,
    /// The distance that these links keep from obstacles, in meters; negative allows overlap.
    pub obstacle_margin: f32,
}

/// Why a posture fails its constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PostureFailure {
    /// An effector does not reach its contact.
    Contacts,
    /// A link is too close to an obstacle.
    Collision(Hit),
    /// Two links of the body are in each other.
    SelfCollision(SelfHit),
}

/// The result of [`solve_collision_free`].
pub struct CollisionFreeOutcome {
    /// Iterations of the solver over all rounds.
    pub solver_iterations: usize,
    /// Whether the configuration fulfills the constraints.
    pub result: Result<(), PostureFailure>,
}

/// Moves a configuration toward the tasks until it keeps its contacts and does not collide. The distance field, which the
/// solver avoids obstacles with, is approximate; a link that still collides gets more clearance in the next round. The free
/// end of a limb, beyond its contact, turns out of an obstacle once.
pub fn solve_collision_free(
    tools: PostureTools,
    context: SolverContext,
    configuration: &mut Configuration,
    tasks: PostureTasks,
    PostureConstraints { required_contacts, collision_free_links: links, obstacle_margin: margin }: PostureConstraints,
) -> CollisionFreeOutcome {
    let PostureTools { solver, projection, collision } = tools;
    let SolverContext { world, character, .. } = context;
    let (max_depth, extra_clearance) = lengths(character);
    let mut iterations = 0;
    let mut result = Ok(());
    solver.set_collision_links(links);
    let mut may_free_ends = true;
    for _ in 0..tuning::MAX_ROUNDS {
        iterations += solver.solve(context, configuration, tasks);
        if !projection.project_bending_limbs(character, configuration, required_contacts, SoleRoll::Least) {
            result = Err(PostureFailure::Contacts);
            break;
        }
        let depth = if let Some(hit) = worst_hit_of_links(world, character, configuration, links, margin, collision) {
            result = Err(PostureFailure::Collision(hit));
            let end = (tasks.stance, hit.link);
            if may_free_ends && free_end_of_link(world, character, configuration, end, margin, collision) {
                may_free_ends = false;
                continue;
            }
            // In the plane, the field is as fine as what a figure climbs.
            match character.root_joint {
                RootJoint::Free => solver.keep_off(context, configuration, hit.link),
                _ => solver.add_link_clearance(hit.link, extra_clearance - hit.distance),
            }
            -hit.distance
        } else if let Some(hit) = worst_self_hit(character, configuration, links, collision) {
            result = Err(PostureFailure::SelfCollision(hit));
            solver.add_self_clearance(character, hit.links, extra_clearance - hit.distance);
            -hit.distance
        } else {
            result = Ok(());
            break;
        };
        if depth > max_depth {
            break;
        }
    }
    CollisionFreeOutcome { solver_iterations: iterations, result }
}

/// The two links that are deepest in each other, if any are.
fn worst_self_hit(
    character: &Character,
    configuration: &Configuration,
    links: CheckedLinks,
    collision: &mut CollisionWorkspace,
) -> Option<SelfHit> {
    let margin = self_collision::MARGIN * character.body_size();
    self_collision::worst_hit(character, configuration, links, margin, &mut collision.self_collision)
}

/// The tuning lengths of a character, in meters.
fn lengths(character: &Character) -> (f32, f32) {
    let size = character.body_size();
    (tuning::MAX_DEPTH * size, tuning::EXTRA_CLEARANCE * size)
}
