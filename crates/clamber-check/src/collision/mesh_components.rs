//! The connected components of a triangle mesh.

use clamber_model::math::Vec3;

/// Triangles that are connected by shared edges.
#[derive(Clone, Copy, Default)]
pub(super) struct Component {
    /// Whether each of its edges is run through equally often in both directions. Only such components have an inside.
    pub is_closed: bool,
    /// The signed volume: negative if it faces inward.
    pub volume: f64,
}

/// One use of an edge by a triangle. Sorted, the uses of an edge are adjacent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct EdgeUse {
    vertices: [u32; 2],
    triangle: u32,
    is_forward: bool,
}

/// Returns the component of each triangle that has three different corners, and the components. All triangles that meet in an edge are in one
/// component, so blocks that touch along an edge are one; each still counts as solid, see `Mesh`.
pub(super) fn split(vertices: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<Component>) {
    let welded = weld(vertices);
    let weld = |triangle: &[u32; 3]| triangle.map(|vertex| welded[vertex as usize]);
    let triangles: Vec<[u32; 3]> = triangles.iter().map(weld).filter(|[a, b, c]| a != b && b != c && c != a).collect();
    let uses = sorted_edge_uses(&triangles, vertices.len());
    let mut parents: Vec<u32> = (0..triangles.len() as u32).collect();
    let mut open_triangles = Vec::new();
    for edge in uses.chunk_by(|a, b| a.vertices == b.vertices) {
        for pair in edge.windows(2) {
            join(&mut parents, pair[0].triangle, pair[1].triangle);
        }
        let forward = edge.iter().filter(|edge| edge.is_forward).count();
        if 2 * forward != edge.len() {
            open_triangles.push(edge[0].triangle);
        }
    }
    let mut numbers = vec![u32::MAX; triangles.len()];
    let mut components = Vec::new();
    let mut found = Vec::with_capacity(triangles.len());
    for (index, triangle) in triangles.iter().enumerate() {
        let number = &mut numbers[root(&mut parents, index as u32) as usize];
        if *number == u32::MAX {
            *number = components.len() as u32;
            components.push(Component { is_closed: true, volume: 0.0 });
        }
        let corners = triangle.map(|vertex| vertices[vertex as usize].as_dvec3());
        components[*number as usize].volume += corners[0].dot(corners[1].cross(corners[2])) / 6.0;
        found.push(*number);
    }
    for triangle in open_triangles {
        components[found[triangle as usize] as usize].is_closed = false;
    }
    (found, components)
}

/// Returns the uses of all edges, sorted. They are first put in order of the lesser vertex by counting, which leaves a few to sort
/// per vertex.
fn sorted_edge_uses(triangles: &[[u32; 3]], vertex_count: usize) -> Vec<EdgeUse> {
    let edges = |[a, b, c]: &[u32; 3]| [(*a, *b), (*b, *c), (*c, *a)];
    let mut places = vec![0; vertex_count + 1];
    for (from, to) in triangles.iter().flat_map(edges) {
        places[from.min(to) as usize + 1] += 1;
    }
    for vertex in 0..vertex_count {
        places[vertex + 1] += places[vertex];
    }
    let none = EdgeUse { vertices: [0; 2], triangle: 0, is_forward: false };
    let mut uses = vec![none; 3 * triangles.len()];
    for (index, triangle) in triangles.iter().enumerate() {
        for (from, to) in edges(triangle) {
            let place: &mut usize = &mut places[from.min(to) as usize];
            let vertices = [from.min(to), from.max(to)];
            uses[*place] = EdgeUse { vertices, triangle: index as u32, is_forward: from < to };
            *place += 1;
        }
    }
    for of_vertex in uses.chunk_by_mut(|a, b| a.vertices[0] == b.vertices[0]) {
        of_vertex.sort_unstable();
    }
    uses
}

/// For each vertex, the first vertex at the same place.
fn weld(vertices: &[Vec3]) -> Vec<u32> {
    // Adding zero makes -0 and 0 equal.
    let key = |index: &u32| vertices[*index as usize].to_array().map(|coordinate| (coordinate + 0.0).to_bits());
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.sort_unstable_by_key(|index| (key(index), *index));
    let mut welded = vec![0; vertices.len()];
    for same in order.chunk_by(|a, b| key(a) == key(b)) {
        for &index in same {
            welded[index as usize] = same[0];
        }
    }
    welded
}

fn root(parents: &mut [u32], mut of: u32) -> u32 {
    while parents[of as usize] != of {
        parents[of as usize] = parents[parents[of as usize] as usize];
        of = parents[of as usize];
    }
    of
}

fn join(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parents, a), root(parents, b));
    parents[a.max(b) as usize] = a.min(b);
}
