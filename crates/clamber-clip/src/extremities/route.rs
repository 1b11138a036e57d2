//! Which way around: through which of the clear ranges an angle goes in the course of time.
//!
//! A foot beside a shin that lies on the ground is either flat or on its instep, and what is between is below the ground. So
//! the nearest clear range of each frame by itself would have it turn through the ground; a way for the whole motion turns
//! where there is room.

use clamber_model::character::Hinge;

use super::aim::Aim;
use super::curve::FASTEST;

/// From one angle that is looked at to the next, in radians.
pub(crate) const GRID: f32 = 0.09;

/// So deep inside something costs as much as being this many radians off for as long.
const DEEP: f32 = 0.02;
const DEEP_COST: f32 = 40.0;

/// What is firm costs so many times as much to be off.
const FIRM_COST: f32 = 1e3;

/// For each frame the angle on the grid, such that all together are near the aims, inside of little and never too fast.
/// `depth` says how deep the link is inside something in a frame at an angle.
pub(crate) fn route(times: &[f32], hinge: &Hinge, aims: &[Aim], mut depth: impl FnMut(usize, f32) -> f32) -> Vec<f32> {
    let states = ((hinge.max - hinge.min) / GRID) as usize + 1;
    let angle = |state: usize| hinge.min + GRID * state as f32;
    let mut costs = vec![0.0f32; states];
    let mut backs: Vec<Vec<u16>> = Vec::with_capacity(times.len());
    for (frame, aim) in aims.iter().enumerate() {
        let step = if frame > 0 { (times[frame] - times[frame - 1]).max(1e-3) } else { 1e-3 };
        let reach = ((FASTEST * step / GRID) as usize).max(1);
        let weight = step * if aim.is_firm { FIRM_COST } else { 1.0 };
        let mut next = Vec::with_capacity(states);
        let mut from = Vec::with_capacity(states);
        for state in 0..states {
            let near = state.saturating_sub(reach)..=(state + reach).min(states - 1);
            let cost_from = |before: usize| {
                // Turning for nothing costs a little, so that a way that waits is no better than one that does not.
                let turn = angle(state) - angle(before);
                costs[before] + 1e-3 * turn * turn / step
            };
            let mut best = (cost_from(state), state);
            for before in near {
                let cost = cost_from(before);
                if cost < best.0 {
                    best = (cost, before);
                }
            }
            let off = angle(state) - aim.angle.clamp(hinge.min, hinge.max);
            let deep = (DEEP_COST * (depth(frame, angle(state)) / DEEP).min(3.0)).max(0.0);
            next.push(best.0 + weight * off * off + step * deep * deep);
            from.push(best.1 as u16);
        }
        costs = next;
        backs.push(from);
    }
    // The first of equals.
    let last = (0..states).reduce(|best, state| if costs[state] < costs[best] { state } else { best });
    let mut state = last.unwrap_or(0);
    let mut route = vec![0.0; times.len()];
    for frame in (0..times.len()).rev() {
        route[frame] = angle(state);
        state = usize::from(backs[frame][state]);
    }
    route
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::LinkId;
    use clamber_model::math::Vec3;

    #[test]
    fn it_turns_where_there_is_room() {
        let hinge = Hinge {
            name: "ankle".to_owned(),
            link: LinkId::new(1),
            axis: Vec3::Z,
            min: -1.6,
            max: 1.6,
            rest: 0.0,
            speed: 12.0,
            acceleration: 350.0,
        };
        let times: Vec<f32> = (0..60).map(|frame| frame as f32 / 30.0).collect();
        let wants = |time: f32| if time < 1.5 { -1.2 } else { 1.2 };
        let aims: Vec<Aim> =
            times.iter().map(|time| Aim { angle: wants(*time), else_angle: 0.0, is_firm: false }).collect();
        // Between the two ends there is room for the first half of the time only.
        let depth = |frame: usize, angle: f32| if times[frame] > 1.0 && angle.abs() < 0.8 { 0.05 } else { 0.0 };
        let route = route(&times, &hinge, &aims, depth);
        assert!(route[5] < -1.0 && route[55] > 1.0, "{route:?}");
        let inside = (0..60).filter(|frame| depth(*frame, route[*frame]) > 0.0).count();
        assert_eq!(inside, 0, "{route:?}");
    }
}
