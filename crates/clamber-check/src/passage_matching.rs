//! Where a motion plays the problem's passages.

use clamber_model::math::Vec3;
use clamber_model::motion::ContactSpan;
use clamber_model::problem::Passage;
use clamber_model::{Contact, Motion, Problem};

use crate::dense_sampling::body_points;
use crate::kinematics::LinkFrames;
use crate::progress::ProgressReporter;
use crate::settings::CheckSettings;

/// The frames of a motion that play a passage, with the contacts of the passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PassageFrames {
    pub first: usize,
    pub last: usize,
}

/// A frame of a passage that the motion does not play, or not on the passage's contacts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnplayedFrame {
    pub passage: usize,
    pub frame: usize,
    /// Whether the motion has the poses of the passage, on other contacts.
    pub has_poses: bool,
}

/// Whether two contacts are the same up to rounding.
pub(crate) fn is_same_contact(a: &Contact, b: &Contact, settings: &CheckSettings) -> bool {
    a.effector == b.effector && a.hold == b.hold && (a.point - b.point).length() <= settings.max_hold_distance
}

/// Finds where a motion plays each passage: in order, each frame in its pose and on its contacts, and with the contacts that
/// the passage keeps from one of its frames to the next kept in between. Other frames and contacts may be in between.
///
/// For each frame of a passage, the motion's frames that may play it are those from which an earlier one of the previous
/// frame of the passage can be reached: a dynamic program like that of `passages_played`.
pub(crate) fn match_passages(
    problem: &Problem,
    motion: &Motion,
    settings: &CheckSettings,
    progress: &mut ProgressReporter,
) -> Vec<Result<PassageFrames, UnplayedFrame>> {
    if problem.passages.is_empty() {
        return Vec::new();
    }
    let mut frames = LinkFrames::default();
    let mut bodies = |motion: &Motion, progress: &mut ProgressReporter| -> Vec<Vec<Vec3>> {
        let body = |frame: &clamber_model::motion::Frame| {
            let mut points = Vec::new();
            body_points(&problem.character, &frame.configuration, &mut frames, &mut points);
            points
        };
        motion.frames.iter().take_while(|_| progress.step(0.0)).map(body).collect()
    };
    let actual = bodies(motion, progress);
    let mut from = 0;
    let mut matches = Vec::new();
    for (index, passage) in problem.passages.iter().enumerate() {
        let required = bodies(&passage.motion, progress);
        if progress.is_cancelled() {
            break;
        }
        let mut matching = Matching { passage, required, motion, actual: &actual, settings, on_contacts: true };
        let found = matching.find(from, progress).map_err(|frame| {
            matching.on_contacts = false;
            UnplayedFrame { passage: index, frame, has_poses: matching.find(from, progress).is_ok() }
        });
        if let Ok(found) = found {
            from = found.last;
        }
        matches.push(found);
    }
    matches
}

struct Matching<'a> {
    passage: &'a Passage,
    /// The body points in each frame of the passage.
    required: Vec<Vec<Vec3>>,
    motion: &'a Motion,
    /// The body points in each frame of the motion.
    actual: &'a [Vec<Vec3>],
    settings: &'a CheckSettings,
    /// Whether contacts count.
    on_contacts: bool,
}

impl Matching<'_> {
    /// Returns the frames that play the passage from a frame on, or the first frame of the passage that none plays.
    fn find(&self, from: usize, progress: &mut ProgressReporter) -> Result<PassageFrames, usize> {
        let count = self.actual.len();
        // For each frame of the passage and of the motion, the frame of the motion that plays the previous frame of the passage.
        let mut previous: Vec<Vec<Option<usize>>> = Vec::new();
        for frame in 0..self.required.len() {
            let earlier = previous.last();
            // The latest frame up to each one that plays the previous frame of the passage.
            let mut latest = None;
            let mut row = vec![None; count];
            for (at, entry) in row.iter_mut().enumerate().skip(from) {
                if !progress.step(0.0) {
                    return Err(frame);
                }
                latest = match earlier {
                    None => Some(at),
                    Some(earlier) => earlier[at].map(|_| at).or(latest),
                };
                let Some(before) = latest else { continue };
                let keeps = || {
                    frame == 0
                        || !self.on_contacts
                        || self.earliest_kept(frame, at).is_some_and(|earliest| earliest <= before)
                };
                if self.is_in_pose(frame, at) && self.has_contacts(frame, at) && keeps() {
                    *entry = Some(before);
                }
            }
            if row.iter().all(Option::is_none) {
                return Err(frame);
            }
            previous.push(row);
        }
        let last = previous.last().and_then(|row| row.iter().position(Option::is_some)).unwrap_or(from);
        let mut first = last;
        for row in previous.iter().skip(1).rev() {
            first = row[first].unwrap_or(first);
        }
        Ok(PassageFrames { first, last })
    }

    fn is_in_pose(&self, frame: usize, at: usize) -> bool {
        let mut points = self.required[frame].iter().zip(&self.actual[at]);
        points.all(|(required, actual)| (*actual - *required).length() <= self.settings.max_start_goal_error)
    }

    fn has_contacts(&self, frame: usize, at: usize) -> bool {
        let lasts = |span: &&ContactSpan| self.on_contacts && span.first_frame <= frame && frame <= span.last_frame;
        self.passage.motion.contacts.iter().filter(lasts).all(|span| self.active(&span.contact, at).is_some())
    }

    /// The first frame of the motion from which on the contacts that the passage keeps up to a frame are kept up to `at`; `None`
    /// if one of them is not active there.
    fn earliest_kept(&self, frame: usize, at: usize) -> Option<usize> {
        let is_kept = |span: &&ContactSpan| span.first_frame < frame && frame <= span.last_frame;
        let kept = self.passage.motion.contacts.iter().filter(is_kept);
        kept.map(|span| self.active(&span.contact, at).map(|active| active.first_frame))
            .try_fold(0, |earliest, first| first.map(|first| earliest.max(first)))
    }

    /// The motion's contact that equals one of the passage and is active in a frame.
    fn active(&self, contact: &Contact, at: usize) -> Option<&ContactSpan> {
        let is_active = |span: &&ContactSpan| {
            span.first_frame <= at && at <= span.last_frame && is_same_contact(&span.contact, contact, self.settings)
        };
        self.motion.contacts.iter().find(is_active)
    }
}
