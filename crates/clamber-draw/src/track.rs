//! A motion as the eye follows it: where the body is at any time, and which of its moments are worth showing.

use clamber_model::kinematics::{Workspace, capsule_in_world, center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::motion::Frame;
use clamber_model::{Character, Configuration, Motion};

use crate::camera::Sight;

/// Moments a second at which a track is measured, and the most of them.
const RATE: f32 = 30.0;
const MOST_MOMENTS: usize = 900;

/// Neighbouring poses may overlap by this share of the body.
const OVERLAP: f32 = 0.15;

/// Farther out, single precision says nothing sensible about a body.
const FARTHEST: f32 = 1e6;

/// Later than this, in seconds, it says nothing sensible about frames either.
const LATEST: f32 = 1e6;

/// A rectangle in metres along the sight's right and up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub low: [f32; 2],
    pub high: [f32; 2],
}

impl Extent {
    /// Contains nothing yet.
    pub const EMPTY: Self = Self { low: [f32::INFINITY; 2], high: [f32::NEG_INFINITY; 2] };

    /// Made to contain the disc around a point.
    pub fn add(&mut self, [right, up, _]: [f32; 3], radius: f32) {
        self.low = [self.low[0].min(right - radius), self.low[1].min(up - radius)];
        self.high = [self.high[0].max(right + radius), self.high[1].max(up + radius)];
    }

    /// Contains both.
    pub fn joined(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|k| self.low[k].min(other.low[k])),
            high: std::array::from_fn(|k| self.high[k].max(other.high[k])),
        }
    }

    /// Wider by this much on every side.
    pub fn grown(self, by: f32) -> Self {
        Self { low: self.low.map(|x| x - by), high: self.high.map(|x| x + by) }
    }

    /// The width and the height.
    pub fn size(&self) -> [f32; 2] {
        std::array::from_fn(|k| self.high[k] - self.low[k])
    }
}

/// One measured moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub time: f32,
    pub center_of_mass: Vec3,
    /// What the body covers on the picture.
    pub extent: Extent,
}

/// A motion, measured from one side.
#[derive(Debug)]
pub(crate) struct Track<'a> {
    /// The frames that fit the character; others, and nonsense, are left out.
    frames: Vec<&'a Frame>,
    /// In the order of time; none only when no frame fits.
    pub moments: Vec<Moment>,
}

impl<'a> Track<'a> {
    pub fn new(character: &Character, motion: &'a Motion, sight: &Sight) -> Self {
        let mut track = Self { frames: usable_frames(character, motion), moments: Vec::new() };
        let Some((start, duration)) = track.span() else { return track };
        let steps = ((duration * RATE).ceil() as usize).clamp(usize::from(duration > 0.0), MOST_MOMENTS);
        let mut workspace = Workspace::default();
        for step in 0..=steps {
            let time = start + duration * step as f32 / steps.max(1) as f32;
            let Some(configuration) = track.at(time) else { continue };
            forward(character, &configuration, &mut workspace);
            let mut extent = Extent::EMPTY;
            for index in 0..character.capsules.len() {
                let capsule = capsule_in_world(character, &workspace, index);
                extent.add(sight.see(capsule.a), capsule.radius);
                extent.add(sight.see(capsule.b), capsule.radius);
            }
            let center_of_mass = center_of_mass(character, &workspace);
            track.moments.push(Moment { time, center_of_mass, extent });
        }
        track
    }

    /// When the motion begins, and how long it is.
    pub fn span(&self) -> Option<(f32, f32)> {
        let (first, last) = (self.frames.first()?, self.frames.last()?);
        Some((first.time, (last.time - first.time).max(0.0)))
    }

    /// The configuration at a time; before the beginning and after the end, the first and the last.
    pub fn at(&self, time: f32) -> Option<Configuration> {
        let next = self.frames.partition_point(|frame| frame.time <= time);
        let before = self.frames.get(next.saturating_sub(1))?;
        let mut configuration = before.configuration.clone();
        if let Some(after) = self.frames.get(next)
            && next > 0
        {
            let share = ((time - before.time) / (after.time - before.time)).clamp(0.0, 1.0);
            configuration.interpolate(&before.configuration, &after.configuration, share);
        }
        Some(configuration)
    }

    /// What the body covers on the picture in all of the motion.
    pub fn extent(&self) -> Extent {
        self.moments.iter().fold(Extent::EMPTY, |extent, moment| extent.joined(moment.extent))
    }

    /// The longer side of what the body covers, at the moment when it covers most.
    pub fn body_size(&self) -> f32 {
        self.moments.iter().flat_map(|moment| moment.extent.size()).fold(0.0, f32::max)
    }

    /// Whether nothing moves, by all that is measured.
    pub fn is_still(&self) -> bool {
        let Some(first) = self.moments.first() else { return true };
        self.moments.iter().all(|moment| {
            let [low, high] = [(first.extent.low, moment.extent.low), (first.extent.high, moment.extent.high)]
                .map(|(a, b)| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()));
            (moment.center_of_mass - first.center_of_mass).length() < 1e-3 && low.max(high) < 1e-3
        })
    }

    /// How many bodies could stand one behind the other along the way on the picture, at each moment.
    fn lengths_travelled(&self, sight: &Sight) -> Vec<f32> {
        let mut travelled = 0.0;
        let mut lengths = vec![0.0; self.moments.len().min(1)];
        for pair in self.moments.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|moment| sight.see(moment.center_of_mass));
            let way = [to[0] - from[0], to[1] - from[1]];
            let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
            if length > 0.0 {
                // The body's length along the way, as that of the rectangle it covers: the rectangle may go on until
                // its leading corner leaves it on one of the two sides.
                let [width, height] = pair[1].extent.size();
                let along_width = width * length / way[0].abs().max(1e-6);
                let along_height = height * length / way[1].abs().max(1e-6);
                travelled += length / along_width.min(along_height).max(1e-3);
            }
            lengths.push(travelled);
        }
        lengths
    }

    /// As many poses as fit beside each other on the picture; fewer than 2 when the motion hardly travels.
    pub fn poses_that_fit(&self, sight: &Sight) -> usize {
        let travelled = self.lengths_travelled(sight).last().copied().unwrap_or(0.0);
        (1 + (travelled / (1.0 - OVERLAP)) as usize).min(60)
    }

    /// The times of this many poses, spread evenly along the way; the first and the last moment are among them.
    pub fn pose_times(&self, sight: &Sight, count: usize) -> Vec<f32> {
        let (Some(first), Some(last)) = (self.moments.first(), self.moments.last()) else { return Vec::new() };
        if count < 2 || last.time <= first.time {
            return vec![last.time];
        }
        // A little of the time itself, so that poses spread also where the motion stands still.
        let mut ways = self.lengths_travelled(sight);
        let total = ways.last().copied().unwrap_or(0.0);
        let standing = (0.02 * total).max(1e-3) / (last.time - first.time);
        for (way, moment) in ways.iter_mut().zip(&self.moments) {
            *way += standing * (moment.time - first.time);
        }
        let whole = ways.last().copied().unwrap_or(0.0);
        let mut times: Vec<f32> = (0..count - 1)
            .map(|index| {
                let way = whole * index as f32 / (count - 1) as f32;
                let after = ways.partition_point(|passed| *passed < way).clamp(1, ways.len() - 1);
                let share = (way - ways[after - 1]) / (ways[after] - ways[after - 1]).max(1e-9);
                let (from, to) = (self.moments[after - 1].time, self.moments[after].time);
                from + (to - from) * share.clamp(0.0, 1.0)
            })
            .collect();
        times.push(last.time);
        times
    }
}

fn usable_frames<'a>(character: &Character, motion: &'a Motion) -> Vec<&'a Frame> {
    let mut frames: Vec<&Frame> = Vec::new();
    for frame in &motion.frames {
        let Configuration { root, angles } = &frame.configuration;
        let fits = angles.len() == character.hinges.len()
            && angles.iter().all(|angle| angle.is_finite())
            && root.rotation.to_array().iter().all(|part| part.is_finite())
            && root.translation.abs().max_element() <= FARTHEST;
        let in_order = frame.time.abs() < LATEST && frames.last().is_none_or(|last| last.time <= frame.time);
        if fits && in_order {
            frames.push(frame);
        }
    }
    frames
}
