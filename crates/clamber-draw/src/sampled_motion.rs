//! A motion as the eye follows it: where the body is at any time, how it moves and what it holds on to.

use clamber_model::kinematics::{Workspace, capsule_in_world, center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::motion::{ContactSpan, Frame};
use clamber_model::{Character, Configuration, Motion};

use crate::camera::ViewAxes;
use crate::extent::Extent;
use crate::settings::DrawSettings;

/// Moments a second at which a sampled is measured, and the most of them.
const RATE: f32 = 30.0;
const MOST_MOMENTS: usize = 900;

/// Neighbouring poses may overlap by this share of the body.
const OVERLAP: f32 = 0.15;

/// Farther out, single precision says nothing sensible about a body.
const FARTHEST: f32 = 1e6;

/// Later than this, in seconds, it says nothing sensible about frames either.
const LATEST: f32 = 1e6;

/// One measured moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotionSample {
    pub time: f32,
    pub center_of_mass: Vec3,
    /// What the body covers on the picture.
    pub extent: Extent,
}

/// All that is drawn of one moment.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot<'a> {
    pub configuration: Configuration,
    pub mode: &'a str,
    /// Where effectors hold on.
    pub contact_points: Vec<Vec3>,
}

/// A stretch of time in one mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ModeInterval<'a> {
    pub mode: &'a str,
    pub start: f32,
    pub end: f32,
}

/// A stretch of time in which an effector holds on to a hold, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactInterval {
    pub effector: usize,
    pub hold: usize,
    pub start: f32,
    pub end: f32,
}

/// A motion, or the piece of it that is asked for, measured from one side.
#[derive(Debug)]
pub(crate) struct SampledMotion<'a> {
    motion: &'a Motion,
    /// The numbers of the frames that fit the character; others, and nonsense, are left out.
    usable: Vec<usize>,
    /// From when to when it is looked at.
    piece: [f32; 2],
    /// In the order of time; none only when no frame fits.
    pub samples: Vec<MotionSample>,
}

impl<'a> SampledMotion<'a> {
    pub fn new(character: &Character, motion: &'a Motion, axes: &ViewAxes, settings: &DrawSettings) -> Self {
        let piece = [settings.start_time.unwrap_or(f32::NEG_INFINITY), settings.end_time.unwrap_or(f32::INFINITY)];
        let mut sampled = Self { motion, usable: usable_frames(character, motion), piece, samples: Vec::new() };
        let Some((start, duration)) = sampled.span() else { return sampled };
        let steps = ((duration * RATE).ceil() as usize).clamp(usize::from(duration > 0.0), MOST_MOMENTS);
        let mut workspace = Workspace::default();
        for step in 0..=steps {
            let time = start + duration * step as f32 / steps.max(1) as f32;
            let Some(configuration) = sampled.at(time) else { continue };
            forward(character, &configuration, &mut workspace);
            let mut extent = Extent::EMPTY;
            for index in 0..character.capsules.len() {
                let capsule = capsule_in_world(character, &workspace, index);
                extent.add_disc(axes.to_view(capsule.a), capsule.radius);
                extent.add_disc(axes.to_view(capsule.b), capsule.radius);
            }
            let center_of_mass = center_of_mass(character, &workspace);
            sampled.samples.push(MotionSample { time, center_of_mass, extent });
        }
        sampled
    }

    /// A usable frame.
    fn frame(&self, index: usize) -> Option<&'a Frame> {
        self.usable.get(index).map(|number| &self.motion.frames[*number])
    }

    /// When the piece begins, and how long it is. A piece that is beyond the motion's end, or ends before it begins, is
    /// one moment.
    pub fn span(&self) -> Option<(f32, f32)> {
        let (first, last) = (self.frame(0)?, self.frame(self.usable.len().checked_sub(1)?)?);
        // Not `clamp`, which panics for what is no number.
        let start = self.piece[0].max(first.time).min(last.time);
        let end = self.piece[1].min(last.time).max(start);
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

    /// The configuration at a time; before the beginning and after the end, the first and the last.
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

    /// The first usable frame after a time.
    fn next(&self, time: f32) -> usize {
        self.usable.partition_point(|number| self.motion.frames[*number].time <= time)
    }

    /// What there is to draw at a time.
    pub fn snapshot(&self, time: f32) -> Option<Snapshot<'a>> {
        let configuration = self.at(time)?;
        let next = self.next(time);
        let from = self.usable[next.saturating_sub(1)];
        let is_between = next > 0 && self.motion.frames[from].time < time;
        let to = self.usable.get(next).copied().filter(|_| is_between).unwrap_or(from);
        // Of two spans that share a frame it is in the earlier one: so the later frame says what is between.
        let mode = self.motion.mode(to);
        let lasts = |span: &&ContactSpan| span.first <= from && span.last >= to;
        let contact_points = self.motion.contacts.iter().filter(lasts).map(|span| span.contact.point).collect();
        Some(Snapshot { configuration, mode, contact_points })
    }

    /// The modes one after the other.
    pub fn mode_intervals(&self) -> Vec<ModeInterval<'a>> {
        let mut mode_intervals: Vec<ModeInterval> = Vec::new();
        for number in &self.usable {
            let (mode, time) = (self.motion.mode(*number), self.motion.frames[*number].time);
            match mode_intervals.last_mut() {
                Some(run) if run.mode == mode => run.end = time,
                // A mode begins with the frame in which the one before ends.
                last => {
                    let start = last.map_or(time, |run| run.end);
                    mode_intervals.push(ModeInterval { mode, start, end: time });
                }
            }
        }
        let cut = |run: ModeInterval<'a>| {
            self.clip_to_range(run.start, run.end).map(|[start, end]| ModeInterval { start, end, ..run })
        };
        mode_intervals.into_iter().filter_map(cut).collect()
    }

    /// The modes in the order of their appearance, each with the middle of the longest time spent in it.
    pub fn modes(&self) -> Vec<(&'a str, f32)> {
        let mut longest: Vec<ModeInterval> = Vec::new();
        for run in self.mode_intervals() {
            match longest.iter_mut().find(|known| known.mode == run.mode) {
                Some(known) if run.end - run.start > known.end - known.start => *known = run,
                Some(_) => {}
                None => longest.push(run),
            }
        }
        longest.into_iter().map(|run| (run.mode, 0.5 * (run.start + run.end))).collect()
    }

    /// What is held on to, and how long, in the order of the motion's contacts.
    pub fn contact_intervals(&self) -> Vec<ContactInterval> {
        let time = |number: &usize| {
            let index = self.usable.binary_search(number).ok()?;
            self.frame(index).map(|frame| frame.time)
        };
        let interval = |span: &ContactSpan| {
            let [start, end] = self.clip_to_range(time(&span.first)?, time(&span.last)?)?;
            Some(ContactInterval { effector: span.contact.effector, hold: span.contact.hold, start, end })
        };
        self.motion.contacts.iter().filter_map(interval).collect()
    }

    /// When contacts begin; some times may be there more than once.
    pub fn contact_times(&self) -> Vec<f32> {
        self.contact_intervals().iter().map(|interval| interval.start).collect()
    }

    /// What the body covers on the picture in all of the motion.
    pub fn extent(&self) -> Extent {
        self.samples.iter().fold(Extent::EMPTY, |extent, moment| extent.union(moment.extent))
    }

    /// The longer side of what the body covers, at the moment when it covers most.
    pub fn body_size(&self) -> f32 {
        self.samples.iter().flat_map(|moment| moment.extent.size()).fold(0.0, f32::max)
    }

    /// Whether nothing moves, by all that is measured.
    pub fn is_still(&self) -> bool {
        let Some(first) = self.samples.first() else { return true };
        self.samples.iter().all(|moment| {
            let [low, high] = [(first.extent.low, moment.extent.low), (first.extent.high, moment.extent.high)]
                .map(|(a, b)| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()));
            (moment.center_of_mass - first.center_of_mass).length() < 1e-3 && low.max(high) < 1e-3
        })
    }

    /// How many bodies could stand one behind the other along the way on the picture, at each moment.
    fn lengths_travelled(&self, axes: &ViewAxes) -> Vec<f32> {
        let mut travelled = 0.0;
        let mut lengths = vec![0.0; self.samples.len().min(1)];
        for pair in self.samples.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|moment| axes.to_view(moment.center_of_mass));
            let way = [to[0] - from[0], to[1] - from[1]];
            let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
            if length > 0.0 {
                // The body's length along the way, as that of the rectangle it covers: the rectangle may go on end
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
    pub fn poses_that_fit(&self, axes: &ViewAxes) -> usize {
        let travelled = self.lengths_travelled(axes).last().copied().unwrap_or(0.0);
        (1 + (travelled / (1.0 - OVERLAP)) as usize).min(60)
    }

    /// The times of this many poses, spread evenly along the way; the first and the last moment are among them.
    pub fn spread_times(&self, axes: &ViewAxes, count: usize) -> Vec<f32> {
        let (Some(first), Some(last)) = (self.samples.first(), self.samples.last()) else { return Vec::new() };
        if count < 2 || last.time <= first.time {
            return vec![last.time];
        }
        // A little of the time itself, so that poses spread also where the motion stands still.
        let mut ways = self.lengths_travelled(axes);
        let total = ways.last().copied().unwrap_or(0.0);
        let standing = (0.02 * total).max(1e-3) / (last.time - first.time);
        for (way, moment) in ways.iter_mut().zip(&self.samples) {
            *way += standing * (moment.time - first.time);
        }
        let whole = ways.last().copied().unwrap_or(0.0);
        let mut times: Vec<f32> = (0..count - 1)
            .map(|index| {
                let way = whole * index as f32 / (count - 1) as f32;
                let after = ways.partition_point(|passed| *passed < way).clamp(1, ways.len() - 1);
                let share = (way - ways[after - 1]) / (ways[after] - ways[after - 1]).max(1e-9);
                let (from, to) = (self.samples[after - 1].time, self.samples[after].time);
                from + (to - from) * share.clamp(0.0, 1.0)
            })
            .collect();
        times.push(last.time);
        times
    }
}

fn usable_frames(character: &Character, motion: &Motion) -> Vec<usize> {
    let mut usable: Vec<usize> = Vec::new();
    for (number, frame) in motion.frames.iter().enumerate() {
        let Configuration { root, angles } = &frame.configuration;
        let fits = angles.len() == character.hinges.len()
            && angles.iter().all(|angle| angle.is_finite())
            && root.rotation.to_array().iter().all(|part| part.is_finite())
            && root.translation.abs().max_element() <= FARTHEST;
        let in_order =
            frame.time.abs() < LATEST && usable.last().is_none_or(|last| motion.frames[*last].time <= frame.time);
        if fits && in_order {
            usable.push(number);
        }
    }
    usable
}
