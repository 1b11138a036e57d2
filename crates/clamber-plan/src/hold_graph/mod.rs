//! The guide over holds: the cost-to-go from hold to hold, over steps that a body can reach.
//!
//! The published guide leads through free space, and so through the air, where there is nothing to hold (thesis 5.6.4). This
//! one has vertices only on holds, so it leads along surfaces.

mod tuning;
mod vertex;
mod edge_cost;
mod graph;

pub(crate) use edge_cost::{is_open, is_open_around_edge};
pub(crate) use graph::{Gap, HoldGraph};
pub(crate) use vertex::{Vertex, bounded_spacing, sample_hold};
