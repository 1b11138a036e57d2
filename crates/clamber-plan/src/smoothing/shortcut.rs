//! Body smoothing: replaces stretches of a path by straight lines where those are free (thesis 4.5, Figure 4.10).

use clamber_model::configuration::longest_way;
use clamber_model::id::{LinkId, TiVec};
use clamber_model::{Character, Configuration};

/// What a straight line is, and whether it may be taken.
pub(crate) trait SteeringMethod {
    /// Whether the straight line between two configurations is free.
    fn is_free(&mut self, from: &Configuration, to: &Configuration) -> bool;

    /// The configuration a share `t` of the path along the straight line.
    fn at(&mut self, from: &Configuration, to: &Configuration, t: f32) -> Option<Configuration>;
}

/// Straightens a path; `go_on` is told the share of the work that is done, and stops it by answering false.
///
/// As in the thesis, long stretches are tried before short ones. The thesis tries every stretch of every length,
/// which is quadratic in the length of the path with a collision check each; here lengths shrink by a factor and
/// stretches of one length overlap by three quarters, which loses little and is nearly linear. Between the passes, points are
/// put back on the straight lines, so that a later stretch may begin inside of one, as the thesis' does.
pub(crate) fn smooth(
    character: &Character,
    path: Vec<Configuration>,
    spacing: f32,
    line: &mut dyn SteeringMethod,
    go_on: &mut dyn FnMut(f32) -> bool,
) -> Vec<Configuration> {
    const PASSES: usize = 6;
    const SHRINK: f32 = 0.7;
    let mut bounds = TiVec::new();
    let mut path = path;
    for pass in 0..PASSES {
        let before = length(character, &path, &mut bounds);
        let mut stretch = (path.len() as f32 - 1.0).max(0.0);
        while stretch >= 2.0 {
            if !go_on((pass as f32 + 1.0 - stretch / path.len().max(1) as f32) / PASSES as f32) {
                return path;
            }
            straighten(character, &mut path, stretch as usize, line, &mut bounds);
            stretch = (stretch * SHRINK).min(path.len() as f32 - 1.0);
        }
        let after = length(character, &path, &mut bounds);
        if pass + 1 == PASSES || after > 0.99 * before {
            break;
        }
        path = resample(character, &path, spacing, line);
    }
    path
}

/// Tries stretches of this many steps all along the path.
fn straighten(
    character: &Character,
    path: &mut Vec<Configuration>,
    stretch: usize,
    line: &mut dyn SteeringMethod,
    bounds: &mut TiVec<LinkId, f32>,
) {
    let stride = (stretch / 4).max(1);
    let mut start = 0;
    while start + stretch < path.len() {
        let end = start + stretch;
        let straight = longest_way(character, &path[start], &path[end], bounds);
        let crooked = length(character, &path[start..=end], bounds);
        let shorter = straight < 0.999 * crooked;
        if shorter && line.is_free(&path[start], &path[end]) {
            path.drain(start + 1..end);
            start += 1;
        } else {
            start += stride;
        }
    }
}

fn length(character: &Character, path: &[Configuration], bounds: &mut TiVec<LinkId, f32>) -> f32 {
    path.windows(2).map(|pair| longest_way(character, &pair[0], &pair[1], bounds)).sum()
}

/// The path with configurations added, so that no point moves farther than `spacing` between two.
pub(crate) fn resample(
    character: &Character,
    path: &[Configuration],
    spacing: f32,
    line: &mut dyn SteeringMethod,
) -> Vec<Configuration> {
    let mut bounds = TiVec::new();
    let mut sampled = Vec::new();
    for pair in path.windows(2) {
        let [from, to] = [&pair[0], &pair[1]];
        let count = (longest_way(character, from, to, &mut bounds) / spacing).ceil().max(1.0) as usize;
        sampled.push(from.clone());
        sampled.extend((1..count).filter_map(|i| line.at(from, to, i as f32 / count as f32)));
    }
    sampled.extend(path.last().cloned());
    sampled
}
