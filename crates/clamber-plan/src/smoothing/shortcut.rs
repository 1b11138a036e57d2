//! Shortcuts: replaces stretches of a path by straight ones that are free (thesis 4.5, Figure 4.10).

use clamber_model::configuration::max_motion_bound;
use clamber_model::id::{LinkId, TiVec};
use clamber_model::{Character, Configuration};

use super::tuning;
use crate::resumable_search::checkpoint;

/// Connects two configurations by a straight path, and says whether it is free.
pub(crate) trait SteeringMethod: Send {
    /// Whether the straight path between two configurations is free.
    fn is_free(&mut self, from: &Configuration, to: &Configuration) -> impl Future<Output = bool> + Send;

    /// Reports the finished fraction of the smoothing; false when it should stop.
    fn continues(&mut self, fraction: f32) -> impl Future<Output = bool> + Send;

    /// The configuration at a share `t` of the straight path; `None` where there is none on the contacts.
    fn interpolate(&mut self, from: &Configuration, to: &Configuration, t: f32) -> Option<Configuration>;
}

/// Shortens a path. Stops early when the steering method does not continue.
///
/// As in the thesis, long stretches are tried before short ones. The thesis tries every stretch of every length, which takes a
/// quadratic number of collision checks. Here lengths shrink by a factor and stretches of one length overlap by three quarters,
/// which loses little and is nearly linear. Between the passes the straight stretches are resampled, so that a later stretch may
/// begin inside of one, as in the thesis.
pub(crate) async fn smooth(
    character: &Character,
    path: Vec<Configuration>,
    spacing: f32,
    steering: &mut impl SteeringMethod,
) -> Vec<Configuration> {
    let mut bounds = TiVec::new();
    let mut path = path;
    for pass in 0..tuning::PASSES {
        let before = length(character, &path, &mut bounds).await;
        let mut stretch = (path.len() as f32 - 1.0).max(0.0);
        while stretch >= 2.0 {
            let fraction = (pass as f32 + 1.0 - stretch / path.len().max(1) as f32) / tuning::PASSES as f32;
            if !steering.continues(fraction).await {
                return path;
            }
            straighten(character, &mut path, stretch as usize, steering, &mut bounds).await;
            stretch = (stretch * tuning::BODY_SHRINK).min(path.len() as f32 - 1.0);
        }
        let after = length(character, &path, &mut bounds).await;
        if pass + 1 == tuning::PASSES || after > tuning::MIN_PASS_GAIN * before {
            break;
        }
        path = resample(character, &path, spacing, steering).await;
    }
    path
}

/// Tries shortcuts of this many steps all along the path.
async fn straighten(
    character: &Character,
    path: &mut Vec<Configuration>,
    stretch: usize,
    steering: &mut impl SteeringMethod,
    bounds: &mut TiVec<LinkId, f32>,
) {
    let stride = (stretch / 4).max(1);
    let mut start = 0;
    while start + stretch < path.len() {
        let end = start + stretch;
        let straight = max_motion_bound(character, &path[start], &path[end], bounds);
        let crooked = length(character, &path[start..=end], bounds).await;
        let shorter = straight < tuning::MIN_SHORTCUT_GAIN * crooked;
        if shorter && steering.is_free(&path[start], &path[end]).await {
            path.drain(start + 1..end);
            start += 1;
        } else {
            start += stride;
        }
    }
}

async fn length(character: &Character, path: &[Configuration], bounds: &mut TiVec<LinkId, f32>) -> f32 {
    let mut sum = 0.0;
    for (index, pair) in path.windows(2).enumerate() {
        sum += max_motion_bound(character, &pair[0], &pair[1], bounds);
        if index % tuning::STEPS_PER_CHECKPOINT == 0 {
            checkpoint().await;
        }
    }
    sum
}

/// The path with configurations added, so that no point moves farther than `spacing` meters between two.
pub(crate) async fn resample(
    character: &Character,
    path: &[Configuration],
    spacing: f32,
    steering: &mut impl SteeringMethod,
) -> Vec<Configuration> {
    let mut bounds = TiVec::new();
    let mut sampled = Vec::new();
    for pair in path.windows(2) {
        checkpoint().await;
        let [from, to] = [&pair[0], &pair[1]];
        let count = (max_motion_bound(character, from, to, &mut bounds) / spacing).ceil().max(1.0) as usize;
        sampled.push(from.clone());
        sampled.extend((1..count).filter_map(|i| steering.interpolate(from, to, i as f32 / count as f32)));
    }
    sampled.extend(path.last().cloned());
    sampled
}
