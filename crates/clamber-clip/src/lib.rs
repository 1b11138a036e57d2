//! Turns motions into clips: flow, gait, timing, hands and feet.
//!
//! [`refine`] keeps the contacts of a planned motion and gives it the flow and the timing of an animation.
//! [`add_hands_and_feet`] adds the hands and feet that planning leaves out.

// Lowest layer first: a module uses only the modules above it.
mod settings;
mod error;
mod input;
mod track;
mod schedule;
mod swing_arc;
mod projection;
mod gait;
mod blend;
mod violation;
mod flow;
mod timing;
mod refine;
mod extremities;

pub use error::ClipError;
pub use extremities::{add_hands_and_feet, extend_with_rest_angles, with_hands_and_feet};
pub use refine::{Clip, refine};
pub use settings::ClipSettings;
