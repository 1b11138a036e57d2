//! Body smoothing: replaces stretches of a way by straight lines where those are free (thesis 4.5, Figure 4.10).

use clamber_model::collision::{Clearance, CollisionWorkspace, is_step_free};
use clamber_model::configuration::bound_motion;
use clamber_model::{Configuration, Problem};

use crate::bounds::stays_in_bounds;

/// The most that any point moves on the straight line between two configurations, in metres.
pub(crate) fn way_between(problem: &Problem, from: &Configuration, to: &Configuration, ways: &mut Vec<f32>) -> f32 {
    bound_motion(&problem.character, from, to, ways);
    ways.iter().copied().fold(0.0, f32::max)
}

/// Straightens a way; `go_on` is told the share of the work that is done, and stops it by answering false.
///
/// As in the thesis, long stretches are tried before short ones. The thesis tries every stretch of every length,
/// which is quadratic in the length of the way with a collision check each; here lengths shrink by a factor and
/// stretches of one length overlap by three quarters, which loses little and is nearly linear. Between the passes, points are
/// put back on the straight lines, so that a later stretch may begin inside of one, as the thesis' does.
pub(crate) fn smooth(
    problem: &Problem,
    path: Vec<Configuration>,
    spacing: f32,
    clearance: &Clearance,
    workspace: &mut CollisionWorkspace,
    go_on: &mut dyn FnMut(f32) -> bool,
) -> Vec<Configuration> {
    const PASSES: usize = 6;
    const SHRINK: f32 = 0.7;
    let mut ways = Vec::new();
    let mut path = path;
    for pass in 0..PASSES {
        let before = length(problem, &path, &mut ways);
        let mut stretch = (path.len() as f32 - 1.0).max(0.0);
        while stretch >= 2.0 {
            if !go_on((pass as f32 + 1.0 - stretch / path.len().max(1) as f32) / PASSES as f32) {
                return path;
            }
            straighten(problem, &mut path, stretch as usize, clearance, workspace, &mut ways);
            stretch = (stretch * SHRINK).min(path.len() as f32 - 1.0);
        }
        let after = length(problem, &path, &mut ways);
        if pass + 1 == PASSES || after > 0.99 * before {
            break;
        }
        path = resample(problem, &path, spacing);
    }
    path
}

/// Tries stretches of this many steps all along the way.
fn straighten(
    problem: &Problem,
    path: &mut Vec<Configuration>,
    stretch: usize,
    clearance: &Clearance,
    workspace: &mut CollisionWorkspace,
    ways: &mut Vec<f32>,
) {
    let stride = (stretch / 4).max(1);
    let mut start = 0;
    while start + stretch < path.len() {
        let end = start + stretch;
        let straight = way_between(problem, &path[start], &path[end], ways);
        let crooked = length(problem, &path[start..=end], ways);
        let shorter = straight < 0.999 * crooked;
        let (from, to) = (&path[start], &path[end]);
        if shorter
            && stays_in_bounds(problem, from, to, &mut workspace.frames)
            && is_step_free(&problem.world, &problem.character, from, to, clearance, workspace)
        {
            path.drain(start + 1..end);
            start += 1;
        } else {
            start += stride;
        }
    }
}

fn length(problem: &Problem, path: &[Configuration], ways: &mut Vec<f32>) -> f32 {
    path.windows(2).map(|pair| way_between(problem, &pair[0], &pair[1], ways)).sum()
}

/// The way with configurations added, so that no point moves farther than `spacing` between two.
pub(crate) fn resample(problem: &Problem, path: &[Configuration], spacing: f32) -> Vec<Configuration> {
    let mut ways = Vec::new();
    let mut sampled = Vec::new();
    for pair in path.windows(2) {
        let count = (way_between(problem, &pair[0], &pair[1], &mut ways) / spacing).ceil().max(1.0) as usize;
        for i in 0..count {
            let mut between = pair[0].clone();
            if i > 0 {
                between.interpolate(&pair[0], &pair[1], i as f32 / count as f32);
            }
            sampled.push(between);
        }
    }
    sampled.extend(path.last().cloned());
    sampled
}
