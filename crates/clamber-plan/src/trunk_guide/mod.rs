//! The guide in space: paths of the trunk over places where the body fits and its limbs reach enough surface of the right kind
//! (the reachability condition of Tonneau and others, "An efficient acyclic contact planner for multiped robots", 2018).
//!
//! A place is a cell and a mode. Whether a trunk can be there, which way it can face and how much slower it is there follow from the
//! mode's reference posture. Places are evaluated in tiles where paths lead, so that time and memory follow the path and not the world.

// Lowest layer first.
mod tuning;
mod cells;
mod tile_surfaces;
mod surface_window;
mod surface_frame;
mod mode_shape;
mod mode_change;
mod world_edits;
mod place;
mod tiles;
mod places;
mod memory;
mod shortest_paths;
mod bridge;
mod guide;
mod resemblance;
mod standing;
mod heading;
mod up;
#[cfg(test)]
pub(crate) mod test_world;

pub(crate) use guide::{GuidePoint, TrunkGuide};
pub use memory::GuideMemory;
pub(crate) use mode_shape::is_mid_limb;
