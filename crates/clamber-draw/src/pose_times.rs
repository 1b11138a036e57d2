//! Which samples of a motion a filmstrip or a contact sheet shows.

use crate::camera::ViewAxes;
use crate::sampled_motion::SampledMotion;
use crate::settings::DrawSettings;

/// Poses of a motion that hardly travels, each in a panel.
const PANELS: usize = 5;

/// Poses of a filmstrip, at most.
const MOST: usize = 200;

/// The times of the poses, in order.
pub(crate) fn pose_times(sampled: &SampledMotion, axes: &ViewAxes, settings: &DrawSettings) -> Vec<f32> {
    let asked = settings.pose_count.map(|poses| poses.clamp(1, MOST));
    if settings.poses_at_contacts
        && let Some(times) = contact_times(sampled)
    {
        return thinned(&times, asked.unwrap_or(MOST));
    }
    if let Some(asked) = asked {
        return sampled.spread_times(axes, asked);
    }
    let fitting = sampled.poses_that_fit(axes);
    let count = if fitting > 1 || sampled.is_still() { fitting } else { PANELS };
    let mut times = sampled.spread_times(axes, count);
    // A mode that falls between the poses, such as turning on the spot, would not be seen at all.
    let missed = |mode: &str| times.iter().all(|time| sampled.snapshot(*time).is_none_or(|shown| shown.mode != mode));
    let others: Vec<f32> = sampled.modes().into_iter().filter(|(mode, _)| missed(mode)).map(|(_, time)| time).collect();
    times.extend(others);
    times.sort_by(f32::total_cmp);
    times
}

/// So many times, evenly spaced from the first moment to the last; of one alone, the last.
pub(crate) fn even_times(sampled: &SampledMotion, count: usize) -> Vec<f32> {
    let Some((start, duration)) = sampled.span() else { return Vec::new() };
    if count < 2 || duration <= 0.0 {
        return vec![start + duration];
    }
    (0..count).map(|index| start + duration * index as f32 / (count - 1) as f32).collect()
}

/// When contacts begin, with the first and the last moment; nothing when there are no contacts.
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

/// At most so many of these times, the first and the last among them; of one alone, the last.
pub(crate) fn thinned(times: &[f32], most: usize) -> Vec<f32> {
    let count = most.min(times.len());
    (0..count).rev().map(|k| times[times.len() - 1 - k * (times.len() - 1) / (count - 1).max(1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_both_ends() {
        let times = [0.0, 1.0, 2.0, 3.0, 4.0];
        assert_eq!(thinned(&times, 9), times);
        assert_eq!(thinned(&times, 3), [0.0, 2.0, 4.0]);
        assert_eq!(thinned(&times, 2), [0.0, 4.0]);
        assert_eq!(thinned(&times, 1), [4.0]);
        assert!(thinned(&[], 1).is_empty());
    }
}
