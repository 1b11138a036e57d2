//! Whole-body inverse kinematics by damped least squares.

use crate::character::Character;
use crate::configuration::Configuration;
use crate::kinematics::{Jacobian, Workspace, effector_in_world, forward, point_jacobian};
use crate::math::{Vec3, solve_cholesky};

/// Where an effector should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Index into [`Character::effectors`].
    pub effector: usize,
    /// Where its centre should be, in the world.
    pub center: Vec3,
    /// Which way its facing should point in the world, where that matters and the effector has one.
    pub facing: Option<Vec3>,
}

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkSettings {
    /// Steps before giving up. Default 60.
    pub max_iterations: usize,
    /// A target is met when its centre is within this distance, in metres. Default 0.0001.
    pub tolerance: f32,
    /// The most that one step may turn a hinge, in radians, or move the root, in metres. Default 0.4.
    pub max_step: f32,
    /// A facing that is off by one radian weighs as much as a centre off by this many metres. Default 0.2.
    pub facing_weight: f32,
}

impl Default for IkSettings {
    fn default() -> Self {
        Self { max_iterations: 60, tolerance: 1e-4, max_step: 0.4, facing_weight: 0.2 }
    }
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkOutcome {
    /// Every target is met within the tolerance.
    pub reached: bool,
    /// The largest miss that remains, in metres.
    pub error: f32,
    /// Steps taken.
    pub iterations: usize,
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
    step: Vec<f32>,
    held: Vec<bool>,
    displacement: Vec<f32>,
    best: Option<Configuration>,
}

/// Moves the degrees of freedom listed in `movable` until every target is met, hinges staying within their limits.
///
/// Each step solves the linearised problem in the damped least-squares sense, with a damping that fades as the
/// targets come near. A hinge that a step would push over its limit is set on the limit and held, and the step is
/// solved again for the others, so that they make up for it. The best configuration met is left behind, also when
/// not every target can be reached.
pub fn solve(
    character: &Character,
    configuration: &mut Configuration,
    targets: &[Target],
    movable: &[usize],
    settings: &IkSettings,
    workspace: &mut IkWorkspace,
) -> IkOutcome {
    let mut least = f32::INFINITY;
    let mut iterations = 0;
    loop {
        forward(character, configuration, &mut workspace.frames);
        let error = linearise(character, targets, movable, settings, workspace);
        if error < least {
            least = error;
            workspace.best.get_or_insert_with(|| configuration.clone()).clone_from(configuration);
        }
        if error <= settings.tolerance || iterations == settings.max_iterations {
            break;
        }
        if !step(character, configuration, movable, settings, workspace) {
            break;
        }
        iterations += 1;
    }
    if let Some(best) = &workspace.best {
        configuration.clone_from(best);
    }
    workspace.best = None;
    forward(character, configuration, &mut workspace.frames);
    IkOutcome { reached: least <= settings.tolerance, error: least, iterations }
}

/// Fills `residual` with what is missing and `rows` with its Jacobian over the movable degrees of freedom, and
/// returns the largest miss.
fn linearise(
    character: &Character,
    targets: &[Target],
    movable: &[usize],
    settings: &IkSettings,
    workspace: &mut IkWorkspace,
) -> f32 {
    let IkWorkspace { frames, point, tip, rows, residual, .. } = workspace;
    rows.clear();
    residual.clear();
    let mut largest = 0.0f32;
    for target in targets {
        let effector = &character.effectors[target.effector];
        let center = effector_in_world(character, frames, target.effector);
        let mut push = |missing: Vec3, columns: &[Vec3], weight: f32| {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                residual.push(weight * missing.dot(axis));
                rows.extend(movable.iter().map(|&dof| weight * columns[dof].dot(axis)));
            }
            largest = largest.max(weight * missing.length());
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
            push(wanted - facing, tip, settings.facing_weight);
        }
    }
    largest
}

/// Takes one damped step; false when nothing can move any more.
fn step(
    character: &Character,
    configuration: &mut Configuration,
    movable: &[usize],
    settings: &IkSettings,
    workspace: &mut IkWorkspace,
) -> bool {
    let IkWorkspace { rows, residual, gram, solution, step, held, displacement, .. } = workspace;
    let (count, missing) = (movable.len(), residual.len());
    let root = character.root.axes().len();
    held.clear();
    held.resize(count, false);
    step.clear();
    step.resize(count, 0.0);
    let error_squared: f32 = residual.iter().map(|r| r * r).sum();
    let damping = 1e-6 + 1e-2 * error_squared;

    // Each round holds at least one more hinge, so this ends; four rounds are enough in practice.
    for _ in 0..4 {
        gram.clear();
        gram.resize(missing * missing, 0.0);
        solution.clear();
        solution.extend_from_slice(residual);
        for i in 0..missing {
            let row_i = &rows[i * count..(i + 1) * count];
            for k in 0..count {
                if held[k] {
                    solution[i] -= row_i[k] * step[k];
                }
            }
            for j in 0..=i {
                let row_j = &rows[j * count..(j + 1) * count];
                gram[i * missing + j] = (0..count).filter(|&k| !held[k]).map(|k| row_i[k] * row_j[k]).sum();
            }
            gram[i * missing + i] += damping;
        }
        if !solve_cholesky(gram, solution) {
            return false;
        }
        let mut newly_held = false;
        for k in 0..count {
            if held[k] {
                continue;
            }
            step[k] = (0..missing).map(|i| rows[i * count + k] * solution[i]).sum();
            if movable[k] >= root {
                let hinge = movable[k] - root;
                let (low, high) = (character.hinges[hinge].min, character.hinges[hinge].max);
                let room = [low - configuration.angles[hinge], high - configuration.angles[hinge]];
                if step[k] < room[0] || step[k] > room[1] {
                    step[k] = step[k].clamp(room[0].min(0.0), room[1].max(0.0));
                    held[k] = true;
                    newly_held = true;
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
