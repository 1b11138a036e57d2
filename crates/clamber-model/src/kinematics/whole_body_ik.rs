//! Whole-body inverse kinematics by damped least squares.

use crate::character::{Character, Hinge, Root};
use crate::configuration::Configuration;
use crate::id::{EffectorId, HingeId};
use crate::kinematics::{Jacobian, Workspace, effector_position, forward, point_jacobian};
use crate::math::{Vec3, add_scaled, atan2, dot, solve_cholesky};
use crate::rng::Stream;

/// Where an effector should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The effector.
    pub effector: EffectorId,
    /// Where its centre should be, in the world.
    pub center: Vec3,
    /// Which way its facing should point in the world, where that matters and the effector has one.
    pub facing: Option<Vec3>,
}

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkSettings {
    /// Steps before giving up, over all attempts. Default 60.
    pub max_iterations: usize,
    /// How often to begin again from another posture of the limbs that miss their targets, when steps no longer
    /// bring them nearer. Default 0, which keeps to the way of bending that was given; with 10, and 300 iterations,
    /// targets far from it are rarely missed.
    pub restarts: usize,
    /// A target is met when its centre is within this distance, in metres. Default 0.0001.
    pub tolerance: f32,
    /// The most that one step may turn a hinge, in radians, or move the root, in metres. Default 0.4.
    pub max_step: f32,
    /// A facing that is off by one radian weighs as much as a centre off by this many metres. Default 0.2.
    pub facing_weight: f32,
}

impl Default for IkSettings {
    fn default() -> Self {
        Self { max_iterations: 60, restarts: 0, tolerance: 1e-4, max_step: 0.4, facing_weight: 0.2 }
    }
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkOutcome {
    /// Every target is met within the tolerance.
    pub reached: bool,
    /// The largest miss that remains, in metres; infinite when a target is not a number, and then nothing moved.
    pub error: f32,
    /// Steps taken.
    pub iterations: usize,
    /// How often it began again.
    pub restarts: usize,
}

/// The memory that solving needs, reused between calls.
#[derive(Clone, Debug, Default)]
pub struct IkWorkspace {
    /// The frames of the configuration that was returned.
    pub frames: Workspace,
    point: Jacobian,
    tip: Jacobian,
    rows: Vec<f32>,
    residual: Vec<f32>,
    gram: Vec<f32>,
    solution: Vec<f32>,
    /// The step as it would be without limits.
    free: Vec<f32>,
    step: Vec<f32>,
    held: Vec<bool>,
    displacement: Vec<f32>,
    /// For each target, by how much it is missed.
    misses: Vec<f32>,
    best: Option<Configuration>,
}

/// Moves the degrees of freedom listed in `movable` until every target is met, hinges staying within their limits.
///
/// Each step solves the linearised problem in the damped least-squares sense, with a damping that fades as the
/// targets come near. A hinge that a step would push over its limit is set on the limit and held, and the step is
/// solved again for the others, so that they make up for it. Where steps lead nowhere, hinges on their limits are once
/// bent off them, and then it begins again as often as the settings say. The best configuration met is left behind,
/// also when not every target can be reached.
pub fn solve(
    character: &Character,
    configuration: &mut Configuration,
    targets: &[Target],
    movable: &[usize],
    settings: &IkSettings,
    workspace: &mut IkWorkspace,
) -> IkOutcome {
    // Over so many steps, an attempt must take at least this share off its error, or it is stuck.
    const PATIENCE: usize = 8;
    const PROGRESS: f32 = 0.03;

    let mut outcome = IkOutcome { reached: false, error: f32::INFINITY, iterations: 0, restarts: 0 };
    let (mut milestone, mut since_milestone, mut loosened) = (f32::INFINITY, 0, false);
    let (mut last_error, mut caution) = (f32::INFINITY, 1.0);
    loop {
        forward(character, configuration, &mut workspace.frames);
        let error = linearise(character, targets, movable, settings, workspace);
        if error < outcome.error {
            outcome.error = error;
            workspace.best.get_or_insert_with(|| configuration.clone()).clone_from(configuration);
        }
        if error <= settings.tolerance || !error.is_finite() || outcome.iterations == settings.max_iterations {
            break;
        }
        if error < milestone * (1.0 - PROGRESS) {
            (milestone, since_milestone) = (error, 0);
        } else {
            since_milestone += 1;
        }
        // A step that led away was too long for the linear problem: the next ones are damped more.
        caution = if error > last_error { f32::min(4.0 * caution, 1e4) } else { f32::max(0.5 * caution, 1.0) };
        last_error = error;
        let is_stuck =
            since_milestone == PATIENCE || !step(character, configuration, movable, settings, caution, workspace);
        if is_stuck {
            if let Some(best) = &workspace.best {
                configuration.clone_from(best);
            }
            if !loosened {
                loosened = true;
                adjust_limbs_that_miss(character, configuration, targets, movable, settings, workspace, loosen);
            } else if outcome.restarts < settings.restarts {
                outcome.restarts += 1;
                // A stream of the attempt's own, so that the same question has the same answer.
                let mut stream = Stream::new(outcome.restarts as u64, "inverse kinematics");
                let anywhere = |hinge: &Hinge, _| stream.between(hinge.min, hinge.max);
                adjust_limbs_that_miss(character, configuration, targets, movable, settings, workspace, anywhere);
            } else {
                break;
            }
            (milestone, since_milestone) = (f32::INFINITY, 0);
            (last_error, caution) = (f32::INFINITY, 1.0);
        }
        outcome.iterations += 1;
    }
    if let Some(best) = &workspace.best {
        configuration.clone_from(best);
    }
    workspace.best = None;
    forward(character, configuration, &mut workspace.frames);
    outcome.reached = outcome.error <= settings.tolerance;
    outcome
}

/// Sets the movable hinges of every limb that misses a target (or the trunk's, for the trunk's effectors) anew.
fn adjust_limbs_that_miss(
    character: &Character,
    configuration: &mut Configuration,
    targets: &[Target],
    movable: &[usize],
    settings: &IkSettings,
    workspace: &mut IkWorkspace,
    mut angle: impl FnMut(&Hinge, f32) -> f32,
) {
    forward(character, configuration, &mut workspace.frames);
    linearise(character, targets, movable, settings, workspace);
    let root = character.root.axes().len();
    for hinge in movable.iter().filter_map(|dof| dof.checked_sub(root)).map(HingeId::from) {
        let limb = character.limb_of_link(character.hinges[hinge].link);
        let mut misses = targets.iter().zip(&workspace.misses).filter(|(_, miss)| **miss > settings.tolerance);
        if misses.any(|(target, _)| character.effectors[target.effector].limb == limb) {
            configuration.angles[hinge] = angle(&character.hinges[hinge], configuration.angles[hinge]);
        }
    }
}

/// A hinge off its limits by a few degrees. A limb stretched to the limit has no way to draw its tip in that begins
/// with a change of distance: to first order, it is stuck.
fn loosen(hinge: &Hinge, angle: f32) -> f32 {
    let room = f32::min(0.15, 0.5 * (hinge.max - hinge.min));
    angle.max(hinge.min + room).min(hinge.max - room)
}

/// Fills `residual` with what is missing, `rows` with its Jacobian over the movable degrees of freedom and `misses`
/// with each target's miss, and returns the largest.
fn linearise(
    character: &Character,
    targets: &[Target],
    movable: &[usize],
    settings: &IkSettings,
    workspace: &mut IkWorkspace,
) -> f32 {
    let IkWorkspace { frames, point, tip, rows, residual, misses, .. } = workspace;
    rows.clear();
    residual.clear();
    misses.clear();
    // Nothing that a planar character does changes a depth.
    let axes: &[Vec3] = if character.root == Root::Planar { &[Vec3::X, Vec3::Y] } else { &[Vec3::X, Vec3::Y, Vec3::Z] };
    for target in targets {
        let effector = &character.effectors[target.effector];
        let center = effector_position(character, frames, target.effector);
        let mut miss = 0.0f32;
        let mut push = |missing: Vec3, columns: &[Vec3], weight: f32| {
            for &axis in axes {
                residual.push(weight * missing.dot(axis));
                rows.extend(movable.iter().map(|&dof| weight * columns[dof].dot(axis)));
            }
            let size = weight * missing.length();
            miss = miss.max(if size.is_nan() { f32::INFINITY } else { size });
        };
        point_jacobian(character, frames, effector.link, center, point);
        push(target.center - center, point, 1.0);
        if let (Some(wanted), Some(facing)) = (target.facing, effector.facing) {
            // The facing moves as the tip of a unit arm fixed in the link does, less what the arm's foot moves.
            let facing = frames.world_from_link[effector.link].rotation * facing;
            point_jacobian(character, frames, effector.link, center + facing, tip);
            for (tip, foot) in tip.iter_mut().zip(point.iter()) {
                *tip -= *foot;
            }
            push(arc(facing, wanted), tip, settings.facing_weight);
        }
        misses.push(miss);
    }
    misses.iter().fold(0.0, |largest, &miss| largest.max(miss))
}

/// The way over the unit sphere from one direction to another: its start's tangent, as long as the angle.
///
/// The straight way would fade as the two become opposite, and leave no way at all when they are.
fn arc(from: Vec3, to: Vec3) -> Vec3 {
    let across = to - from * from.dot(to);
    let sine = across.length();
    let tangent = if sine > 1e-6 { across / sine } else { from.any_orthonormal_vector() };
    tangent * atan2(sine, from.dot(to))
}

/// Solves the damped normal equations `(J Jt + damping) x = residual`; false when they are singular.
fn solve_normal_equations(rows: &[f32], residual: &[f32], damping: f32, [gram, solution]: [&mut Vec<f32>; 2]) -> bool {
    let missing = residual.len();
    let count = rows.len() / missing.max(1);
    gram.clear();
    gram.resize(missing * missing, 0.0);
    solution.clear();
    solution.extend_from_slice(residual);
    for (i, row) in rows.chunks_exact(count).enumerate() {
        for (j, other) in rows.chunks_exact(count).enumerate().skip(i) {
            gram[i * missing + j] = dot(row, other);
        }
        gram[i * missing + i] += damping;
    }
    solve_cholesky(gram, solution)
}

/// Takes one damped step; false when nothing can move any more.
fn step(
    character: &Character,
    configuration: &mut Configuration,
    movable: &[usize],
    settings: &IkSettings,
    caution: f32,
    workspace: &mut IkWorkspace,
) -> bool {
    let IkWorkspace { rows, residual, gram, solution, free, step, held, displacement, .. } = workspace;
    let count = movable.len();
    if count == 0 || residual.is_empty() {
        return false;
    }
    let root = character.root.axes().len();
    held.clear();
    held.resize(count, false);
    step.clear();
    step.resize(count, 0.0);
    let error_squared: f32 = residual.iter().map(|r| r * r).sum();
    let mut damping = 1e-6 + 1e-2 * caution * error_squared;

    // Each round holds at least one more hinge or damps more; so many rounds are enough in practice.
    for _ in 0..6 {
        if !solve_normal_equations(rows, residual, damping, [gram, solution]) {
            // Targets that repeat each other (two points of one sole) leave rounding errors larger than the damping.
            damping *= 30.0;
            continue;
        }
        free.clear();
        free.resize(count, 0.0);
        for (row, amount) in rows.chunks_exact(count).zip(solution.iter()) {
            add_scaled(free, *amount, row);
        }
        let mut newly_held = false;
        for k in 0..count {
            if held[k] {
                continue;
            }
            step[k] = free[k];
            let Some(hinge) = movable[k].checked_sub(root).map(HingeId::from) else { continue };
            let (low, high) = (character.hinges[hinge].min, character.hinges[hinge].max);
            let room = [low - configuration.angles[hinge], high - configuration.angles[hinge]];
            if step[k] < room[0] || step[k] > room[1] {
                step[k] = step[k].clamp(room[0].min(0.0), room[1].max(0.0));
                held[k] = true;
                newly_held = true;
                // The hinge is at its limit: the others make up for the rest.
                for (row, missing) in rows.chunks_exact_mut(count).zip(residual.iter_mut()) {
                    *missing -= row[k] * step[k];
                    row[k] = 0.0;
                }
            }
        }
        if !newly_held {
            break;
        }
    }
    let longest = step.iter().fold(0.0f32, |longest, s| longest.max(s.abs()));
    if longest < 1e-9 {
        return false;
    }
    let scale = (settings.max_step / longest).min(1.0);
    displacement.clear();
    displacement.resize(character.degrees_of_freedom(), 0.0);
    for (&dof, amount) in movable.iter().zip(step.iter()) {
        displacement[dof] = scale * amount;
    }
    configuration.displace(character, displacement);
    true
}
