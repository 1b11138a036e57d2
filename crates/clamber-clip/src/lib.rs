//! Turns motions into clips: smoothing, gait, timing, hands and feet.
//!
//! [`refine`] keeps the contacts of a planned motion and gives it the smoothness and the timing of an animation.
//! [`motion_with_hands_and_feet`] adds the hands and feet that planning leaves out: the hands of the figure, and the feet of
//! characters whose legs end in their ankles. Neither plans: a clip has the motion's contacts, in the same order.

// Lowest layer first: a module uses only the modules above it.
mod settings;
mod error;
mod progress;
mod validate_settings;
mod body_units;
mod natural_pace;
mod ease;
mod tuning;
mod knot_path;
mod speed_and_acceleration_limits;
mod frames_on_time_grid;
mod motion_on_knot_grid;
mod limb_swing;
mod contact_projection;
mod foot_trajectory;
mod walking_gait;
mod counter_swing;
mod blend_contact_phases;
mod find_violations;
mod smoothing;
mod time_parameterization;
mod sample_clip_frames;
mod sampled_speed_ratios;
mod lost_equilibrium;
mod refine;
mod extremities;

pub use error::ClipError;
pub use extremities::{
    add_hand_and_foot_links, configuration_with_hands_and_feet, motion_with_hands_and_feet,
    motion_with_hands_and_feet_with_progress,
};
pub use progress::{ClipObserver, ClipProgress};
pub use refine::{Clip, refine, refine_with_progress};
pub use settings::ClipSettings;
pub use speed_and_acceleration_limits::BindingLimit;
