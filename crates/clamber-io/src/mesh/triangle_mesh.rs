//! Indexed triangles in named parts, and the limits that every mesh format shares.

use std::collections::BTreeMap;

use clamber_model::math::Vec3;

use super::node_markers::NodeMarkers;
use crate::reject_control_characters::is_control;

/// Most triangles of a world. More would take minutes and gigabytes, and a small file can ask for many: a scene can
/// repeat a mesh, and a mesh can repeat its parts.
pub(crate) const MAX_TRIANGLES: usize = 1_000_000;

/// Longest name of a part, in characters: longer ones are cut, since each hold of the part repeats the name.
const LONGEST_NAME: usize = 80;

/// Vertices and triangles that index them. A part is an object of an OBJ file or a node of a glTF file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TriangleMesh {
    pub vertices: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// The part of each triangle.
    part_of: Vec<u32>,
    /// The names of the parts, unique, and their markers. The name is empty for triangles outside all objects.
    parts: Vec<(String, NodeMarkers)>,
    part_by_name: BTreeMap<String, u32>,
}

/// The triangles of one part, with vertices of their own.
#[derive(Debug)]
pub(crate) struct MeshPart {
    pub name: String,
    pub markers: NodeMarkers,
    pub vertices: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// Adds a triangle to a part.
    pub fn push(&mut self, triangle: [u32; 3], part: u32) {
        self.triangles.push(triangle);
        self.part_of.push(part);
    }

    /// Returns the part with this name, which is added with these markers if there is none yet.
    pub fn part(&mut self, name: &str, markers: NodeMarkers) -> u32 {
        let name = printable(name);
        *self.part_by_name.entry(name).or_insert_with_key(|name| {
            self.parts.push((name.clone(), markers));
            self.parts.len() as u32 - 1
        })
    }

    /// Adds a part with this name, or with the name and this number if the name is in use.
    pub fn numbered_part(&mut self, name: &str, number: usize, markers: NodeMarkers) -> u32 {
        match self.part_by_name.contains_key(&printable(name)) {
            false => self.part(name, markers),
            true => self.part(&format!("{} {number}", printable(name)), markers),
        }
    }

    /// Returns the parts that have triangles, in the order of the file.
    pub fn split(&self) -> Vec<MeshPart> {
        let empty = |(name, markers): &(String, NodeMarkers)| MeshPart {
            name: name.clone(),
            markers: markers.clone(),
            vertices: Vec::new(),
            triangles: Vec::new(),
        };
        let mut parts: Vec<MeshPart> = self.parts.iter().map(empty).collect();
        // For each vertex, the part that last used it, and its index there. Parts rarely share vertices.
        let mut places: Vec<(u32, u32)> = vec![(u32::MAX, 0); self.vertices.len()];
        for (triangle, &index) in self.triangles.iter().zip(&self.part_of) {
            let part = &mut parts[index as usize];
            let corners = triangle.map(|vertex| {
                let place = &mut places[vertex as usize];
                if place.0 != index {
                    *place = (index, part.vertices.len() as u32);
                    part.vertices.push(self.vertices[vertex as usize]);
                }
                place.1
            });
            part.triangles.push(corners);
        }
        parts.retain(|part| !part.triangles.is_empty());
        parts
    }
}

/// Whether a vertex is finite and within 100 km of the origin.
pub(crate) fn is_sensible(vertex: Vec3) -> bool {
    vertex.is_finite() && vertex.abs().max_element() <= 1e5
}

/// Returns a name without control characters, of a length that reports can print. Mesh files come from other programs, so
/// their names are changed rather than refused.
fn printable(name: &str) -> String {
    let characters = name.trim().chars().take(LONGEST_NAME);
    characters.map(|c| if is_control(c) { '_' } else { c }).collect()
}
