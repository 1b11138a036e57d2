//! Limbs of bodies in space that carry nothing swing against those that step, as arms do against legs.
//!
//! The planner leaves free limbs as they are. Which limbs swing against which is data of a mode:
//! [`PostureHeuristic::OppositeSwing`]. The swing is added to the planner's angles, and fades out where a limb holds
//! something, where the body collides, and around what must not change. Bodies in the plane get theirs from the gait.

use clamber_model::character::{RootJoint, Side};
use clamber_model::id::{HingeId, LimbId, LinkId};
use clamber_model::kinematics::{LinkFrames, forward};
use clamber_model::math::{Vec3, atan2};
use clamber_model::mode_table::{ModeTable, PostureHeuristic};
use clamber_model::motion::ModeSpan;
use clamber_model::obstacle_collision::{CollisionWorkspace, is_free};
use clamber_model::self_collision::is_free_on_checked_path;
use clamber_model::world::UP;
use clamber_model::{Character, Configuration, Problem};
use clamber_posture::anatomy::Anatomy;

use crate::error::ClipError;
use crate::motion_on_knot_grid::KnotMotion;
use crate::progress::ProgressReporter;
use crate::settings::ClipSettings;
use crate::tuning::{BEND_SWING, COUNTER_SWING_SHARE, FADE_ROUNDS, MAX_COUNTER_SWING};
use crate::walking_gait::fade;

/// Adds counter swings to every walk of a motion in space.
///
/// # Errors
/// When the observer cancels.
pub(crate) fn add_counter_swing(
    problem: &Problem,
    knot_motion: &mut KnotMotion,
    settings: &ClipSettings,
    progress: &mut ProgressReporter,
) -> Result<(), ClipError> {
    let Some(table) = problem.modes.as_ref().filter(|_| problem.character.root_joint == RootJoint::Free) else {
        return Ok(());
    };
    let margin = settings.stance_clearance * problem.character.body_size() - problem.world.contact_tolerance;
    let mut swinger = CounterSwinger {
        problem,
        anatomy: Anatomy::new(&problem.character, table),
        margin,
        frames: LinkFrames::default(),
        collision: CollisionWorkspace::default(),
    };
    for span in knot_motion.spans.clone() {
        progress.step()?;
        for (limbs, against) in opposite_swings(table, &span) {
            swinger.add_to_span(knot_motion, &span, [limbs, against], progress)?;
        }
    }
    Ok(())
}

/// The limbs that swing in a mode, and those that they swing against.
fn opposite_swings<'a>(table: &'a ModeTable, span: &ModeSpan) -> Vec<(&'a [LimbId], &'a [LimbId])> {
    let heuristics = table.find_mode(&span.mode).map_or(&[][..], |mode| &table.modes[mode].posture_heuristics);
    let of_swings = heuristics.iter().filter_map(|(heuristic, _)| match heuristic {
        PostureHeuristic::OppositeSwing { limbs, against } => Some((&limbs[..], &against[..])),
        _ => None,
    });
    of_swings.collect()
}

struct CounterSwinger<'a> {
    problem: &'a Problem,
    anatomy: Anatomy,
    /// Clearance from obstacles, in meters.
    margin: f32,
    frames: LinkFrames,
    collision: CollisionWorkspace,
}

impl CounterSwinger<'_> {
    fn add_to_span(
        &mut self,
        knot_motion: &mut KnotMotion,
        span: &ModeSpan,
        [limbs, against]: [&[LimbId]; 2],
        progress: &mut ProgressReporter,
    ) -> Result<(), ClipError> {
        let character = &self.problem.character;
        let knots = span.first_frame..=span.last_frame;
        let planned: Vec<Configuration> = knots
            .clone()
            .map(|knot| {
                let mut configuration = Configuration::rest(character);
                knot_motion.path.get(knot, &mut configuration);
                configuration
            })
            .collect();
        for &limb in limbs {
            let swings: Vec<f32> = planned.iter().map(|posture| self.swing(posture, limb, against)).collect();
            let mut may_swing = free_knots(character, knot_motion, span, limb);
            let mut weights = fade(&may_swing);
            for round in 0..=FADE_ROUNDS {
                let mut is_free = true;
                for (index, (posture, swing)) in planned.iter().zip(&swings).enumerate() {
                    progress.step()?;
                    if weights[index] > 0.0 && !self.is_free(&self.swung(posture, limb, weights[index] * swing)) {
                        (may_swing[index], is_free) = (false, false);
                    }
                }
                if is_free {
                    break;
                }
                // Where it collides in the end, the limb stays as planned all along.
                weights = if round < FADE_ROUNDS { fade(&may_swing) } else { vec![0.0; planned.len()] };
            }
            for (index, knot) in knots.clone().enumerate().filter(|(index, _)| weights[*index] > 0.0) {
                let mut configuration = planned[index].clone();
                knot_motion.path.get(knot, &mut configuration);
                knot_motion.path.set(knot, &self.swung(&configuration, limb, weights[index] * swings[index]));
            }
        }
        Ok(())
    }

    fn is_free(&mut self, posture: &Configuration) -> bool {
        let Problem { world, character, .. } = self.problem;
        is_free(world, character, posture, self.margin, &mut self.collision)
            && is_free_on_checked_path(character, posture, &mut self.collision.self_collision)
    }

    /// The swing of a limb, in radians, forward: the share of half the angle between the limbs of the other side, in the mean, and those of
    /// its own. A body that stands on both does not swing.
    fn swing(&mut self, posture: &Configuration, limb: LimbId, against: &[LimbId]) -> f32 {
        let character = &self.problem.character;
        let side = character.limbs[limb].side;
        if side == Side::Middle {
            return 0.0;
        }
        forward(character, posture, &mut self.frames);
        let heading = self.anatomy.heading_direction(&self.frames);
        let angle = |&limb: &LimbId| {
            let links = &character.limbs[limb].links;
            let [root, end] =
                [links[0], links[links.len() - 1]].map(|link| self.frames.world_from_link[link].translation);
            let extent = end - root;
            atan2(heading.dot(extent), -UP.dot(extent))
        };
        let mean = |is_own: bool| {
            let of_side = against.iter().filter(|&&other| {
                let other = character.limbs[other].side;
                other != Side::Middle && (other == side) == is_own
            });
            let angles: Vec<f32> = of_side.map(angle).collect();
            (!angles.is_empty()).then(|| angles.iter().sum::<f32>() / angles.len() as f32)
        };
        let apart = mean(false).zip(mean(true)).map_or(0.0, |(other, own)| other - own);
        // Rounded off, and not cut off, where legs are far apart: a limb that stops suddenly jerks.
        let swing = 0.5 * COUNTER_SWING_SHARE * apart;
        swing / (1.0 + (swing / MAX_COUNTER_SWING) * (swing / MAX_COUNTER_SWING)).sqrt()
    }

    /// A posture with a limb that swings forward by an angle: its first joint turns about the body's axis to the side, and the next one
    /// bends a little more when the limb is ahead.
    fn swung(&self, posture: &Configuration, limb: LimbId, swing: f32) -> Configuration {
        let character = &self.problem.character;
        let mut frames = LinkFrames::default();
        forward(character, posture, &mut frames);
        let right = self.anatomy.heading_direction(&frames).cross(UP);
        let links = &character.limbs[limb].links;
        let mut swung = posture.clone();
        let mut turn = |joint: usize, angle: f32| {
            let Some(&link) = links.get(joint) else { return };
            let Some((hinge, along)) = hinge_along(character, &frames, link, right) else { return };
            let limits = &character.hinges[hinge];
            let wanted = posture.angles[hinge] + angle * along.signum();
            // A hinge that is beyond a limit by rounding stays there.
            let [min, max] = [limits.min.min(posture.angles[hinge]), limits.max.max(posture.angles[hinge])];
            swung.angles[hinge] = wanted.clamp(min, max);
        };
        turn(0, swing);
        turn(1, BEND_SWING * swing.max(0.0));
        swung
    }
}

/// The hinge of a link's joint whose axis is nearest to a direction, and the cosine of the angle between the two.
fn hinge_along(character: &Character, frames: &LinkFrames, link: LinkId, direction: Vec3) -> Option<(HingeId, f32)> {
    let hinges =
        character.links[link].hinges.iter().map(|hinge| (hinge, frames.hinge_axis(character, hinge).dot(direction)));
    hinges.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
}

/// For each knot of a span, whether a limb is free to swing there: it holds nothing in this phase and its neighbors, and nothing there is
/// prescribed or cautious.
fn free_knots(character: &Character, knot_motion: &KnotMotion, span: &ModeSpan, limb: LimbId) -> Vec<bool> {
    let first = span.first_frame;
    let mut is_free = vec![true; span.last_frame - first + 1];
    let phases = &knot_motion.phases;
    let is_busy = |index: usize| {
        let stance = phases.get(index).map_or(&[][..], |phase| &phase.stance);
        stance.iter().any(|contact| character.effectors[contact.effector].limb == Some(limb))
    };
    for (index, phase) in phases.iter().enumerate().filter(|(_, phase)| phase.last >= first) {
        if phase.first > span.last_frame {
            break;
        }
        if phase.is_prescribed || (index.saturating_sub(1)..=index + 1).any(is_busy) {
            let knots = phase.first.max(first) - first..=phase.last.min(span.last_frame) - first;
            is_free[knots].fill(false);
        }
    }
    let unchanged = knot_motion.passage_knots.iter().chain(&knot_motion.rests).copied();
    for knot in unchanged.chain(knot_motion.cautious_knots()).filter(|knot| (first..=span.last_frame).contains(knot)) {
        is_free[knot - first] = false;
    }
    is_free
}
