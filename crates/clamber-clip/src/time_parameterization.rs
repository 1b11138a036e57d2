//! Time parameterization: as fast as requested within the character's limits, with speeds that change gradually.
//!
//! The path is given; what is computed is the speed along it. Reachability analysis (TOPP-RA; Pham and Pham 2018) finds the
//! fastest parameterization: a backward pass finds how fast each knot may be passed such that the body can still brake in time,
//! and a forward pass accelerates as much as that allows. The natural pace is an upper bound. The accelerations of the fastest
//! parameterization jump, so it is then averaged over a tenth of a second (for the figure) to either side.

use clamber_model::Character;

use crate::body_units::BodyScale;
use crate::error::ClipError;
use crate::knot_path::KnotPath;
use crate::progress::ProgressReporter;
use crate::settings::ClipSettings;
use crate::speed_and_acceleration_limits::{BindingLimit, LostTime, RowLimits};
use crate::tuning::{HEADROOM, KNOT_INTERVAL, MAX_TIME_STEPS, SLOWDOWNS, STEPS_PER_KNOT, TIME_HALF_WIDTH};

/// Maps times to knots.
pub(crate) struct TimeParameterization {
    /// In seconds.
    step: f32,
    /// The fractional knot at each time step.
    knots: Vec<f32>,
    /// The duration at the requested speed, without limits, in seconds.
    pub requested_duration: f32,
    /// The limit that costs most time.
    pub binding_limit: Option<BindingLimit>,
}

impl TimeParameterization {
    /// Times a path that rests at the given knots, the first and the last among them. Each knot is passed more slowly than limits
    /// and settings allow by its factor in `slowdowns`.
    ///
    /// # Errors
    /// When the clip would be too long, or the observer cancels.
    pub fn new(
        character: &Character,
        path: &KnotPath,
        rests: &[usize],
        settings: &ClipSettings,
        slowdowns: &[f32],
        progress: &mut ProgressReporter,
    ) -> Result<Self, ClipError> {
        progress.begin_share_of_rest(0.1, path.len())?;
        let limits = RowLimits::of(character);
        let interval = KNOT_INTERVAL * BodyScale::of(character).time;
        let step = interval / STEPS_PER_KNOT;
        let mut knots = vec![0.0];
        let mut lost = LostTime::new(&limits);
        let mut requested_duration = 0.0;
        for pair in rests.windows(2) {
            let derivatives = Derivatives::of(path, pair[0], pair[1], progress)?;
            let natural: Vec<f32> = (pair[0]..=pair[1])
                .map(|knot| speed_at(&settings.speed_curve, knot as f32 / (path.len() - 1) as f32) / interval)
                .collect();
            requested_duration += natural.windows(2).map(|pair| 2.0 / (pair[0] + pair[1])).sum::<f32>();
            let timed = derivatives.parameterize(&limits, &natural, &slowdowns[pair[0]..=pair[1]], step, progress)?;
            derivatives.add_lost_time(&limits, &natural, &timed, step, &mut lost, progress)?;
            if knots.len() + timed.len() > MAX_TIME_STEPS {
                return Err(ClipError::TooLong);
            }
            knots.extend(timed[1..].iter().map(|knot| pair[0] as f32 + *knot as f32));
            // Sums lose a little to rounding.
            if let Some(last) = knots.last_mut() {
                *last = pair[1] as f32;
            }
        }
        Ok(Self { step, knots, requested_duration, binding_limit: lost.binding_limit(character) })
    }

    /// In seconds.
    pub fn duration(&self) -> f32 {
        (self.knots.len() - 1) as f32 * self.step
    }

    /// The fractional knot at a time.
    pub fn knot_at(&self, time: f32) -> f32 {
        let at = ((time / self.step).max(0.0) as usize).min(self.knots.len() - 2);
        let t = (time / self.step - at as f32).clamp(0.0, 1.0);
        self.knots[at] + (self.knots[at + 1] - self.knots[at]) * t
    }

    /// The time at which a knot is reached, in seconds.
    pub fn time_of(&self, knot: usize) -> f32 {
        let knot = knot as f32;
        let after = self.knots.partition_point(|&other| other < knot).min(self.knots.len() - 1);
        let Some(before) = after.checked_sub(1) else { return 0.0 };
        let advance = self.knots[after] - self.knots[before];
        let t = if advance > 0.0 { (knot - self.knots[before]) / advance } else { 1.0 };
        (before as f32 + t.clamp(0.0, 1.0)) * self.step
    }
}

/// The requested multiple of the natural speed at a fraction of the path, linear between the curve's points.
fn speed_at(curve: &[(f32, f32)], fraction: f32) -> f32 {
    let after = curve.partition_point(|(at, _)| *at <= fraction);
    match (after.checked_sub(1).map(|before| curve[before]), curve.get(after)) {
        (Some((from, slow)), Some(&(to, fast))) => slow + (fast - slow) * (fraction - from) / (to - from),
        (Some((_, speed)), None) | (None, Some(&(_, speed))) => speed,
        (None, None) => 1.0,
    }
}

/// The derivatives of a path's numbers with respect to the knot, between two rests.
struct Derivatives {
    width: usize,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Derivatives {
    fn of(path: &KnotPath, from: usize, to: usize, progress: &mut ProgressReporter) -> Result<Self, ClipError> {
        let width = path.width();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for knot in from..=to {
            progress.poll_at(knot)?;
            // Beyond a rest the path is mirrored.
            for (index, &number) in path.row(knot).iter().enumerate() {
                let before = (knot > from).then(|| path.row(knot - 1)[index]);
                let after = (knot < to).then(|| path.row(knot + 1)[index]);
                let [before, after] = match (before, after) {
                    (Some(before), Some(after)) => [before, after],
                    (None, Some(after)) => [2.0 * number - after, after],
                    (Some(before), None) => [before, 2.0 * number - before],
                    (None, None) => [number, number],
                };
                first.push(0.5 * (after - before));
                second.push(after - 2.0 * number + before);
            }
        }
        Ok(Self { width, first, second })
    }

    fn len(&self) -> usize {
        self.first.len() / self.width
    }

    fn at(&self, knot: usize) -> impl Iterator<Item = (f32, f32)> {
        let range = knot * self.width..(knot + 1) * self.width;
        self.first[range.clone()].iter().copied().zip(self.second[range].iter().copied())
    }

    /// The fractional knot at each time step. Averaging may use up more than the headroom; there it is slowed down.
    fn parameterize(
        &self,
        limits: &RowLimits,
        natural: &[f32],
        slowdowns: &[f32],
        step: f32,
        progress: &mut ProgressReporter,
    ) -> Result<Vec<f64>, ClipError> {
        let mut caps = self.speed_caps(limits, natural);
        caps.iter_mut().zip(slowdowns).for_each(|(cap, slowdown)| *cap /= slowdown);
        let mut knots = Vec::new();
        for _ in 0..SLOWDOWNS {
            let squares = self.fastest_squares(limits, &spread(&caps, step, progress)?, progress)?;
            knots = average(&integrate(&squares, step)?, progress)?;
            let excesses = self.excesses(limits, &knots, step, progress)?;
            if excesses.iter().all(|excess| *excess <= 1.0) {
                break;
            }
            for (cap, excess) in caps.iter_mut().zip(excesses) {
                *cap /= excess.max(1.0);
            }
        }
        Ok(knots)
    }

    /// The greatest speed at each knot, in knots per second: at most the natural one, and within the limits of speed and of the
    /// acceleration that the path's curvature causes.
    fn speed_caps(&self, limits: &RowLimits, natural: &[f32]) -> Vec<f32> {
        let mut caps = natural.to_vec();
        for (knot, cap) in caps.iter_mut().enumerate() {
            for ((first, second), (speed, acceleration)) in
                self.at(knot).zip(limits.speeds.iter().zip(&limits.accelerations))
            {
                *cap = cap.min(speed / first.abs().max(1e-9));
                *cap = cap.min((HEADROOM * acceleration / second.abs().max(1e-9)).sqrt());
            }
        }
        caps
    }

    /// The squares of the greatest speeds that can be reached, in knots per second; zero at the first and the last knot.
    fn fastest_squares(
        &self,
        limits: &RowLimits,
        caps: &[f32],
        progress: &mut ProgressReporter,
    ) -> Result<Vec<f32>, ClipError> {
        let count = self.len();
        let mut squares: Vec<f32> = caps.iter().map(|cap| cap * cap).collect();
        squares[count - 1] = 0.0;
        for knot in (0..count - 1).rev() {
            progress.step()?;
            let next = squares[knot + 1];
            // Slow enough to brake in time, as zero speed always is.
            let brakes = |square: f32| {
                let (least, most) = self.acceleration_range(limits, knot, square);
                least <= most && square + 2.0 * least <= next
            };
            if !brakes(squares[knot]) {
                let (mut slow, mut fast) = (0.0, squares[knot]);
                for _ in 0..16 {
                    let middle = 0.5 * (slow + fast);
                    if brakes(middle) { slow = middle } else { fast = middle }
                }
                squares[knot] = slow;
            }
        }
        squares[0] = 0.0;
        for knot in 0..count - 1 {
            progress.poll_at(knot)?;
            let (_, most) = self.acceleration_range(limits, knot, squares[knot]);
            squares[knot + 1] = squares[knot + 1].min((squares[knot] + 2.0 * most).max(0.0));
        }
        Ok(squares)
    }

    /// The least and the greatest acceleration along the path at a squared speed.
    fn acceleration_range(&self, limits: &RowLimits, knot: usize, square: f32) -> (f32, f32) {
        // Nothing limits what does not move.
        let (mut least, mut most) = (-1e6f32, 1e6f32);
        for ((first, second), limit) in self.at(knot).zip(&limits.accelerations) {
            let limit = HEADROOM * limit;
            let curvature = second * square;
            if first.abs() > 1e-9 {
                let [a, b] = [(-limit - curvature) / first, (limit - curvature) / first];
                least = least.max(a.min(b));
                most = most.min(a.max(b));
            }
        }
        (least, most)
    }

    /// For each knot, the factor by which it would have to be slowed down to respect the limits.
    fn excesses(
        &self,
        limits: &RowLimits,
        knots: &[f64],
        step: f32,
        progress: &mut ProgressReporter,
    ) -> Result<Vec<f32>, ClipError> {
        let mut excesses = vec![0.0f32; self.len()];
        for (index, window) in knots.windows(3).enumerate() {
            progress.poll_at(index)?;
            let knot = (window[1].round() as usize).min(self.len() - 1);
            let (excess, ..) = self.excess(limits, knot, window, step);
            excesses[knot] = excess.max(excesses[knot]);
        }
        Ok(excesses)
    }

    /// The factor by which a knot would have to be slowed down at three time steps around it, the number whose limit
    /// requires it, and whether that is the limit of its acceleration.
    fn excess(&self, limits: &RowLimits, knot: usize, window: &[f64], step: f32) -> (f32, usize, bool) {
        let speed = (window[2] - window[0]) as f32 / (2.0 * step);
        let change = (window[2] - 2.0 * window[1] + window[0]) as f32 / (step * step);
        let mut worst = (0.0, 0, false);
        for (index, ((first, second), (max_speed, max_acceleration))) in
            self.at(knot).zip(limits.speeds.iter().zip(&limits.accelerations)).enumerate()
        {
            let of_speed = first.abs() * speed / max_speed;
            if of_speed > worst.0 {
                worst = (of_speed, index, false);
            }
            let acceleration = (second * speed * speed + first * change).abs();
            let of_acceleration = (acceleration / max_acceleration).sqrt();
            if of_acceleration > worst.0 {
                worst = (of_acceleration, index, true);
            }
        }
        worst
    }

    /// Adds the time that is lost to limits, each time step to the limit nearest to it.
    fn add_lost_time(
        &self,
        limits: &RowLimits,
        natural: &[f32],
        knots: &[f64],
        step: f32,
        lost: &mut LostTime,
        progress: &mut ProgressReporter,
    ) -> Result<(), ClipError> {
        for (at, window) in knots.windows(3).enumerate() {
            progress.poll_at(at)?;
            let knot = (window[1].round() as usize).min(self.len() - 1);
            let (_, index, is_acceleration) = self.excess(limits, knot, window, step);
            let requested = 0.5 * (window[2] - window[0]) / f64::from(natural[knot]);
            lost.add(index, is_acceleration, f64::from(step) - requested);
        }
        Ok(())
    }
}

/// Lowers each cap to the lowest one within reach of the averaging, so that slow knots stay slow. While a slow knot is
/// averaged over, its neighbors are passed no faster than itself, so its own cap gives the reach.
fn spread(caps: &[f32], step: f32, progress: &mut ProgressReporter) -> Result<Vec<f32>, ClipError> {
    let mut spread = caps.to_vec();
    for (knot, cap) in caps.iter().enumerate() {
        progress.poll_at(knot)?;
        let reach = (cap * TIME_HALF_WIDTH as f32 * step).ceil() as usize;
        let near = knot.saturating_sub(reach)..(knot + reach + 1).min(caps.len());
        spread[near].iter_mut().for_each(|other| *other = other.min(*cap));
    }
    Ok(spread)
}

/// The fractional knot at each time step, from the squared speeds. In double precision, since it is differenced twice.
fn integrate(squares: &[f32], step: f32) -> Result<Vec<f64>, ClipError> {
    let step = f64::from(step);
    let mut knots = vec![0.0];
    let mut began = 0.0;
    for (knot, pair) in squares.windows(2).enumerate() {
        let (from, to) = (f64::from(pair[0]).sqrt(), f64::from(pair[1]).sqrt());
        let duration = 2.0 / (from + to).max(1e-3);
        let acceleration = 0.5 * f64::from(pair[1] - pair[0]);
        if began + duration > step * MAX_TIME_STEPS as f64 {
            return Err(ClipError::TooLong);
        }
        while knots.len() as f64 * step <= began + duration {
            let since = knots.len() as f64 * step - began;
            knots.push(knot as f64 + (since * (from + 0.5 * acceleration * since)).clamp(0.0, 1.0));
        }
        began += duration;
    }
    knots.push((squares.len() - 1) as f64);
    Ok(knots)
}

/// Averages over time, with rests before and after.
fn average(knots: &[f64], progress: &mut ProgressReporter) -> Result<Vec<f64>, ClipError> {
    let weight = |index: usize| {
        let u = (index as f64 - TIME_HALF_WIDTH as f64) / (TIME_HALF_WIDTH as f64 + 1.0);
        (1.0 - u * u) * (1.0 - u * u) * (1.0 - u * u)
    };
    let weights: [f64; 2 * TIME_HALF_WIDTH + 1] = std::array::from_fn(weight);
    let total: f64 = weights.iter().sum();
    let rest = |knot: f64| std::iter::repeat_n(knot, 2 * TIME_HALF_WIDTH);
    let padded: Vec<f64> = rest(0.0).chain(knots.iter().copied()).chain(rest(knots[knots.len() - 1])).collect();
    let averaged =
        |window: &[f64]| window.iter().zip(&weights).map(|(knot, weight)| knot * weight).sum::<f64>() / total;
    let mut result = Vec::with_capacity(padded.len());
    for (index, window) in padded.windows(2 * TIME_HALF_WIDTH + 1).enumerate() {
        progress.poll_at(index)?;
        result.push(averaged(window));
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::Configuration;
    use clamber_testing::character;

    use crate::progress::ignore_progress;

    /// The root moves straight on.
    fn straight(meters: f32, intervals: usize) -> KnotPath {
        let figure = character("figure");
        let mut path = KnotPath::new(&figure);
        let mut configuration = Configuration::rest(&figure);
        for knot in 0..=intervals {
            configuration.root.translation.x = meters * knot as f32 / intervals as f32;
            path.push(&configuration);
        }
        path
    }

    fn timed(path: &KnotPath, rests: &[usize], speed: &[(f32, f32)]) -> TimeParameterization {
        let settings = ClipSettings { speed_curve: speed.to_vec(), ..Default::default() };
        let mut observer = ignore_progress;
        let progress = &mut ProgressReporter::new(&mut observer);
        let slowdowns = vec![1.0; path.len()];
        TimeParameterization::new(&character("figure"), path, rests, &settings, &slowdowns, progress).unwrap()
    }

    fn duration(path: &KnotPath, speed: &[(f32, f32)]) -> f32 {
        timed(path, &[0, path.len() - 1], speed).duration()
    }

    #[test]
    fn a_straight_path_takes_as_long_as_its_limits_require() {
        // Half of it accelerating, half braking: t = 2 sqrt(s / a), and the averaging to either side.
        let (path, limits) = (straight(3.0, 30), character("figure").root_motion_limits);
        let fastest = 2.0 * (3.0 / limits.acceleration).sqrt();
        let timed = timed(&path, &[0, 30], &[(0.0, 20.0)]);
        let (taken, averaged) = (timed.duration(), 2.0 * TIME_HALF_WIDTH as f32 * timed.step);
        assert!(taken >= fastest, "{taken} s, at least {fastest} s");
        assert!(taken < fastest / HEADROOM.sqrt() + averaged + 0.1, "{taken} s instead of {fastest} s");
    }

    #[test]
    fn half_the_speed_takes_twice_as_long() {
        let path = straight(3.0, 600);
        let (whole, half) = (duration(&path, &[(0.0, 1.0)]), duration(&path, &[(0.0, 0.5)]));
        assert!((half / whole - 2.0).abs() < 0.1, "{whole} s and {half} s");
        let late = duration(&path, &[(0.0, 1.0), (0.5, 1.0), (0.6, 0.5)]);
        assert!(late > 1.3 * whole && late < 1.6 * whole, "{late} s, {whole} s at an even speed");
    }

    #[test]
    fn it_rests_where_it_should_and_never_goes_back() {
        let path = straight(2.0, 60);
        let timed = timed(&path, &[0, 20, 60], &[]);
        let knots = &timed.knots;
        assert!(knots.windows(2).all(|pair| pair[1] >= pair[0]));
        assert_eq!((knots[0], knots[knots.len() - 1]), (0.0, 60.0));
        for knot in [0, 20, 60] {
            let (at, step) = (timed.time_of(knot), timed.step);
            let speed = (timed.knot_at(at + step) - timed.knot_at((at - step).max(0.0))) / (2.0 * step);
            assert!(speed < 1.0, "{speed} knots per second at rest, knot {knot}");
            assert!((timed.knot_at(at) - knot as f32).abs() < 0.01);
        }
    }

    #[test]
    fn requested_speeds_are_interpolated() {
        let curve = [(0.2, 1.0), (0.6, 3.0)];
        for (fraction, speed) in [(0.0, 1.0), (0.2, 1.0), (0.4, 2.0), (0.6, 3.0), (1.0, 3.0)] {
            assert!((speed_at(&curve, fraction) - speed).abs() < 1e-5, "{fraction}");
        }
        assert_eq!(speed_at(&[], 0.5), 1.0);
    }
}
