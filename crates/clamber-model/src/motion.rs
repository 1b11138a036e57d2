//! Motions: timed configurations with contacts and modes.

use crate::configuration::Configuration;
use crate::contact::{Contact, Stance};
use crate::scaling::{Scale, ScaleError};

/// The mode without contacts, which is in no mode table.
pub const FLYING_MODE: &str = "flying";

/// The mode in which a planar character makes a half turn about the vertical, through the third dimension.
pub const TURNING_MODE: &str = "turning";

/// Timed configurations of one character, the contacts, and the mode of each span.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The name of the character that moves.
    pub character: String,
    /// The frames, in the order of time; configurations between two frames are interpolated.
    pub frames: Vec<Frame>,
    /// Consecutive spans that cover the motion.
    pub mode_spans: Vec<ModeSpan>,
    /// The contacts, in the order of their first frames, then of the effectors.
    pub contacts: Vec<ContactSpan>,
    /// Whether the motion is a clip: smooth, and timed within the character's speed limits.
    pub is_clip: bool,
    /// Whether the motion claims static equilibrium: the contacts carry the body at every moment, within what its modes allow. A
    /// motion that claims it is judged by it.
    pub in_equilibrium: bool,
}

/// A configuration at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Seconds from the start of the motion.
    pub time: f32,
    /// The root's pose and the hinge angles.
    pub configuration: Configuration,
}

/// Consecutive frames in one mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeSpan {
    /// The first frame.
    pub first_frame: usize,
    /// The last frame; the next span starts with it.
    pub last_frame: usize,
    /// The name of the mode, for example `flying`.
    pub mode: String,
}

/// Consecutive frames in which an effector is in contact with one point of a hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSpan {
    /// The first frame of the contact.
    pub first_frame: usize,
    /// The last frame of the contact.
    pub last_frame: usize,
    /// The contact.
    pub contact: Contact,
}

impl Motion {
    /// Returns a motion in one mode without contacts, one frame per configuration at a constant frame rate.
    pub fn from_configurations(
        character: &str,
        mode: &str,
        configurations: Vec<Configuration>,
        frames_per_second: f32,
    ) -> Self {
        let last = configurations.len().saturating_sub(1);
        let frames = configurations
            .into_iter()
            .enumerate()
            .map(|(index, configuration)| Frame { time: index as f32 / frames_per_second, configuration })
            .collect();
        let spans = vec![ModeSpan { first_frame: 0, last_frame: last, mode: mode.to_owned() }];
        Self {
            character: character.to_owned(),
            frames,
            mode_spans: spans,
            contacts: Vec::new(),
            is_clip: false,
            in_equilibrium: false,
        }
    }

    /// Appends another motion, whose first frame equals this one's last. Two clips do not make a clip: each begins and ends
    /// at rest. The whole claims equilibrium if both do.
    pub fn append(&mut self, other: &Self) {
        let Some(offset) = self.frames.len().checked_sub(1) else {
            self.clone_from(other);
            return;
        };
        self.is_clip = false;
        self.in_equilibrium &= other.in_equilibrium;
        let start_time = self.duration();
        let later = |frame: &Frame| Frame { time: start_time + frame.time, configuration: frame.configuration.clone() };
        self.frames.extend(other.frames.iter().skip(1).map(later));
        for ModeSpan { first_frame: first, last_frame: last, mode } in other.mode_spans.iter().cloned() {
            let (first, last) = (offset + first, offset + last);
            match self.mode_spans.last_mut() {
                Some(span) if span.mode == mode => span.last_frame = last,
                _ => self.mode_spans.push(ModeSpan { first_frame: first, last_frame: last, mode }),
            }
        }
        for &ContactSpan { first_frame: first, last_frame: last, contact } in &other.contacts {
            let (first, last) = (offset + first, offset + last);
            match self
                .contacts
                .iter_mut()
                .find(|span| span.contact == contact && span.last_frame == offset && first == offset)
            {
                Some(span) => span.last_frame = last,
                None => self.contacts.push(ContactSpan { first_frame: first, last_frame: last, contact }),
            }
        }
        self.contacts.sort_by_key(|span| (span.first_frame, span.contact.effector, span.last_frame));
    }

    /// Returns the motion up to and including a frame.
    pub fn prefix_to_frame(&self, frame: usize) -> Self {
        let contact = |span: &ContactSpan| ContactSpan { last_frame: span.last_frame.min(frame), ..*span };
        let span = |span: &ModeSpan| ModeSpan { last_frame: span.last_frame.min(frame), ..span.clone() };
        Self {
            character: self.character.clone(),
            frames: self.frames.iter().take(frame + 1).cloned().collect(),
            // A span that starts with the frame belongs to the rest.
            mode_spans: self
                .mode_spans
                .iter()
                .filter(|span| span.first_frame < frame || span.first_frame == 0)
                .map(span)
                .collect(),
            contacts: self.contacts.iter().filter(|span| span.first_frame <= frame).map(contact).collect(),
            is_clip: self.is_clip,
            in_equilibrium: self.in_equilibrium,
        }
    }

    /// Returns the motion from a frame on, with times from 0.
    pub fn suffix_from_frame(&self, frame: usize) -> Self {
        let start_time = self.frames.get(frame).map_or(0.0, |frame| frame.time);
        let later = |of: &Frame| Frame { time: of.time - start_time, configuration: of.configuration.clone() };
        let contact = |span: &ContactSpan| ContactSpan {
            first_frame: span.first_frame.saturating_sub(frame),
            last_frame: span.last_frame - frame,
            contact: span.contact,
        };
        let span = |span: &ModeSpan| ModeSpan {
            first_frame: span.first_frame.saturating_sub(frame),
            last_frame: span.last_frame - frame,
            mode: span.mode.clone(),
        };
        let end = self.frames.len().saturating_sub(1);
        Self {
            character: self.character.clone(),
            frames: self.frames.iter().skip(frame).map(later).collect(),
            // A span that ends with the frame belongs to the part before.
            mode_spans: self
                .mode_spans
                .iter()
                .filter(|span| span.last_frame > frame || span.last_frame == end)
                .map(span)
                .collect(),
            contacts: self.contacts.iter().filter(|span| span.last_frame >= frame).map(contact).collect(),
            is_clip: self.is_clip,
            in_equilibrium: self.in_equilibrium,
        }
    }

    /// Returns the motion of the scaled character: positions are multiplied by `factor`, times by its square root.
    pub fn scaled(&self, factor: f32) -> Result<Self, ScaleError> {
        let scale = Scale::new(factor)?;
        let mut motion = self.clone();
        for frame in &mut motion.frames {
            frame.time *= scale.time;
            frame.configuration = frame.configuration.scaled(scale.length);
        }
        for span in &mut motion.contacts {
            span.contact = span.contact.scaled(scale.length);
        }
        Ok(motion)
    }

    /// Returns the duration in seconds.
    pub fn duration(&self) -> f32 {
        self.frames.last().map_or(0.0, |frame| frame.time)
    }

    /// Returns the contacts at a frame, in the order of the effectors. If an effector's contact ends at the frame at which its
    /// next one starts, both are returned.
    pub fn stance_at_frame(&self, frame: usize) -> Stance {
        let lasts = |span: &&ContactSpan| (span.first_frame..=span.last_frame).contains(&frame);
        let mut stance: Stance = self.contacts.iter().filter(lasts).map(|span| span.contact).collect();
        stance.sort_by_key(|contact| contact.effector);
        stance
    }

    /// Returns the name of the mode at a frame; of two spans that share the frame, the earlier one counts.
    pub fn mode_at_frame(&self, frame: usize) -> &str {
        let span = self.mode_spans.iter().find(|span| (span.first_frame..=span.last_frame).contains(&frame));
        span.map_or(FLYING_MODE, |span| &span.mode)
    }
}
