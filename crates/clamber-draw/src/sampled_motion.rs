//! A motion sampled for drawing: body extents, poses, modes and contacts over time, seen from one side.

use clamber_model::id::{EffectorId, HoldId};
use clamber_model::kinematics::{LinkFrames, capsule_in_world, center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::motion::{ContactSpan, Frame};
use clamber_model::{Character, Configuration, Motion};

use crate::camera::ViewAxes;
use crate::settings::DrawSettings;
use crate::view_rectangle::Extent;

/// Samples per second, and the maximum number of samples.
const SAMPLE_RATE: f32 = 30.0;
const MAX_SAMPLES: usize = 900;

/// Share of the body by which neighboring poses may overlap.
const OVERLAP: f32 = 0.15;

/// Maximum number of poses that are placed side by side.
const MAX_FITTING_POSES: usize = 60;

/// The body is still if nothing moves farther than this, in meters.
const STILL: f32 = 1e-3;

/// Weight of time relative to the traveled length when poses are spread.
const TIME_WEIGHT: f32 = 0.02;

/// Maximum distance of the root from the origin, in meters; beyond it, single precision is too coarse.
const MAX_DISTANCE: f32 = 1e6;

/// Maximum time of a frame, in seconds; beyond it, single precision is too coarse.
const MAX_TIME: f32 = 1e6;

/// The body at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotionSample {
    pub time: f32,
    pub center_of_mass: Vec3,
    /// Region of the picture that the body covers.
    pub extent: Extent,
}

/// Everything to draw of a body at one time.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot<'a> {
    pub configuration: Configuration,
    pub mode: &'a str,
    /// Contact points, in world coordinates.
    pub contact_points: Vec<Vec3>,
}

/// A time interval in one mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ModeInterval<'a> {
    pub mode: &'a str,
    pub start: f32,
    pub end: f32,
}

/// A time interval in which an effector is on a hold, both given as indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactInterval {
    pub effector: EffectorId,
    pub hold: HoldId,
    pub start: f32,
    pub end: f32,
}

/// A motion, or a time range of it, sampled from one side.
#[derive(Debug)]
pub(crate) struct SampledMotion<'a> {
    motion: &'a Motion,
    /// Indices of the valid frames: finite, ordered in time and matching the character.
    valid: Vec<usize>,
    /// Requested start and end.
    time_range: [f32; 2],
    /// In order of time; empty only without valid frames.
    pub samples: Vec<MotionSample>,
}

impl<'a> SampledMotion<'a> {
    pub fn new(character: &Character, motion: &'a Motion, axes: &ViewAxes, settings: &DrawSettings) -> Self {
        let time_range = [settings.start_time.unwrap_or(f32::NEG_INFINITY), settings.end_time.unwrap_or(f32::INFINITY)];
        let mut sampled = Self { motion, valid: valid_frames(character, motion), time_range, samples: Vec::new() };
        let Some((start, duration)) = sampled.span() else { return sampled };
        let steps = ((duration * SAMPLE_RATE).ceil() as usize).clamp(usize::from(duration > 0.0), MAX_SAMPLES);
        let mut workspace = LinkFrames::default();
        for step in 0..=steps {
            let time = start + duration * step as f32 / steps.max(1) as f32;
            let Some(configuration) = sampled.at(time) else { continue };
            forward(character, &configuration, &mut workspace);
            let mut extent = Extent::EMPTY;
            for index in 0..character.capsules.len() {
                let capsule = capsule_in_world(character, &workspace, index);
                extent.add_disc(axes.coordinates(capsule.a), capsule.radius);
                extent.add_disc(axes.coordinates(capsule.b), capsule.radius);
            }
            let center_of_mass = center_of_mass(character, &workspace);
            sampled.samples.push(MotionSample { time, center_of_mass, extent });
        }
        sampled
    }

    /// Returns a valid frame.
    fn frame(&self, index: usize) -> Option<&'a Frame> {
        self.valid.get(index).map(|frame| &self.motion.frames[*frame])
    }

    /// Returns the start and the duration of the time range. A range beyond the end of the motion, or one that ends
    /// before it starts, has duration 0.
    pub fn span(&self) -> Option<(f32, f32)> {
        let (first, last) = (self.frame(0)?, self.frame(self.valid.len().checked_sub(1)?)?);
        // `clamp` would panic on NaN.
        let start = self.time_range[0].max(first.time).min(last.time);
        let end = self.time_range[1].min(last.time).max(start);
        Some((start, end - start))
    }

    /// Clips an interval to the time range; `None` if they do not overlap.
    fn clip_to_range(&self, start: f32, end: f32) -> Option<[f32; 2]> {
        let (range_start, duration) = self.span()?;
        let range_end = range_start + duration;
        let overlaps =
            (start < range_end && end > range_start) || duration == 0.0 && start <= range_start && end >= range_start;
        overlaps.then(|| [start.max(range_start), end.min(range_end)])
    }

    /// Interpolates the configuration at a time; constant before the first and after the last frame.
    pub fn at(&self, time: f32) -> Option<Configuration> {
        let next = self.next(time);
        let before = self.frame(next.saturating_sub(1))?;
        let mut configuration = before.configuration.clone();
        if let Some(after) = self.frame(next)
            && next > 0
        {
            let share = ((time - before.time) / (after.time - before.time)).clamp(0.0, 1.0);
            configuration.interpolate(&before.configuration, &after.configuration, share);
        }
        Some(configuration)
    }

    /// Returns the position of the first valid frame after a time.
    fn next(&self, time: f32) -> usize {
        self.valid.partition_point(|frame| self.motion.frames[*frame].time <= time)
    }

    /// Returns the body at a time.
    pub fn snapshot(&self, time: f32) -> Option<Snapshot<'a>> {
        let configuration = self.at(time)?;
        let next = self.next(time);
        let from = self.valid[next.saturating_sub(1)];
        let is_between = next > 0 && self.motion.frames[from].time < time;
        let to = self.valid.get(next).copied().filter(|_| is_between).unwrap_or(from);
        // A frame that two spans share belongs to the earlier one, so the later frame determines the mode between
        // frames.
        let mode = self.motion.mode_at_frame(to);
        let lasts = |span: &&ContactSpan| span.first_frame <= from && span.last_frame >= to;
        let contact_points = self.motion.contacts.iter().filter(lasts).map(|span| span.contact.point).collect();
        Some(Snapshot { configuration, mode, contact_points })
    }

    /// Returns the modes in order of time.
    pub fn mode_intervals(&self) -> Vec<ModeInterval<'a>> {
        let mut mode_intervals: Vec<ModeInterval> = Vec::new();
        for &frame in &self.valid {
            let (mode, time) = (self.motion.mode_at_frame(frame), self.motion.frames[frame].time);
            match mode_intervals.last_mut() {
                Some(interval) if interval.mode == mode => interval.end = time,
                // A mode begins at the last frame of the previous one.
                last => {
                    let start = last.map_or(time, |interval| interval.end);
                    mode_intervals.push(ModeInterval { mode, start, end: time });
                }
            }
        }
        let cut = |interval: ModeInterval<'a>| {
            self.clip_to_range(interval.start, interval.end).map(|[start, end]| ModeInterval { start, end, ..interval })
        };
        mode_intervals.into_iter().filter_map(cut).collect()
    }

    /// Returns the modes in order of appearance, each with the midpoint of its longest interval.
    pub fn modes(&self) -> Vec<(&'a str, f32)> {
        let mut longest: Vec<ModeInterval> = Vec::new();
        for interval in self.mode_intervals() {
            match longest.iter_mut().find(|known| known.mode == interval.mode) {
                Some(known) if interval.end - interval.start > known.end - known.start => *known = interval,
                Some(_) => {}
                None => longest.push(interval),
            }
        }
        longest.into_iter().map(|interval| (interval.mode, 0.5 * (interval.start + interval.end))).collect()
    }

    /// Returns the contacts with their intervals, in the order of the motion's contacts.
    pub fn contact_intervals(&self) -> Vec<ContactInterval> {
        let time = |frame: &usize| {
            let index = self.valid.binary_search(frame).ok()?;
            self.frame(index).map(|frame| frame.time)
        };
        let interval = |span: &ContactSpan| {
            let [start, end] = self.clip_to_range(time(&span.first_frame)?, time(&span.last_frame)?)?;
            Some(ContactInterval { effector: span.contact.effector, hold: span.contact.hold, start, end })
        };
        self.motion.contacts.iter().filter_map(interval).collect()
    }

    /// Returns the times at which contacts begin; may contain duplicates.
    pub fn contact_times(&self) -> Vec<f32> {
        self.contact_intervals().iter().map(|interval| interval.start).collect()
    }

    /// Returns the region that the body covers during the motion.
    pub fn extent(&self) -> Extent {
        self.samples.iter().fold(Extent::EMPTY, |extent, sample| extent.union(sample.extent))
    }

    /// Returns the longest side of the region that the body covers at any time, in meters.
    pub fn body_size(&self) -> f32 {
        self.samples.iter().flat_map(|sample| sample.extent.size()).fold(0.0, f32::max)
    }

    /// Whether the body stays in place at all samples.
    pub fn is_still(&self) -> bool {
        let Some(first) = self.samples.first() else { return true };
        self.samples.iter().all(|sample| {
            let [low, high] = [(first.extent.low, sample.extent.low), (first.extent.high, sample.extent.high)]
                .map(|(a, b)| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()));
            (sample.center_of_mass - first.center_of_mass).length() < STILL && low.max(high) < STILL
        })
    }

    /// Returns the distance traveled on the picture up to each sample, in body lengths along the direction of travel.
    fn body_lengths_traveled(&self, axes: &ViewAxes) -> Vec<f32> {
        let mut traveled = 0.0;
        let mut lengths = vec![0.0; self.samples.len().min(1)];
        for pair in self.samples.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|sample| axes.coordinates(sample.center_of_mass));
            let displacement = [to[0] - from[0], to[1] - from[1]];
            let length = (displacement[0] * displacement[0] + displacement[1] * displacement[1]).sqrt();
            if length > 0.0 {
                // Body length along the direction of travel: the bounding rectangle may move until its leading corner
                // leaves it through one of two sides.
                let [width, height] = pair[1].extent.size();
                let along_width = width * length / displacement[0].abs().max(1e-6);
                let along_height = height * length / displacement[1].abs().max(1e-6);
                traveled += length / along_width.min(along_height).max(1e-3);
            }
            lengths.push(traveled);
        }
        lengths
    }

    /// Returns how many poses fit beside each other; fewer than 2 if the motion hardly travels.
    pub fn pose_capacity(&self, axes: &ViewAxes) -> usize {
        let traveled = self.body_lengths_traveled(axes).last().copied().unwrap_or(0.0);
        (1 + (traveled / (1.0 - OVERLAP)) as usize).min(MAX_FITTING_POSES)
    }

    /// Returns the times of this many poses, spread evenly along the path, including the first and the last time.
    pub fn spread_times(&self, axes: &ViewAxes, count: usize) -> Vec<f32> {
        let (Some(first), Some(last)) = (self.samples.first(), self.samples.last()) else { return Vec::new() };
        if count < 2 || last.time <= first.time {
            return vec![last.time];
        }
        // Add a small share of time, so that poses also spread where the body rests.
        let mut lengths = self.body_lengths_traveled(axes);
        let total = lengths.last().copied().unwrap_or(0.0);
        let per_second = (TIME_WEIGHT * total).max(1e-3) / (last.time - first.time);
        for (length, sample) in lengths.iter_mut().zip(&self.samples) {
            *length += per_second * (sample.time - first.time);
        }
        let whole = lengths.last().copied().unwrap_or(0.0);
        let mut times: Vec<f32> = (0..count - 1)
            .map(|index| {
                let length = whole * index as f32 / (count - 1) as f32;
                let after = lengths.partition_point(|passed| *passed < length).clamp(1, lengths.len() - 1);
                let share = (length - lengths[after - 1]) / (lengths[after] - lengths[after - 1]).max(1e-9);
                let (from, to) = (self.samples[after - 1].time, self.samples[after].time);
                from + (to - from) * share.clamp(0.0, 1.0)
            })
            .collect();
        times.push(last.time);
        times
    }
}

fn valid_frames(character: &Character, motion: &Motion) -> Vec<usize> {
    let mut valid: Vec<usize> = Vec::new();
    for (index, frame) in motion.frames.iter().enumerate() {
        let Configuration { root, angles } = &frame.configuration;
        let is_valid = angles.len() == character.hinges.len()
            && angles.iter().all(|angle| angle.is_finite())
            && root.rotation.to_array().iter().all(|x| x.is_finite())
            && root.translation.abs().max_element() <= MAX_DISTANCE;
        let in_order =
            frame.time.abs() < MAX_TIME && valid.last().is_none_or(|last| motion.frames[*last].time <= frame.time);
        if is_valid && in_order {
            valid.push(index);
        }
    }
    valid
}
