//! Worlds: named obstacles, distances to them, and the holds on them.
//!
//! Distances come from the collision engine (parry). In front of it stands a coarse distance field, built once, that
//! answers most queries of the kind "is this far from everything?" without the engine.

mod outline;
mod polygon;
mod shell;
mod obstacle;
mod grid;
mod field;
mod hold;
mod world_index;
mod distance;
mod surface;
mod field_sampling;
mod construct;
mod spread;
mod builder;

pub use builder::{WorldBuilder, WorldError};
pub use distance::{Nearest, SolidDistance};
pub use field::{DistanceField, FieldSettings};
pub use grid::Grid;
pub use hold::{Hold, HoldShape, HoldType, UP};
pub use obstacle::{Obstacle, Part, ShapeError};
pub use polygon::PolygonError;
pub use spread::{Spread, spread_at_most, spread_holds};
pub use surface::SurfacePoint;
pub use world_index::{Space, World};
