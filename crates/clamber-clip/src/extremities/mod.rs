//! Hands and feet for a motion that was found without them (thesis 3.3).
//!
//! The character grows two links beyond each effector that has an extremity (`grow`). For each frame there is an angle
//! that each of the new hinges should have (`aim`) and ranges in which nothing is inside an obstacle (`corridor`). A way through
//! the ranges is chosen for the whole motion (`route`), and a smooth curve in time stays in them and near the aims (`curve`).
//! Nothing else of the motion changes. Obstacles are asked about at some frames only (`keys`), since this is what takes time.

mod grow;
mod aim;
mod curve;
mod route;
mod corridor;
mod keys;

use clamber_model::character::{Extremity, Hinge};
use clamber_model::kinematics::{Workspace, forward};
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::motion::Frame;
use clamber_model::{Character, Configuration, Motion, World};

use crate::error::ClipError;
use crate::input::{check_contacts, check_frames};
use aim::{Aim, Phases};
use corridor::Corridor;
use grow::{Grown, grow};
use keys::Keys;
use route::route;

/// The character with its hands and feet as links, and the motion with their angles in every frame.
///
/// Soles lie flat on what feet hold on to; the heel comes down first and the ball leaves last; hands lie on what they hold
/// on to, or close around it. A character without extremities and its motion are returned unchanged. The angles depend on the times of the frames, not on how many there are.
///
/// # Errors
/// When the motion does not belong to the character.
pub fn add_hands_and_feet(
    character: &Character,
    world: &World,
    motion: &Motion,
) -> Result<(Character, Motion), ClipError> {
    check_frames(character, motion)?;
    check_contacts(character, motion)?;
    let Some(Grown { character: whole, members }) = grow(character) else {
        return Ok((character.clone(), motion.clone()));
    };
    let times: Vec<f32> = motion.frames.iter().map(|frame| frame.time).collect();
    let poses = limb_poses(character, motion);
    let mut dressed = motion.clone();
    for (index, member) in members.iter().enumerate() {
        let phases = Phases::new(character, world, motion, member);
        let limbs: Vec<Pose> = poses.iter().map(|frame| frame[index]).collect();
        let keys = Keys::new(motion, member.effector);
        let first = solve(
            &times,
            &keys,
            &whole.hinges[member.hinges[0]],
            |frame| phases.of_first(&limbs[frame], frame),
            |frame| Corridor::of_first(world, &whole, member, limbs[frame]),
        );
        let second = solve(
            &times,
            &keys,
            &whole.hinges[member.hinges[1]],
            |frame| phases.of_second(&limbs[frame], frame, first[frame]),
            |frame| {
                let turned = limbs[frame] * Pose::from_parts(Vec3::ZERO, rotation_about(Vec3::Z, first[frame]));
                Corridor::of_second(world, &whole, member, turned)
            },
        );
        // Members come in the order of their hinges.
        for (frame, (first, second)) in dressed.frames.iter_mut().zip(first.into_iter().zip(second)) {
            frame.configuration.angles.extend([first, second]);
        }
    }
    Ok((whole, dressed))
}

/// The character with its hands and feet as links; as it was where it has none. Their hinges come after all others.
pub fn with_hands_and_feet(character: &Character) -> Character {
    grow(character).map_or_else(|| character.clone(), |grown| grown.character)
}

/// The configuration of a character with its hands and feet at rest.
pub fn extend_with_rest_angles(configuration: &Configuration, whole: &Character) -> Configuration {
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

/// The angles of a hinge over time, from what is wanted in each frame and what is possible at the keys.
fn solve<'a>(
    times: &[f32],
    keys: &Keys,
    hinge: &Hinge,
    aim: impl FnMut(usize) -> Aim,
    corridor: impl FnMut(usize) -> Corridor<'a>,
) -> Vec<f32> {
    let aims: Vec<Aim> = (0..times.len()).map(aim).collect();
    let wanted: Vec<f32> = aims.iter().map(|aim| aim.angle.clamp(hinge.min, hinge.max)).collect();
    let corridors: Vec<Corridor> = keys.frames.iter().copied().map(corridor).collect();
    let [key_times, key_wanted] = [times, &wanted].map(|values| keys.of(values));
    let key_aims = keys.of(&aims);
    let settled: Vec<bool> =
        corridors.iter().zip(&key_aims).map(|(corridor, aim)| corridor.is_settled(aim, hinge)).collect();
    let depth = |key: usize, angle: f32| if settled[key] { 0.0 } else { corridors[key].depth(angle) };
    let route = route(&key_times, hinge, &key_aims, depth);
    let ranges = route.iter().zip(&corridors).zip(&key_aims);
    let mut ranges: Vec<[f32; 2]> =
        ranges.map(|((angle, corridor), aim)| corridor.around(*angle, aim, hinge)).collect();
    let is_met: Vec<bool> = ranges.iter().zip(&key_wanted).map(|(range, wanted)| *range == [*wanted; 2]).collect();
    let values = curve::fit(&key_times, &key_wanted, &mut ranges);
    if keys.are_all(times.len()) {
        return values;
    }
    let mut between: Vec<[f32; 2]> =
        keys.between(times, &ranges, |[a, b], [c, d], t| [a + (c - a) * t, b + (d - b) * t]);
    // What is exact at two keys in a row is so between them.
    for (pair, met) in keys.frames.windows(2).zip(is_met.windows(2)) {
        if met[0] && met[1] {
            (pair[0]..=pair[1]).for_each(|frame| between[frame] = [wanted[frame]; 2]);
        }
    }
    let start = keys.between(times, &values, |a, b, t| a + (b - a) * t);
    curve::fit_near(times, &wanted, &mut between, &start)
}
