//! Indexed triangles and the limits that every mesh format shares.

use clamber_model::math::Vec3;

/// Most triangles of a world. More would take minutes and gigabytes, and a small file can ask for many: a scene can
/// repeat a mesh, and a mesh can repeat its parts.
pub(crate) const MAX_TRIANGLES: usize = 1_000_000;

/// Vertices and triangles that index them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TriangleMesh {
    pub vertices: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// Whether a vertex is finite and within 100 km of the origin.
pub(crate) fn is_sensible(vertex: Vec3) -> bool {
    vertex.is_finite() && vertex.abs().max_element() <= 1e5
}
