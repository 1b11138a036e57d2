//! The searches, and the one call that leads to them.

mod flight;

use clamber_model::collision::{CollisionWorkspace, worst_hit};
use clamber_model::kinematics::center_of_mass;
use clamber_model::{Configuration, Motion, Problem};

use crate::observe::{Observer, Phase, Progress};
use crate::outcome::{Failure, Outcome, Statistics};
use crate::refine::smooth::{resample, smooth};
use crate::settings::PlanSettings;

/// Looks for a motion from the problem's start to its goal.
///
/// ```no_run
/// # fn example(problem: &clamber_model::Problem) {
/// use std::ops::ControlFlow;
/// let outcome = clamber_plan::plan(problem, &Default::default(), 1, &mut |_| ControlFlow::Continue(()));
/// match &outcome.failure {
///     None => println!("{} frames", outcome.motion.frames.len()),
///     Some(failure) => println!("no plan: {failure}"),
/// }
/// # }
/// ```
pub fn plan(problem: &Problem, settings: &PlanSettings, seed: u64, observer: &mut Observer) -> Outcome {
    let mut collision = CollisionWorkspace::default();
    if let Some(failure) = refuse(problem, settings, &mut collision) {
        return Outcome {
            motion: motion(problem, settings, vec![problem.start.clone()]),
            failure: Some(failure),
            statistics: Statistics::default(),
        };
    }
    let mut found = flight::search(problem, settings, seed, &mut collision, observer);
    let mut statistics = found.statistics;
    statistics.raw_frames = found.path.len() as u64;
    if settings.smooth {
        let mut go_on = |share: f32| {
            let (expansions, backtracks) = (statistics.expansions, statistics.backtracks);
            observer(&Progress { phase: Phase::Smooth, share, expansions, backtracks }).is_continue()
        };
        let stopped = found.failure == Some(Failure::Cancelled);
        if !stopped {
            found.path = smooth(problem, found.path, settings.step, &settings.clearance, &mut collision, &mut go_on);
        }
    }
    let path = resample(problem, &found.path, settings.frame_step);
    statistics.frames = path.len() as u64;
    statistics.collision_checks = collision.configurations;
    statistics.engine_queries = collision.engine_queries;
    Outcome { motion: motion(problem, settings, path), failure: found.failure, statistics }
}

fn motion(problem: &Problem, settings: &PlanSettings, path: Vec<Configuration>) -> Motion {
    Motion::evenly_timed(&problem.character.name, "flying", path, settings.frames_per_second)
}

/// Why no search is worth beginning: a setting is senseless, or the start or the goal is itself impossible.
fn refuse(problem: &Problem, settings: &PlanSettings, collision: &mut CollisionWorkspace) -> Option<Failure> {
    if let Some((setting, limit)) = settings.out_of_limits() {
        return Some(Failure::BadSetting { setting, limit });
    }
    let Problem { world, character, .. } = problem;
    for (posture, configuration) in [("start", &problem.start), ("goal", &problem.goal)] {
        let margin = settings.clearance.margin;
        if let Some(hit) = worst_hit(world, character, configuration, margin, collision) {
            return Some(Failure::Collides {
                posture,
                link: character.links[hit.link].name.clone(),
                obstacle: world.obstacles[hit.obstacle].name.clone(),
                distance: hit.distance,
            });
        }
        let center = center_of_mass(character, &collision.frames);
        if !world.contains(center) {
            return Some(Failure::OutOfBounds { posture, x: center.x, y: center.y, z: center.z });
        }
    }
    None
}
