//! Chooses through which of the free ranges a hinge passes over time, by dynamic programming.
//!
//! A foot beside a shin that lies on the ground is either flat or on its instep, and everything between is below the ground. The
//! free range nearest to each frame's target would make it turn through the ground; a route for the whole motion turns
//! where there is room.

use clamber_model::character::Hinge;

use super::target_angles::AngleTarget;
use super::tuning::{ANGLE_GRID, DEEP, EXACT_WEIGHT, MAX_SPEED, MIN_TIME_STEP, PENETRATION_COST, TURN_WEIGHT};
use crate::body_units::BodyScale;
use crate::error::ClipError;
use crate::progress::ProgressReporter;

/// Returns an angle of the grid for each time, such that all together are near the targets, penetrate little and are never too
/// fast. `depth` returns the penetration at a time's index and an angle, in meters.
///
/// # Errors
/// When the observer cancels.
pub(crate) fn angle_route(
    times: &[f32],
    hinge: &Hinge,
    targets: &[AngleTarget],
    scale: BodyScale,
    mut depth: impl FnMut(usize, f32) -> f32,
    progress: &mut ProgressReporter,
) -> Result<Vec<f32>, ClipError> {
    let count = ((hinge.max - hinge.min) / ANGLE_GRID) as usize + 1;
    let angle = |state: usize| hinge.min + ANGLE_GRID * state as f32;
    let (max_speed, turn_weight) = (MAX_SPEED / scale.time, TURN_WEIGHT * scale.time * scale.time);
    let (min_step, deep) = (MIN_TIME_STEP * scale.time, DEEP * scale.length);
    let mut costs = vec![0.0f32; count];
    let mut predecessors: Vec<Vec<u16>> = Vec::with_capacity(times.len());
    for (index, target) in targets.iter().enumerate() {
        progress.step()?;
        let step = if index > 0 { (times[index] - times[index - 1]).max(min_step) } else { min_step };
        let reach = ((max_speed * step / ANGLE_GRID) as usize).clamp(1, count);
        let weight = step * if target.is_exact { EXACT_WEIGHT } else { 1.0 };
        let mut next = Vec::with_capacity(count);
        let mut from = Vec::with_capacity(count);
        for state in 0..count {
            let cost_from = |before: usize| {
                let turn = angle(state) - angle(before);
                costs[before] + turn_weight * turn * turn / step
            };
            let mut best = (cost_from(state), state);
            for before in state.saturating_sub(reach)..=(state + reach).min(count - 1) {
                let cost = cost_from(before);
                if cost < best.0 {
                    best = (cost, before);
                }
            }
            let error = angle(state) - target.angle.clamp(hinge.min, hinge.max);
            let penetration = (PENETRATION_COST * (depth(index, angle(state)) / deep).min(3.0)).max(0.0);
            next.push(best.0 + weight * error * error + step * penetration * penetration);
            from.push(best.1 as u16);
        }
        costs = next;
        predecessors.push(from);
    }
    // The first of equals.
    let last = (0..count).reduce(|best, state| if costs[state] < costs[best] { state } else { best });
    let mut state = last.unwrap_or(0);
    let mut route = vec![0.0; times.len()];
    for index in (0..times.len()).rev() {
        route[index] = angle(state);
        state = usize::from(predecessors[index][state]);
    }
    Ok(route)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::LinkId;
    use clamber_model::math::Vec3;
    use clamber_testing::character;

    use crate::progress::ignore_progress;

    #[test]
    fn the_route_turns_where_there_is_room() {
        let hinge = Hinge {
            name: "ankle".to_owned(),
            link: LinkId::new(1),
            axis: Vec3::Z,
            min: -1.6,
            max: 1.6,
            rest: 0.0,
            max_speed: 12.0,
            max_acceleration: 350.0,
            strength: None,
        };
        let times: Vec<f32> = (0..60).map(|frame| frame as f32 / 30.0).collect();
        let target = |time: &f32| {
            let angle = if *time < 1.5 { -1.2 } else { 1.2 };
            AngleTarget { angle, fallback: 0.0, is_exact: false }
        };
        let targets: Vec<AngleTarget> = times.iter().map(target).collect();
        // Between the two ends there is room for the first half of the time only.
        let depth = |index: usize, angle: f32| if times[index] > 1.0 && angle.abs() < 0.8 { 0.05 } else { 0.0 };
        let mut observer = ignore_progress;
        let progress = &mut ProgressReporter::new(&mut observer);
        let route =
            angle_route(&times, &hinge, &targets, BodyScale::of(&character("figure")), depth, progress).unwrap();
        assert!(route[5] < -1.0 && route[55] > 1.0, "{route:?}");
        let inside = (0..60).filter(|index| depth(*index, route[*index]) > 0.0).count();
        assert_eq!(inside, 0, "{route:?}");
    }
}
