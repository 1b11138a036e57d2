//! A smooth curve through ranges that change with time.

/// The fastest that an angle changes, in radians a second.
pub(crate) const FASTEST: f32 = 11.0;

/// The time over which the curve makes up for a leap of what is wanted, in seconds.
const SOFTNESS: f64 = 0.045;

/// How often each value is fitted to its neighbours, there and back; no more when none changes by more than `SETTLED`.
const SWEEPS: usize = 250;

/// The same where the values are all but known.
const FEW_SWEEPS: usize = 20;

/// In radians.
const SETTLED: f64 = 2e-5;

/// Times that are nearer to each other are taken as this far apart, in seconds.
const LEAST_STEP: f32 = 1e-3;

/// The values, one at each time, that stay in the ranges, are near the aims and bend as little as possible: they minimise
/// the sum of the squares of what they are off and of how they accelerate, over time. Values that would change too fast
/// leave their ranges.
///
/// The ranges are narrowed to what can be reached from their neighbours in time.
pub(crate) fn fit(times: &[f32], aims: &[f32], ranges: &mut [[f32; 2]]) -> Vec<f32> {
    sweep(times, aims, ranges, aims, SWEEPS)
}

/// The same from values that are near to what is looked for.
pub(crate) fn fit_near(times: &[f32], aims: &[f32], ranges: &mut [[f32; 2]], start: &[f32]) -> Vec<f32> {
    sweep(times, aims, ranges, start, FEW_SWEEPS)
}

fn sweep(times: &[f32], aims: &[f32], ranges: &mut [[f32; 2]], start: &[f32], sweeps: usize) -> Vec<f32> {
    let count = aims.len();
    let steps: Vec<f32> = times.windows(2).map(|pair| (pair[1] - pair[0]).max(LEAST_STEP)).collect();
    // What is fixed stays so, and the others make way for it.
    let fixed = |[low, high]: &[f32; 2]| if low == high { [*low, *high] } else { [f32::NEG_INFINITY, f32::INFINITY] };
    let mut ways: Vec<[f32; 2]> = ranges.iter().map(fixed).collect();
    narrow(&mut ways, &steps);
    for (range, [low, high]) in ranges.iter_mut().zip(ways) {
        *range = range.map(|end| within(end, low, high));
    }
    narrow(ranges, &steps);
    let start = start.iter().zip(&*ranges).map(|(value, [low, high])| f64::from(within(*value, *low, *high)));
    let mut values: Vec<f64> = start.collect();
    let bends: Vec<Bend> = steps.windows(2).map(|pair| Bend::new(f64::from(pair[0]), f64::from(pair[1]))).collect();
    let length = |index: usize| {
        let before = if index > 0 { steps[index - 1] } else { 0.0 };
        0.5 * f64::from(before + steps.get(index).copied().unwrap_or(0.0))
    };
    let mut improve = |index: usize| {
        let [low, high] = ranges[index].map(f64::from);
        if low >= high {
            return 0.0;
        }
        let mut sum = length(index) * f64::from(aims[index]);
        let mut weight = length(index);
        // The bends that this value is the first, the middle or the last of.
        for place in 0..3 {
            let Some(first) = index.checked_sub(place) else { continue };
            let Some(Bend { factors, weight: bend }) = bends.get(first) else { continue };
            let others: f64 = (0..3).filter(|k| *k != place).map(|k| factors[k] * values[first + k]).sum();
            sum -= bend * factors[place] * others;
            weight += bend * factors[place] * factors[place];
        }
        let value = (sum / weight).clamp(low, high);
        (std::mem::replace(&mut values[index], value) - value).abs()
    };
    for _ in 0..sweeps {
        let change = (0..count).chain((0..count).rev()).map(&mut improve).fold(0.0, f64::max);
        if change < SETTLED {
            break;
        }
    }
    let mut values: Vec<f32> = values.into_iter().map(|value| value as f32).collect();
    for index in 1..count {
        let (before, most) = (values[index - 1], FASTEST * steps[index - 1]);
        values[index] = values[index].clamp(before - most, before + most);
    }
    values
}

/// How the curve bends at three neighbouring times: the factors of the values in the acceleration, and how much it weighs.
struct Bend {
    factors: [f64; 3],
    weight: f64,
}

impl Bend {
    fn new(before: f64, after: f64) -> Self {
        let span = 0.5 * (before + after);
        let factors = [1.0 / (before * span), -(1.0 / before + 1.0 / after) / span, 1.0 / (after * span)];
        // The fourth power makes the softness a time.
        Self { factors, weight: span * SOFTNESS * SOFTNESS * SOFTNESS * SOFTNESS }
    }
}

/// Narrows each range to what can be reached from its neighbours' in time; where that is nothing, to the nearest that can.
fn narrow(ranges: &mut [[f32; 2]], steps: &[f32]) {
    let mut reach = |from: usize, to: usize, most: f32| {
        let [low, high] = [ranges[from][0] - most, ranges[from][1] + most];
        ranges[to] = ranges[to].map(|end| within(end, low, high));
    };
    for (index, step) in steps.iter().enumerate() {
        reach(index, index + 1, FASTEST * step);
    }
    for (index, step) in steps.iter().enumerate().rev() {
        reach(index + 1, index, FASTEST * step);
    }
}

fn within(value: f32, low: f32, high: f32) -> f32 {
    value.max(low).min(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(rate: f32) -> Vec<f32> {
        (0..(2.0 * rate) as usize).map(|frame| frame as f32 / rate).collect()
    }

    /// Wants 1 from the middle on, and may.
    fn leap(times: &[f32]) -> Vec<f32> {
        let aims: Vec<f32> = times.iter().map(|time| if *time < 1.0 { 0.0 } else { 1.0 }).collect();
        fit(times, &aims, &mut vec![[-2.0, 2.0]; times.len()])
    }

    #[test]
    fn a_leap_becomes_a_smooth_step_whatever_the_frame_rate() {
        for rate in [30.0, 120.0] {
            let times = times(rate);
            let values = leap(&times);
            let at = |time: f32| values[(time * rate) as usize];
            assert!(at(0.7).abs() < 0.03 && (at(1.3) - 1.0).abs() < 0.03, "{rate}: {} {}", at(0.7), at(1.3));
            let fastest = values.windows(2).map(|pair| (pair[1] - pair[0]).abs() * rate).fold(0.0, f32::max);
            assert!(fastest < 11.0, "{rate}: {fastest} rad/s");
        }
    }

    #[test]
    fn it_stays_in_its_ranges_and_is_where_it_must_be() {
        let times = times(60.0);
        let mut ranges = vec![[-2.0, 2.0]; times.len()];
        ranges[30] = [0.5, 0.5];
        ranges[80] = [-1.0, 0.1];
        let values = fit(&times, &vec![0.3; times.len()], &mut ranges);
        assert_eq!(values[30], 0.5);
        assert!(values[80] <= 0.1 && values[79] < 0.2, "{} {}", values[79], values[80]);
    }

    #[test]
    fn it_is_never_too_fast() {
        let times = times(120.0);
        let mut ranges: Vec<[f32; 2]> =
            times.iter().map(|time| if *time < 1.0 { [0.0; 2] } else { [2.0; 2] }).collect();
        let values = fit(&times, &vec![0.0; times.len()], &mut ranges);
        for pair in values.windows(2) {
            assert!((pair[1] - pair[0]).abs() <= 11.01 / 120.0);
        }
    }
}
