//! Finds motions.
//!
//! [`plan`] takes a [`Problem`](clamber_model::Problem) and a seed and returns an [`Outcome`]: a motion, or the reason
//! why there is none and how far it got. The same problem, settings and seed give the same outcome, whatever else runs.

// Lowest layer first: a module uses only the modules above it.
pub mod budget;
pub mod settings;
pub mod failure;
mod bounds;
mod guide;
pub mod distance_map;
mod reach;
mod hold_graph;
mod gap_bridging;
mod bottleneck;
mod limb_search;
mod local_planner;
mod transition;
mod mode;
mod waypoint;
mod turn_around;
mod smoothing;
mod flight;
mod rpp;
mod stance;
mod replan;
mod search;

pub use budget::{Observer, Phase, Progress};
pub use failure::{Cause, Failure, Impasse, Outcome, Statistics};
pub use search::{StancePlan, plan, plan_from, replan};
pub use settings::{Occupancy, PlanSettings, Planner};
