//! A motion on the grid of knots: its path, its contact phases, and where it must rest.
//!
//! A clip is made on a grid that is even in the time of the natural pace, and timed afterwards, so that shape and timing do not
//! disturb each other.

use std::ops::RangeInclusive;

use clamber_model::kinematics::{LinkFrames, center_of_mass};
use clamber_model::math::Vec3;
use clamber_model::motion::{ContactSpan, ModeSpan, TURNING_MODE};
use clamber_model::support_polygon::horizontal_distance_to_hull;
use clamber_model::{Character, Contact, Motion, Problem};

use crate::body_units::BodyScale;
use crate::error::ClipError;
use crate::frames_on_time_grid::Layout;
use crate::knot_path::KnotPath;
use crate::progress::ProgressReporter;
use crate::tuning::{BALANCE_FRACTION, CORNER};

/// Consecutive knots with the same contacts.
#[derive(Clone, Debug)]
pub(crate) struct ContactPhase {
    pub first: usize,
    /// The next phase begins with it.
    pub last: usize,
    pub stance: Vec<Contact>,
    /// Part of a passage or a turn, which must not be changed.
    pub is_prescribed: bool,
    /// Part of a turn.
    pub is_turn: bool,
}

/// A motion on the grid.
pub(crate) struct KnotMotion {
    /// The planner's path, with a gait where there is one.
    pub path: KnotPath,
    /// For each frame of the motion, the knot at which it is reached.
    pub arrivals: Vec<usize>,
    pub phases: Vec<ContactPhase>,
    /// The motion's mode spans, in knots.
    pub spans: Vec<ModeSpan>,
    /// The motion's contacts, in knots.
    pub contacts: Vec<ContactSpan>,
    /// Knots at which the body rests: both ends, the ends of turns and passages, and the corners of passages.
    pub rests: Vec<usize>,
    /// Knots at which frames of passages are met.
    pub passage_knots: Vec<usize>,
    /// For each frame of the motion, whether it has a cautious pace and gets no gait.
    pub cautious: Vec<bool>,
    /// For each knot, the weight of the gait, from 0 to 1.
    pub gait_weights: Vec<f32>,
    /// For each knot, whether a gait was tried and is not valid there.
    pub gait_rejected: Vec<bool>,
    pub lift_offs: Vec<LiftOff>,
    /// For each knot, the widest half window over which it may be smoothed.
    pub half_widths: Vec<f32>,
    /// [`Motion::in_equilibrium`] of the motion.
    pub in_equilibrium: bool,
}

/// A contact that ends while others of its group remain: balance is required there.
#[derive(Clone, Debug)]
pub(crate) struct LiftOff {
    /// The knots of the last frame that may have the contact: it ends at the last of them, and a frame may come up to one frame
    /// interval before.
    pub knots: RangeInclusive<usize>,
    /// The group's contacts until then.
    contacts: Vec<Contact>,
    /// The most that the center of mass may be outside their hull, horizontally, in meters.
    max_distance: f32,
}

impl LiftOff {
    /// Whether the center of mass is where it must be, for a posture given by its frames.
    pub fn is_balanced(&self, character: &Character, frames: &LinkFrames) -> bool {
        let ends = self.contacts.iter().flat_map(|contact| contact.pressing_ends(character, frames));
        let points: Vec<Vec3> = ends.collect();
        horizontal_distance_to_hull(center_of_mass(character, frames), &points) <= self.max_distance
    }
}

impl KnotMotion {
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
        let layout = Layout::new(problem, motion, cautious, knots_per_frame, progress)?;
        let contacts = contacts_in_knots(motion, &layout);
        let spans = spans_in_knots(motion, &layout);
        let rests = rests(motion, &layout, BodyScale::of(&problem.character), progress)?;
        let is_prescribed = prescribed_intervals(&layout, &spans);
        let phases = phases(&contacts, &is_prescribed, &spans);
        let lift_offs = lift_offs(problem, &spans, &contacts, knots_per_frame);
        let Layout { path, half_widths, in_passage, arrivals, .. } = layout;
        let met = arrivals.iter().zip(&in_passage).filter(|(_, in_passage)| **in_passage);
        Ok(Self {
            passage_knots: met.map(|(&knot, _)| knot).collect(),
            gait_weights: vec![0.0; path.len()],
            gait_rejected: vec![false; path.len()],
            cautious: cautious.to_vec(),
            path,
            arrivals,
            phases,
            spans,
            contacts,
            rests,
            lift_offs,
            half_widths,
            in_equilibrium: motion.in_equilibrium,
        })
    }

    /// The index of the phase that contains a fractional knot; of two that share it, the earlier one's.
    pub fn phase_at(&self, position: f32) -> usize {
        self.phases.partition_point(|phase| (phase.last as f32) < position)
    }

    /// The knots of cautious frames, and those between two of them.
    pub fn cautious_knots(&self) -> impl Iterator<Item = usize> {
        (0..self.arrivals.len()).filter(|&frame| self.cautious[frame]).flat_map(|frame| {
            let next = (frame + 1).min(self.arrivals.len() - 1);
            let end = if self.cautious[next] { self.arrivals[next] } else { self.arrivals[frame] };
            self.arrivals[frame]..=end
        })
    }

    /// The phases that overlap the knots between two.
    pub fn phases_between(&self, from: usize, to: usize) -> std::ops::Range<usize> {
        self.phases.partition_point(|phase| phase.last <= from)..self.phases.partition_point(|phase| phase.first < to)
    }
}

fn contacts_in_knots(motion: &Motion, layout: &Layout) -> Vec<ContactSpan> {
    let Layout { begins, arrivals, departures, .. } = layout;
    // One effector cannot hold two things: the time of the handover belongs to the later contact.
    let is_followed = |span: &ContactSpan| {
        let is_next = |other: &ContactSpan| other.contact.effector == span.contact.effector && other != span;
        begins[span.last_frame].iter().any(|&other| is_next(&motion.contacts[other]))
    };
    let contact = |span: &ContactSpan| ContactSpan {
        first_frame: arrivals[span.first_frame],
        last_frame: if is_followed(span) { arrivals[span.last_frame] } else { departures[span.last_frame] },
        contact: span.contact,
    };
    motion.contacts.iter().map(contact).collect()
}

/// A mode begins in the middle of a handover: its first contacts are made and the old ones not left yet. A turn begins once
/// they are left.
fn spans_in_knots(motion: &Motion, layout: &Layout) -> Vec<ModeSpan> {
    let Layout { arrivals, departures, .. } = layout;
    let mut begin = 0;
    let span = |(index, span): (usize, &ModeSpan)| {
        let end = match motion.mode_spans.get(index + 1) {
            Some(next) if next.mode != TURNING_MODE => arrivals[span.last_frame].midpoint(departures[span.last_frame]),
            _ => departures[span.last_frame],
        };
        // A span of one frame may follow a turn's end within the same handover.
        let end = end.max(begin);
        ModeSpan { first_frame: std::mem::replace(&mut begin, end), last_frame: end, mode: span.mode.clone() }
    };
    motion.mode_spans.iter().enumerate().map(span).collect()
}

/// The knots at which the body rests. Passages must be met exactly, so the body stops at their corners.
fn rests(
    motion: &Motion,
    layout: &Layout,
    scale: BodyScale,
    progress: &mut ProgressReporter,
) -> Result<Vec<usize>, ClipError> {
    let Layout { path, in_passage, arrivals, departures, .. } = layout;
    let last = motion.frames.len() - 1;
    let is_rest = |frame: usize| {
        let borders_passage = in_passage[frame] && !(in_passage[frame - 1] && in_passage[frame + 1]);
        let borders_turn =
            |span: &ModeSpan| span.mode == TURNING_MODE && (span.first_frame == frame || span.last_frame == frame);
        borders_passage || motion.mode_spans.iter().any(borders_turn)
    };
    let mut rests = Vec::new();
    for frame in 0..=last {
        progress.step()?;
        if frame == 0 || frame == last || is_rest(frame) {
            rests.push(if in_passage[frame] { arrivals[frame] } else { departures[frame] });
        }
    }
    let inner = (1..last).filter(|&frame| in_passage[frame - 1] && in_passage[frame] && in_passage[frame + 1]);
    let corner = [CORNER[0] * scale.length, CORNER[1]];
    rests.extend(inner.map(|frame| arrivals[frame]).filter(|&knot| path.bends_at(knot, corner)));
    rests.sort_unstable();
    rests.dedup();
    Ok(rests)
}

/// For each interval between knots, whether it belongs to a passage or a turn.
fn prescribed_intervals(layout: &Layout, spans: &[ModeSpan]) -> Vec<bool> {
    let Layout { path, in_passage, arrivals, .. } = layout;
    let mut is_prescribed = vec![false; path.len() - 1];
    for frame in (0..in_passage.len() - 1).filter(|&frame| in_passage[frame] && in_passage[frame + 1]) {
        is_prescribed[arrivals[frame]..arrivals[frame + 1]].fill(true);
    }
    for span in spans.iter().filter(|span| span.mode == TURNING_MODE) {
        is_prescribed[span.first_frame..span.last_frame].fill(true);
    }
    is_prescribed
}

/// Splits the knots where contacts change and where prescribed motion begins and ends.
fn phases(contacts: &[ContactSpan], is_prescribed: &[bool], spans: &[ModeSpan]) -> Vec<ContactPhase> {
    let end = is_prescribed.len();
    let mut cuts: Vec<usize> = contacts.iter().flat_map(|span| [span.first_frame, span.last_frame]).collect();
    cuts.extend((1..end).filter(|&knot| is_prescribed[knot] != is_prescribed[knot - 1]));
    cuts.extend([0, end]);
    cuts.sort_unstable();
    cuts.dedup();
    // Contacts are in the order of their first knots; those that have ended are dropped.
    let mut open: Vec<ContactSpan> = Vec::new();
    let mut next = 0;
    let phase = |pair: &[usize]| {
        let (first, last) = (pair[0], pair[1]);
        while next < contacts.len() && contacts[next].first_frame <= first {
            open.push(contacts[next]);
            next += 1;
        }
        open.retain(|span| span.last_frame >= last);
        let mut stance: Vec<Contact> = open.iter().map(|span| span.contact).collect();
        stance.sort_by_key(|contact| contact.effector);
        let span = spans.partition_point(|span| span.last_frame <= first);
        let is_turn = spans.get(span).is_some_and(|span| span.mode == TURNING_MODE && span.first_frame <= first);
        ContactPhase { first, last, stance, is_prescribed: is_prescribed[first], is_turn }
    };
    cuts.windows(2).map(phase).collect()
}

/// Spans without turns; those of one mode with only a turn between them are merged.
fn merge_over_turns(spans: &[ModeSpan]) -> Vec<ModeSpan> {
    let mut merged: Vec<ModeSpan> = Vec::new();
    for span in spans.iter().filter(|span| span.mode != TURNING_MODE && span.first_frame < span.last_frame) {
        match merged.last_mut() {
            Some(former) if former.mode == span.mode => former.last_frame = span.last_frame,
            _ => merged.push(span.clone()),
        }
    }
    merged
}

/// Where balance is required: an effector of the mode's balance group leaves while another of the group remains, both
/// contacts made in the mode. A frame interval takes up to
/// `knots_per_frame` knots.
fn lift_offs(problem: &Problem, spans: &[ModeSpan], contacts: &[ContactSpan], knots_per_frame: usize) -> Vec<LiftOff> {
    let Some(table) = &problem.modes else { return Vec::new() };
    let mut lift_offs = Vec::new();
    for span in merge_over_turns(spans) {
        let Some(balance) = table.find_mode(&span.mode).and_then(|mode| table.modes[mode].balance) else { continue };
        let group = &table.effector_groups[balance.group].effectors;
        let begin = contacts.partition_point(|contact| contact.first_frame < span.first_frame);
        let end = contacts.partition_point(|contact| contact.first_frame < span.last_frame);
        let made: Vec<&ContactSpan> =
            contacts[begin..end].iter().filter(|contact| group.contains(&contact.contact.effector)).collect();
        for left in made.iter().filter(|contact| contact.last_frame < span.last_frame) {
            let held =
                made.iter().filter(|other| other.first_frame <= left.last_frame && left.last_frame <= other.last_frame);
            let contacts: Vec<Contact> = held.clone().map(|other| other.contact).collect();
            if held.clone().any(|other| other.last_frame > left.last_frame) {
                let begin = held
                    .map(|other| other.first_frame)
                    .fold(left.last_frame.saturating_sub(knots_per_frame), usize::max);
                let max_distance = BALANCE_FRACTION * balance.within;
                lift_offs.push(LiftOff { knots: begin..=left.last_frame, contacts, max_distance });
            }
        }
    }
    lift_offs
}
