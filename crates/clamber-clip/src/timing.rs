//! Time: as fast as asked for, within the limits of the character, with speeds that change gradually.
//!
//! The way is given; what is looked for is how fast it is gone along. Reachability analysis (Pham and Pham 2018) finds the
//! fastest: from the end backwards, how fast one may be at each moment and still slow down in time; then forwards, as fast
//! as that allows. Accelerations of the fastest jump; so it is then averaged over a tenth of a second to either side.

use clamber_model::Character;

use crate::schedule::RATE;
use crate::settings::ClipSettings;
use crate::track::{ROOT, Track};

/// Which moment it is when.
pub(crate) struct TimeParameterization {
    /// The moment, in fractions, at times that are [`STEP`] apart.
    moments: Vec<f32>,
}

/// In seconds.
const STEP: f32 = 1.0 / 240.0;
/// Speeds are averaged over so much time to either side, in steps.
const BLUR: usize = 24;
/// Accelerations are planned for a little less than the limits, which averaging may use up.
const HEADROOM: f32 = 0.9;

/// How often a law is slowed down where it exceeds the limits.
const SLOWDOWNS: usize = 4;

impl TimeParameterization {
    /// In seconds.
    pub fn duration(&self) -> f32 {
        (self.moments.len() - 1) as f32 * STEP
    }

    /// The moment, in fractions, at a time.
    pub fn moment_at(&self, time: f32) -> f32 {
        let at = ((time / STEP).max(0.0) as usize).min(self.moments.len() - 2);
        let t = (time / STEP - at as f32).clamp(0.0, 1.0);
        self.moments[at] + (self.moments[at + 1] - self.moments[at]) * t
    }

    /// When a moment is come to, in seconds.
    pub fn time_of(&self, moment: usize) -> f32 {
        let moment = moment as f32;
        let after = self.moments.partition_point(|&other| other < moment).min(self.moments.len() - 1);
        let Some(before) = after.checked_sub(1) else { return 0.0 };
        let way = self.moments[after] - self.moments[before];
        let t = if way > 0.0 { (moment - self.moments[before]) / way } else { 1.0 };
        (before as f32 + t.clamp(0.0, 1.0)) * STEP
    }
}

/// Times a track that rests at the given moments, the first and the last among them.
pub(crate) fn time(
    character: &Character,
    track: &Track,
    rests: &[usize],
    settings: &ClipSettings,
) -> TimeParameterization {
    let limits = Limits::of(character);
    let mut moments = vec![0.0];
    for pair in rests.windows(2) {
        let derivatives = Derivatives::of(track, pair[0], pair[1]);
        let caps: Vec<f32> = (pair[0]..=pair[1])
            .map(|moment| RATE * speed_at(&settings.speed, moment as f32 / (track.len() - 1) as f32))
            .collect();
        let law = derivatives.law(&limits, caps);
        moments.extend(law[1..].iter().map(|moment| pair[0] as f32 + *moment as f32));
        // What the sums have lost to rounding.
        if let Some(last) = moments.last_mut() {
            *last = pair[1] as f32;
        }
    }
    TimeParameterization { moments }
}

/// The speed asked for at a share of the way.
fn speed_at(curve: &[(f32, f32)], share: f32) -> f32 {
    let after = curve.partition_point(|(at, _)| *at <= share);
    let speed = match (after.checked_sub(1).map(|before| curve[before]), curve.get(after)) {
        (Some((from, slow)), Some(&(to, fast))) => slow + (fast - slow) * (share - from) / (to - from),
        (Some((_, speed)), None) | (None, Some(&(_, speed))) => speed,
        (None, None) => 1.0,
    };
    speed.clamp(0.05, 20.0)
}

/// For each number of a row, how fast it may change and how fast its speed may.
struct Limits {
    speeds: Vec<f32>,
    accelerations: Vec<f32>,
}

impl Limits {
    fn of(character: &Character) -> Self {
        let root = &character.root_limits;
        // A quaternion's numbers change half as fast as what it turns.
        let mut speeds = vec![root.speed; 3];
        speeds.resize(ROOT, 0.5 * root.turn_speed);
        let mut accelerations = vec![root.acceleration; 3];
        accelerations.resize(ROOT, 0.5 * root.turn_acceleration);
        speeds.extend(character.hinges.iter().map(|hinge| hinge.speed));
        accelerations.extend(character.hinges.iter().map(|hinge| hinge.acceleration));
        Self { speeds, accelerations }
    }
}

/// How a track's numbers change from moment to moment between two rests.
struct Derivatives {
    width: usize,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Derivatives {
    fn of(track: &Track, from: usize, to: usize) -> Self {
        let width = track.width();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for moment in from..=to {
            // Beyond a rest the way is mirrored.
            let here = track.row(moment);
            for (index, &number) in here.iter().enumerate() {
                let before = (moment > from).then(|| track.row(moment - 1)[index]);
                let after = (moment < to).then(|| track.row(moment + 1)[index]);
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
        Self { width, first, second }
    }

    fn len(&self) -> usize {
        self.first.len() / self.width
    }

    fn at(&self, moment: usize) -> impl Iterator<Item = (f32, f32)> {
        let range = moment * self.width..(moment + 1) * self.width;
        self.first[range.clone()].iter().copied().zip(self.second[range].iter().copied())
    }

    /// Goes along as fast as asked for and allowed. Averaging may use up more than the headroom; there it is slowed down.
    fn law(&self, limits: &Limits, asked: Vec<f32>) -> Vec<f64> {
        let mut caps = self.cap(limits, asked);
        let mut law = Vec::new();
        for _ in 0..SLOWDOWNS {
            law = blur(&law_of(&self.fastest(limits, &spread(&caps))));
            let strains = self.strains(limits, &law);
            if strains.iter().all(|strain| *strain <= 1.0) {
                break;
            }
            for (cap, strain) in caps.iter_mut().zip(strains) {
                *cap /= strain.max(1.0);
            }
        }
        law
    }

    /// The most moments a second at each moment, by what is asked for and by the limits of speed and of what a bend of the
    /// way accelerates.
    fn cap(&self, limits: &Limits, asked: Vec<f32>) -> Vec<f32> {
        let mut caps = asked;
        for (moment, cap) in caps.iter_mut().enumerate() {
            for ((first, second), (speed, acceleration)) in
                self.at(moment).zip(limits.speeds.iter().zip(&limits.accelerations))
            {
                *cap = cap.min(speed / first.abs().max(1e-9));
                *cap = cap.min((HEADROOM * acceleration / second.abs().max(1e-9)).sqrt());
            }
        }
        caps
    }

    /// The squares of the greatest speeds, in moments a second: at rest in the first and the last moment.
    fn fastest(&self, limits: &Limits, caps: &[f32]) -> Vec<f32> {
        let count = self.len();
        let mut squares: Vec<f32> = caps.iter().map(|cap| cap * cap).collect();
        squares[count - 1] = 0.0;
        for moment in (0..count - 1).rev() {
            let next = squares[moment + 1];
            // Slow enough to brake in time. At no speed it always is.
            let brakes = |square: f32| {
                let (least, most) = self.pushes(limits, moment, square);
                least <= most && square + 2.0 * least <= next
            };
            if !brakes(squares[moment]) {
                let (mut slow, mut fast) = (0.0, squares[moment]);
                for _ in 0..16 {
                    let middle = 0.5 * (slow + fast);
                    if brakes(middle) { slow = middle } else { fast = middle }
                }
                squares[moment] = slow;
            }
        }
        squares[0] = 0.0;
        for moment in 0..count - 1 {
            let (_, most) = self.pushes(limits, moment, squares[moment]);
            squares[moment + 1] = squares[moment + 1].min((squares[moment] + 2.0 * most).max(0.0));
        }
        squares
    }

    /// The least and the most that the speed along the way may change, at a speed whose square is given.
    fn pushes(&self, limits: &Limits, moment: usize, square: f32) -> (f32, f32) {
        // Where nothing moves, nothing limits either.
        let (mut least, mut most) = (-1e6f32, 1e6f32);
        for ((first, second), limit) in self.at(moment).zip(&limits.accelerations) {
            let limit = HEADROOM * limit;
            let bend = second * square;
            if first.abs() > 1e-9 {
                let [a, b] = [(-limit - bend) / first, (limit - bend) / first];
                least = least.max(a.min(b));
                most = most.min(a.max(b));
            }
        }
        (least, most)
    }

    /// By how much a law exceeds the limits at each moment, as the factor by which it would have to be slowed down.
    fn strains(&self, limits: &Limits, law: &[f64]) -> Vec<f32> {
        let mut strains = vec![0.0f32; self.len()];
        for window in law.windows(3) {
            let speed = (window[2] - window[0]) as f32 / (2.0 * STEP);
            let change = (window[2] - 2.0 * window[1] + window[0]) as f32 / (STEP * STEP);
            let moment = (window[1].round() as usize).min(self.len() - 1);
            let mut strain = strains[moment];
            for ((first, second), (most, limit)) in self.at(moment).zip(limits.speeds.iter().zip(&limits.accelerations))
            {
                strain = strain.max(first.abs() * speed / most);
                let acceleration = (second * speed * speed + first * change).abs();
                strain = strain.max((acceleration / limit).sqrt());
            }
            strains[moment] = strain;
        }
        strains
    }
}

/// Caps that are nowhere higher than near by, as far as averaging reaches: a narrow place stays as slow as it must be. What is
/// gone through while it is averaged over is gone through no faster than the narrow place itself, so its own cap says how far.
fn spread(caps: &[f32]) -> Vec<f32> {
    let mut spread = caps.to_vec();
    for (moment, cap) in caps.iter().enumerate() {
        let reach = (cap * BLUR as f32 * STEP).ceil() as usize;
        let near = moment.saturating_sub(reach)..(moment + reach + 1).min(caps.len());
        spread[near].iter_mut().for_each(|other| *other = other.min(*cap));
    }
    spread
}

/// The moment at each step of time, from the squares of the speeds. In double precision, as is all that is differenced twice.
fn law_of(squares: &[f32]) -> Vec<f64> {
    let mut moments = vec![0.0];
    let mut began = 0.0;
    for (moment, pair) in squares.windows(2).enumerate() {
        let (from, to) = (f64::from(pair[0]).sqrt(), f64::from(pair[1]).sqrt());
        let lasts = 2.0 / (from + to).max(1e-3);
        let push = 0.5 * f64::from(pair[1] - pair[0]);
        while moments.len() as f64 * f64::from(STEP) <= began + lasts {
            let since = moments.len() as f64 * f64::from(STEP) - began;
            moments.push(moment as f64 + (since * (from + 0.5 * push * since)).clamp(0.0, 1.0));
        }
        began += lasts;
    }
    moments.push((squares.len() - 1) as f64);
    moments
}

/// Averages a law over time, with rests before and after it.
fn blur(law: &[f64]) -> Vec<f64> {
    let weight = |index: usize| {
        let u = (index as f64 - BLUR as f64) / (BLUR as f64 + 1.0);
        (1.0 - u * u) * (1.0 - u * u) * (1.0 - u * u)
    };
    let weights: [f64; 2 * BLUR + 1] = std::array::from_fn(weight);
    let total: f64 = weights.iter().sum();
    let rest = |moment: f64| std::iter::repeat_n(moment, 2 * BLUR);
    let padded: Vec<f64> = rest(0.0).chain(law.iter().copied()).chain(rest(law[law.len() - 1])).collect();
    let averaged =
        |window: &[f64]| window.iter().zip(&weights).map(|(moment, weight)| moment * weight).sum::<f64>() / total;
    padded.windows(2 * BLUR + 1).map(averaged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::Configuration;
    use clamber_testing::character;

    /// The root goes straight on, so many metres in so many moments, there and (bent) up.
    fn way(metres: f32, moments: usize) -> Track {
        let figure = character("figure");
        let mut track = Track::new(&figure);
        let mut configuration = Configuration::rest(&figure);
        for moment in 0..=moments {
            configuration.root.translation.x = metres * moment as f32 / moments as f32;
            track.push(&configuration);
        }
        track
    }

    fn duration(track: &Track, speed: &[(f32, f32)]) -> f32 {
        let settings = ClipSettings { speed: speed.to_vec(), ..Default::default() };
        time(&character("figure"), track, &[0, track.len() - 1], &settings).duration()
    }

    #[test]
    fn a_straight_way_takes_as_long_as_its_limits_ask_for() {
        // Half the way accelerating, half braking: t = 2 sqrt(s / a), and the averaging to either side.
        let (track, limits) = (way(3.0, 30), character("figure").root_limits);
        let fastest = 2.0 * (3.0 / limits.acceleration).sqrt();
        let taken = duration(&track, &[(0.0, 20.0)]);
        let averaged = 2.0 * BLUR as f32 * STEP;
        assert!(taken >= fastest, "{taken} s, and {fastest} s is the least");
        assert!(taken < fastest / HEADROOM.sqrt() + averaged + 0.1, "{taken} s instead of {fastest} s");
    }

    #[test]
    fn half_the_speed_takes_twice_as_long() {
        let track = way(3.0, 600);
        let (whole, half) = (duration(&track, &[(0.0, 1.0)]), duration(&track, &[(0.0, 0.5)]));
        assert!((half / whole - 2.0).abs() < 0.1, "{whole} s and {half} s");
        let late = duration(&track, &[(0.0, 1.0), (0.5, 1.0), (0.6, 0.5)]);
        assert!(late > 1.3 * whole && late < 1.6 * whole, "{late} s, {whole} s at an even speed");
    }

    #[test]
    fn a_law_begins_and_ends_at_rest_and_never_goes_back() {
        let track = way(2.0, 60);
        let law = time(&character("figure"), &track, &[0, 20, 60], &ClipSettings::default());
        let moments = &law.moments;
        assert!(moments.windows(2).all(|pair| pair[1] >= pair[0]));
        assert_eq!((moments[0], moments[moments.len() - 1]), (0.0, 60.0));
        for moment in [0, 20, 60] {
            let at = law.time_of(moment);
            let speed = (law.moment_at(at + STEP) - law.moment_at((at - STEP).max(0.0))) / (2.0 * STEP);
            assert!(speed < 1.0, "{speed} moments a second at rest, moment {moment}");
            assert!((law.moment_at(at) - moment as f32).abs() < 0.01);
        }
    }

    #[test]
    fn speeds_are_read_off_a_curve() {
        let curve = [(0.2, 1.0), (0.6, 3.0)];
        for (share, speed) in [(0.0, 1.0), (0.2, 1.0), (0.4, 2.0), (0.6, 3.0), (1.0, 3.0)] {
            assert!((speed_at(&curve, share) - speed).abs() < 1e-5, "{share}");
        }
        assert_eq!(speed_at(&[], 0.5), 1.0);
    }
}
