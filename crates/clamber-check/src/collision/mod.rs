//! The checker's own collision shapes and distances, in double precision.
//!
//! Built from the plain geometry of the obstacles. Nothing is shared with the queries that planners use: no engine, no
//! distance field, no decomposition of meshes, no triangulation of polygons.

mod box_tree;
mod segment_distance;
mod prism;
mod mesh_components;
mod mesh;
mod scene;

pub(crate) use scene::CollisionScene;
pub(crate) use segment_distance::between_segments;
