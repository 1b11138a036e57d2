//! The gait of a walk: it makes steps that are merely valid look like walking.
//!
//! The planner's footholds and their order stay. The root glides over the feet at an even pace and rises and falls with the limbs
//! that carry it, feet swing in arcs, other limbs swing against them, the trunk leans forward a little and the gaze stays
//! ahead. A gait is a proposal: where it collides, does not reach or loses balance, the planner's postures stay, at a cautious
//! pace, and the gait fades in and out around them.
//!
//! A foot with a sole lies flat until the root has passed it; then its heel rises and it rolls onto its effector, the ball, which
//! must not move while it carries. A limb that ends in its ankle cannot roll, and the root stays lower.

use std::f32::consts::PI;

use clamber_model::id::HingeId;
use clamber_model::kinematics::{LinkFrames, forward, solve_two_link};
use clamber_model::math::{Vec3, sin_cos};
use clamber_model::mode_table::{ModeTable, WalkingGait};
use clamber_model::motion::ModeSpan;
use clamber_model::obstacle_collision::{CollisionWorkspace, is_free};
use clamber_model::{Character, Configuration, Problem};
use clamber_posture::contact_projection::bend_with_roll;

use crate::body_units::BodyScale;
use crate::contact_projection::ContactProjector;
use crate::ease::ease;
use crate::error::ClipError;
use crate::foot_trajectory::{WalkingLimb, foot_height};
use crate::motion_on_knot_grid::KnotMotion;
use crate::natural_pace::adds_walking_gait;
use crate::progress::ProgressReporter;
use crate::settings::ClipSettings;
use crate::tuning::{
    BEND_SWING, COUNTER_BEND, COUNTER_SWING, FADE, FADE_ROUNDS, FOOT_LIFTS, FREE_SWING, HEEL_RISE_ROLL, LEAN,
    MAX_COUNTER_SWING, MAX_ROLL, MAX_ROOT_RISE, MAX_STRETCH, MIN_ROOT_HEIGHT, MIN_ROOT_RISE, ROOT_HALF_WIDTH,
    ROOT_LEAD, ROOT_RISE_HALF_WIDTH, ROOT_RISE_RANGE, STRETCH,
};

/// Adds a gait to every walk of a motion.
///
/// # Errors
/// When the observer cancels.
pub(crate) fn add_gait(
    problem: &Problem,
    knot_motion: &mut KnotMotion,
    settings: &ClipSettings,
    progress: &mut ProgressReporter,
) -> Result<(), ClipError> {
    let Some(table) = &problem.modes else { return Ok(()) };
    let spans: Vec<ModeSpan> =
        knot_motion.spans.iter().filter(|span| adds_walking_gait(problem, &span.mode)).cloned().collect();
    progress
        .begin_share_of_rest(0.2, 3 * spans.iter().map(|span| span.last_frame - span.first_frame).sum::<usize>())?;
    for span in spans {
        progress.step()?;
        let Some(generator) = GaitGenerator::new(problem, table, knot_motion, &span) else { continue };
        generator.add_to(knot_motion, settings, progress)?;
    }
    Ok(())
}

/// Generates the gait of one walk. Its knots count from the walk's first.
struct GaitGenerator<'a> {
    problem: &'a Problem,
    gait: &'a WalkingGait,
    scale: BodyScale,
    first: usize,
    last: usize,
    /// 1 if the walk begins facing +x, otherwise -1.
    forward: f32,
    limbs: Vec<WalkingLimb>,
}

struct GaitWorkspace {
    frames: LinkFrames,
    collision: CollisionWorkspace,
    projector: ContactProjector,
}

impl<'a> GaitGenerator<'a> {
    /// `None` for a walk that is too short or does not use two limbs.
    fn new(problem: &'a Problem, table: &'a ModeTable, knot_motion: &KnotMotion, span: &ModeSpan) -> Option<Self> {
        let mode = &table.modes[table.find_mode(&span.mode)?];
        let (group, gait) = (mode.balance?.group, mode.walking_gait.as_ref()?);
        let (first, last) = (span.first_frame, span.last_frame);
        let limbs: Option<Vec<WalkingLimb>> = table.effector_groups[group]
            .effectors
            .iter()
            .map(|&effector| WalkingLimb::new(&problem.character, knot_motion, effector, first, last))
            .collect();
        let limbs = limbs.filter(|limbs| limbs.len() == 2 && last > first + 2 * FADE)?;
        let mut begins = Configuration::rest(&problem.character);
        knot_motion.path.get(first, &mut begins);
        let forward = if (begins.root.rotation * Vec3::Z).z > 0.0 { 1.0 } else { -1.0 };
        Some(Self { problem, gait, scale: BodyScale::of(&problem.character), first, last, forward, limbs })
    }

    fn add_to(
        &self,
        knot_motion: &mut KnotMotion,
        settings: &ClipSettings,
        progress: &mut ProgressReporter,
    ) -> Result<(), ClipError> {
        let margin =
            settings.stance_clearance * self.problem.character.body_size() - self.problem.world.contact_tolerance;
        let mut workspace = GaitWorkspace {
            frames: LinkFrames::default(),
            collision: CollisionWorkspace::default(),
            projector: ContactProjector::new(&self.problem.character),
        };
        let (postures, mut is_valid) = self.propose(knot_motion, margin, &mut workspace, progress)?;
        let rejected = knot_motion.gait_rejected[self.first..=self.last].iter_mut();
        rejected.zip(&is_valid).for_each(|(rejected, is_valid)| *rejected = !is_valid);
        // Passages, rests and cautious frames stay as they are, and what lies between cautious frames.
        let unchanged = knot_motion.passage_knots.iter().chain(&knot_motion.rests).copied();
        for knot in unchanged.chain(knot_motion.cautious_knots()).filter(|knot| (self.first..=self.last).contains(knot))
        {
            is_valid[knot - self.first] = false;
        }
        let weights = self.weights(knot_motion, &postures, is_valid, margin, &mut workspace, progress)?;
        let mut mixed = Configuration::rest(&self.problem.character);
        for (knot, (posture, weight)) in postures.iter().zip(weights).enumerate().filter(|(_, (_, w))| *w > 0.0) {
            progress.step()?;
            self.mix(knot_motion, knot, posture, weight, &mut mixed, &mut workspace.projector);
            knot_motion.path.set(self.first + knot, &mixed);
            knot_motion.gait_weights[self.first + knot] = weight;
        }
        Ok(())
    }

    /// The gait's posture at each knot, and whether it is collision-free, within reach and balanced.
    fn propose(
        &self,
        knot_motion: &KnotMotion,
        margin: f32,
        workspace: &mut GaitWorkspace,
        progress: &mut ProgressReporter,
    ) -> Result<(Vec<Configuration>, Vec<bool>), ClipError> {
        let Problem { world, character, .. } = self.problem;
        let roots = self.roots();
        let rolls: Vec<Vec<f32>> =
            self.limbs.iter().map(|limb| limb.rolls(&roots, self.forward, self.scale.length)).collect();
        let mut postures = vec![Configuration::rest(character); roots.len()];
        for (posture, knot) in postures.iter_mut().zip(self.first..) {
            knot_motion.path.get(knot, posture);
        }
        let mut is_valid = vec![true; roots.len()];
        // A hand that holds something in a neighboring phase is about to reach or let go: it does not swing.
        let is_on_limbs = |index: usize| {
            let stance = knot_motion.phases.get(index).map_or(&[][..], |phase| &phase.stance);
            stance.iter().all(|contact| self.limbs.iter().any(|limb| limb.effector == contact.effector))
        };
        let first = knot_motion.phases.partition_point(|phase| phase.first < self.first);
        let last = knot_motion.phases.partition_point(|phase| phase.last <= self.last);
        for index in first..last {
            let phase = &knot_motion.phases[index];
            let range = phase.first - self.first..phase.last - self.first + 1;
            let mut is_walkable = |lift: f32| -> Result<bool, ClipError> {
                for knot in range.clone() {
                    progress.step()?;
                    let posture = &mut postures[knot];
                    if !(self.pose(knot, (roots[knot], &rolls), lift * self.scale.length, posture)
                        && is_free(world, character, posture, margin, &mut workspace.collision))
                    {
                        return Ok(false);
                    }
                }
                Ok(true)
            };
            let is_walk = (index.saturating_sub(1)..=index + 1).all(is_on_limbs);
            let mut has_lift = false;
            for lift in FOOT_LIFTS.into_iter().filter(|_| is_walk) {
                has_lift = has_lift || is_walkable(lift)?;
            }
            if !has_lift {
                is_valid[range].fill(false);
            }
        }
        for (index, lift_off) in knot_motion.lift_offs.iter().enumerate() {
            progress.poll_at(index)?;
            for knot in lift_off.knots.clone().filter(|knot| (self.first..self.last).contains(knot)) {
                let knot = knot - self.first;
                forward(character, &postures[knot], &mut workspace.frames);
                is_valid[knot] &= lift_off.is_balanced(character, &workspace.frames);
            }
        }
        Ok((postures, is_valid))
    }

    /// The weight of the gait at each knot. A mixture of two free postures may collide; then the gait begins later.
    fn weights(
        &self,
        knot_motion: &KnotMotion,
        postures: &[Configuration],
        mut is_valid: Vec<bool>,
        margin: f32,
        workspace: &mut GaitWorkspace,
        progress: &mut ProgressReporter,
    ) -> Result<Vec<f32>, ClipError> {
        let Problem { world, character, .. } = self.problem;
        let mut mixed = Configuration::rest(character);
        let mut weights = fade(&is_valid);
        for _ in 0..FADE_ROUNDS {
            let mut colliding = Vec::new();
            for (knot, (posture, &weight)) in postures.iter().zip(&weights).enumerate() {
                progress.step()?;
                if weight > 0.0 && weight < 1.0 {
                    self.mix(knot_motion, knot, posture, weight, &mut mixed, &mut workspace.projector);
                    if !is_free(world, character, &mixed, margin, &mut workspace.collision) {
                        colliding.push(knot);
                    }
                }
            }
            if colliding.is_empty() {
                break;
            }
            colliding.into_iter().for_each(|knot| is_valid[knot] = false);
            weights = fade(&is_valid);
        }
        Ok(weights)
    }

    /// Mixes the planner's posture with the gait's and puts it on the contacts of the knot.
    fn mix(
        &self,
        knot_motion: &KnotMotion,
        knot: usize,
        gait: &Configuration,
        weight: f32,
        mixed: &mut Configuration,
        projector: &mut ContactProjector,
    ) {
        let knot = self.first + knot;
        knot_motion.path.get(knot, mixed);
        let planned = mixed.clone();
        mixed.interpolate(&planned, gait, weight);
        if weight < 1.0 {
            let phase = &knot_motion.phases[knot_motion.phase_at(knot as f32)];
            projector.project(&self.problem.character, mixed, &phase.stance, weight);
        }
    }

    /// The position of the root at each knot.
    fn roots(&self) -> Vec<Vec3> {
        let count = self.last - self.first + 1;
        let middle: Vec<Vec3> =
            (0..count).map(|knot| 0.5 * (self.flat_ankle(0, knot) + self.flat_ankle(1, knot))).collect();
        let mut roots = smooth(&middle, ROOT_HALF_WIDTH);
        roots.iter_mut().for_each(|root| root.x += ROOT_LEAD * self.scale.length * self.forward);
        let heights = self.root_heights(&roots);
        for (root, height) in roots.iter_mut().zip(smooth(&heights, ROOT_RISE_HALF_WIDTH)) {
            root.y = height.y;
        }
        // Smoothed, the heights may be greater than the limbs reach; they are lowered for a while by the excess.
        let reachable = self.reachable_heights(&roots, MAX_STRETCH);
        let excess = |knot: usize| {
            let near = knot.saturating_sub(ROOT_RISE_HALF_WIDTH)..(knot + ROOT_RISE_HALF_WIDTH + 1).min(count);
            let excess = near.map(|knot| roots[knot].y - reachable[knot]).fold(0.0, f32::max);
            Vec3::new(0.0, excess, 0.0)
        };
        let excess: Vec<Vec3> = (0..count).map(excess).collect();
        for (root, excess) in roots.iter_mut().zip(smooth(&excess, ROOT_RISE_HALF_WIDTH)) {
            root.y -= excess.y;
        }
        roots
    }

    /// The height of the root at each knot before smoothing, as y: as high as the limbs reach, with a limited rise.
    fn root_heights(&self, roots: &[Vec3]) -> Vec<Vec3> {
        let reachable = self.reachable_heights(roots, STRETCH);
        let [min_rise, max_rise] = [MIN_ROOT_RISE, MAX_ROOT_RISE].map(|rise| rise * self.scale.length);
        let height = |knot: usize| {
            let near = knot.saturating_sub(ROOT_RISE_RANGE)..(knot + ROOT_RISE_RANGE + 1).min(roots.len());
            let heights = reachable[near].iter().copied().filter(|y| y.is_finite());
            let (low, high) =
                heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
            let fraction = (reachable[knot].min(high) - low) / (high - low).max(min_rise);
            let height = if low.is_finite() { low + fraction * (high - low).min(max_rise) } else { roots[knot].y };
            Vec3::new(0.0, height, 0.0)
        };
        (0..roots.len()).map(height).collect()
    }

    /// The greatest height of the root at each knot at which no carrying limb is stretched by more than this fraction.
    fn reachable_heights(&self, roots: &[Vec3], stretch: f32) -> Vec<f32> {
        let min_height = MIN_ROOT_HEIGHT * self.scale.length;
        let height_on = |limb: &WalkingLimb, knot: usize| {
            let lift =
                limb.swing[knot].map_or(0.0, |fraction| FOOT_LIFTS[0] * self.scale.length * foot_height(fraction));
            let reach = stretch * limb.length;
            let height_at_roll = |roll: f32| {
                let ankle = limb.ankle_of(limb.centers[knot], knot, roll, self.forward);
                let ahead = roots[knot].x - ankle.x;
                lift + ankle.y + (reach * reach - ahead * ahead).max(min_height * min_height).sqrt()
            };
            // The heel of a foot that the root has passed may rise.
            let is_passed = self.forward * (roots[knot].x - limb.centers[knot].x) > 0.0;
            if is_passed { height_at_roll(0.0).max(height_at_roll(HEEL_RISE_ROLL)) } else { height_at_roll(0.0) }
        };
        let height = |knot: usize| {
            // A foot that is about to land or has just left is treated as carrying.
            let is_near = |fraction: f32| !FREE_SWING.contains(&fraction);
            let carrying = self.limbs.iter().filter(|limb| limb.swing[knot].is_none_or(is_near));
            carrying.map(|limb| height_on(limb, knot)).fold(f32::INFINITY, f32::min)
        };
        (0..roots.len()).map(height).collect()
    }

    /// Sets a posture to that of the gait at a knot. Returns false if a limb does not reach its foot.
    fn pose(&self, knot: usize, (root, rolls): (Vec3, &[Vec<f32>]), lift: f32, posture: &mut Configuration) -> bool {
        let character = &self.problem.character;
        let faces_right = (posture.root.rotation * Vec3::Z).z > 0.0;
        let forward = if faces_right { 1.0 } else { -1.0 };
        posture.root = Configuration::planar_root_pose(root.x, root.y, -LEAN, faces_right);
        for &limb in &self.gait.swinging_limbs {
            let limb = &character.limbs[limb];
            let Some(opposite) = self.limbs.iter().find(|walking| walking.side != limb.side) else { continue };
            let ankle = opposite.ankle_of(opposite.centers[knot], knot, 0.0, forward);
            let swing = COUNTER_SWING * forward * (ankle.x - root.x) / self.scale.length;
            set_angle(character, posture, limb.hinges[0], swing.clamp(-MAX_COUNTER_SWING, MAX_COUNTER_SWING));
            if let Some(&bend) = limb.hinges.get(1) {
                set_angle(character, posture, bend, COUNTER_BEND + BEND_SWING * swing);
            }
        }
        for hinge in self.gait.level_links.iter().flat_map(|&link| character.links[link].hinges.iter()) {
            set_angle(character, posture, hinge, LEAN);
        }
        self.limbs.iter().zip(rolls).all(|(limb, rolls)| {
            let (mut center, roll) = (limb.centers[knot], rolls[knot]);
            if let Some(fraction) = limb.swing[knot] {
                center.y += lift * foot_height(fraction);
                let ankle = limb.ankle_of(center, knot, roll, forward);
                center += root + limb.within_reach(ankle - root) - ankle;
            }
            bend_with_roll(character, posture, limb.two_link, [center, -limb.normals[knot]], [roll, roll + MAX_ROLL])
                || solve_two_link(character, limb.two_link, center, posture)
        })
    }

    /// The ankle of a limb at a knot, as if its sole lay flat.
    fn flat_ankle(&self, limb: usize, knot: usize) -> Vec3 {
        let limb = &self.limbs[limb];
        limb.ankle_of(limb.centers[knot], knot, 0.0, self.forward)
    }
}

fn set_angle(character: &Character, posture: &mut Configuration, hinge: HingeId, angle: f32) {
    let limits = &character.hinges[hinge];
    posture.angles[hinge] = angle.clamp(limits.min, limits.max);
}

/// Averages points over this many knots to either side, weighted by a raised cosine; beyond the ends they are mirrored.
fn smooth(points: &[Vec3], half_width: usize) -> Vec<Vec3> {
    let last = points.len() as isize - 1;
    let at = |knot: isize| match knot {
        before if before < 0 => 2.0 * points[0] - points[(-before).min(last) as usize],
        after if after > last => 2.0 * points[last as usize] - points[(2 * last - after).max(0) as usize],
        inside => points[inside as usize],
    };
    let weights: Vec<f32> =
        (0..=2 * half_width).map(|index| 1.0 - sin_cos(PI * (index + 1) as f32 / (half_width + 1) as f32).1).collect();
    let total: f32 = weights.iter().sum();
    (0..=last)
        .map(|knot| {
            let terms = weights.iter().zip(knot - half_width as isize..);
            terms.map(|(weight, other)| *weight * at(other)).fold(Vec3::ZERO, |sum, term| sum + term) / total
        })
        .collect()
}

/// The weight of the gait at each knot: 0 at both ends and where it is not valid, rising gradually in between.
pub(crate) fn fade(is_valid: &[bool]) -> Vec<f32> {
    let count = is_valid.len();
    // The distance in knots to the nearest knot of weight 0.
    let mut distances = vec![0usize; count];
    for knot in 1..count {
        distances[knot] = if is_valid[knot] { distances[knot - 1] + 1 } else { 0 };
    }
    let mut after = 0;
    for knot in (0..count).rev() {
        after = if is_valid[knot] && knot + 1 < count { after + 1 } else { 0 };
        distances[knot] = distances[knot].min(after);
    }
    distances.into_iter().map(|distance| ease((distance as f32 / (2 * FADE) as f32).min(1.0))).collect()
}
