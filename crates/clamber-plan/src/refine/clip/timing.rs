//! Time: as fast as asked for, within the limits of the character, with speeds that change gradually.
//!
//! The way is given; what is looked for is how fast it is gone along. Reachability analysis (Pham and Pham 2018) finds the
//! fastest: from the end backwards, how fast one may be at each moment and still slow down in time; then forwards, as fast
//! as that allows. Accelerations of the fastest jump; so it is then averaged over a tenth of a second to either side.

use clamber_model::Character;

use super::RefineSettings;
use super::schedule::RATE;
use super::track::{ROOT, Track};

/// Which moment it is when.
pub(super) struct TimeLaw {
    /// The moment, in fractions, at times that are [`STEP`] apart.
    moments: Vec<f32>,
}

/// In seconds.
const STEP: f32 = 1.0 / 480.0;
/// Speeds are averaged over so much time to either side, in steps.
const BLUR: usize = 48;
/// Accelerations are planned for a little less than the limits, which averaging may use up.
const HEADROOM: f32 = 0.9;

/// How often a law is slowed down where it exceeds the limits.
const SLOWDOWNS: usize = 4;

impl TimeLaw {
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
pub(super) fn time(character: &Character, track: &Track, rests: &[usize], settings: &RefineSettings) -> TimeLaw {
    let limits = Limits::of(character);
    let mut moments = vec![0.0];
    for pair in rests.windows(2) {
        let derivatives = Derivatives::of(track, pair[0], pair[1]);
        let caps: Vec<f32> = (pair[0]..=pair[1])
            .map(|moment| RATE * speed_at(&settings.speed, moment as f32 / (track.len() - 1) as f32))
            .collect();
        let law = derivatives.law(&limits, caps);
        moments.extend(law[1..].iter().map(|moment| pair[0] as f32 + moment));
        // What the sums have lost to rounding.
        if let Some(last) = moments.last_mut() {
            *last = pair[1] as f32;
        }
    }
    TimeLaw { moments }
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
    fn law(&self, limits: &Limits, asked: Vec<f32>) -> Vec<f32> {
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
    fn strains(&self, limits: &Limits, law: &[f32]) -> Vec<f32> {
        let mut strains = vec![0.0f32; self.len()];
        for window in law.windows(3) {
            let speed = (window[2] - window[0]) / (2.0 * STEP);
            let change = (window[2] - 2.0 * window[1] + window[0]) / (STEP * STEP);
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

/// The moment at each step of time, from the squares of the speeds.
fn law_of(squares: &[f32]) -> Vec<f32> {
    let mut moments = vec![0.0];
    let mut began = 0.0;
    for (moment, pair) in squares.windows(2).enumerate() {
        let (from, to) = (pair[0].sqrt(), pair[1].sqrt());
        let lasts = 2.0 / (from + to).max(1e-3);
        let push = 0.5 * (pair[1] - pair[0]);
        while (moments.len() as f32) * STEP <= began + lasts {
            let since = moments.len() as f32 * STEP - began;
            moments.push(moment as f32 + (since * (from + 0.5 * push * since)).clamp(0.0, 1.0));
        }
        began += lasts;
    }
    moments.push((squares.len() - 1) as f32);
    moments
}

/// Averages a law over time, with rests before and after it.
fn blur(law: &[f32]) -> Vec<f32> {
    let weights: Vec<f32> = (0..=2 * BLUR)
        .map(|index| {
            let u = (index as f32 - BLUR as f32) / (BLUR as f32 + 1.0);
            (1.0 - u * u) * (1.0 - u * u) * (1.0 - u * u)
        })
        .collect();
    let total: f32 = weights.iter().sum();
    let last = law[law.len() - 1];
    (0..law.len() + 2 * BLUR)
        .map(|step| {
            let at =
                |index: usize| (step + index).checked_sub(2 * BLUR).map_or(0.0, |at| *law.get(at).unwrap_or(&last));
            weights.iter().enumerate().map(|(index, weight)| weight * at(index)).sum::<f32>() / total
        })
        .collect()
}
