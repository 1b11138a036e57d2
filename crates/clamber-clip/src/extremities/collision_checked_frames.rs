//! The frames at which collisions are checked; the ranges between them are interpolated.

use clamber_model::Motion;
use clamber_model::id::EffectorId;

use super::tuning::KEY_INTERVAL;
use crate::body_units::BodyScale;

/// Some of the frames of a motion, the first and the last among them.
pub(crate) struct CheckedFrames {
    /// In ascending order.
    pub frames: Vec<usize>,
}

impl CheckedFrames {
    /// Evenly spaced frames, and those in which the effector's contacts begin and end with their neighbors: there the
    /// targets change.
    pub fn new(motion: &Motion, effector: EffectorId, scale: BodyScale) -> Self {
        let interval = KEY_INTERVAL * scale.time;
        let last = motion.frames.len().saturating_sub(1);
        let contacts = motion.contacts.iter().filter(|span| span.contact.effector == effector);
        let mut changes: Vec<usize> = contacts
            .flat_map(|span| {
                [span.first_frame.saturating_sub(1), span.first_frame, span.last_frame, span.last_frame + 1]
            })
            .collect();
        changes.sort_unstable();
        let mut frames: Vec<usize> = Vec::new();
        for (index, frame) in motion.frames.iter().enumerate() {
            let is_due = frames.last().is_none_or(|before| frame.time - motion.frames[*before].time >= interval);
            if is_due || index == last || changes.binary_search(&index).is_ok() {
                frames.push(index);
            }
        }
        Self { frames }
    }

    /// Whether all of this many frames are key frames.
    pub fn are_all(&self, count: usize) -> bool {
        self.frames.len() == count
    }

    /// Selects the key frames' values from a value for each frame.
    pub fn select<T: Copy>(&self, values: &[T]) -> Vec<T> {
        self.frames.iter().map(|frame| values[*frame]).collect()
    }

    /// Interpolates a value for each key frame to one for each frame; `mix` interpolates between two values.
    pub fn interpolate<T: Copy>(&self, times: &[f32], values: &[T], mix: impl Fn(T, T, f32) -> T) -> Vec<T> {
        let mut key = 0;
        let at = |frame: usize| {
            while key + 2 < self.frames.len() && self.frames[key + 1] <= frame {
                key += 1;
            }
            let [from, to] = [key, (key + 1).min(self.frames.len() - 1)];
            let [began, ends] = [from, to].map(|key| times[self.frames[key]]);
            let fraction = (times[frame] - began) / (ends - began).max(1e-6);
            mix(values[from], values[to], fraction.clamp(0.0, 1.0))
        };
        (0..times.len()).map(at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::id::HoldId;
    use clamber_model::math::Vec3;
    use clamber_model::motion::ContactSpan;
    use clamber_model::{Configuration, Contact};
    use clamber_testing::character;

    #[test]
    fn key_frames_are_sparse_except_where_contacts_change() {
        let figure = character("figure");
        let scale = BodyScale::of(&figure);
        let configurations = vec![Configuration::rest(&figure); 51];
        let mut motion = Motion::from_configurations(&figure.name, "walking", configurations, 240.0);
        let [hand, other] = [0, 1].map(EffectorId::new);
        let contact = Contact { effector: hand, hold: HoldId::new(0), point: Vec3::ZERO, normal: Vec3::Y };
        motion.contacts.push(ContactSpan { first_frame: 10, last_frame: 30, contact });
        let keys = CheckedFrames::new(&motion, hand, scale);
        assert_eq!(keys.frames, [0, 4, 8, 9, 10, 14, 18, 22, 26, 30, 31, 35, 39, 43, 47, 50]);
        assert_eq!(CheckedFrames::new(&motion, other, scale).frames.len(), 14);
        let times: Vec<f32> = motion.frames.iter().map(|frame| frame.time).collect();
        let back = keys.interpolate(&times, &keys.select(&times), |a, b, t| a + (b - a) * t);
        assert!(times.iter().zip(back).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}
