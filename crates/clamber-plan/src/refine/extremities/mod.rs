//! Hands and feet for a motion that was found without them (thesis 3.3).
//!
//! The character grows two links beyond each effector that has an extremity (`grow`). For each frame there is an angle
//! that each of the new hinges should have (`aim`) and ranges in which nothing is inside an obstacle (`corridor`). A way through
//! the ranges is chosen for the whole motion (`route`), and a smooth curve in time stays in them and near the aims (`curve`).
//! Nothing else of the motion changes.

mod grow;
mod aim;
mod curve;
mod route;
mod corridor;

use clamber_model::character::{Extremity, Hinge};
use clamber_model::kinematics::{Workspace, forward};
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::motion::Frame;
use clamber_model::{Character, Configuration, Motion, World};

use aim::{Aim, Phases};
use corridor::Corridor;
use grow::{Grown, grow};
use route::route;

/// The character with its hands and feet as links, and the motion with their angles in every frame.
///
/// Soles lie flat on what feet hold on to; the heel comes down first and the ball leaves last; hands lie on what they hold
/// on to, or close around it. A character without extremities, and a motion that is not this character's, come back as they
/// were. The angles depend on the times of the frames, not on how many there are.
pub fn add_extremities(character: &Character, world: &World, motion: &Motion) -> (Character, Motion) {
    let fits = |frame: &Frame| frame.configuration.angles.len() == character.hinges.len();
    let grown = grow(character).filter(|_| motion.frames.iter().all(fits));
    let Some(Grown { character: whole, members }) = grown else { return (character.clone(), motion.clone()) };
    let times: Vec<f32> = motion.frames.iter().map(|frame| frame.time).collect();
    let poses = limb_poses(character, motion);
    let mut dressed = motion.clone();
    for (index, member) in members.iter().enumerate() {
        let phases = Phases::new(character, world, motion, member);
        let limbs: Vec<Pose> = poses.iter().map(|frame| frame[index]).collect();
        let first = solve(&times, &whole.hinges[member.hinges[0]], |frame| {
            let corridor = Corridor::of_first(world, &whole, member, limbs[frame]);
            (corridor, phases.of_first(&limbs[frame], frame))
        });
        let second = solve(&times, &whole.hinges[member.hinges[1]], |frame| {
            let turned = limbs[frame] * Pose::from_parts(Vec3::ZERO, rotation_about(Vec3::Z, first[frame]));
            let corridor = Corridor::of_second(world, &whole, member, turned);
            (corridor, phases.of_second(&limbs[frame], frame, first[frame]))
        });
        // Members come in the order of their hinges.
        for (frame, (first, second)) in dressed.frames.iter_mut().zip(first.into_iter().zip(second)) {
            frame.configuration.angles.extend([first, second]);
        }
    }
    (whole, dressed)
}

/// The character with its hands and feet as links; as it was where it has none. Their hinges come after all others.
pub fn with_extremities(character: &Character) -> Character {
    grow(character).map_or_else(|| character.clone(), |grown| grown.character)
}

/// The configuration of a character with its hands and feet at rest.
pub fn extend_at_rest(configuration: &Configuration, whole: &Character) -> Configuration {
    let mut extended = configuration.clone();
    extended.angles.extend(whole.hinges.iter().skip(configuration.angles.len()).map(|hinge| hinge.rest));
    extended
}

/// For each frame and each extremity, where its joint is before it turns.
fn limb_poses(character: &Character, motion: &Motion) -> Vec<Vec<Pose>> {
    let mut workspace = Workspace::default();
    let mut at = |frame: &Frame| {
        forward(character, &frame.configuration, &mut workspace);
        let joint = |extremity: &Extremity| {
            let effector = &character.effectors[extremity.effector];
            workspace.world_from_link[effector.link] * Pose::from_translation(effector.center)
        };
        character.extremities.iter().map(joint).collect()
    };
    motion.frames.iter().map(&mut at).collect()
}

/// The angles of a hinge over time, from what is wanted and what is possible in each frame.
fn solve<'a>(times: &[f32], hinge: &Hinge, at: impl FnMut(usize) -> (Corridor<'a>, Aim)) -> Vec<f32> {
    let (corridors, aims): (Vec<Corridor>, Vec<Aim>) = (0..times.len()).map(at).unzip();
    let depth = |frame: usize, angle: f32| {
        if corridors[frame].is_open() { 0.0 } else { corridors[frame].depth(angle) }
    };
    let route = route(times, hinge, &aims, depth);
    let ranges = route.iter().zip(&corridors).zip(&aims);
    let mut ranges: Vec<[f32; 2]> =
        ranges.map(|((angle, corridor), aim)| corridor.around(*angle, aim, hinge)).collect();
    let angles: Vec<f32> = aims.iter().map(|aim| aim.angle.clamp(hinge.min, hinge.max)).collect();
    curve::fit(times, &angles, &mut ranges)
}
