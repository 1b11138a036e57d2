//! A motion as the eye follows it: where the body is at any time, how it moves and what it holds on to.

use clamber_model::kinematics::{Workspace, capsule_in_world, center_of_mass, forward};
use clamber_model::math::Vec3;
use clamber_model::motion::{ContactSpan, Frame};
use clamber_model::{Character, Configuration, Motion};

use crate::camera::Sight;
use crate::settings::DrawSettings;

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

/// All that is drawn of one moment.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot<'a> {
    pub configuration: Configuration,
    pub mode: &'a str,
    /// Where effectors hold on.
    pub touches: Vec<Vec3>,
}

/// A stretch of time in one mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run<'a> {
    pub mode: &'a str,
    pub since: f32,
    pub until: f32,
}

/// A stretch of time in which an effector holds on to a hold, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grip {
    pub effector: usize,
    pub hold: usize,
    pub since: f32,
    pub until: f32,
}

/// A motion, or the piece of it that is asked for, measured from one side.
#[derive(Debug)]
pub(crate) struct Track<'a> {
    motion: &'a Motion,
    /// The numbers of the frames that fit the character; others, and nonsense, are left out.
    usable: Vec<usize>,
    /// From when to when it is looked at.
    piece: [f32; 2],
    /// In the order of time; none only when no frame fits.
    pub moments: Vec<Moment>,
}

impl<'a> Track<'a> {
    pub fn new(character: &Character, motion: &'a Motion, sight: &Sight, settings: &DrawSettings) -> Self {
        let piece = [settings.from.unwrap_or(f32::NEG_INFINITY), settings.to.unwrap_or(f32::INFINITY)];
        let mut track = Self { motion, usable: usable_frames(character, motion), piece, moments: Vec::new() };
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

    /// A usable frame.
    fn frame(&self, index: usize) -> Option<&'a Frame> {
        self.usable.get(index).map(|number| &self.motion.frames[*number])
    }

    /// When the piece begins, and how long it is. A piece that is beyond the motion's end, or ends before it begins, is
    /// one moment.
    pub fn span(&self) -> Option<(f32, f32)> {
        let (first, last) = (self.frame(0)?, self.frame(self.usable.len().checked_sub(1)?)?);
        // Not `clamp`, which panics for what is no number.
        let since = self.piece[0].max(first.time).min(last.time);
        let until = self.piece[1].min(last.time).max(since);
        Some((since, until - since))
    }

    /// A stretch of time as far as it is in the piece; nothing when it is not, or only touches it.
    fn in_piece(&self, since: f32, until: f32) -> Option<[f32; 2]> {
        let (start, duration) = self.span()?;
        let end = start + duration;
        let is_inside = (since < end && until > start) || duration == 0.0 && since <= start && until >= start;
        is_inside.then(|| [since.max(start), until.min(end)])
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
        let touches = self.motion.contacts.iter().filter(lasts).map(|span| span.contact.point).collect();
        Some(Snapshot { configuration, mode, touches })
    }

    /// The modes one after the other.
    pub fn runs(&self) -> Vec<Run<'a>> {
        let mut runs: Vec<Run> = Vec::new();
        for number in &self.usable {
            let (mode, time) = (self.motion.mode(*number), self.motion.frames[*number].time);
            match runs.last_mut() {
                Some(run) if run.mode == mode => run.until = time,
                // A mode begins with the frame in which the one before ends.
                last => {
                    let since = last.map_or(time, |run| run.until);
                    runs.push(Run { mode, since, until: time });
                }
            }
        }
        let cut = |run: Run<'a>| self.in_piece(run.since, run.until).map(|[since, until]| Run { since, until, ..run });
        runs.into_iter().filter_map(cut).collect()
    }

    /// The modes in the order of their appearance, each with the middle of the longest time spent in it.
    pub fn modes(&self) -> Vec<(&'a str, f32)> {
        let mut longest: Vec<Run> = Vec::new();
        for run in self.runs() {
            match longest.iter_mut().find(|known| known.mode == run.mode) {
                Some(known) if run.until - run.since > known.until - known.since => *known = run,
                Some(_) => {}
                None => longest.push(run),
            }
        }
        longest.into_iter().map(|run| (run.mode, 0.5 * (run.since + run.until))).collect()
    }

    /// What is held on to, and how long, in the order of the motion's contacts.
    pub fn grips(&self) -> Vec<Grip> {
        let time = |number: &usize| {
            let index = self.usable.binary_search(number).ok()?;
            self.frame(index).map(|frame| frame.time)
        };
        let grip = |span: &ContactSpan| {
            let [since, until] = self.in_piece(time(&span.first)?, time(&span.last)?)?;
            Some(Grip { effector: span.contact.effector, hold: span.contact.hold, since, until })
        };
        self.motion.contacts.iter().filter_map(grip).collect()
    }

    /// When contacts begin; some times may be there more than once.
    pub fn contact_times(&self) -> Vec<f32> {
        self.grips().iter().map(|grip| grip.since).collect()
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
    pub fn spread_times(&self, sight: &Sight, count: usize) -> Vec<f32> {
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
