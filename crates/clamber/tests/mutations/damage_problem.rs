//! Damage to problems: start, goal, passages, pins, forbidden holds, and all that a problem shares.

use std::sync::Arc;

use clamber::model::id::{EffectorId, HoldId};
use clamber::model::problem::{Passage, Pin, Posture};
use clamber::{Motion, Problem};

use crate::damage_character::damage_character;
use crate::damage_modes::damage_modes;
use crate::damage_motion::damage_motion;
use crate::damage_world::damage_world;
use crate::random_damage::Damage;

/// Damages one part of a problem. `motion` is one of its motions, of which passages are made.
pub fn damage_problem(damage: &mut Damage, problem: &mut Problem, motion: &Motion) {
    match damage.below(16) {
        0 | 1 => {
            let posture = if damage.chance(0.5) { &mut problem.start } else { &mut problem.goal };
            damage_posture(damage, posture);
        }
        2 | 3 => add_passage(damage, problem, motion),
        4 => {
            let effector = damage.chance(0.5).then(|| EffectorId::new(damage.index(4)));
            let point = damage.chance(0.5).then_some(problem.start.configuration.root.translation);
            let mut pin = Pin { effector, hold: HoldId::new(damage.index(problem.world.holds.len())), point };
            if let Some(point) = &mut pin.point {
                damage.vector("point of a pin", point);
            }
            damage.note(format!("{pin:?}"));
            problem.pins.push(pin);
        }
        5 => {
            problem.forbidden_holds.push(HoldId::new(damage.index(problem.world.holds.len())));
            damage.list("forbidden", &mut problem.forbidden_holds);
        }
        6..=8 => damage_world(damage, Arc::make_mut(&mut problem.world)),
        9..=11 => damage_character(damage, Arc::make_mut(&mut problem.character)),
        12..=14 => {
            if let Some(table) = &mut problem.modes {
                damage_modes(damage, Arc::make_mut(table));
            }
        }
        _ => damage_whole(damage, problem),
    }
}

fn damage_posture(damage: &mut Damage, posture: &mut Posture) {
    match damage.below(8) {
        0 => damage.pose("root of a posture", &mut posture.configuration.root),
        1 => damage.list("angles of a posture", &mut posture.configuration.angles.raw),
        2 => {
            if let Some(angle) = damage.pick(&mut posture.configuration.angles.raw) {
                damage.number("angle of a posture", angle);
            }
        }
        3 => {
            posture.stance.clear();
            damage.note("no stance");
        }
        4 => damage.name("the mode of a posture", &mut posture.mode_name),
        part => {
            let Some(contact) = damage.pick(&mut posture.stance) else { return };
            match part {
                5 => damage.id("effector of a posture", &mut contact.effector, 4),
                6 => damage.id("hold of a posture", &mut contact.hold, 30),
                _ if damage.chance(0.5) => damage.vector("point of a posture", &mut contact.point),
                _ => damage.vector("normal of a posture", &mut contact.normal),
            }
        }
    }
}

fn add_passage(damage: &mut Damage, problem: &mut Problem, motion: &Motion) {
    let middle = motion.frames.len() / 2;
    let motion = match damage.below(3) {
        0 => motion.suffix_from_frame(middle).prefix_to_frame(0),
        1 => motion.suffix_from_frame(middle).prefix_to_frame(5),
        _ => motion.prefix_to_frame(8),
    };
    let mut passage = Passage { name: "passage".to_owned(), motion };
    damage.note(format!("passage of {} frames", passage.motion.frames.len()));
    if damage.chance(0.7) {
        damage_motion(damage, &mut passage.motion);
    }
    problem.passages.push(passage);
}

fn damage_whole(damage: &mut Damage, problem: &mut Problem) {
    match damage.below(4) {
        0 => {
            problem.modes = None;
            damage.note("no mode table");
        }
        1 => damage.name("the problem", &mut problem.name),
        2 => {
            std::mem::swap(&mut problem.start, &mut problem.goal);
            damage.note("start and goal swapped");
        }
        _ => {
            // Refining for a body of many kilometers takes long.
            let factor = damage.bad_number(2.0).min(1000.0);
            damage.note(format!("problem scaled by {factor}"));
            if let Ok(scaled) = problem.scaled(factor) {
                *problem = scaled;
            }
        }
    }
}
