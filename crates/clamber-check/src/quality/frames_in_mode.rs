//! Which frames are in a mode.

use clamber_model::Motion;

/// Whether one span of the mode covers all frames from `first` to `last`.
pub(super) fn is_in_mode(motion: &Motion, mode: &str, first: usize, last: usize) -> bool {
    motion.spans.iter().any(|span| span.mode == mode && span.first <= first && last <= span.last)
}
