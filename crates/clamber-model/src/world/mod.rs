//! Worlds: named obstacles, distances to them, and the holds on them.
//!
//! Distances come from the collision engine (parry). In front of it stands a coarse distance field, built once, that
//! answers most "is this far from all obstacles?" queries without the engine.

mod polygon_distance;
mod extrude_polygon;
mod mesh_components;
mod obstacle;
mod grid;
mod field;
mod hold;
mod world_data;
mod distance;
mod nearest_surface;
mod field_builder;
mod construct;
mod spread;
mod builder;

pub use builder::{WorldBuilder, WorldError};
pub use distance::{MeshInterior, Nearest};
pub use extrude_polygon::PolygonError;
pub use field::{DistanceField, FieldSettings};
pub use grid::Grid;
pub use hold::{Hold, HoldShape, HoldType, UP};
pub use nearest_surface::SurfacePoint;
pub use obstacle::{Obstacle, ShapeError};
pub use spread::{Spread, spread_holds};
pub use world_data::{Space, World};
