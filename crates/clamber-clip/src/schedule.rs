//! When what would happen at a natural pace.

use clamber_model::character::Root;
use clamber_model::configuration::longest_way;
use clamber_model::id::TiVec;
use clamber_model::kinematics::{Ends, Workspace, effector_in_world, forward, travel};
use clamber_model::math::Vec3;
use clamber_model::motion::{ContactSpan, Span, TURNING};
use clamber_model::{Configuration, Contact, Motion, Problem};

use crate::track::Track;

/// Moments in a second of natural time.
pub(crate) const RATE: f32 = 60.0;

/// Moments in a row with the same contacts.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    pub first: usize,
    /// The next phase begins with it.
    pub last: usize,
    pub stance: Vec<Contact>,
    /// Part of a ready-made passage or of a turn, which is not to be changed.
    pub is_fixed: bool,
    /// Part of a turn.
    pub turns: bool,
}

/// A motion on the grid of moments.
pub(crate) struct Schedule {
    /// The planner's way, moment by moment.
    pub raw: Track,
    /// For each frame of the motion, the moment at which it is come to.
    pub arrives: Vec<usize>,
    pub phases: Vec<Phase>,
    /// By moments instead of frames.
    pub spans: Vec<Span>,
    /// By moments instead of frames.
    pub contacts: Vec<ContactSpan>,
    /// Where the body comes to rest: at both ends, before and after turns and passages.
    pub rests: Vec<usize>,
    /// The moments at which passages are met.
    pub fixed: Vec<usize>,
    /// For each frame of the motion, whether it is taken with care and gets no gait.
    pub careful: Vec<bool>,
    /// For each moment, how much of it is gait, from 0 to 1.
    pub gait: Vec<f32>,
    /// For each moment, whether a gait was tried and met an obstacle.
    pub refused: Vec<bool>,
    /// Where a contact is left and balance is asked for.
    pub leavings: Vec<Leaving>,
    /// For each moment, over how many moments to either side flow may smooth.
    pub widths: Vec<f32>,
}

/// A contact that is left while others of its group go on.
#[derive(Clone, Debug)]
pub(crate) struct Leaving {
    pub moment: usize,
    /// What the group holds on to until then.
    pub points: Vec<Vec3>,
    /// How far the centre of mass may be from between them, in metres.
    pub within: f32,
}

/// Whether a mode's clips get the gait.
pub(crate) fn has_gait(problem: &Problem, mode: &str) -> bool {
    let table = problem.modes.as_ref();
    let mode = table.and_then(|table| Some(&table.modes[table.mode(mode)?]));
    problem.character.root == Root::Planar && mode.is_some_and(|mode| mode.gait)
}

/// How fast a mode moves by nature.
#[derive(Clone, Copy, PartialEq)]
struct Pace {
    /// Of hands and feet that change their holds, in metres a second.
    limbs: f32,
    /// Of the hips, in metres a second.
    body: f32,
    /// How long both contacts are held when one takes over from another, in seconds.
    handover: f32,
    /// Over how much time flow may smooth, to either side, in seconds.
    width: f32,
}

impl Pace {
    fn is_ready_made(self) -> bool {
        self.limbs == 0.0
    }
}

const CAREFUL: Pace = Pace { limbs: 1.3, body: 0.7, handover: 0.2, width: 0.35 };
/// A foot swings for as long as the rest of a step's time; see [`step_seconds`].
const WALKING: Pace = Pace { limbs: 3.2, body: 1.3, handover: 4.0 / RATE, width: 0.1 };
const READY_MADE: Pace = Pace { limbs: 0.0, body: 0.0, handover: 0.0, width: 0.0 };

/// How much of the time of hands and feet the same way of any other point takes.
const OTHERS: f32 = 0.5;

/// The fewest moments between two changes of contacts: accelerations are read off four.
const FEWEST: usize = 5;

/// Steps of adults take the longer the shorter they are: their length over their number a minute is the same for one person
/// at all speeds, 0.0062 m (Sekiya et al. 1996).
fn step_seconds(length: f32) -> f32 {
    const WALK_RATIO: f32 = 0.0062;
    (60.0 * WALK_RATIO / length.max(0.1)).clamp(0.48, 0.75)
}

/// Frames of the motion that must fall on moments, and what is between them.
struct Layout<'a> {
    problem: &'a Problem,
    motion: &'a Motion,
    careful: &'a [bool],
    /// For each frame, the contacts that begin and that end with it, as indices.
    begins: Vec<Vec<usize>>,
    ends: Vec<Vec<usize>>,
    /// For each frame, whether something changes that must fall on a moment.
    is_event: Vec<bool>,
    /// For each frame, whether it belongs to a passage.
    is_met: Vec<bool>,
    /// For each frame, the moment at which it is come to and the one at which it is left.
    arrives: Vec<usize>,
    leaves: Vec<usize>,
}

impl Schedule {
    /// Lays a motion out; frames that are `careful` are not hurried though they walk.
    pub fn new(problem: &Problem, motion: &Motion, careful: &[bool]) -> Self {
        let mut layout = Layout::new(problem, motion, careful);
        let (raw, widths) = layout.lay_out();
        let Layout { is_met, arrives, leaves, begins, .. } = layout;
        let last = motion.frames.len() - 1;
        // One effector cannot hold on to two things: the handover is the later one's.
        let follows = |span: &ContactSpan| {
            let is_next = |other: &ContactSpan| other.contact.effector == span.contact.effector && other != span;
            begins[span.last].iter().any(|&other| is_next(&motion.contacts[other]))
        };
        let contact = |span: &ContactSpan| ContactSpan {
            first: arrives[span.first],
            last: if follows(span) { arrives[span.last] } else { leaves[span.last] },
            contact: span.contact,
        };
        let contacts: Vec<ContactSpan> = motion.contacts.iter().map(contact).collect();
        // A mode begins when what it takes is held and what it leaves is not left yet; but a turn, when that is left too.
        let mut begins = 0;
        let spans: Vec<Span> = motion
            .spans
            .iter()
            .enumerate()
            .map(|(index, span)| {
                let ends = match motion.spans.get(index + 1) {
                    Some(next) if next.mode != TURNING => arrives[span.last].midpoint(leaves[span.last]),
                    _ => leaves[span.last],
                };
                Span { first: std::mem::replace(&mut begins, ends), last: ends, mode: span.mode.clone() }
            })
            .collect();
        let fixed = (0..=last).filter(|&frame| is_met[frame]).map(|frame| arrives[frame]).collect();
        let mut rests: Vec<usize> = (0..=last)
            .filter(|&frame| frame == 0 || frame == last || is_rest(motion, &is_met, frame))
            .map(|frame| if is_met[frame] { arrives[frame] } else { leaves[frame] })
            .collect();
        let met = (1..last).filter(|&frame| is_met[frame - 1] && is_met[frame] && is_met[frame + 1]);
        rests.extend(met.map(|frame| arrives[frame]).filter(|&moment| is_corner(&raw, moment)));
        rests.sort_unstable();
        rests.dedup();
        let mut is_fixed = vec![false; raw.len() - 1];
        let ready_made = |frame: &usize| is_met[*frame] && is_met[frame + 1];
        for frame in (0..last).filter(ready_made) {
            is_fixed[arrives[frame]..arrives[frame + 1]].fill(true);
        }
        for span in spans.iter().filter(|span| span.mode == TURNING) {
            is_fixed[span.first..span.last].fill(true);
        }
        let phases = phases(&contacts, &is_fixed, &spans);
        let leavings = leavings(problem, &spans, &contacts);
        let (gait, refused) = (vec![0.0; raw.len()], vec![false; raw.len()]);
        Self {
            raw,
            arrives,
            careful: careful.to_vec(),
            phases,
            spans,
            contacts,
            rests,
            fixed,
            gait,
            refused,
            leavings,
            widths,
        }
    }
}

/// Whether the body rests at a frame: where a passage begins or ends, and where a turn does.
fn is_rest(motion: &Motion, is_met: &[bool], frame: usize) -> bool {
    let borders_passage = is_met[frame] && !(is_met[frame - 1] && is_met[frame + 1]);
    let turns = |span: &Span| span.mode == TURNING && (span.first == frame || span.last == frame);
    borders_passage || motion.spans.iter().any(turns)
}

/// Whether a ready-made way changes its direction at a moment: it must be met exactly, so it is stopped at.
fn is_corner(raw: &Track, moment: usize) -> bool {
    const STRAIGHT: f32 = 5e-4;
    let rows = [moment - 1, moment, moment + 1].map(|moment| raw.row(moment));
    (0..raw.width()).any(|index| (rows[0][index] - 2.0 * rows[1][index] + rows[2][index]).abs() > STRAIGHT)
}

/// For each frame of the motion, whether it is one of a passage's.
fn met_frames(problem: &Problem, motion: &Motion) -> Vec<bool> {
    const SAME: f32 = 2e-4;
    let mut is_met = vec![false; motion.frames.len()];
    let mut ways = TiVec::new();
    let mut from = 0;
    for wanted in problem.passages.iter().flat_map(|passage| &passage.motion.frames) {
        let mut is_same = |configuration: &Configuration| {
            longest_way(&problem.character, configuration, &wanted.configuration, &mut ways) < SAME
        };
        if let Some(offset) = motion.frames[from..].iter().position(|frame| is_same(&frame.configuration)) {
            from += offset;
            is_met[from] = true;
        }
    }
    is_met
}

impl<'a> Layout<'a> {
    fn new(problem: &'a Problem, motion: &'a Motion, careful: &'a [bool]) -> Self {
        let count = motion.frames.len();
        let (mut begins, mut ends) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let is_met = met_frames(problem, motion);
        let mut is_event = is_met.clone();
        for (index, span) in motion.contacts.iter().enumerate() {
            begins[span.first].push(index);
            ends[span.last].push(index);
            (is_event[span.first], is_event[span.last]) = (true, true);
        }
        for span in &motion.spans {
            (is_event[span.first], is_event[span.last]) = (true, true);
        }
        let (arrives, leaves) = (vec![0; count], vec![0; count]);
        Self { problem, motion, careful, begins, ends, is_event, is_met, arrives, leaves }
    }

    /// Puts every frame on the grid, with the moments between them.
    fn lay_out(&mut self) -> (Track, Vec<f32>) {
        let character = &self.problem.character;
        let mut raw = Track::new(character);
        let mut widths = Vec::new();
        let last = self.motion.frames.len() - 1;
        let mut configuration = Configuration::rest(character);
        let mut first = 0;
        raw.push(&self.motion.frames[0].configuration);
        while first < last {
            let end = (first + 1..last).find(|&frame| self.is_event[frame]).unwrap_or(last);
            let pace = self.pace(first, end);
            let (shares, count) = self.block(first, end, pace);
            widths.resize(raw.len(), pace.width * RATE);
            let begin = raw.len() - 1;
            self.leaves[first] = begin;
            // What arrives at a hold or leaves one does so at rest; the body's own pace is evened out later.
            let law = |share: f32| if pace.is_ready_made() { share } else { share * share * (3.0 - 2.0 * share) };
            let mut gap = 0;
            for moment in 1..=count {
                let share = law(moment as f32 / count as f32);
                while gap + 1 < shares.len() && shares[gap] < share {
                    gap += 1;
                }
                let before = if gap == 0 { 0.0 } else { shares[gap - 1] };
                let t = ((share - before) / (shares[gap] - before).max(1e-9)).clamp(0.0, 1.0);
                let frames = &self.motion.frames[first + gap..=first + gap + 1];
                configuration.interpolate(&frames[0].configuration, &frames[1].configuration, t);
                raw.push(if moment == count { &self.motion.frames[end].configuration } else { &configuration });
            }
            for (frame, share) in (first + 1..end).zip(&shares) {
                let moment =
                    (begin..begin + count).find(|moment| law((moment - begin) as f32 / count as f32) >= *share);
                let moment = moment.unwrap_or(begin + count);
                (self.arrives[frame], self.leaves[frame]) = (moment, moment);
            }
            self.arrives[end] = raw.len() - 1;
            if end < last && self.is_handover(end) {
                let next = self.pace(end, end + 1);
                for _ in 0..((next.handover.max(pace.handover) * RATE).round() as usize).max(FEWEST - 1) {
                    raw.push(&self.motion.frames[end].configuration);
                }
            }
            widths.resize(raw.len(), pace.width * RATE);
            first = end;
        }
        self.leaves[last] = raw.len() - 1;
        (raw, widths)
    }

    /// Whether one contact takes over from another at a frame.
    fn is_handover(&self, frame: usize) -> bool {
        let effector = |contact: &usize| self.motion.contacts[*contact].contact.effector;
        let ends = &self.ends[frame];
        self.begins[frame].iter().any(|made| ends.iter().any(|left| effector(left) != effector(made)))
    }

    fn pace(&self, first: usize, end: usize) -> Pace {
        let spans = &self.motion.spans;
        let span = spans.get(spans.partition_point(|span| span.last < end));
        let Some(mode) = span.filter(|span| span.first <= first).map(|span| span.mode.as_str()) else { return CAREFUL };
        if mode == TURNING || (self.is_met[first] && self.is_met[end]) {
            return READY_MADE;
        }
        if has_gait(self.problem, mode) && !self.careful[first.midpoint(end)] { WALKING } else { CAREFUL }
    }

    /// At which shares of its time a stretch between two events passes its frames, and how many moments it takes.
    fn block(&self, first: usize, end: usize, pace: Pace) -> (Vec<f32>, usize) {
        let Self { problem, motion, .. } = self;
        let character = &problem.character;
        let frames = &motion.frames[first..=end];
        let mut workspace = Workspace::default();
        let mut places: Vec<Vec<Vec3>> = Vec::new();
        for frame in frames {
            forward(character, &frame.configuration, &mut workspace);
            let effectors = character.effectors.keys();
            let mut points: Vec<Vec3> =
                effectors.map(|effector| effector_in_world(character, &workspace, effector)).collect();
            points.push(frame.configuration.root.translation);
            places.push(points);
        }
        let mut ways = vec![0.0f32; character.effectors.len() + 1];
        let mut sums: Vec<f32> = Vec::with_capacity(frames.len());
        let mut ends = Ends::default();
        for (pair, frames) in places.windows(2).zip(frames.windows(2)) {
            let moved = pair[0].iter().zip(&pair[1]).map(|(from, to)| (*to - *from).length());
            // An elbow may move while hand and hips do not, and takes its time, too.
            let step = [&frames[0].configuration, &frames[1].configuration];
            let mut farthest = (OTHERS * travel(character, step, &mut ends)).max(1e-6);
            for (way, moved) in ways.iter_mut().zip(moved) {
                *way += moved;
                farthest = farthest.max(moved);
            }
            sums.push(sums.last().copied().unwrap_or(0.0) + farthest);
        }
        let played = frames[frames.len() - 1].time - frames[0].time;
        let seconds = if pace.is_ready_made() {
            played
        } else {
            let body = ways.pop().unwrap_or(0.0);
            let limbs = ways.into_iter().fold(0.0, f32::max);
            let seconds = (limbs / pace.limbs).max(body / pace.body);
            match self.step_length(first, end).filter(|_| pace == WALKING) {
                Some(length) => (step_seconds(length) - pace.handover).max(limbs / 4.5),
                None => seconds,
            }
        };
        let total = sums[sums.len() - 1];
        sums.iter_mut().for_each(|sum| *sum /= total);
        // The planner's frames are as dense as the obstacles ask for; in the middle of a stretch, time goes half again as fast.
        let fewest = if pace.is_ready_made() {
            if self.is_met[first] { 1 } else { FEWEST }
        } else if pace == WALKING {
            FEWEST
        } else {
            FEWEST.max(3 * (end - first) / 2)
        };
        (sums, ((seconds * RATE).round() as usize).max(fewest))
    }

    /// How far from the foot that carries the other one comes down, if that is what the stretch is.
    fn step_length(&self, first: usize, end: usize) -> Option<f32> {
        let contacts = &self.motion.contacts;
        let landed = &contacts[*self.begins[end].first().filter(|_| end > 0)?];
        // Contacts are in the order of their first frames; who carries has not carried for long.
        const FEW: usize = 8;
        let before = contacts.partition_point(|span| span.first <= first);
        let near = contacts[before.saturating_sub(FEW)..before].iter();
        let mut carrying = near.filter(|span| span.last >= end);
        let carries = carrying.next().filter(|_| carrying.next().is_none())?;
        Some((landed.contact.point - carries.contact.point).length())
    }
}

/// Cuts the moments where contacts change, and where what is ready-made begins and ends.
fn phases(contacts: &[ContactSpan], is_fixed: &[bool], spans: &[Span]) -> Vec<Phase> {
    let end = is_fixed.len();
    let mut cuts: Vec<usize> = contacts.iter().flat_map(|span| [span.first, span.last]).collect();
    cuts.extend((1..end).filter(|&moment| is_fixed[moment] != is_fixed[moment - 1]));
    cuts.extend([0, end]);
    cuts.sort_unstable();
    cuts.dedup();
    // Contacts are in the order of their first moments; those that are over are left behind.
    let mut open: Vec<ContactSpan> = Vec::new();
    let mut next = 0;
    let phase = |pair: &[usize]| {
        let (first, last) = (pair[0], pair[1]);
        while next < contacts.len() && contacts[next].first <= first {
            open.push(contacts[next]);
            next += 1;
        }
        open.retain(|span| span.last >= last);
        let mut stance: Vec<Contact> = open.iter().map(|span| span.contact).collect();
        stance.sort_by_key(|contact| contact.effector);
        let span = spans.partition_point(|span| span.last <= first);
        let turns = spans.get(span).is_some_and(|span| span.mode == TURNING && span.first <= first);
        Phase { first, last, stance, is_fixed: is_fixed[first], turns }
    };
    cuts.windows(2).map(phase).collect()
}

/// Spans, those of one mode with nothing but a turn between them taken together.
fn stretches(spans: &[Span]) -> Vec<Span> {
    let mut stretches: Vec<Span> = Vec::new();
    for span in spans.iter().filter(|span| span.mode != TURNING && span.first < span.last) {
        match stretches.last_mut() {
            Some(former) if former.mode == span.mode => former.last = span.last,
            _ => stretches.push(span.clone()),
        }
    }
    stretches
}

/// Where balance is asked for: in its mode, when an effector of the mode's group leaves while another holds on.
fn leavings(problem: &Problem, spans: &[Span], contacts: &[ContactSpan]) -> Vec<Leaving> {
    let Some(table) = &problem.modes else { return Vec::new() };
    let mut leavings = Vec::new();
    for span in stretches(spans) {
        let Some(balance) = table.mode(&span.mode).and_then(|mode| table.modes[mode].balance) else { continue };
        let group = &table.groups[balance.group].effectors;
        let begin = contacts.partition_point(|contact| contact.first < span.first);
        let end = contacts.partition_point(|contact| contact.first < span.last);
        let made: Vec<&ContactSpan> =
            contacts[begin..end].iter().filter(|contact| group.contains(&contact.contact.effector)).collect();
        for left in made.iter().filter(|contact| contact.last < span.last) {
            let near = made.iter().filter(|other| other.first <= left.last && left.last <= other.last);
            let points: Vec<Vec3> = near.clone().map(|other| other.contact.point).collect();
            if near.clone().any(|other| other.last > left.last) {
                leavings.push(Leaving { moment: left.last, points, within: 0.9 * balance.within });
            }
        }
    }
    leavings
}
