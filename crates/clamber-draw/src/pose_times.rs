//! Choice of the poses for pose overlays and contact timelines.

use crate::camera::ViewAxes;
use crate::sampled_motion::SampledMotion;
use crate::settings::DrawSettings;

/// Number of panels for a motion that hardly travels.
const PANEL_COUNT: usize = 5;

/// Maximum number of poses of a pose overlay.
const MAX_POSES: usize = 200;

/// Returns the times of the poses of a pose overlay, in order.
pub(crate) fn pose_times(sampled: &SampledMotion, axes: &ViewAxes, settings: &DrawSettings) -> Vec<f32> {
    let requested = settings.pose_count.map(|poses| poses.clamp(1, MAX_POSES));
    if settings.poses_at_contacts
        && let Some(times) = contact_times(sampled)
    {
        return thin_out(&times, requested.unwrap_or(MAX_POSES));
    }
    if let Some(requested) = requested {
        return sampled.spread_times(axes, requested);
    }
    let capacity = sampled.pose_capacity(axes);
    let count = if capacity > 1 || sampled.is_still() { capacity } else { PANEL_COUNT };
    let mut times = sampled.spread_times(axes, count);
    // A short mode that falls between the poses, such as turning in place, would not be visible.
    let missed = |mode: &str| times.iter().all(|time| sampled.snapshot(*time).is_none_or(|shown| shown.mode != mode));
    let others: Vec<f32> = sampled.modes().into_iter().filter(|(mode, _)| missed(mode)).map(|(_, time)| time).collect();
    times.extend(others);
    times.sort_by(f32::total_cmp);
    times
}

/// Returns evenly spaced times from start to end; a single time is the end.
pub(crate) fn even_times(sampled: &SampledMotion, count: usize) -> Vec<f32> {
    let Some((start, duration)) = sampled.span() else { return Vec::new() };
    if count < 2 || duration <= 0.0 {
        return vec![start + duration];
    }
    (0..count).map(|index| start + duration * index as f32 / (count - 1) as f32).collect()
}

/// Returns the times at which contacts begin, with the start and the end; `None` without contacts.
pub(crate) fn contact_times(sampled: &SampledMotion) -> Option<Vec<f32>> {
    let mut times = sampled.contact_times();
    let (first, last) = (sampled.samples.first()?, sampled.samples.last()?);
    if times.is_empty() {
        return None;
    }
    times.extend([first.time, last.time]);
    times.sort_by(f32::total_cmp);
    times.dedup();
    Some(times)
}

/// Picks at most this many times, including the first and the last; a single time is the last.
pub(crate) fn thin_out(times: &[f32], max_count: usize) -> Vec<f32> {
    let count = max_count.min(times.len());
    (0..count).rev().map(|k| times[times.len() - 1 - k * (times.len() - 1) / (count - 1).max(1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_both_ends() {
        let times = [0.0, 1.0, 2.0, 3.0, 4.0];
        assert_eq!(thin_out(&times, 9), times);
        assert_eq!(thin_out(&times, 3), [0.0, 2.0, 4.0]);
        assert_eq!(thin_out(&times, 2), [0.0, 4.0]);
        assert_eq!(thin_out(&times, 1), [4.0]);
        assert!(thin_out(&[], 1).is_empty());
    }
}
