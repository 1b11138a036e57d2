//! The searches, and the one call that leads to them.

mod flight;

use clamber_model::character::Root;
use clamber_model::collision::{CollisionWorkspace, worst_hit};
use clamber_model::kinematics::center_of_mass;
use clamber_model::math::Vec3;
use clamber_model::motion::FLYING;
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
            // At any rate of frames, since the settings' own may be what is senseless.
            motion: Motion::evenly_timed(
                &problem.character.name,
                FLYING,
                vec![problem.start.configuration.clone()],
                1.0,
            ),
            failure: Some(failure),
            statistics: Statistics { frames: 1, ..Default::default() },
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
    Motion::evenly_timed(&problem.character.name, FLYING, path, settings.frames_per_second)
}

/// Why no search is worth beginning: a setting is senseless, or the start or the goal is itself impossible.
fn refuse(problem: &Problem, settings: &PlanSettings, collision: &mut CollisionWorkspace) -> Option<Failure> {
    if let Some((setting, limit)) = settings.out_of_limits() {
        return Some(Failure::BadSetting { setting, limit });
    }
    let Problem { world, character, .. } = problem;
    for (posture, configuration) in [("start", &problem.start.configuration), ("goal", &problem.goal.configuration)] {
        if let Err(reason) = configuration.check(character) {
            return Some(Failure::BadPosture { posture, reason });
        }
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
    // In its plane a character turns about z alone, which keeps the side that it shows.
    let shown = |configuration: &Configuration| (configuration.root.rotation * Vec3::Z).z;
    if character.root == Root::Planar && shown(&problem.start.configuration) * shown(&problem.goal.configuration) < 0.0
    {
        let reason = "it looks the other way than the start, and cannot turn around in the air".to_owned();
        return Some(Failure::BadPosture { posture: "goal", reason });
    }
    None
}
