//! Whether configurations and straight motions of a flight are free: what the flight planner checks, also for planners of others.

use std::sync::Arc;

use clamber_model::obstacle_collision::{self, CheckedLinks, Clearance, CollisionWorkspace};
use clamber_model::{Configuration, Problem, self_collision};

use crate::center_of_mass_in_scene_bounds::stays_in_bounds;
use crate::settings::PlanSettings;

/// Checks configurations and the straight motions between them as [`Algorithm::Flight`](crate::Algorithm::Flight) does: the center of
/// mass stays in the scene's bounds, the body keeps its distance from obstacles, and its links from each other.
///
/// With it, a planner that knows nothing of Clamber can solve the same problem.
pub struct FlightValidity {
    problem: Arc<Problem>,
    clearance: Clearance,
    collision: CollisionWorkspace,
}

impl FlightValidity {
    /// Checks for a problem, with [`PlanSettings::flight_clearance`].
    pub fn new(problem: impl Into<Arc<Problem>>, settings: &PlanSettings) -> Self {
        let problem = problem.into();
        let clearance = settings.resolve(&problem).flight_clearance;
        Self { problem, clearance, collision: CollisionWorkspace::default() }
    }

    /// Whether a configuration is one of the character's and free.
    pub fn is_free(&mut self, configuration: &Configuration) -> bool {
        let Self { problem, clearance, collision } = self;
        let Problem { world, character, .. } = &**problem;
        configuration.check(character).is_ok()
            && stays_in_bounds(problem, configuration, configuration, &mut collision.end_link_frames)
            && obstacle_collision::is_free(world, character, configuration, clearance.margin, collision)
            && self_collision::is_free(character, configuration, CheckedLinks::All, &mut collision.self_collision)
    }

    /// Whether a motion is free that interpolates ([`Configuration::interpolate`]) from a free configuration to another one of the
    /// character's.
    pub fn is_free_between(&mut self, from: &Configuration, to: &Configuration) -> bool {
        let Self { problem, clearance, collision } = self;
        let are_valid = [from, to].iter().all(|configuration| configuration.check(&problem.character).is_ok());
        are_valid && is_flight_free(problem, [from, to], clearance, collision)
    }

    /// The configurations checked for collisions with obstacles so far, including those between two others: the count of
    /// [`Statistics::collision_checks`](crate::Statistics::collision_checks).
    pub fn collision_checks(&self) -> u64 {
        self.collision.checked_count
    }
}

/// Whether a straight motion is free that begins in the scene's bounds.
pub(crate) fn is_flight_free(
    problem: &Problem,
    [from, to]: [&Configuration; 2],
    clearance: &Clearance,
    collision: &mut CollisionWorkspace,
) -> bool {
    let Problem { world, character, .. } = problem;
    stays_in_bounds(problem, from, to, &mut collision.end_link_frames)
        && obstacle_collision::is_free_between(world, character, from, to, clearance, collision)
        && self_collision::is_free_between(character, [from, to], CheckedLinks::All, &mut collision.self_collision)
}
