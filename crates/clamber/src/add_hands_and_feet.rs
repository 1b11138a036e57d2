//! Motions as they are displayed: with the hands and feet that planning leaves out.

use std::ops::ControlFlow;
#[cfg(feature = "io")]
use std::path::Path;
use std::sync::Arc;

use clamber_clip::{
    ClipError, ClipObserver, ClipProgress, configuration_with_hands_and_feet, motion_with_hands_and_feet_with_progress,
};
#[cfg(feature = "io")]
use clamber_io::{FileError, read_bvh};
use clamber_model::problem::{Passage, Posture};
use clamber_model::{Motion, Problem};

/// Adds hands and feet to a problem's character and to a motion, for pictures and exports.
///
/// Returns both unchanged if the character has no extremities or the motion belongs to another character. Check and
/// replan the motion without hands and feet, as motion files store it.
pub fn problem_with_hands_and_feet(problem: &Problem, motion: &Motion) -> (Problem, Motion) {
    let extended = problem_with_hands_and_feet_with_progress(problem, motion, &mut |_| ControlFlow::Continue(()));
    // Nothing cancels this.
    extended.unwrap_or_else(|| (problem.clone(), motion.clone()))
}

/// Like [`problem_with_hands_and_feet`], and reports progress. The observer cancels by returning [`ControlFlow::Break`]; the
/// result is `None` then.
pub fn problem_with_hands_and_feet_with_progress(
    problem: &Problem,
    motion: &Motion,
    observer: &mut ClipObserver,
) -> Option<(Problem, Motion)> {
    if problem.character.extremities.is_empty() {
        return Some((problem.clone(), motion.clone()));
    }
    let frames = |motion: &Motion| motion.frames.len() as f32;
    let all_frames = problem.passages.iter().map(|passage| frames(&passage.motion)).sum::<f32>() + frames(motion);
    let mut finished_frames = 0.0;
    let mut extend = |motion: &Motion| {
        let mut of_all = |progress: &ClipProgress| {
            let mut progress = *progress;
            progress.fraction = (finished_frames + progress.fraction * frames(motion)) / all_frames.max(1.0);
            observer(&progress)
        };
        let Problem { character, world, .. } = problem;
        let extended = motion_with_hands_and_feet_with_progress(character, world, motion, &mut of_all);
        finished_frames += frames(motion);
        extended
    };
    let (character, motion) = match extend(motion) {
        Ok(extended) => extended,
        Err(ClipError::Cancelled) => return None,
        Err(_) => return Some((problem.clone(), motion.clone())),
    };
    let mut passages = Vec::with_capacity(problem.passages.len());
    for passage in &problem.passages {
        let motion = match extend(&passage.motion) {
            Ok((_, motion)) => motion,
            Err(ClipError::Cancelled) => return None,
            Err(_) => passage.motion.clone(),
        };
        passages.push(Passage { motion, ..passage.clone() });
    }
    let posture = |posture: &Posture| Posture {
        configuration: configuration_with_hands_and_feet(&posture.configuration, &character),
        ..posture.clone()
    };
    let problem = Problem {
        start: posture(&problem.start),
        goal: posture(&problem.goal),
        passages,
        character: Arc::new(character),
        ..problem.clone()
    };
    Some((problem, motion))
}

#[cfg(feature = "io")]
/// Reads a BVH file of the problem's character, with or without hands and feet. The motion comes without them.
pub fn read_bvh_without_hands_and_feet(file: &Path, problem: &Problem) -> Result<Motion, FileError> {
    read_bvh(file, &problem.character).or_else(|error| {
        let extended = clamber_clip::add_hand_and_foot_links(&problem.character);
        let mut motion = read_bvh(file, &extended).map_err(|_| error)?;
        for frame in &mut motion.frames {
            frame.configuration.angles.truncate(problem.character.hinges.len());
        }
        Ok(motion)
    })
}
