//! Samples a motion at any time.

use crate::character::Character;
use crate::configuration::Configuration;
use crate::contact::Stance;
use crate::kinematics::{LinkFrames, forward};
use crate::motion::{ContactSpan, Motion};

/// A motion at one time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MotionSample {
    /// The interpolated configuration.
    pub configuration: Configuration,
    /// The pose of each link in the world: `link_poses.world_from_link[link]`.
    pub link_poses: LinkFrames,
    /// The name of the mode.
    pub mode: String,
    /// The contacts, in the order of the effectors.
    pub contacts: Stance,
}

impl MotionSample {
    /// Returns the rest posture, to be overwritten by [`Motion::sample_into`].
    pub fn new(character: &Character) -> Self {
        let configuration = Configuration::rest(character);
        Self { configuration, link_poses: LinkFrames::default(), mode: String::new(), contacts: Stance::new() }
    }
}

impl Motion {
    /// Returns the link poses, mode and contacts at a time in seconds. Times before the first and after the last frame are
    /// clamped. For another character than the motion's, the sample is the rest posture.
    ///
    /// Allocates; [`sample_into`](Self::sample_into) reuses memory.
    pub fn sample(&self, character: &Character, time: f32) -> MotionSample {
        let mut sample = MotionSample::new(character);
        self.sample_into(character, time, &mut sample);
        sample
    }

    /// Like [`sample`](Self::sample), into an existing sample of the same character.
    pub fn sample_into(&self, character: &Character, time: f32, sample: &mut MotionSample) {
        let after = self.frames.partition_point(|frame| frame.time <= time);
        let first = after.saturating_sub(1);
        let last = after.min(self.frames.len().saturating_sub(1));
        sample.contacts.clear();
        if let (Some(from), Some(to)) = (self.frames.get(first), self.frames.get(last))
            && [from, to].iter().all(|frame| frame.configuration.angles.len() == character.hinges.len())
        {
            let span = to.time - from.time;
            let t = if span > 0.0 { ((time - from.time) / span).clamp(0.0, 1.0) } else { 0.0 };
            sample.configuration.interpolate(&from.configuration, &to.configuration, t);
            // Between two frames, only contacts that exist in both are active.
            let is_active = |contact: &&ContactSpan| {
                contact.first_frame <= first && contact.last_frame >= if t > 0.0 { last } else { first }
            };
            sample.contacts.extend(self.contacts.iter().filter(is_active).map(|contact| contact.contact));
            sample.contacts.sort_by_key(|contact| contact.effector);
        }
        sample.mode.clear();
        sample.mode.push_str(self.mode_at_frame(last));
        forward(character, &sample.configuration, &mut sample.link_poses);
    }
}
