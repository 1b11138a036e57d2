//! Adds hands and feet to a motion that was planned without them (thesis 3.3).
//!
//! A character that ends in fists saves four hinges, one that also ends in its ankles eight, and a contact is a sphere on which the
//! limb may lean at any angle. The shipped figure has feet of its own and gets hands. Afterwards the character gets two links beyond each effector that has an extremity (`extended_character`), and
//! nothing else of the motion changes. For each frame and new hinge there is a target angle (`target`) and a range that is free of
//! collisions (`hinge_clearance`). A route through the ranges is chosen for the whole motion (`collision_free_angles`), and one curve
//! over time bends as little as it can within them (`bounded_curve`), so there are no cases to blend. Collisions are
//! checked 60 times per second (for the figure) and where contacts change (`checked_frames`), since they take most of the time.

mod tuning;
mod character_with_extremities;
mod target_angles;
mod free_angle_ranges;
mod choose_angle_ranges;
mod smooth_curve_in_ranges;
mod collision_checked_frames;

use clamber_model::character::{Extremity, Hinge};
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::{Pose, Vec3, rotation_about};
use clamber_model::{Character, Configuration, Motion, World, validate_character_and_world};

use crate::body_units::BodyScale;
use crate::error::ClipError;
use crate::progress::{ClipObserver, ProgressReporter, ignore_progress};
use character_with_extremities::{ExtendedCharacter, ExtremityLinks, extend_character};
use choose_angle_ranges::angle_route;
use collision_checked_frames::CheckedFrames;
use free_angle_ranges::HingeClearance;
use smooth_curve_in_ranges::{bounded_curve, improve_bounded_curve};
use target_angles::{AngleTarget, ExtremityTargets};
use tuning::{FEW_SWEEPS, MAX_ROUNDS, MAX_SECOND_LINK_DEPTH, SWEEPS};

/// Returns the character with its hands and feet as links, and the motion with their angles in every frame.
///
/// Soles lie flat on what feet stand on; the heel lands first and the ball leaves last; hands lie on their holds or close around
/// them. A character without extremities and its motion are returned unchanged. The angles depend on the times of the
/// frames, not on their number.
///
/// # Errors
/// When the motion is not one of the character in the world.
pub fn motion_with_hands_and_feet(
    character: &Character,
    world: &World,
    motion: &Motion,
) -> Result<(Character, Motion), ClipError> {
    motion_with_hands_and_feet_with_progress(character, world, motion, &mut ignore_progress)
}

/// Like [`motion_with_hands_and_feet`], and reports progress. The observer cancels by returning
/// [`ControlFlow::Break`](std::ops::ControlFlow::Break).
///
/// # Errors
/// When the motion is not one of the character in the world, and [`ClipError::Cancelled`].
pub fn motion_with_hands_and_feet_with_progress(
    character: &Character,
    world: &World,
    motion: &Motion,
    observer: &mut ClipObserver,
) -> Result<(Character, Motion), ClipError> {
    validate_character_and_world(character, world)?;
    motion.validate(character, world)?;
    let Some(ExtendedCharacter { character: extended, extremities }) = extend_character(character) else {
        return Ok((character.clone(), motion.clone()));
    };
    let progress = &mut ProgressReporter::new(observer);
    let scale = BodyScale::of(character);
    let times: Vec<f32> = motion.frames.iter().map(|frame| frame.time).collect();
    let poses = limb_poses(character, motion, progress)?;
    let mut extended_motion = motion.clone();
    for (index, extremity) in extremities.iter().enumerate() {
        // The finished fraction after so much of this extremity.
        let finished = |part: f32| (index as f32 + part) / extremities.len() as f32;
        progress.begin_stage(finished(0.1), times.len())?;
        let targets = ExtremityTargets::new(character, world, motion, extremity, progress)?;
        let limbs: Vec<Pose> = poses.iter().map(|frame| frame[index]).collect();
        let timeline = Timeline { times: &times, keys: CheckedFrames::new(motion, extremity.effector, scale), scale };
        let solver = ExtremitySolver { world, extended: &extended, extremity, targets, limbs, timeline };
        let [first, second] = solver.angles(finished, progress)?;
        // Extremities are in the order of their hinges.
        for (frame, (first, second)) in extended_motion.frames.iter_mut().zip(first.into_iter().zip(second)) {
            frame.configuration.angles.extend([first, second]);
        }
    }
    progress.finish()?;
    Ok((extended, extended_motion))
}

/// Returns the character with its hands and feet as links, unchanged if it has none. Their hinges come after all others.
pub fn add_hand_and_foot_links(character: &Character) -> Character {
    extend_character(character).map_or_else(|| character.clone(), |extended| extended.character)
}

/// Extends a configuration to one of the character with hands and feet, which get their rest angles.
pub fn configuration_with_hands_and_feet(configuration: &Configuration, extended: &Character) -> Configuration {
    let mut result = configuration.clone();
    result.angles.extend(extended.hinges.iter().skip(configuration.angles.len()).map(|hinge| hinge.rest));
    result
}

/// For each frame and extremity, the pose of its joint before it turns.
fn limb_poses(
    character: &Character,
    motion: &Motion,
    progress: &mut ProgressReporter,
) -> Result<Vec<Vec<Pose>>, ClipError> {
    let mut workspace = LinkFrames::default();
    let mut poses = Vec::with_capacity(motion.frames.len());
    for (index, frame) in motion.frames.iter().enumerate() {
        progress.poll_at(index)?;
        forward(character, &frame.configuration, &mut workspace);
        let joint = |extremity: &Extremity| {
            let effector = &character.effectors[extremity.effector];
            workspace.world_from_link[effector.link] * Pose::from_translation(effector.center)
        };
        poses.push(character.extremities.iter().map(joint).collect());
    }
    Ok(poses)
}

/// Both hinges of an extremity, one after the other.
struct ExtremitySolver<'a> {
    world: &'a World,
    extended: &'a Character,
    extremity: &'a ExtremityLinks,
    targets: ExtremityTargets,
    /// For each frame, the pose of the first joint before it turns.
    limbs: Vec<Pose>,
    timeline: Timeline<'a>,
}

impl ExtremitySolver<'_> {
    /// The angles of both hinges in each frame. The palm turns as if the fingers could bend at once to where they have room.
    /// If they cannot and penetrate, the palm turns again, for the fingers as they bent.
    fn angles(
        &self,
        finished: impl Fn(f32) -> f32,
        progress: &mut ProgressReporter,
    ) -> Result<[Vec<f32>; 2], ClipError> {
        let hinge = &self.extended.hinges[self.extremity.hinges[1]];
        let anywhere = [0.0, 0.5 * hinge.min, 0.5 * hinge.max];
        let mut begin = 0.1;
        let mut best: Option<(f32, [Vec<f32>; 2])> = None;
        for _ in 0..MAX_ROUNDS {
            // How many rounds there are is not known in advance: each takes most of the progress that is left.
            let span = 0.7 * (1.0 - begin);
            let part = |fraction: f32| finished(begin + fraction * span);
            let bent = best.as_ref().map(|(_, [_, second])| second.clone());
            let carried = |frame: usize| bent.as_ref().map_or(anywhere.to_vec(), |second| vec![second[frame]]);
            let angles = self.solve_hinges(carried, part, progress)?;
            let depth = self.deepest(&angles);
            let is_better = best.as_ref().is_none_or(|(least, _)| depth < *least);
            if is_better {
                best = Some((depth, angles));
            }
            if !is_better || depth == 0.0 {
                break;
            }
            begin += span;
        }
        Ok(best.map_or_else(Default::default, |(_, angles)| angles))
    }

    /// Solves the first hinge, for a second link at the best of the carried angles of each frame, and then the second hinge.
    fn solve_hinges(
        &self,
        carried: impl Fn(usize) -> Vec<f32>,
        part: impl Fn(f32) -> f32,
        progress: &mut ProgressReporter,
    ) -> Result<[Vec<f32>; 2], ClipError> {
        let Self { world, extended, extremity, targets, limbs, timeline } = self;
        let mut stages = HingeStages { ends: [0.05, 0.35, 0.55].map(&part), progress };
        let first = timeline.solve(
            &extended.hinges[extremity.hinges[0]],
            |frame| targets.first_hinge(&limbs[frame], frame),
            |frame| HingeClearance::first(world, extended, timeline.scale, extremity, limbs[frame], &carried(frame)),
            &mut stages,
        )?;
        stages.ends = [0.6, 0.9, 1.0].map(part);
        let second = timeline.solve(
            &extended.hinges[extremity.hinges[1]],
            |frame| targets.second_hinge(&limbs[frame], frame, first[frame]),
            |frame| self.second_clearance(frame, first[frame]),
            &mut stages,
        )?;
        Ok([first, second])
    }

    fn second_clearance(&self, frame: usize, first_angle: f32) -> HingeClearance<'_> {
        let turn = Pose::from_parts(Vec3::ZERO, rotation_about(Vec3::Z, first_angle));
        let world_from_first = self.limbs[frame] * turn;
        HingeClearance::second(self.world, self.extended, self.timeline.scale, self.extremity, world_from_first)
    }

    /// The greatest penetration of the second link at a key frame beyond what is tolerated, in meters.
    fn deepest(&self, [first, second]: &[Vec<f32>; 2]) -> f32 {
        let tolerated = MAX_SECOND_LINK_DEPTH * self.timeline.scale.length;
        let depth = |frame: &usize| self.second_clearance(*frame, first[*frame]).depth(second[*frame]) - tolerated;
        self.timeline.keys.frames.iter().map(depth).fold(0.0, f32::max)
    }
}

/// The progress of one hinge.
struct HingeStages<'s, 'a, 'o> {
    /// The fractions of all work that are finished once the hinge has clearances, a route and a curve.
    ends: [f32; 3],
    progress: &'s mut ProgressReporter<'a, 'o>,
}

/// The times of a motion's frames and its key frames.
struct Timeline<'a> {
    times: &'a [f32],
    keys: CheckedFrames,
    scale: BodyScale,
}

impl Timeline<'_> {
    /// The angle of a hinge in each frame, from its target in each frame and its free range at each key frame.
    fn solve<'a>(
        &self,
        hinge: &Hinge,
        target: impl FnMut(usize) -> AngleTarget,
        mut clearance: impl FnMut(usize) -> HingeClearance<'a>,
        stages: &mut HingeStages,
    ) -> Result<Vec<f32>, ClipError> {
        let Self { times, keys, scale } = self;
        let HingeStages { ends, progress } = stages;
        let targets: Vec<AngleTarget> = (0..times.len()).map(target).collect();
        let wanted: Vec<f32> = targets.iter().map(|target| target.angle.clamp(hinge.min, hinge.max)).collect();
        let [key_times, key_wanted] = [*times, &wanted].map(|values| keys.select(values));
        let key_targets = keys.select(&targets);
        progress.begin_stage(ends[0], keys.frames.len())?;
        let (mut clearances, mut settled) = (Vec::new(), Vec::new());
        for (&frame, target) in keys.frames.iter().zip(&key_targets) {
            progress.step()?;
            let clearance = clearance(frame);
            settled.push(clearance.is_settled(target, hinge));
            clearances.push(clearance);
        }
        // Each key frame once for the route and once for its range.
        progress.begin_stage(ends[1], 2 * keys.frames.len())?;
        let depth = |key: usize, angle: f32| if settled[key] { 0.0 } else { clearances[key].depth(angle) };
        let route = angle_route(&key_times, hinge, &key_targets, *scale, depth, progress)?;
        let mut ranges: Vec<[f32; 2]> = Vec::with_capacity(route.len());
        for ((angle, clearance), target) in route.iter().zip(&clearances).zip(&key_targets) {
            progress.step()?;
            ranges.push(clearance.range_around(*angle, target, hinge));
        }
        let is_met: Vec<bool> = ranges.iter().zip(&key_wanted).map(|(range, wanted)| *range == [*wanted; 2]).collect();
        progress.begin_stage(ends[2], SWEEPS + FEW_SWEEPS)?;
        let values = bounded_curve(&key_times, &key_wanted, &mut ranges, *scale, progress)?;
        if keys.are_all(times.len()) {
            return Ok(values);
        }
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let mut frame_ranges: Vec<[f32; 2]> =
            keys.interpolate(times, &ranges, |[a, b], [c, d], t| [mix(a, c, t), mix(b, d, t)]);
        // A target that is met at two successive key frames is met between them.
        for (pair, met) in keys.frames.windows(2).zip(is_met.windows(2)) {
            if met[0] && met[1] {
                (pair[0]..=pair[1]).for_each(|frame| frame_ranges[frame] = [wanted[frame]; 2]);
            }
        }
        let start = keys.interpolate(times, &values, mix);
        improve_bounded_curve(times, &wanted, &mut frame_ranges, &start, *scale, progress)
    }
}
