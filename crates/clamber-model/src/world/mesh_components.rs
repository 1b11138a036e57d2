//! Splits triangle meshes into connected components and finds which of them are solid.

use std::collections::BTreeMap;
use std::f32::consts::TAU;

use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::PointQuery;
use parry3d::shape::{TriMesh, TriMeshFlags};

use crate::math::{Vec3, atan2};

/// A connected component of a mesh.
pub(super) struct Component {
    triangles: Vec<[u32; 3]>,
    pub is_closed: bool,
    /// Signed volume: negative if the component faces inward, meaningless if it is open.
    volume: f64,
    aabb: Aabb,
}

impl Component {
    fn new(vertices: &[Vec3], triangles: Vec<[u32; 3]>, is_closed: bool) -> Self {
        let points = triangles.iter().flatten().map(|&index| vertices[index as usize]);
        let aabb = Aabb::from_points(points);
        Self { is_closed, volume: volume(vertices, &triangles), aabb, triangles }
    }

    /// Returns the engine's mesh, facing outward if it is closed; `None` without triangles.
    pub fn mesh(&self, vertices: &[Vec3]) -> Option<TriMesh> {
        let flags = if self.is_closed { TriMeshFlags::ORIENTED } else { TriMeshFlags::empty() };
        // Keep only the vertices that the triangles refer to.
        let own: Vec<Vec3> = self.triangles.iter().flatten().map(|&index| vertices[index as usize]).collect();
        let is_inverted = self.is_closed && self.volume < 0.0;
        let corners = |t: u32| if is_inverted { [3 * t, 3 * t + 2, 3 * t + 1] } else { [3 * t, 3 * t + 1, 3 * t + 2] };
        let separate: Vec<[u32; 3]> = (0..self.triangles.len() as u32).map(corners).collect();
        let (own, triangles) = merge_vertices(&own, &separate);
        // Without topology flags, the only possible error is a mesh without triangles.
        TriMesh::with_flags(own, triangles, flags).ok()
    }
}

/// Splits a mesh into components. Cavities are merged with the component around them, and all open components are merged, since
/// only closed ones have an inside.
pub(super) fn components(vertices: &[Vec3], triangles: Vec<[u32; 3]>) -> Vec<Component> {
    let half_edges = HalfEdges::new(vertices, &triangles);
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut representative: Vec<u32> = (0..triangles.len() as u32).collect();
    for (half_edge, partner) in half_edges.partners.iter().enumerate() {
        if let Some(partner) = partner {
            let (a, b) = (
                find_representative(&mut representative, half_edge as u32 / 3),
                find_representative(&mut representative, partner / 3),
            );
            representative[a.max(b) as usize] = a.min(b);
        }
    }
    for triangle in 0..triangles.len() as u32 {
        groups.entry(find_representative(&mut representative, triangle)).or_default().push(triangle);
    }
    let all = groups.into_values().map(|group| {
        let is_closed = group.iter().all(|&triangle| half_edges.of(triangle).iter().all(Option::is_some));
        Component::new(vertices, group.iter().map(|&triangle| triangles[triangle as usize]).collect(), is_closed)
    });
    let (closed, open): (Vec<Component>, Vec<Component>) = all.partition(|component| component.is_closed);
    let (mut outer, inward): (Vec<Component>, Vec<Component>) =
        closed.into_iter().partition(|component| component.volume >= 0.0);
    let mut loose = Vec::new();
    // A heap of gravel may have a hundred thousand components: too many to compare pair by pair.
    let boxes: Vec<Aabb> = outer.iter().map(|component| component.aabb).collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    let mut solids: BTreeMap<usize, Option<TriMesh>> = BTreeMap::new();
    for component in inward {
        let corner = vertices[component.triangles[0][0] as usize];
        let near = tree.intersect_aabb(&component.aabb).map(|index| index as usize);
        let mut near: Vec<usize> = near.filter(|&index| boxes[index].contains(&component.aabb)).collect();
        // The smallest solid around it counts. It is mostly the first of those that are large enough, also in a nest of shells.
        near.sort_unstable_by(|&a, &b| outer[a].volume.total_cmp(&outer[b].volume).then(a.cmp(&b)));
        let around = near.into_iter().find(|&index| {
            let solid = solids.entry(index).or_insert_with(|| outer[index].mesh(vertices));
            solid.as_ref().is_some_and(|mesh| mesh.contains_local_point(corner))
        });
        match around {
            Some(around) => outer[around].triangles.extend(&component.triangles),
            None => loose.push(component),
        }
    }
    outer.extend(loose);
    if !open.is_empty() {
        let triangles = open.into_iter().flat_map(|component| component.triangles).collect();
        outer.push(Component::new(vertices, triangles, false));
    }
    outer
}

/// Maximum number of solids at a shared edge that are separated; more occur only in adversarial files.
const MAX_SOLIDS_AT_EDGE: usize = 32;

/// Triangles whose angles about an edge differ by less than this, in radians, coincide.
const SAME_ANGLE: f32 = 1e-4;

/// The half-edge that each half-edge is joined to: half-edge `k` of triangle `t` is `3 t + k`.
struct HalfEdges {
    partners: Vec<Option<u32>>,
}

impl HalfEdges {
    /// Joins each half-edge to an opposite one between the same vertices.
    ///
    /// Where solids share an edge there are several; a half-edge is then joined to the first one met when rotating about the edge
    /// through the inside of its own solid, so that blocks that touch face to face stay separate. Of faces that coincide, as those
    /// of nested blocks do, the first is joined to the first, the second to the second, and so on: files list solids one by one.
    fn new(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        // Sorted by edge and direction, so that the half-edges of one edge are consecutive: first those from the lesser vertex.
        let mut order: Vec<([u32; 2], bool, u32)> = Vec::with_capacity(3 * triangles.len());
        for (index, triangle) in triangles.iter().enumerate() {
            for k in 0..3 {
                let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
                order.push(([from.min(to), from.max(to)], from > to, (3 * index + k) as u32));
            }
        }
        order.sort_unstable();
        let mut partners: Vec<Option<u32>> = vec![None; order.len()];
        for edge in order.chunk_by(|a, b| a.0 == b.0) {
            let [there, back] = [false, true].map(|is_back| {
                edge.iter()
                    .filter(|(_, back, _)| *back == is_back)
                    .map(|(_, _, half_edge)| *half_edge)
                    .collect::<Vec<u32>>()
            });
            match (there.len(), back.len()) {
                (1, 1) => (partners[there[0] as usize], partners[back[0] as usize]) = (Some(back[0]), Some(there[0])),
                (count, other) if count == other && count <= MAX_SOLIDS_AT_EDGE => {
                    for [there, back] in [[&there, &back], [&back, &there]] {
                        for &half_edge in there {
                            partners[half_edge as usize] =
                                partner_at_shared_edge(vertices, triangles, half_edge, [there, back]);
                        }
                    }
                }
                _ => {}
            }
        }
        // Both half-edges must choose each other.
        let mutual =
            |half_edge: u32| partners[half_edge as usize].filter(|&other| partners[other as usize] == Some(half_edge));
        Self { partners: (0..partners.len() as u32).map(mutual).collect() }
    }

    fn of(&self, triangle: u32) -> &[Option<u32>] {
        &self.partners[3 * triangle as usize..3 * triangle as usize + 3]
    }
}

/// Returns the partner of a half-edge where several solids share its edge. `there` and `back` are all half-edges between its ends,
/// in the order of the triangles.
fn partner_at_shared_edge(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    half_edge: u32,
    [there, back]: [&[u32]; 2],
) -> Option<u32> {
    let triangle = triangles[half_edge as usize / 3];
    let [from, to] = [half_edge % 3, (half_edge + 1) % 3].map(|corner| vertices[triangle[corner as usize] as usize]);
    let along = (to - from).normalize_or_zero();
    let angle = |other: u32| angle_around(vertices, triangles, other, along);
    let start = angle(half_edge);
    let clockwise = |other: u32| (start - angle(other)).rem_euclid(TAU);
    let is_same = |turn: f32| !(SAME_ANGLE..=TAU - SAME_ANGLE).contains(&turn);
    let rank =
        there.iter().take_while(|&&other| other != half_edge).filter(|&&other| is_same(clockwise(other))).count();
    // A coincident triangle belongs to another solid: it is met last.
    let inwards = |&other: &u32| Some(clockwise(other)).filter(|&turn| !is_same(turn)).unwrap_or(TAU);
    let least = back.iter().map(inwards).fold(f32::INFINITY, f32::min);
    let mut first_met = back.iter().filter(|other| inwards(other) < least + SAME_ANGLE);
    first_met.nth(rank).copied()
}

/// Returns the angle of a half-edge's triangle about the edge. Clockwise is through the inside of an outward triangle that runs
/// along the edge.
fn angle_around(vertices: &[Vec3], triangles: &[[u32; 3]], half_edge: u32, along: Vec3) -> f32 {
    let triangle = triangles[half_edge as usize / 3];
    let [from, apex] = [half_edge % 3, (half_edge + 2) % 3].map(|corner| vertices[triangle[corner as usize] as usize]);
    let across = along.any_orthonormal_vector();
    let arm = apex - from;
    atan2(arm.dot(along.cross(across)), arm.dot(across))
}

fn find_representative(representative: &mut [u32], mut vertex: u32) -> u32 {
    while representative[vertex as usize] != vertex {
        // Path halving keeps later lookups short.
        representative[vertex as usize] = representative[representative[vertex as usize] as usize];
        vertex = representative[vertex as usize];
    }
    vertex
}

/// Merges equal vertices and removes degenerate triangles and unused vertices. Files often give each triangle its own vertices,
/// which would make every mesh look open.
pub(super) fn merge_vertices(vertices: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut index_at: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let mut merged = Vec::new();
    let mut kept = Vec::with_capacity(triangles.len());
    for triangle in triangles {
        let corners = triangle.map(|index| {
            let vertex = vertices[index as usize];
            // Adding zero makes -0 and 0 equal.
            *index_at.entry(vertex.to_array().map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                merged.push(vertex);
                merged.len() as u32 - 1
            })
        });
        if corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0] {
            kept.push(corners);
        }
    }
    (merged, kept)
}

fn volume(vertices: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let corner = |index: u32| vertices[index as usize].to_array().map(f64::from);
    let six: f64 = triangles
        .iter()
        .map(|t| t.map(corner))
        .map(|[a, b, c]| {
            a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
        })
        .sum();
    six / 6.0
}
