//! What is published of how adults walk on level ground, by their speed.
//!
//! Where a source gives a mean and a standard deviation, the range is two deviations to both sides.

use serde::Serialize;

/// A range that is published, and where.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Published {
    /// The least that is usual.
    pub low: f32,
    /// The most that is usual.
    pub high: f32,
    /// Who says so.
    pub source: &'static str,
}

impl Published {
    /// Whether a value is in the range.
    pub fn contains(&self, value: f32) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// At which speeds, in metres a second, the sources looked.
const WALKED: [f32; 2] = [0.6, 2.0];

/// Below this speed steps become relatively longer: 62 metres a minute, after Murakami and Otaka (2017).
const SLOW: f32 = 1.03;

const WALK_RATIO: &str = "walk ratio: Öberg et al. 1993; Terrier and Schutz 2003";

/// The speed that people choose, in metres a second.
pub(super) fn speed() -> Published {
    Published { low: 1.1, high: 1.5, source: "at ease: Öberg et al. 1993" }
}

/// The length of a step in metres. By the number of steps a second it is 0.28 to 0.32 indoors (Öberg et al.), and on a track
/// 0.41 (deviation 0.04) at speeds of choice and above, 0.44 (0.05) below (Terrier and Schutz).
pub(super) fn step_length(speed: f32) -> Option<Published> {
    let [low, high] = walk_ratio(speed)?.map(|ratio| (ratio * speed).sqrt());
    Some(Published { low, high, source: WALK_RATIO })
}

/// Steps a minute, from the same.
pub(super) fn cadence(speed: f32) -> Option<Published> {
    let [high, low] = walk_ratio(speed)?.map(|ratio| 60.0 * (speed / ratio).sqrt());
    Some(Published { low, high, source: WALK_RATIO })
}

fn walk_ratio(speed: f32) -> Option<[f32; 2]> {
    let ratio = if speed < SLOW { [0.28, 0.54] } else { [0.28, 0.49] };
    is_within(WALKED, speed).then_some(ratio)
}

/// The share of time that a foot is on the ground: 0.62 at speeds of choice, more when slower, less when faster.
pub(super) fn duty_factor(speed: f32) -> Option<Published> {
    let range = if speed < SLOW { [0.60, 0.67] } else { [0.58, 0.64] };
    let [low, high] = range;
    is_within([0.7, 1.8], speed).then_some(Published {
        low,
        high,
        source: "Murray et al. 1964; Perry and Burnfield 2010",
    })
}

/// How far a knee bends and straightens in a stride, in degrees. At lower speeds it is less, and nothing is said here.
pub(super) fn knee_range(speed: f32) -> Option<Published> {
    let source = "Perry and Burnfield 2010; Winter 1991";
    is_within([1.0, 1.8], speed).then_some(Published { low: 55.0, high: 70.0, source })
}

/// The same of a hip.
pub(super) fn hip_range(speed: f32) -> Option<Published> {
    let source = "Perry and Burnfield 2010; Winter 1991";
    is_within([1.0, 1.8], speed).then_some(Published { low: 35.0, high: 50.0, source })
}

/// How far the centre of mass rises and falls in a stride, in centimetres: 2.7 (deviation 0.5) at 0.7 m/s, 4.8 (0.9) at
/// 1.6 m/s, and evenly between.
pub(super) fn rise(speed: f32) -> Option<Published> {
    let share = (speed - 0.7) / (1.6 - 0.7);
    let (mean, deviation) = (2.7 + (4.8 - 2.7) * share, 0.5 + (0.9 - 0.5) * share);
    let source = "Orendurff et al. 2004";
    is_within([0.7, 1.6], speed).then_some(Published {
        low: mean - 2.0 * deviation,
        high: mean + 2.0 * deviation,
        source,
    })
}

fn is_within([low, high]: [f32; 2], speed: f32) -> bool {
    (low..=high).contains(&speed)
}
