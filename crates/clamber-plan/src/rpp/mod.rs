//! The grasp-based planner as published (Kalisiak 1999, 4.8; Kalisiak and van de Panne 2001).

mod tuning;
mod state;
mod edges;
mod wander;
mod arrival;
mod core;

pub(crate) use self::state::RppSearch;
