//! Worlds: named obstacles, distances to them, and the holds on them.
//!
//! Distances come from the collision engine (parry). In front of it stands a coarse distance field, built once, that
//! answers most "is this far from all obstacles?" queries without the engine.

mod polygon_distance;
mod extrude_polygon;
mod mesh_components;
mod obstacle_geometry;
mod hold;
mod obstacle;
mod grid;
mod distance_field;
mod faces_between_sharp_edges;
mod sharp_edges;
mod world_data;
mod separation;
mod exact_distance;
mod nearest_surface;
mod distance_field_builder;
mod build_collision_trees;
mod covered_by_other_obstacles;
mod cross_section;
mod spread_holds;
mod builder;

pub use builder::{WorldBuilder, WorldError};
pub use distance_field::{DistanceField, DistanceFieldSettings};
pub use exact_distance::{MeshInterior, NearestObstacle};
pub use extrude_polygon::PolygonError;
pub use grid::Grid;
pub use hold::{DEFAULT_FRICTION, Hold, HoldShape, HoldType, MAX_FRICTION, UP};
pub use nearest_surface::SurfacePoint;
pub use obstacle::{Obstacle, ShapeError};
pub use obstacle_geometry::ObstacleGeometry;
pub use spread_holds::{HoldSpread, MAX_HOLDS, spread_holds};
pub use world_data::{MAX_CONTACT_TOLERANCE, Space, World};
