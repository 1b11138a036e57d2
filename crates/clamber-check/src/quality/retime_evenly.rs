//! The same frames at other times.

use clamber_model::Motion;

/// Returns the motion with its frames spread evenly over `duration` seconds.
pub fn with_evenly_spaced_times(motion: &Motion, duration: f32) -> Motion {
    let mut retimed = motion.clone();
    let last = motion.frames.len().saturating_sub(1).max(1);
    for (index, frame) in retimed.frames.iter_mut().enumerate() {
        frame.time = duration * index as f32 / last as f32;
    }
    retimed
}
