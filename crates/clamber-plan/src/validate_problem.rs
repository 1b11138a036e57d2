//! Rejects problems that no search can solve.

use clamber_model::Configuration;
use clamber_model::Problem;
use clamber_model::character::RootJoint;
use clamber_model::kinematics::center_of_mass;
use clamber_model::math::Vec3;
use clamber_model::motion::Frame;
use clamber_model::obstacle_collision::{CheckedLinks, Clearance, CollisionWorkspace, worst_hit};
use clamber_model::problem::{Pin, Posture};
use clamber_model::self_collision;

use crate::failure::Failure;
use crate::settings::{Algorithm, PlanSettings};

/// Returns the first reason why no search can succeed: a setting out of its limits, or an impossible start, goal or passage.
pub(crate) fn validate(problem: &Problem, settings: &PlanSettings) -> Result<(), Failure> {
    if let Some((setting, limit)) = settings.out_of_limits() {
        return Err(Failure::InvalidSetting { setting, limit });
    }
    let is_flight = settings.algorithm_for(problem) == Algorithm::Flight;
    if !is_flight && problem.modes.is_none() {
        return Err(Failure::MissingModeTable);
    }
    problem.validate()?;
    let collision = &mut CollisionWorkspace::default();
    check_pins(problem, settings)?;
    check_posture("start", problem, &problem.start, settings, collision)?;
    check_posture("goal", problem, &problem.goal, settings, collision)?;
    if is_flight { check_heading(problem) } else { check_passages(problem, settings, collision) }
}

/// Only the stance search seeks pinned holds; the other algorithms need start or goal to hold them.
fn check_pins(problem: &Problem, settings: &PlanSettings) -> Result<(), Failure> {
    let algorithm = settings.algorithm_for(problem);
    if algorithm.searches_stances() {
        return Ok(());
    }
    let is_held_at_an_end = |pin: &Pin| {
        let mut contacts = problem.start.stance.iter().chain(&problem.goal.stance);
        algorithm != Algorithm::Flight && contacts.any(|contact| pin.is_held_by(contact))
    };
    match problem.pins.iter().find(|pin| !is_held_at_an_end(pin)) {
        Some(pin) => Err(Failure::RequiredHoldsUnsupported { hold: problem.world.holds[pin.hold].name.clone() }),
        None => Ok(()),
    }
}

fn check_posture(
    name: &'static str,
    problem: &Problem,
    posture: &Posture,
    settings: &PlanSettings,
    collision: &mut CollisionWorkspace,
) -> Result<(), Failure> {
    let Problem { world, character, .. } = problem;
    let is_flight = settings.algorithm_for(problem) == Algorithm::Flight;
    if !is_flight && posture.stance.is_empty() {
        return Err(Failure::NoContacts { posture_name: name });
    }
    if let Err(reason) = posture.configuration.check(character) {
        return Err(Failure::InvalidConfiguration { posture_name: name, reason });
    }
    let clearance = match is_flight {
        true => settings.flight_clearance.scaled(character.body_size()),
        false => settings.stance_clearance.for_contacts_in(world, character),
    };
    check_collision(problem, name, &posture.configuration, clearance, collision)?;
    let center = center_of_mass(character, &collision.link_frames);
    if world.contains(center) {
        Ok(())
    } else {
        Err(Failure::CenterOfMassOutsideWorld { posture_name: name, x: center.x, y: center.y, z: center.z })
    }
}

fn check_passages(
    problem: &Problem,
    settings: &PlanSettings,
    collision: &mut CollisionWorkspace,
) -> Result<(), Failure> {
    for passage in &problem.passages {
        for (frame, Frame { configuration, .. }) in passage.motion.frames.iter().enumerate() {
            if let Err(reason) = configuration.check_hinges(&problem.character) {
                let reason = format!("`{}`, frame {frame}: {reason}", passage.name);
                return Err(Failure::InvalidConfiguration { posture_name: "passage", reason });
            }
            let name = format!("passage `{}` (frame {frame})", passage.name);
            let clearance = settings.stance_clearance.for_contacts_in(&problem.world, &problem.character);
            check_collision(problem, &name, configuration, clearance, collision)?;
        }
    }
    Ok(())
}

/// A planar character in flight rotates about z only, so it always faces the same side.
fn check_heading(problem: &Problem) -> Result<(), Failure> {
    let facing = |posture: &Posture| (posture.configuration.root.rotation * Vec3::Z).z;
    if problem.character.root_joint == RootJoint::Planar && facing(&problem.start) * facing(&problem.goal) < 0.0 {
        let reason =
            "it faces the other side than the start, and the character cannot turn around in flight".to_owned();
        return Err(Failure::InvalidConfiguration { posture_name: "goal", reason });
    }
    Ok(())
}

/// Rejects a configuration without this clearance, in meters, or with links in each other.
fn check_collision(
    problem: &Problem,
    posture: &str,
    configuration: &Configuration,
    clearance: Clearance,
    collision: &mut CollisionWorkspace,
) -> Result<(), Failure> {
    let Problem { world, character, .. } = problem;
    if let Some(hit) = worst_hit(world, character, configuration, clearance.margin, collision) {
        return Err(Failure::Collides {
            posture_name: posture.to_owned(),
            link: character.links[hit.link].name.clone(),
            obstacle: world.obstacles[hit.obstacle].name.clone(),
            distance: hit.distance,
        });
    }
    let margin = self_collision::MARGIN * character.body_size();
    let links = CheckedLinks::All;
    match self_collision::worst_hit(character, configuration, links, margin, &mut collision.self_collision) {
        None => Ok(()),
        Some(hit) => {
            let [link, other] = hit.links.map(|link| character.links[link].name.clone());
            Err(Failure::SelfCollides { posture_name: posture.to_owned(), link, other, depth: -hit.distance })
        }
    }
}
