//! Finds motions.
//!
//! [`plan`] takes a [`Problem`](clamber_model::Problem) and a seed and returns an [`Outcome`]: a motion, or the reason
//! why there is none and how far it got. The same problem, settings and seed give the same outcome, whatever else runs.

// The order of this list is the order of the layers: a module uses only the ones above it.
#[cfg(test)]
mod testing;
pub mod observe;
pub mod settings;
pub mod outcome;
mod bounds;
mod guide;
pub mod field;
mod reach;
mod hold_map;
mod bridge;
mod narrows;
mod posture;
mod mode;
mod trail;
mod turn;
mod refine;
mod search;

pub use observe::{Observer, Phase, Progress};
pub use outcome::{Cause, Failure, Impasse, Outcome, Statistics};
pub use refine::clip::{RefineSettings, Refined, refine};
pub use refine::extremities::{add_extremities, extend_at_rest, with_extremities};
pub use search::{StancePlan, plan, plan_from, replan};
pub use settings::{Occupancy, PlanSettings, Planner};
