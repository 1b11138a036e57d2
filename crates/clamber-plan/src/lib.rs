//! Finds motions.
//!
//! A [`Planner`] takes a [`Problem`](clamber_model::Problem) and a seed and returns a [`Plan`], or a [`PlanError`] with the
//! reason and the motion so far. The same problem, settings and seed give the same result, whatever else runs.

// Lowest layer first: a module uses only the modules above it.
mod resumable_search;
mod budget;
mod search_tuning;
mod settings;
mod failure;
mod plan;
mod validate_problem;
mod center_of_mass_in_scene_bounds;
mod ordered_f32;
mod cost_to_go_guide;
mod distance_to_goal_map;
mod max_contact_distances;
mod trunk_guide;
mod hold_graph;
mod bridge_hold_graph_gaps;
mod widest_path_bottleneck;
mod trunk_ball;
mod no_way_proof;
mod limb_search;
mod local_planner;
mod transition;
mod mode;
mod waypoint;
mod path_to_motion;
mod turn_around;
mod smoothing;
mod flight_validity;
mod free_flight_search;
mod rpp;
mod stance;
mod run_search;
mod replan;
mod planner;

pub use budget::{CancelToken, Observer, PlanStage, Progress};
pub use failure::{Failure, Impasse, ImpasseCause, MissingSupport};
pub use flight_validity::FlightValidity;
pub use plan::{Plan, PlanError, PlanOutcome, Statistics};
pub use planner::Planner;
pub use settings::{Algorithm, OccupancyRule, PlanSettings};
pub use trunk_guide::GuideMemory;
