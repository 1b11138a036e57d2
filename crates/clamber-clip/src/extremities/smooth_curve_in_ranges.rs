//! A smooth curve through ranges that change with time.

use super::tuning::{CONVERGED, FEW_SWEEPS, MAX_SPEED, MIN_TIME_STEP, SOFTNESS, SWEEPS};
use crate::body_units::BodyScale;
use crate::error::ClipError;
use crate::progress::ProgressReporter;

/// Returns a value for each time that stays in its range, near its target, and accelerates little: together they minimize the
/// integral of the squared error and the weighted squared acceleration, by Gauss-Seidel sweeps. Values that would change too
/// fast leave their ranges.
///
/// The ranges are narrowed to what can be reached from their neighbors in time.
///
/// # Errors
/// When the observer cancels.
pub(crate) fn bounded_curve(
    times: &[f32],
    targets: &[f32],
    ranges: &mut [[f32; 2]],
    scale: BodyScale,
    progress: &mut ProgressReporter,
) -> Result<Vec<f32>, ClipError> {
    sweep(times, targets, ranges, (targets, SWEEPS), scale, progress)
}

/// The same, from values that are nearly right.
///
/// # Errors
/// When the observer cancels.
pub(crate) fn improve_bounded_curve(
    times: &[f32],
    targets: &[f32],
    ranges: &mut [[f32; 2]],
    start: &[f32],
    scale: BodyScale,
    progress: &mut ProgressReporter,
) -> Result<Vec<f32>, ClipError> {
    sweep(times, targets, ranges, (start, FEW_SWEEPS), scale, progress)
}

/// From a start, with at most this many sweeps.
fn sweep(
    times: &[f32],
    targets: &[f32],
    ranges: &mut [[f32; 2]],
    (start, sweeps): (&[f32], usize),
    scale: BodyScale,
    progress: &mut ProgressReporter,
) -> Result<Vec<f32>, ClipError> {
    let count = targets.len();
    let (min_step, max_speed) = (MIN_TIME_STEP * scale.time, MAX_SPEED / scale.time);
    let softness = f64::from(SOFTNESS * scale.time);
    let steps: Vec<f32> = times.windows(2).map(|pair| (pair[1] - pair[0]).max(min_step)).collect();
    // Values that are fixed stay, and the others yield to them.
    let fixed = |[low, high]: &[f32; 2]| if low == high { [*low, *high] } else { [f32::NEG_INFINITY, f32::INFINITY] };
    let mut reachable: Vec<[f32; 2]> = ranges.iter().map(fixed).collect();
    narrow(&mut reachable, &steps, max_speed);
    for (range, [low, high]) in ranges.iter_mut().zip(reachable) {
        *range = range.map(|end| within(end, low, high));
    }
    narrow(ranges, &steps, max_speed);
    let start = start.iter().zip(&*ranges).map(|(value, [low, high])| f64::from(within(*value, *low, *high)));
    let mut values: Vec<f64> = start.collect();
    let curvatures: Vec<Curvature> =
        steps.windows(2).map(|pair| Curvature::new(f64::from(pair[0]), f64::from(pair[1]), softness)).collect();
    let duration = |index: usize| {
        let before = if index > 0 { steps[index - 1] } else { 0.0 };
        0.5 * f64::from(before + steps.get(index).copied().unwrap_or(0.0))
    };
    let mut improve = |index: usize| {
        let [low, high] = ranges[index].map(f64::from);
        if low >= high {
            return 0.0;
        }
        let mut sum = duration(index) * f64::from(targets[index]);
        let mut weight = duration(index);
        // The curvatures of which this value is the first, the middle or the last.
        for place in 0..3 {
            let Some(first) = index.checked_sub(place) else { continue };
            let Some(Curvature { factors, weight: of_curvature }) = curvatures.get(first) else { continue };
            let others: f64 = (0..3).filter(|k| *k != place).map(|k| factors[k] * values[first + k]).sum();
            sum -= of_curvature * factors[place] * others;
            weight += of_curvature * factors[place] * factors[place];
        }
        if weight == 0.0 {
            // A single frame has no duration: it keeps its target.
            return 0.0;
        }
        let value = (sum / weight).clamp(low, high);
        (std::mem::replace(&mut values[index], value) - value).abs()
    };
    for _ in 0..sweeps {
        progress.step()?;
        let mut change = 0.0f64;
        for index in (0..count).chain((0..count).rev()) {
            progress.poll_at(index)?;
            change = change.max(improve(index));
        }
        if change < CONVERGED {
            break;
        }
    }
    let mut values: Vec<f32> = values.into_iter().map(|value| value as f32).collect();
    for index in 1..count {
        let (before, most) = (values[index - 1], max_speed * steps[index - 1]);
        values[index] = values[index].clamp(before - most, before + most);
    }
    Ok(values)
}

/// The second derivative at three neighboring times: the factors of the values, and its weight.
struct Curvature {
    factors: [f64; 3],
    weight: f64,
}

impl Curvature {
    fn new(before: f64, after: f64, softness: f64) -> Self {
        let span = 0.5 * (before + after);
        let factors = [1.0 / (before * span), -(1.0 / before + 1.0 / after) / span, 1.0 / (after * span)];
        // The fourth power makes the softness a time.
        Self { factors, weight: span * softness * softness * softness * softness }
    }
}

/// Narrows each range to what can be reached from its neighbors in time; if nothing can, to the nearest reachable value.
fn narrow(ranges: &mut [[f32; 2]], steps: &[f32], max_speed: f32) {
    let mut reach = |from: usize, to: usize, most: f32| {
        let [low, high] = [ranges[from][0] - most, ranges[from][1] + most];
        ranges[to] = ranges[to].map(|end| within(end, low, high));
    };
    for (index, step) in steps.iter().enumerate() {
        reach(index, index + 1, max_speed * step);
    }
    for (index, step) in steps.iter().enumerate().rev() {
        reach(index + 1, index, max_speed * step);
    }
}

fn within(value: f32, low: f32, high: f32) -> f32 {
    value.max(low).min(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_testing::character;

    use crate::progress::ignore_progress;

    fn times(rate: f32) -> Vec<f32> {
        (0..(2.0 * rate) as usize).map(|frame| frame as f32 / rate).collect()
    }

    fn curve(times: &[f32], targets: &[f32], ranges: &mut [[f32; 2]]) -> Vec<f32> {
        let mut observer = ignore_progress;
        let progress = &mut ProgressReporter::new(&mut observer);
        bounded_curve(times, targets, ranges, BodyScale::of(&character("figure")), progress).unwrap()
    }

    #[test]
    fn a_jump_becomes_a_smooth_step_at_any_frame_rate() {
        for rate in [30.0, 120.0] {
            let times = times(rate);
            let targets: Vec<f32> = times.iter().map(|time| if *time < 1.0 { 0.0 } else { 1.0 }).collect();
            let values = curve(&times, &targets, &mut vec![[-2.0, 2.0]; times.len()]);
            let at = |time: f32| values[(time * rate) as usize];
            assert!(at(0.7).abs() < 0.03 && (at(1.3) - 1.0).abs() < 0.03, "{rate}: {} {}", at(0.7), at(1.3));
            let fastest = values.windows(2).map(|pair| (pair[1] - pair[0]).abs() * rate).fold(0.0, f32::max);
            assert!(fastest < 11.0, "{rate}: {fastest} rad/s");
        }
    }

    #[test]
    fn values_stay_in_their_ranges_and_meet_fixed_values() {
        let times = times(60.0);
        let mut ranges = vec![[-2.0, 2.0]; times.len()];
        ranges[30] = [0.5, 0.5];
        ranges[80] = [-1.0, 0.1];
        let values = curve(&times, &vec![0.3; times.len()], &mut ranges);
        assert_eq!(values[30], 0.5);
        assert!(values[80] <= 0.1 && values[79] < 0.2, "{} {}", values[79], values[80]);
    }

    #[test]
    fn values_never_change_too_fast() {
        let times = times(120.0);
        let mut ranges: Vec<[f32; 2]> =
            times.iter().map(|time| if *time < 1.0 { [0.0; 2] } else { [2.0; 2] }).collect();
        let values = curve(&times, &vec![0.0; times.len()], &mut ranges);
        for pair in values.windows(2) {
            assert!((pair[1] - pair[0]).abs() <= 11.01 / 120.0);
        }
    }
}
