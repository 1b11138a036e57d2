//! Which frames are in a mode.

use clamber_model::Motion;

/// Whether one span of the mode covers all frames from `first` to `last`.
pub(super) fn is_in_mode(motion: &Motion, mode: &str, first: usize, last: usize) -> bool {
    motion.mode_spans.iter().any(|span| span.mode == mode && span.first_frame <= first && last <= span.last_frame)
}
