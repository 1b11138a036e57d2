//! Motions as they are displayed: with the hands and feet that planning leaves out.

#[cfg(feature = "io")]
use std::path::Path;
use std::sync::Arc;

use clamber_clip::{configuration_with_rest_angles, motion_with_hands_and_feet};
#[cfg(feature = "io")]
use clamber_io::{FileError, read_bvh};
use clamber_model::problem::{Passage, Posture};
use clamber_model::{Motion, Problem};

/// Adds hands and feet to a problem's character and to a motion, for pictures and exports.
///
/// Returns both unchanged if the character has no extremities or the motion belongs to another character. Check and
/// replan the motion without hands and feet, as motion files store it.
pub fn problem_with_hands_and_feet(problem: &Problem, motion: &Motion) -> (Problem, Motion) {
    let extend = |motion: &Motion| motion_with_hands_and_feet(&problem.character, &problem.world, motion);
    let extended = if problem.character.extremities.is_empty() { None } else { extend(motion).ok() };
    let Some((character, motion)) = extended else { return (problem.clone(), motion.clone()) };
    let posture = |posture: &Posture| Posture {
        configuration: configuration_with_rest_angles(&posture.configuration, &character),
        ..posture.clone()
    };
    let passage = |passage: &Passage| {
        let motion = extend(&passage.motion).map_or_else(|_| passage.motion.clone(), |(_, motion)| motion);
        Passage { motion, ..passage.clone() }
    };
    let problem = Problem {
        start: posture(&problem.start),
        goal: posture(&problem.goal),
        passages: problem.passages.iter().map(passage).collect(),
        character: Arc::new(character),
        ..problem.clone()
    };
    (problem, motion)
}

#[cfg(feature = "io")]
/// Reads a BVH file of the problem's character, with or without hands and feet. The motion comes without them.
pub fn read_bvh_without_hands_and_feet(file: &Path, problem: &Problem) -> Result<Motion, FileError> {
    read_bvh(file, &problem.character).or_else(|error| {
        let extended = clamber_clip::character_with_hands_and_feet(&problem.character);
        let mut motion = read_bvh(file, &extended).map_err(|_| error)?;
        for frame in &mut motion.frames {
            frame.configuration.angles.truncate(problem.character.hinges.len());
        }
        Ok(motion)
    })
}
