//! Puts the frames of a motion on the grid of knots.
//!
//! Knots are evenly spaced in the time that the motion would take at its natural pace. Frames in which contacts or modes
//! change fall on knots; the frames between are spaced by the distance that effectors and other points travel. The planner's
//! contacts take over from one another in a single frame; a clip holds both for a while. The planner releases a contact in the
//! frame in which the body is balanced without it; a clip keeps that posture until one of its own frames has come.

use clamber_model::configuration::max_motion_bound;
use clamber_model::id::TiVec;
use clamber_model::kinematics::{EndpointLinkFrames, LinkFrames, effector_position, forward, max_displacement};
use clamber_model::math::Vec3;
use clamber_model::motion::TURNING_MODE;
use clamber_model::{Configuration, Motion, Problem};

use crate::body_units::BodyScale;
use crate::error::ClipError;
use crate::knot_path::KnotPath;
use crate::natural_pace::{Pace, adds_walking_gait};
use crate::progress::ProgressReporter;
use crate::tuning::{
    CAUTIOUS, KNOT_INTERVAL, MAX_FOOT_SPEED, MAX_KNOTS, MIN_KNOTS, MIN_STEP_LENGTH, OTHER_POINTS_WEIGHT,
    RELATIVE_SPEEDS, SAME_FRAME, STEADY, STEADY_SPEED, STEP_DURATION, WALK_RATIO, WALKING,
};

/// The frames of a motion on the grid.
pub(crate) struct Layout {
    /// The planner's path, knot by knot.
    pub path: KnotPath,
    /// For each knot, the widest half window over which it may be smoothed.
    pub half_widths: Vec<f32>,
    /// For each frame, the contacts that begin with it, as indices.
    pub begins: Vec<Vec<usize>>,
    /// For each frame, whether it belongs to a passage.
    pub in_passage: Vec<bool>,
    /// For each frame, the knot at which it is reached.
    pub arrivals: Vec<usize>,
    /// For each frame, the knot at which it is left: later than it is reached where contacts are handed over.
    pub departures: Vec<usize>,
}

impl Layout {
    /// Lays out a motion of at least two frames; frames that are `cautious` do not get the walking pace. A frame
    /// interval of the clip takes up to `knots_per_frame` knots.
    ///
    /// # Errors
    /// When there would be too many knots, or the observer cancels.
    pub fn new(
        problem: &Problem,
        motion: &Motion,
        cautious: &[bool],
        knots_per_frame: usize,
        progress: &mut ProgressReporter,
    ) -> Result<Self, ClipError> {
        progress.begin_share_of_rest(0.05, 3 * motion.frames.len())?;
        let in_passage = passage_frames(problem, motion, progress)?;
        LayoutBuilder::new(problem, motion, cautious, knots_per_frame, in_passage).lay_out(progress)
    }
}

/// The duration of a walking step of this length, in seconds.
fn step_duration(length: f32, scale: BodyScale) -> f32 {
    let [shortest, longest] = STEP_DURATION;
    let length = (length / scale.length).max(MIN_STEP_LENGTH);
    (WALK_RATIO / length).clamp(shortest, longest) * scale.time
}

/// For each frame of the motion, whether it belongs to a passage.
fn passage_frames(problem: &Problem, motion: &Motion, progress: &mut ProgressReporter) -> Result<Vec<bool>, ClipError> {
    let scale = BodyScale::of(&problem.character);
    let mut in_passage = vec![false; motion.frames.len()];
    let mut bounds = TiVec::new();
    let mut from = 0;
    for wanted in problem.passages.iter().flat_map(|passage| &passage.motion.frames) {
        let mut is_same = |configuration: &Configuration| {
            let distance = max_motion_bound(&problem.character, configuration, &wanted.configuration, &mut bounds);
            distance < SAME_FRAME * scale.length
        };
        for (index, frame) in motion.frames.iter().enumerate().skip(from) {
            progress.poll_at(index)?;
            if is_same(&frame.configuration) {
                from = index;
                in_passage[from] = true;
                break;
            }
        }
    }
    Ok(in_passage)
}

struct LayoutBuilder<'a> {
    problem: &'a Problem,
    motion: &'a Motion,
    cautious: &'a [bool],
    /// The most knots that a frame interval of the clip takes.
    knots_per_frame: usize,
    scale: BodyScale,
    /// For each frame, the contacts that end with it, as indices.
    ends: Vec<Vec<usize>>,
    /// For each frame, whether something changes that must fall on a knot.
    is_event: Vec<bool>,
    layout: Layout,
}

/// Consecutive frames between two events.
struct Block {
    first: usize,
    last: usize,
    pace: Pace,
    /// For each frame after the first, the fraction of the block's length at which it lies.
    fractions: Vec<f32>,
    /// Knot intervals.
    count: usize,
}

impl Block {
    /// The fraction of the block's length at a fraction of its time. Limbs arrive at holds and leave them at rest; the
    /// body's speed is evened out later. Prescribed motion keeps its own timing.
    fn progress(&self, knot: usize) -> f32 {
        let fraction = knot as f32 / self.count as f32;
        if self.pace == Pace::PRESCRIBED { fraction } else { fraction * fraction * (3.0 - 2.0 * fraction) }
    }
}

impl<'a> LayoutBuilder<'a> {
    fn new(
        problem: &'a Problem,
        motion: &'a Motion,
        cautious: &'a [bool],
        knots_per_frame: usize,
        in_passage: Vec<bool>,
    ) -> Self {
        let count = motion.frames.len();
        let scale = BodyScale::of(&problem.character);
        let (mut begins, mut ends) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut is_event = in_passage.clone();
        for (index, span) in motion.contacts.iter().enumerate() {
            begins[span.first_frame].push(index);
            ends[span.last_frame].push(index);
            (is_event[span.first_frame], is_event[span.last_frame]) = (true, true);
        }
        for span in &motion.mode_spans {
            (is_event[span.first_frame], is_event[span.last_frame]) = (true, true);
        }
        let path = KnotPath::new(&problem.character);
        let (arrivals, departures) = (vec![0; count], vec![0; count]);
        let layout = Layout { path, half_widths: Vec::new(), begins, in_passage, arrivals, departures };
        Self { problem, motion, cautious, knots_per_frame, scale, ends, is_event, layout }
    }

    fn lay_out(mut self, progress: &mut ProgressReporter) -> Result<Layout, ClipError> {
        let last = self.motion.frames.len() - 1;
        let mut first = 0;
        self.layout.path.push(&self.motion.frames[0].configuration);
        while first < last {
            let end = (first + 1..last).find(|&frame| self.is_event[frame]).unwrap_or(last);
            let block = self.block(first, end, progress)?;
            if self.layout.path.len().saturating_add(block.count) > MAX_KNOTS {
                return Err(ClipError::TooLong);
            }
            self.push_block(&block, progress)?;
            for _ in 0..if end < last { self.pause(end, block.pace) } else { 0 } {
                self.layout.path.push(&self.motion.frames[end].configuration);
            }
            self.layout.half_widths.resize(self.layout.path.len(), block.pace.half_width);
            first = end;
        }
        self.layout.departures[last] = self.layout.path.len() - 1;
        Ok(self.layout)
    }

    /// Appends the knots of a block, whose first frame is there already.
    fn push_block(&mut self, block: &Block, progress: &mut ProgressReporter) -> Result<(), ClipError> {
        let &Block { first, last, ref fractions, count, pace } = block;
        let Layout { path, half_widths, arrivals, departures, .. } = &mut self.layout;
        half_widths.resize(path.len(), pace.half_width);
        let begin = path.len() - 1;
        departures[first] = begin;
        let mut configuration = Configuration::rest(&self.problem.character);
        let mut gap = 0;
        for knot in 1..=count {
            progress.poll_at(knot)?;
            let along = block.progress(knot);
            while gap + 1 < fractions.len() && fractions[gap] < along {
                gap += 1;
            }
            let before = if gap == 0 { 0.0 } else { fractions[gap - 1] };
            let t = ((along - before) / (fractions[gap] - before).max(1e-9)).clamp(0.0, 1.0);
            let frames = &self.motion.frames[first + gap..=first + gap + 1];
            configuration.interpolate(&frames[0].configuration, &frames[1].configuration, t);
            path.push(if knot == count { &self.motion.frames[last].configuration } else { &configuration });
        }
        let mut knot = 0;
        for (frame, fraction) in (first + 1..last).zip(fractions) {
            while knot < count && block.progress(knot) < *fraction {
                knot += 1;
            }
            (arrivals[frame], departures[frame]) = (begin + knot, begin + knot);
        }
        arrivals[last] = path.len() - 1;
        Ok(())
    }

    /// For how many knots the posture of a frame is kept, so that at least one frame of the clip falls into that time: with both
    /// contacts of a handover, or with a contact that is about to be released.
    fn pause(&self, frame: usize, pace_before: Pace) -> usize {
        let pace = self.pace(frame, frame + 1);
        if self.is_handover(frame) {
            pace.handover.max(pace_before.handover).max(self.min_handover())
        } else if self.is_balanced_release(frame) && [pace, pace_before].iter().all(|pace| *pace != Pace::PRESCRIBED) {
            self.knots_per_frame
        } else {
            0
        }
    }

    /// In knots.
    fn min_handover(&self) -> usize {
        self.knots_per_frame.max(MIN_KNOTS - 1)
    }

    /// Whether a contact ends at a frame in which the mode requires balance.
    fn is_balanced_release(&self, frame: usize) -> bool {
        let Some(table) = &self.problem.modes else { return false };
        let mode = table.find_mode(self.motion.mode_at_frame(frame));
        let Some(balance) = mode.and_then(|mode| table.modes[mode].balance) else { return false };
        let group = &table.effector_groups[balance.group].effectors;
        self.ends[frame].iter().any(|&left| group.contains(&self.motion.contacts[left].contact.effector))
    }

    /// Whether one contact takes over from another at a frame.
    fn is_handover(&self, frame: usize) -> bool {
        let effector = |contact: &usize| self.motion.contacts[*contact].contact.effector;
        let ends = &self.ends[frame];
        self.layout.begins[frame].iter().any(|made| ends.iter().any(|left| effector(left) != effector(made)))
    }

    /// The natural pace between two frames.
    fn pace(&self, first: usize, last: usize) -> Pace {
        let spans = &self.motion.mode_spans;
        let span = spans.get(spans.partition_point(|span| span.last_frame < last));
        let Some(mode) = span.filter(|span| span.first_frame <= first).map(|span| span.mode.as_str()) else {
            return STEADY;
        };
        if mode == TURNING_MODE || (self.layout.in_passage[first] && self.layout.in_passage[last]) {
            return Pace::PRESCRIBED;
        }
        match self.cautious[first.midpoint(last)] {
            true => CAUTIOUS,
            false if adds_walking_gait(self.problem, mode) => WALKING,
            false => STEADY.faster(self.relative_speed(mode)),
        }
    }

    /// The natural speed of a mode, relative to the one that [`STEADY`] is for.
    fn relative_speed(&self, mode: &str) -> f32 {
        let table = self.problem.modes.as_ref();
        let speed = table.and_then(|table| table.modes[table.find_mode(mode)?].speed);
        let [least, most] = RELATIVE_SPEEDS;
        speed.map_or(1.0, |speed| (speed / (STEADY_SPEED * self.scale.speed())).clamp(least, most))
    }

    /// Times the frames between two events.
    fn block(&self, first: usize, last: usize, progress: &mut ProgressReporter) -> Result<Block, ClipError> {
        let pace = self.pace(first, last);
        let (mut fractions, mut lengths) = self.lengths(first, last, progress)?;
        let speed = self.scale.speed();
        let interval = KNOT_INTERVAL * self.scale.time;
        let seconds = if pace == Pace::PRESCRIBED {
            self.motion.frames[last].time - self.motion.frames[first].time
        } else {
            let body = lengths.pop().unwrap_or(0.0);
            let limbs = lengths.into_iter().fold(0.0, f32::max);
            match self.step_length(first, last).filter(|_| pace == WALKING) {
                Some(length) => {
                    let swing =
                        step_duration(length, self.scale) - pace.handover.max(self.min_handover()) as f32 * interval;
                    swing.max(limbs / (MAX_FOOT_SPEED * speed))
                }
                None => (limbs / (pace.limb_speed * speed)).max(body / (pace.body_speed * speed)),
            }
        };
        let total = fractions[fractions.len() - 1];
        fractions.iter_mut().for_each(|sum| *sum /= total);
        // The planner's frames are as dense as the obstacles require; mid-block, progress is half again as fast.
        let fewest = if pace == Pace::PRESCRIBED {
            if self.layout.in_passage[first] { 1 } else { MIN_KNOTS }
        } else if pace == WALKING {
            MIN_KNOTS
        } else {
            let relative_speed = pace.limb_speed / STEADY.limb_speed;
            MIN_KNOTS.max((1.5 * (last - first) as f32 / relative_speed.max(1.0)) as usize)
        };
        let count = ((seconds / interval).round() as usize).max(fewest);
        Ok(Block { first, last, pace, fractions, count })
    }

    /// The length of a block's path up to each frame after its first, and the path lengths of all effectors and the root.
    fn lengths(
        &self,
        first: usize,
        last: usize,
        progress: &mut ProgressReporter,
    ) -> Result<(Vec<f32>, Vec<f32>), ClipError> {
        let character = &self.problem.character;
        let frames = &self.motion.frames[first..=last];
        let mut workspace = LinkFrames::default();
        let mut points: Vec<Vec<Vec3>> = Vec::new();
        for frame in frames {
            progress.step()?;
            forward(character, &frame.configuration, &mut workspace);
            let effectors = character.effectors.keys();
            let mut here: Vec<Vec3> =
                effectors.map(|effector| effector_position(character, &workspace, effector)).collect();
            here.push(frame.configuration.root.translation);
            points.push(here);
        }
        let mut lengths = vec![0.0f32; character.effectors.len() + 1];
        let mut sums: Vec<f32> = Vec::with_capacity(frames.len());
        let mut ends = EndpointLinkFrames::default();
        for (pair, frames) in points.windows(2).zip(frames.windows(2)) {
            progress.step()?;
            let moved = pair[0].iter().zip(&pair[1]).map(|(from, to)| (*to - *from).length());
            // An elbow may move while hand and hips do not, and needs time, too.
            let step = [&frames[0].configuration, &frames[1].configuration];
            let other_points = OTHER_POINTS_WEIGHT * max_displacement(character, step, &mut ends);
            let mut farthest = other_points.max(1e-6 * self.scale.length);
            for (length, moved) in lengths.iter_mut().zip(moved) {
                *length += moved;
                farthest = farthest.max(moved);
            }
            sums.push(sums.last().copied().unwrap_or(0.0) + farthest);
        }
        Ok((sums, lengths))
    }

    /// The distance from the foot that carries to the one that lands, if the block is a step on two feet.
    fn step_length(&self, first: usize, last: usize) -> Option<f32> {
        let contacts = &self.motion.contacts;
        let landed = &contacts[*self.layout.begins[last].first().filter(|_| last > 0)?];
        // Contacts are in the order of their first frames, and the contact that carries began not long ago.
        const RECENT: usize = 8;
        let before = contacts.partition_point(|span| span.first_frame <= first);
        let recent = contacts[before.saturating_sub(RECENT)..before].iter();
        let mut carrying = recent.filter(|span| span.last_frame >= last);
        let carries = carrying.next().filter(|_| carrying.next().is_none())?;
        Some((landed.contact.point - carries.contact.point).length())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_testing::character;

    #[test]
    fn the_figure_has_sixty_knots_per_second() {
        let scale = BodyScale::of(&character("figure"));
        assert!((scale.length - 0.93).abs() < 1e-4, "{}", scale.length);
        assert!((KNOT_INTERVAL * scale.time * 60.0 - 1.0).abs() < 1e-3, "{}", scale.time);
    }

    #[test]
    fn short_steps_take_longer_than_long_ones() {
        let scale = BodyScale::of(&character("figure"));
        let durations = [0.3, 0.6, 0.9].map(|length| step_duration(length, scale));
        for (duration, expected) in durations.into_iter().zip([0.75, 0.62, 0.48]) {
            assert!((duration - expected).abs() < 0.005, "{durations:?}");
        }
    }
}
