//! Motions as they are shown: with the hands and feet that planning leaves out.

use std::path::Path;
use std::sync::Arc;

use clamber_clip::{add_extremities, extend_at_rest, with_extremities};
use clamber_io::{FileError, read_bvh};
use clamber_model::problem::{Passage, Posture};
use clamber_model::{Motion, Problem};

/// The problem and the motion of the character with its hands and feet: what pictures and programs that animate get.
///
/// Where the character has no extremities, both are as they were. A motion file keeps the motion as it was planned: check
/// that one, and plan on from it.
pub fn dress(problem: &Problem, motion: &Motion) -> (Problem, Motion) {
    if problem.character.extremities.is_empty() {
        return (problem.clone(), motion.clone());
    }
    let (character, dressed) = add_extremities(&problem.character, &problem.world, motion);
    let posture = |posture: &Posture| Posture {
        configuration: extend_at_rest(&posture.configuration, &character),
        ..posture.clone()
    };
    let passage = |passage: &Passage| Passage {
        motion: add_extremities(&problem.character, &problem.world, &passage.motion).1,
        ..passage.clone()
    };
    let dressed_problem = Problem {
        start: posture(&problem.start),
        goal: posture(&problem.goal),
        passages: problem.passages.iter().map(passage).collect(),
        character: Arc::new(character),
        ..problem.clone()
    };
    (dressed_problem, dressed)
}

/// Reads a BVH file of the problem's character, with or without its hands and feet, which are left off.
pub fn read_dressed_bvh(file: &Path, problem: &Problem) -> Result<Motion, FileError> {
    read_bvh(file, &problem.character).or_else(|error| {
        let mut motion = read_bvh(file, &with_extremities(&problem.character)).map_err(|_| error)?;
        for frame in &mut motion.frames {
            frame.configuration.angles.truncate(problem.character.hinges.len());
        }
        Ok(motion)
    })
}
