//! Published normative data on how adults walk on level ground, by walking speed.
//!
//! Where a source gives a mean and a standard deviation, the range is the mean plus and minus two deviations.

/// A published normative range.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct NormativeRange {
    /// Lower end.
    pub low: f32,
    /// Upper end.
    pub high: f32,
    /// The publications.
    pub source: &'static str,
}

impl NormativeRange {
    /// Whether a value is in the range.
    pub fn contains(&self, value: f32) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// The walking speeds that the sources cover, in meters per second.
const SPEEDS: [f32; 2] = [0.6, 2.0];

/// Below this speed, in meters per second, steps become relatively longer: 62 meters per minute (Murakami and Otaka 2017).
const SLOW: f32 = 1.03;

const WALK_RATIO: &str = "walk ratio: Öberg et al. 1993; Terrier and Schutz 2003";

/// The speed that people choose, in meters per second.
pub(super) fn speed() -> NormativeRange {
    NormativeRange { low: 1.1, high: 1.5, source: "at ease: Öberg et al. 1993" }
}

/// Step length in meters. The walk ratio (step length divided by steps per second) is 0.28 to 0.32 indoors (Öberg et al.). On
/// a track it is 0.41 (deviation 0.04) at the preferred speed and above, 0.44 (0.05) below (Terrier and Schutz).
pub(super) fn step_length(speed: f32) -> Option<NormativeRange> {
    let [low, high] = walk_ratio(speed)?.map(|ratio| (ratio * speed).sqrt());
    Some(NormativeRange { low, high, source: WALK_RATIO })
}

/// Steps per minute, from the same walk ratios.
pub(super) fn cadence(speed: f32) -> Option<NormativeRange> {
    let [high, low] = walk_ratio(speed)?.map(|ratio| 60.0 * (speed / ratio).sqrt());
    Some(NormativeRange { low, high, source: WALK_RATIO })
}

fn walk_ratio(speed: f32) -> Option<[f32; 2]> {
    let ratio = if speed < SLOW { [0.28, 0.54] } else { [0.28, 0.49] };
    is_within(SPEEDS, speed).then_some(ratio)
}

/// Fraction of a stride that a foot is on the ground: 0.62 at the preferred speed, more when slower, less when faster.
pub(super) fn duty_factor(speed: f32) -> Option<NormativeRange> {
    let range = if speed < SLOW { [0.60, 0.67] } else { [0.58, 0.64] };
    let [low, high] = range;
    is_within([0.7, 1.8], speed).then_some(NormativeRange {
        low,
        high,
        source: "Murray et al. 1964; Perry and Burnfield 2010",
    })
}

/// Range of motion of a knee in a stride, in degrees. It is smaller at lower speeds, for which no range is given here.
pub(super) fn knee_range(speed: f32) -> Option<NormativeRange> {
    let source = "Perry and Burnfield 2010; Winter 1991";
    is_within([1.0, 1.8], speed).then_some(NormativeRange { low: 55.0, high: 70.0, source })
}

/// Range of motion of a hip joint in a stride, in degrees.
pub(super) fn hip_range(speed: f32) -> Option<NormativeRange> {
    let source = "Perry and Burnfield 2010; Winter 1991";
    is_within([1.0, 1.8], speed).then_some(NormativeRange { low: 35.0, high: 50.0, source })
}

/// Vertical excursion of the center of mass in a stride, in centimeters: 2.7 (deviation 0.5) at 0.7 m/s, 4.8 (0.9) at 1.6 m/s,
/// linear between.
pub(super) fn rise(speed: f32) -> Option<NormativeRange> {
    let share = (speed - 0.7) / (1.6 - 0.7);
    let (mean, deviation) = (2.7 + (4.8 - 2.7) * share, 0.5 + (0.9 - 0.5) * share);
    let source = "Orendurff et al. 2004";
    is_within([0.7, 1.6], speed).then_some(NormativeRange {
        low: mean - 2.0 * deviation,
        high: mean + 2.0 * deviation,
        source,
    })
}

fn is_within([low, high]: [f32; 2], speed: f32) -> bool {
    (low..=high).contains(&speed)
}
