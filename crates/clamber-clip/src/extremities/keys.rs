//! The frames at which obstacles are asked about.

use clamber_model::Motion;
use clamber_model::id::EffectorId;

/// Frames that are farther from the key before them than this are keys, in seconds: what is nearer is all but the same.
const APART: f32 = 0.99 / 60.0;

/// Some of the frames of a motion, the first and the last among them.
pub(crate) struct Keys {
    /// In ascending order.
    pub frames: Vec<usize>,
}

impl Keys {
    /// A few in each second, and the frames in which an effector's contacts begin and end, with those before and after them: there
    /// it is another thing that is wanted.
    pub fn new(motion: &Motion, effector: EffectorId) -> Self {
        let last = motion.frames.len().saturating_sub(1);
        let own = motion.contacts.iter().filter(|span| span.contact.effector == effector);
        let mut ends: Vec<usize> =
            own.flat_map(|span| [span.first.saturating_sub(1), span.first, span.last, span.last + 1]).collect();
        ends.sort_unstable();
        let mut frames: Vec<usize> = Vec::new();
        for (index, frame) in motion.frames.iter().enumerate() {
            let is_apart = frames.last().is_none_or(|before| frame.time - motion.frames[*before].time >= APART);
            if is_apart || index == last || ends.binary_search(&index).is_ok() {
                frames.push(index);
            }
        }
        Self { frames }
    }

    /// Whether every one of so many frames is one.
    pub fn are_all(&self, count: usize) -> bool {
        self.frames.len() == count
    }

    /// Of a value for each frame, those of the keys.
    pub fn of<T: Copy>(&self, values: &[T]) -> Vec<T> {
        self.frames.iter().map(|frame| values[*frame]).collect()
    }

    /// Of a value for each key, one for each frame; `mix` says what is a share of the way from one to the next.
    pub fn between<T: Copy>(&self, times: &[f32], values: &[T], mix: impl Fn(T, T, f32) -> T) -> Vec<T> {
        let mut key = 0;
        let at = |frame: usize| {
            while key + 2 < self.frames.len() && self.frames[key + 1] <= frame {
                key += 1;
            }
            let [from, to] = [key, (key + 1).min(self.frames.len() - 1)];
            let [began, ends] = [from, to].map(|key| times[self.frames[key]]);
            let share = (times[frame] - began) / (ends - began).max(1e-6);
            mix(values[from], values[to], share.clamp(0.0, 1.0))
        };
        (0..times.len()).map(at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::Configuration;
    use clamber_model::id::{HoldId, TiVec};
    use clamber_model::math::{Pose, Vec3};
    use clamber_model::motion::{ContactSpan, Frame};
    use clamber_model::{Contact, motion::Span};

    #[test]
    fn they_are_few_but_where_contacts_change() {
        let configuration = Configuration { root: Pose::IDENTITY, angles: TiVec::new() };
        let frame = |index: usize| Frame { time: index as f32 / 240.0, configuration: configuration.clone() };
        let contact =
            Contact { effector: EffectorId::new(0), hold: HoldId::new(0), point: Vec3::ZERO, normal: Vec3::Y };
        let motion = Motion {
            character: String::new(),
            frames: (0..=50).map(frame).collect(),
            spans: vec![Span { first: 0, last: 50, mode: "walking".to_owned() }],
            contacts: vec![ContactSpan { first: 10, last: 30, contact }],
        };
        let keys = Keys::new(&motion, EffectorId::new(0));
        assert_eq!(keys.frames, [0, 4, 8, 9, 10, 14, 18, 22, 26, 30, 31, 35, 39, 43, 47, 50]);
        assert_eq!(Keys::new(&motion, EffectorId::new(1)).frames.len(), 14);
        let times: Vec<f32> = motion.frames.iter().map(|frame| frame.time).collect();
        let back = keys.between(&times, &keys.of(&times), |a, b, t| a + (b - a) * t);
        assert!(times.iter().zip(back).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}
