//! Whole-body inverse kinematics by damped least squares.

use crate::character::{Character, Hinge, REFERENCE_BODY_SIZE, RootAxis, RootJoint};
use crate::configuration::Configuration;
use crate::id::{EffectorId, HingeId};
use crate::kinematics::{Jacobian, LinkFrames, effector_position, forward, point_jacobian};
use crate::math::{Vec3, add_scaled, atan2, dot, solve_cholesky};
use crate::rng::Stream;

/// The desired position of an effector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The effector.
    pub effector: EffectorId,
    /// The desired center, in the world.
    pub center: Vec3,
    /// The desired direction of its facing, in the world. Ignored if the effector has no facing.
    pub facing: Option<Vec3>,
}

/// Effort and tolerances of the solver. Start from [`Default`] and change fields.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct IkSettings {
    /// Maximum number of steps, over all restarts. Default 60.
    pub max_iterations: usize,
    /// Maximum number of restarts from random angles of the limbs that miss their targets, when steps no longer reduce the
    /// error. Default 0, which stays near the given posture; with 10, and 300 iterations, distant targets are rarely missed.
    pub restarts: usize,
    /// A target is met when the effector's center is within this distance, in meters. Default 0.0001.
    pub tolerance: f32,
    /// Most change of a hinge in one step, in radians, and of the root, in radians or in meters of a body of
    /// [`REFERENCE_BODY_SIZE`]; the length scales with the body. Default 0.4.
    pub max_step: f32,
    /// A facing error of one radian weighs as much as a position error of this many meters of a body of
    /// [`REFERENCE_BODY_SIZE`]; the length scales with the body. Default 0.2.
    pub facing_weight: f32,
}

impl Default for IkSettings {
    fn default() -> Self {
        Self { max_iterations: 60, restarts: 0, tolerance: 1e-4, max_step: 0.4, facing_weight: 0.2 }
    }
}

/// The result of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkOutcome {
    /// Whether every target is met within the tolerance.
    pub reached: bool,
    /// The largest remaining error of a target, in meters; infinite when a target is not a number, and then nothing moved.
    pub error: f32,
    /// Number of steps.
    pub iterations: usize,
    /// Number of restarts.
    pub restarts: usize,
}

/// Memory of the solver, reused between calls.
#[derive(Clone, Debug, Default)]
pub struct IkWorkspace {
    /// The link frames of the returned configuration.
    pub link_frames: LinkFrames,
    /// Body size over [`REFERENCE_BODY_SIZE`].
    unit: f32,
    point: Jacobian,
    tip: Jacobian,
    rows: Vec<f32>,
    residual: Vec<f32>,
    gram: Vec<f32>,
    solution: Vec<f32>,
    /// The step without limits.
    free: Vec<f32>,
    step: Vec<f32>,
    /// Whether each movable degree of freedom is fixed at its limit.
    fixed: Vec<bool>,
    displacement: Vec<f32>,
    /// The error of each target, in meters of the reference body.
    misses: Vec<f32>,
    best: Option<Configuration>,
}

/// Moves the degrees of freedom listed in `movable` until every target is met, hinges staying within their limits.
///
/// Each step solves the linearized problem by damped least squares, with a damping that decreases with the error. A hinge that a
/// step would push beyond its limit is fixed at the limit, and the step is solved again for the others. When steps no longer
/// reduce the error, the solver first bends hinges away from their limits, then restarts as often as the settings allow. It
/// returns the best configuration found, also when not every target is reached.
///
/// Lengths are divided by the ratio of the body size to [`REFERENCE_BODY_SIZE`], so scaled characters take the same steps.
pub fn solve_ik(
    character: &Character,
    configuration: &mut Configuration,
    targets: &[Target],
    movable: &[usize],
    settings: &IkSettings,
    workspace: &mut IkWorkspace,
) -> IkOutcome {
    // An attempt is stuck when so many steps do not reduce its error by this share.
    const PATIENCE: usize = 8;
    const PROGRESS: f32 = 0.03;

    let unit = character.body_size() / REFERENCE_BODY_SIZE;
    workspace.unit = unit;
    let tolerance = settings.tolerance / unit;
    let mut outcome = IkOutcome { reached: false, error: f32::INFINITY, iterations: 0, restarts: 0 };
    let (mut milestone, mut since_milestone, mut unlocked) = (f32::INFINITY, 0, false);
    let (mut last_error, mut caution) = (f32::INFINITY, 1.0);
    loop {
        forward(character, configuration, &mut workspace.link_frames);
        let error = linearize(character, targets, movable, settings, workspace);
        if error < outcome.error {
            outcome.error = error;
            workspace.best.get_or_insert_with(|| configuration.clone()).clone_from(configuration);
        }
        if error <= tolerance || !error.is_finite() || outcome.iterations == settings.max_iterations {
            break;
        }
        if error < milestone * (1.0 - PROGRESS) {
            (milestone, since_milestone) = (error, 0);
        } else {
            since_milestone += 1;
        }
        // A step that increased the error was too long for the linear model: damp the next ones more.
        caution = if error > last_error { f32::min(4.0 * caution, 1e4) } else { f32::max(0.5 * caution, 1.0) };
        last_error = error;
        let is_stuck =
            since_milestone == PATIENCE || !step(character, configuration, movable, settings, caution, workspace);
        if is_stuck {
            if let Some(best) = &workspace.best {
                configuration.clone_from(best);
            }
            if !unlocked {
                unlocked = true;
                adjust_limbs_that_miss(character, configuration, targets, movable, settings, workspace, loosen);
            } else if outcome.restarts < settings.restarts {
                outcome.restarts += 1;
                // A stream per restart, so that the same targets give the same result.
                let mut stream = Stream::new(outcome.restarts as u64, "inverse kinematics");
                let random_angle = |hinge: &Hinge, _| stream.between(hinge.min, hinge.max);
                adjust_limbs_that_miss(character, configuration, targets, movable, settings, workspace, random_angle);
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
    forward(character, configuration, &mut workspace.link_frames);
    outcome.reached = outcome.error <= tolerance;
    outcome.error *= unit;
    outcome
}

/// Replaces the angles of the movable hinges of every limb that misses a target, or of the trunk for effectors of the trunk.
fn adjust_limbs_that_miss(
    character: &Character,
    configuration: &mut Configuration,
    targets: &[Target],
    movable: &[usize],
    settings: &IkSettings,
    workspace: &mut IkWorkspace,
    mut angle: impl FnMut(&Hinge, f32) -> f32,
) {
    forward(character, configuration, &mut workspace.link_frames);
    linearize(character, targets, movable, settings, workspace);
    let root = character.root_joint.axes().len();
    let tolerance = settings.tolerance / workspace.unit;
    for hinge in movable.iter().filter_map(|dof| dof.checked_sub(root)).map(HingeId::from) {
        let limb = character.limb_of_link(character.hinges[hinge].link);
        let mut misses = targets.iter().zip(&workspace.misses).filter(|(_, miss)| **miss > tolerance);
        if misses.any(|(target, _)| character.effectors[target.effector].limb == limb) {
            configuration.angles[hinge] = angle(&character.hinges[hinge], configuration.angles[hinge]);
        }
    }
}

/// Returns an angle a few degrees away from the limits. At full stretch, no hinge changes the distance of the tip to first order,
/// so a step cannot shorten the limb.
fn loosen(hinge: &Hinge, angle: f32) -> f32 {
    let room = f32::min(0.15, 0.5 * (hinge.max - hinge.min));
    angle.max(hinge.min + room).min(hinge.max - room)
}

/// Fills `residual`, its Jacobian `rows` over the movable degrees of freedom and the error of each target in `misses`, all in
/// lengths of the reference body. Returns the largest error.
fn linearize(
    character: &Character,
    targets: &[Target],
    movable: &[usize],
    settings: &IkSettings,
    workspace: &mut IkWorkspace,
) -> f32 {
    let IkWorkspace { link_frames: frames, unit, point, tip, rows, residual, misses, .. } = workspace;
    rows.clear();
    residual.clear();
    misses.clear();
    // A planar character cannot change a depth.
    let axes: &[Vec3] =
        if character.root_joint == RootJoint::Planar { &[Vec3::X, Vec3::Y] } else { &[Vec3::X, Vec3::Y, Vec3::Z] };
    for target in targets {
        let effector = &character.effectors[target.effector];
        let center = effector_position(character, frames, target.effector);
        let mut miss = 0.0f32;
        let mut push = |error: Vec3, columns: &[Vec3], weight: f32| {
            for &axis in axes {
                residual.push(weight * error.dot(axis));
                rows.extend(movable.iter().map(|&dof| weight * columns[dof].dot(axis)));
            }
            let size = weight * error.length();
            miss = miss.max(if size.is_nan() { f32::INFINITY } else { size });
        };
        point_jacobian(character, frames, effector.link, center, point);
        let facing_error = target.facing.zip(effector.facing).map(|(wanted, facing)| {
            // The facing moves like the tip of a unit vector fixed to the link, relative to its start.
            let facing = frames.world_from_link[effector.link].rotation * facing;
            // Its length scales with the body, so that scaled characters take the same steps.
            point_jacobian(character, frames, effector.link, center + facing * *unit, tip);
            for (tip, start) in tip.iter_mut().zip(point.iter()) {
                *tip = (*tip - *start) / *unit;
            }
            arc(facing, wanted)
        });
        // The root's translation is in lengths of the reference body too.
        for (column, axis) in point.iter_mut().zip(character.root_joint.axes()) {
            if matches!(axis, RootAxis::Move(_)) {
                *column *= *unit;
            }
        }
        push(target.center - center, point, 1.0 / *unit);
        if let Some(error) = facing_error {
            push(error, tip, settings.facing_weight);
        }
        misses.push(miss);
    }
    misses.iter().fold(0.0, |largest, &miss| largest.max(miss))
}

/// Returns the tangent at `from` of the shortest arc to `to` on the unit sphere; its length is the angle.
///
/// The chord's tangential component would vanish for opposite directions.
fn arc(from: Vec3, to: Vec3) -> Vec3 {
    let perpendicular = to - from * from.dot(to);
    let sine = perpendicular.length();
    let tangent = if sine > 1e-6 { perpendicular / sine } else { from.any_orthonormal_vector() };
    tangent * atan2(sine, from.dot(to))
}

/// Solves the damped normal equations `(J Jt + damping) x = residual`; false when they are singular.
fn solve_normal_equations(rows: &[f32], residual: &[f32], damping: f32, [gram, solution]: [&mut Vec<f32>; 2]) -> bool {
    let row_count = residual.len();
    let count = rows.len() / row_count.max(1);
    gram.clear();
    gram.resize(row_count * row_count, 0.0);
    solution.clear();
    solution.extend_from_slice(residual);
    for (i, row) in rows.chunks_exact(count).enumerate() {
        for (j, other) in rows.chunks_exact(count).enumerate().skip(i) {
            gram[i * row_count + j] = dot(row, other);
        }
        gram[i * row_count + i] += damping;
    }
    solve_cholesky(gram, solution)
}

/// Takes one damped step; false when no degree of freedom can move.
fn step(
    character: &Character,
    configuration: &mut Configuration,
    movable: &[usize],
    settings: &IkSettings,
    caution: f32,
    workspace: &mut IkWorkspace,
) -> bool {
    let IkWorkspace { rows, residual, gram, solution, free, step, fixed, .. } = workspace;
    let count = movable.len();
    if count == 0 || residual.is_empty() {
        return false;
    }
    let root = character.root_joint.axes().len();
    fixed.clear();
    fixed.resize(count, false);
    step.clear();
    step.resize(count, 0.0);
    let error_squared: f32 = residual.iter().map(|r| r * r).sum();
    let mut damping = 1e-6 + 1e-2 * caution * error_squared;

    // Each round fixes at least one more hinge or increases the damping; six rounds are enough in practice.
    for _ in 0..6 {
        if !solve_normal_equations(rows, residual, damping, [gram, solution]) {
            // Redundant targets (two points of one sole) have rounding errors larger than the damping.
            damping *= 30.0;
            continue;
        }
        free.clear();
        free.resize(count, 0.0);
        for (row, amount) in rows.chunks_exact(count).zip(solution.iter()) {
            add_scaled(free, *amount, row);
        }
        let mut newly_fixed = false;
        for k in 0..count {
            if fixed[k] {
                continue;
            }
            step[k] = free[k];
            let Some(hinge) = movable[k].checked_sub(root).map(HingeId::from) else { continue };
            let (low, high) = (character.hinges[hinge].min, character.hinges[hinge].max);
            let room = [low - configuration.angles[hinge], high - configuration.angles[hinge]];
            if step[k] < room[0] || step[k] > room[1] {
                step[k] = step[k].clamp(room[0].min(0.0), room[1].max(0.0));
                fixed[k] = true;
                newly_fixed = true;
                // The other degrees of freedom must reduce the rest of the error.
                for (row, error) in rows.chunks_exact_mut(count).zip(residual.iter_mut()) {
                    *error -= row[k] * step[k];
                    row[k] = 0.0;
                }
            }
        }
        if !newly_fixed {
            break;
        }
    }
    apply_step(character, configuration, movable, settings.max_step, workspace)
}

/// Moves the configuration along the step, at most `max_step` of any degree of freedom; false when the step is zero.
fn apply_step(
    character: &Character,
    configuration: &mut Configuration,
    movable: &[usize],
    max_step: f32,
    workspace: &mut IkWorkspace,
) -> bool {
    let IkWorkspace { unit, step, displacement, .. } = workspace;
    let longest = step.iter().fold(0.0f32, |longest, s| longest.max(s.abs()));
    if longest < 1e-9 {
        return false;
    }
    let scale = (max_step / longest).min(1.0);
    displacement.clear();
    displacement.resize(character.degrees_of_freedom(), 0.0);
    for (&dof, amount) in movable.iter().zip(step.iter()) {
        displacement[dof] = scale * amount;
    }
    for (amount, axis) in displacement.iter_mut().zip(character.root_joint.axes()) {
        if matches!(axis, RootAxis::Move(_)) {
            *amount *= *unit;
        }
    }
    configuration.displace(character, displacement);
    true
}
