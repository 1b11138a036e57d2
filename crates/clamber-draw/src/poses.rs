//! Which moments of a motion a filmstrip or a contact sheet shows.

use crate::camera::Sight;
use crate::settings::DrawSettings;
use crate::track::Track;

/// Poses of a motion that hardly travels, each in a panel.
const PANELS: usize = 5;

/// Poses of a filmstrip, at most.
const MOST: usize = 200;

/// The times of the poses, in order.
pub(crate) fn pose_times(track: &Track, sight: &Sight, settings: &DrawSettings) -> Vec<f32> {
    let asked = settings.poses.map(|poses| poses.clamp(1, MOST));
    if settings.at_contacts
        && let Some(times) = contact_times(track)
    {
        return thinned(&times, asked.unwrap_or(MOST));
    }
    if let Some(asked) = asked {
        return track.spread_times(sight, asked);
    }
    let fitting = track.poses_that_fit(sight);
    let count = if fitting > 1 || track.is_still() { fitting } else { PANELS };
    let mut times = track.spread_times(sight, count);
    // A mode that falls between the poses, such as turning on the spot, would not be seen at all.
    let missed = |mode: &str| times.iter().all(|time| track.snapshot(*time).is_none_or(|shown| shown.mode != mode));
    let others: Vec<f32> = track.modes().into_iter().filter(|(mode, _)| missed(mode)).map(|(_, time)| time).collect();
    times.extend(others);
    times.sort_by(f32::total_cmp);
    times
}

/// So many times, evenly spaced from the first moment to the last; of one alone, the last.
pub(crate) fn even_times(track: &Track, count: usize) -> Vec<f32> {
    let Some((start, duration)) = track.span() else { return Vec::new() };
    if count < 2 || duration <= 0.0 {
        return vec![start + duration];
    }
    (0..count).map(|index| start + duration * index as f32 / (count - 1) as f32).collect()
}

/// When contacts begin, with the first and the last moment; nothing when there are no contacts.
pub(crate) fn contact_times(track: &Track) -> Option<Vec<f32>> {
    let mut times = track.contact_times();
    let (first, last) = (track.moments.first()?, track.moments.last()?);
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
